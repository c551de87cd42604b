// The public table, and how each Ask is answered (SPEC 6 and 7), for two seats and the profile of salted hashes.
//
// A script is a generator: it yields an Owed, `{seat, kind}`, the one message outstanding, and is sent that message.
// It throws Broken if the message breaks a rule.

import {bigEndian, equalBytes, toHex} from './bytes.mjs';
import {encode} from './codec.mjs';
import {LABEL_CHANCE_LINK, LABEL_CHANCE_ROLL, LABEL_COMMITMENT, LABEL_HIDDEN_CHOICE} from './labels.mjs';
import {Ledger} from './ledger.mjs';
import {Broken} from './refusals.mjs';
import {taggedHash} from './sha2.mjs';

const MOST_SIDES = 2 ** 32;
const SPACE = 1n << 256n;
const MOST_SLOTS = 2 ** 16;
const MOST_TAKEBACKS = 250;
const WITHIN = 100;

/** The public facts of a match. */
export class PublicTable {
  /** @param {import('./genesis.mjs').Genesis} genesis @param {boolean} keepsStates */
  constructor(genesis, keepsStates) {
    this.genesis = genesis;
    this.keepsStates = keepsStates;
    /** By slot: `{seat, digest, faces}`, the faces that it may show. */
    this.hidden = new Map();
    /** By slot: its face, if it was opened or revealed. */
    this.faces = new Map();
    this.digests = new Set();
    this.ledger = new Ledger(!genesis.takebacks);
    /** The last link of each seat's chance chain. */
    this.links = genesis.players.map((player) => player.anchor);
    /** Asks answered so far; names the one under way. */
    this.serial = 0;
    this.rolls = 0;
    /** The number of the entry being admitted; −1 before the first. */
    this.number = -1;
    /** Every state that the rules showed, `{entry, state}`. */
    this.shown = [];
    /** The answers that the rules were sent. */
    this.answers = [];
    /** By toss, the shares of both seats: a Roll that was taken back falls alike again. */
    this.tossed = [];
    this.takenBack = 0;
    /** By number of the entry, ascending: the decisions that can be taken back, each with the moment of its Ask. */
    this.takeable = new Map();
    /** The moment at which the Ask under way was put, if a decision of its answer could be taken back; or null. */
    this.moment = null;
  }

  /** What `restore` needs to go on from here. */
  kept() {
    const {hidden, faces, ledger, rolls, shown, answers} = this;
    return {
      hidden: new Map(hidden), faces: new Map(faces), ledger: ledger.kept(), rolls, shown: shown.length,
      answers: answers.length,
    };
  }

  /** Goes back to a moment; commitments that were seen, links and serials stay used. */
  restore({hidden, faces, ledger, rolls, shown, answers}) {
    Object.assign(this, {hidden, faces, ledger, rolls});
    this.shown.length = shown;
    this.answers.length = answers;
    this.serial += 1;
    this.takenBack += 1;
  }

  /** Takes note of the decision in entry `number`, which answered the Ask put at `moment`. */
  note(number, moment) {
    this.takeable.set(number, moment);
    if (this.takeable.size > WITHIN) {
      this.takeable.delete(Math.min(...this.takeable.keys()));
    }
  }

  /** SPEC 7.10: goes back to before the decision in entry `number`; `own`: whether its seat takes it back. */
  takeBack(number, own) {
    const moment = this.takeable.get(number);
    if (moment === undefined || !own || this.takenBack >= MOST_TAKEBACKS) {
      throw new Broken('false-takeback');
    }
    for (const [at, of] of [...this.takeable]) {
      if (at >= number || of === moment) {
        this.takeable.delete(at);
      }
    }
    this.restore(moment);
  }

  /** Notes commitments under new slots. */
  lay(seat, slots, digests, faces) {
    this.once(digests);
    slots.forEach((slot, at) => {
      if (this.hidden.has(slot) || !Number.isInteger(slot) || slot < 0 || slot >= MOST_SLOTS) {
        throw new RangeError(`the rules used slot ${slot} twice, or it is none`);
      }
      this.hidden.set(slot, {seat, digest: digests[at], faces});
    });
  }

  /** Refuses a commitment that stood in this match before: it may mirror another seat's. */
  once(digests) {
    const names = digests.map(toHex);
    if (new Set(names).size !== names.length || names.some((name) => this.digests.has(name))) {
      throw new Broken('repeated-commitment');
    }
    names.forEach((name) => this.digests.add(name));
  }

  /** Refuses an opening that does not fit the commitment under a slot, or shows a face not allowed there. */
  checkOpening(slot, face, salt) {
    const hidden = this.hidden.get(slot);
    if (!equalBytes(hideFace(this.genesis.id, hidden.seat, slot, face, salt), hidden.digest)) {
      throw new Broken('wrong-opening');
    }
    if (!hidden.faces.includes(face)) {
      throw new Broken('impossible-face');
    }
  }
}

/** The commitment to a face. @returns {Uint8Array} 32 bytes. */
export function hideFace(game, seat, slot, face, salt) {
  return taggedHash(LABEL_COMMITMENT, encode([game, seat, slot, salt, face]));
}

/** The commitment to a move as an answer to the Ask of this serial. @returns {Uint8Array} 32 bytes. */
export function hideChoice(game, seat, serial, move, salt) {
  return taggedHash(LABEL_HIDDEN_CHOICE, encode([game, seat, serial, salt, move]));
}

/** The link of a chance chain before `link`. @returns {Uint8Array} 32 bytes. */
export function linkBefore(seat, link) {
  return taggedHash(LABEL_CHANCE_LINK, encode([seat, link]));
}

/** The answer to toss `number`: uniform over 0 ≤ answer < sides, by rejection. @returns {number} */
export function tossed(game, number, shares, sides) {
  const range = BigInt(sides);
  const bound = SPACE - (SPACE % range);
  for (let attempt = 0; ; attempt += 1) {
    const value = bigEndian(taggedHash(LABEL_CHANCE_ROLL, encode([game, number, attempt, shares])));
    if (value < bound) {
      return Number(value % range);
    }
  }
}

/**
 * The whole game: the rules ask, the scripts below answer; returns the Outcome.  Answers that the table holds already
 * are sent to the rules first, which then go on from there.
 * @param {PublicTable} table
 */
export function* playScript(table) {
  const {rulebook, options, players, takebacks} = table.genesis;
  let again = table.answers.length > 0;
  const show = (state) => table.keepsStates && !again && table.shown.push({entry: table.number, state});
  const rules = rulebook.play(options, players.length, show);
  let step = rules.next();
  for (const answer of table.answers) {
    step = rules.next(answer);
  }
  again = false;
  while (!step.done) {
    const script = SCRIPTS.get(step.value.kind);
    if (script === undefined) {
      throw new TypeError(`the rules ask for ${step.value.kind}, which is not answered here`);
    }
    table.moment = takebacks && asksPlayer(step.value) ? table.kept() : null;
    const answer = yield* script(table, step.value);
    table.serial += 1;
    if (takebacks) {
      table.answers.push(answer);
    }
    step = rules.next(answer);
  }
  return step.value;
}

/** Whether a player decides an Ask. */
function asksPlayer({kind}) {
  return kind === 'Choose' || kind === 'Commit' || kind === 'Together';
}

const SCRIPTS = new Map([
  ['Choose', chooseScript],
  ['Commit', commitScript],
  ['Open', openScript],
  ['Claim', claimScript],
  ['Roll', rollScript],
  ['Together', togetherScript],
]);

function* chooseScript(table, ask) {
  const {move} = yield {seat: ask.seat, kind: 'Choice'};
  if (!ask.options.has(move)) {
    throw new Broken('illegal-choice');
  }
  return move;
}

function* commitScript(table, ask) {
  const {digests} = yield {seat: ask.seat, kind: 'Commitments'};
  if (digests.length !== ask.slots.length) {
    throw new Broken('wrong-count');
  }
  table.lay(ask.seat, ask.slots, digests, ask.faces);
  if (ask.exactly) {
    const {seat, slots, faces} = ask;
    table.ledger.add({seat, rule: 'wrong-faces', slots, faces, exactly: true, number: table.number});
  }
  return null;
}

function* openScript(table, ask) {
  const {face, salt} = yield {seat: table.hidden.get(ask.slot).seat, kind: 'Opening'};
  table.checkOpening(ask.slot, face, salt);
  table.faces.set(ask.slot, face);
  table.ledger.open(ask.slot, table.number);
  return face;
}

/** No message: the claim came with the entry before it. */
function* claimScript(table, ask) {
  const {seat, rule, slots, faces} = ask;
  table.ledger.add({seat, rule, slots, faces, exactly: false, number: table.number});
  return null;
}

/** A share of each seat; who begins rotates, since the last one sees the result first. */
function* rollScript(table, ask) {
  const {genesis, links} = table;
  if (!(ask.sides > 0 && ask.sides <= MOST_SIDES) || table.rolls >= genesis.rulebook.mostRolls) {
    throw new RangeError('the rules roll more, or with more sides, than they may');
  }
  if (table.rolls === table.tossed.length) {
    for (let place = 0; place < links.length; place += 1) {
      const seat = (table.rolls + place) % links.length;
      const {link} = yield {seat, kind: 'Share'};
      if (!equalBytes(linkBefore(seat, link), links[seat])) {
        throw new Broken('wrong-link');
      }
      links[seat] = link;
    }
    table.tossed.push([...links]);
  }
  table.rolls += 1;
  return tossed(genesis.id, table.rolls - 1, table.tossed[table.rolls - 1], ask.sides);
}

/** Commits one after the other, as they hide anyway; of choices all are hidden, then all shown. */
function* togetherScript(table, {asks}) {
  if (asks[0].kind === 'Commit') {
    for (const ask of asks) {
      yield* commitScript(table, ask);
    }
    return asks.map(() => null);
  }
  const digests = [];
  for (const ask of asks) {
    const {digest} = yield {seat: ask.seat, kind: 'HiddenChoice'};
    table.once([digest]);
    digests.push(digest);
  }
  const moves = [];
  for (const [at, ask] of asks.entries()) {
    const {move, salt} = yield {seat: ask.seat, kind: 'ShownChoice'};
    if (!equalBytes(hideChoice(table.genesis.id, ask.seat, table.serial, move, salt), digests[at])) {
      throw new Broken('wrong-opening');
    }
    if (!ask.options.has(move)) {
      throw new Broken('illegal-choice');
    }
    moves.push(move);
  }
  return moves;
}
