// The genesis (SPEC 5): all that the players agree on before the first move; its hash is the match's id.

import {toHex} from '../wire/bytes.mjs';
import {decode, Malformed} from '../wire/codec.mjs';
import {readKey} from '../crypto/ed25519.mjs';
import {LABEL_FINGERPRINT, LABEL_GENESIS} from '../wire/labels.mjs';
import {isHash} from '../wire/messages.mjs';
import {taggedHash} from '../crypto/sha2.mjs';
import {isName} from '../wire/texts.mjs';

export const PROTOCOL_VERSION = 2;
const MOST_GAME_NAME = 32;
const MOST_OPTIONS = 32;
const MOST_PACKAGE_NAME = 64;
const MOST_PACE = 3;
/** By the number of a clock's items, the least and the most of each: seconds a decision, or at first and more. */
const CLOCKS = new Map([[1, [[5, 3600]]], [2, [[10, 36_000], [0, 600]]]]);
const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A version, a game or a profile that this program does not know. */
export class Unsupported extends Error {}

/**
 * @typedef {{key: {bytes: Uint8Array}, name: string, nonce: Uint8Array, anchor: Uint8Array}} Player
 * @typedef {{rulebook: import('./asks.mjs').Rulebook, options: Map, players: Player[], sides: number[][],
 *   body: Uint8Array, id: Uint8Array, pace: number, clock: ?number[], takebacks: boolean, proofs: boolean, escrow: number}} Genesis
 */

/**
 * Reads a genesis, in the order of SPEC 5.  `games`: the rulebooks by name.  Throws Malformed, Unsupported.
 * @param {Uint8Array} body @param {Map<string, Object>} games @returns {Genesis}
 */
export function parseGenesis(body, games) {
  const value = decode(body);
  if (!Array.isArray(value) || typeof value[0] !== 'number') {
    throw new Malformed('The first record is not a genesis.');
  }
  if (value[0] !== PROTOCOL_VERSION) {
    throw new Unsupported(`It is of version ${value[0]} of the protocol; this page knows ${PROTOCOL_VERSION}.`);
  }
  if (value.length < 7 || value.length > 9) {
    throw new Malformed('A genesis has seven fields, one more for a slower pace or a clock, or two more.');
  }
  const [, name, version, options, seats, proofs, escrow, time, last] = value;
  const rulebook = findGame(name, version, games);
  if (!Array.isArray(seats) || !rulebook.seatCounts.includes(seats.length)) {
    throw new Malformed('The number of players does not fit the game.');
  }
  const players = readPlayers(seats);
  const {needsProofs = false} = rulebook;
  if ((proofs !== 0 && proofs !== 1) || (needsProofs && proofs === 0)) {
    throw new Malformed('A match has proofs or not, and this game may need them.');
  }
  if (escrow !== 0 && !(needsProofs && typeof escrow === 'number' && escrow >= 2 && escrow < players.length)) {
    throw new Malformed('An escrow is 0 or, in a game with decks, 2 to one fewer than there are seats.');
  }
  const agreed = readOptions(options, rulebook);
  if (rulebook.fit?.(agreed, players.length) === false) {
    throw new Malformed('So many players cannot play by these options.');
  }
  const takebacks = last !== undefined;
  if (takebacks && last !== 1) {
    throw new Malformed('The last field of a genesis of nine says that decisions can be taken back.');
  }
  const {pace, clock} = readTime(takebacks && time === 0 ? undefined : time);
  const id = taggedHash(LABEL_GENESIS, body);
  return {rulebook, options: agreed, players, sides: rulebook.sides(players.length), body, id, pace, clock, takebacks, proofs: proofs === 1, escrow};
}

/** Pace and clock; a live match without a clock says nothing of them. */
function readTime(time) {
  if (time === undefined) {
    return {pace: 0, clock: null};
  }
  if (typeof time === 'number' && time >= 1 && time <= MOST_PACE) {
    return {pace: time, clock: null};
  }
  const bounds = Array.isArray(time) ? CLOCKS.get(time.length) ?? [] : [];
  const fits = ([least, most], at) => typeof time[at] === 'number' && time[at] >= least && time[at] <= most;
  if (bounds.length === 0 || !bounds.every(fits)) {
    throw new Malformed('A match is live, perhaps with a clock, or an hour, a day or a week is for each decision.');
  }
  return {pace: 0, clock: time};
}

// The version of a game from another package (T120): none is part of a page.
function isEdition(value) {
  return Array.isArray(value) && value.length === 3 && typeof value[0] === 'number' && typeof value[1] === 'string'
    && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value[1]) && value[1].length <= MOST_PACKAGE_NAME
    && isHash(value[2]);
}

function findGame(name, version, games) {
  if (typeof name !== 'string' || !/^[\x00-\x7f]+$/.test(name) || name.length > MOST_GAME_NAME
    || !(typeof version === 'number' || isEdition(version))) {
    throw new Malformed('The genesis names no game.');
  }
  const rulebook = games.get(name);
  if (rulebook?.version !== version) {
    throw new Unsupported('The match is of a game, or of a version of its rules, that this page does not know.');
  }
  return rulebook;
}

function readPlayers(seats) {
  const players = seats.map(readPlayer);
  for (const part of [(player) => player.key.bytes, (player) => player.nonce, (player) => player.anchor]) {
    if (new Set(players.map((player) => toHex(part(player)))).size !== players.length) { // T5
      throw new Malformed('Two players have the same key, nonce or anchor: one mirrors the other.');
    }
  }
  return players;
}

function readPlayer(value) {
  if (!Array.isArray(value) || value.length !== 4) {
    throw new Malformed('A player is not a key, a name, a nonce and an anchor.');
  }
  const [bytes, name, nonce, anchor] = value;
  const key = isHash(bytes) ? readKey(bytes) : null;
  if (key === null || typeof name !== 'string' || !isName(name) || !isHash(nonce) || !isHash(anchor)) {
    throw new Malformed('A player has no sound key, no visible name, no nonce or no anchor.');
  }
  return {key, name, nonce, anchor};
}

function readOptions(value, rulebook) {
  if (!Array.isArray(value) || value.length > MOST_OPTIONS) {
    throw new Malformed('The options of a genesis are not a short array.');
  }
  const wanted = new Map();
  for (const pair of value) {
    if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] !== 'string' || wanted.has(pair[0])
      || !isSetting(pair[1])) {
      throw new Malformed('An option is not a name of its own and a value.');
    }
    wanted.set(pair[0], pair[1]);
  }
  const agreed = rulebook.options(wanted);
  const same = agreed !== null && agreed.size === wanted.size
    && [...agreed].every(([name, setting], at) => name === value[at][0] && setting === value[at][1]);
  if (!same) {
    throw new Malformed('The options are not those of the game, complete and in order.');
  }
  return agreed;
}

function isSetting(value) {
  return typeof value === 'number' || typeof value === 'string';
}

/** The form of a key that people compare: 80 bits of its hash as four groups of four letters. */
export function fingerprint(key) {
  const bits = [...taggedHash(LABEL_FINGERPRINT, key).subarray(0, 10)]
    .map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{5}/g).map((group) => BASE_32[Number.parseInt(group, 2)]).join('');
  return letters.match(/.{4}/g).join('-');
}
