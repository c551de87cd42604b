// Statements (SPEC 9): the signed records of a seat beside the chain, each over one of its heads.

import {decode, Malformed} from '../wire/codec.mjs';
import {SIGNATURE_BYTES} from '../crypto/ed25519.mjs';
import {bodyOf, isReceipt, MOST_BACK} from './entries.mjs';
import {isBytes, isFace, isHash} from '../wire/messages.mjs';
import {isSound} from '../crypto/sealed.mjs';
import {isPlain, lengthOf} from '../wire/texts.mjs';

export const MOST_STATEMENTS = 1000;
const MOST_CHAT = 500;
const MOST_REASON = 32;
const MOST_OPENINGS = 256;
const NUMBERS = 2 ** 32; // all are below it
const FIELDS = 6;

function isNumber(value) {
  return typeof value === 'number' && value < NUMBERS;
}

function isChat(value) {
  return typeof value === 'string' && value !== '' && lengthOf(value) <= MOST_CHAT;
}

function areWinners(value) {
  return Array.isArray(value) && value.every((seat, at) => isNumber(seat) && (at === 0 || value[at - 1] < seat));
}

function isReason(value) {
  return typeof value === 'string' && isPlain(value, MOST_REASON);
}

function areOpenings(value) {
  const isOpening = (item) => Array.isArray(item) && item.length === 2 && isFace(item[0]) && isHash(item[1]);
  return Array.isArray(value) && value.length > 0 && value.length <= MOST_OPENINGS && value.every(isOpening);
}

function isBox(value) {
  return isBytes(value, 304, 2096);
}

/** The cause of an AWAY that says that a clock has run out. */
function isOutOfTime(value) {
  return value === 1;
}

/** Whether a statement is an AWAY that says that the clock of the accused has run out. */
export function isOfTime({kind, content}) {
  return kind === 'AWAY' && content.length === 4;
}

/** The release in a BACK among three or more; `MOST_BACK` bytes at most. */
function isOtherBack(value) {
  return value instanceof Uint8Array && value.length > 0 && value.length <= MOST_BACK;
}

function isProof(value) {
  return isBytes(value, 64);
}

/** By kind: its name, and the checks of its content, in each of the forms that it can have. */
const KINDS = new Map([
  [0, ['AGREE', [[], [isHash]]]],
  [1, ['CHAT', [[isChat]]]],
  [2, ['RESIGN', [[], [isHash]]]],
  [3, ['OFFER_DRAW', [[]]]],
  [4, ['ACCEPT_DRAW', [[isNumber, isNumber]]]],
  [5, ['AWAY', [[isNumber, isNumber, isReceipt], [isNumber, isNumber, isReceipt, isOutOfTime]]]],
  [6, ['END', [[areWinners, isReason]]]],
  [7, ['REVEAL', [[isNumber, areOpenings]]]],
  [8, ['COMPLAIN', [[isNumber, isHash], [isNumber, isHash, isProof]]]],
  [9, ['BACK', [[isNumber], [isNumber, isOtherBack]]]],
  [10, ['SEALED', [[isNumber, isBox]]]],
]);

/**
 * A statement; its signature is not checked here.  Throws Malformed.
 * @typedef {{seat: number, index: number, previous: Uint8Array, count: number, head: Uint8Array, kind: string,
 *   content: Array, payload: Uint8Array, body: Uint8Array}} Statement
 * @param {Uint8Array} payload @returns {Statement}
 */
export function parseStatement(payload) {
  if (payload.length <= SIGNATURE_BYTES) {
    throw new Malformed('A statement is too short to be signed.');
  }
  const body = bodyOf(payload);
  const value = decode(body);
  if (!Array.isArray(value) || value.length < FIELDS) {
    throw new Malformed('A statement has too few fields.');
  }
  const [seat, index, previous, count, head, number, ...content] = value;
  if (!isNumber(seat) || !isNumber(index) || !isHash(previous) || !isNumber(count) || !isHash(head)) {
    throw new Malformed('A statement does not name its seat, its place and its heads.');
  }
  const [kind, forms] = KINDS.get(number) ?? [null, []];
  if (!forms.some((checks) => fits(checks, content))) {
    throw new Malformed('A statement is of no kind that this version of the protocol knows.');
  }
  return {seat, index, previous, count, head, kind, content, payload, body};
}

/** Refuses a statement of another form than this match gives it; only the reader of a box can open it. */
export function checkTalk({seat, kind, content}, {privateTalk = false}, seats) {
  if (kind === 'AGREE' && (content.length > 0) !== privateTalk) {
    throw new Malformed('A consent carries a key for talk exactly where the game allows talk between two.');
  }
  if (kind === 'AGREE' && privateTalk && !isSound(content[0])) {
    throw new Malformed('What is sealed with this key for talk, everybody could read.');
  }
  if (kind === 'SEALED' && (!privateTalk || content[0] === seat || content[0] >= seats)) {
    throw new Malformed('Sealed talk is for one other seat, in a game that allows it.');
  }
}

function fits(checks, content) {
  return checks.length === content.length && checks.every((check, at) => check(content[at]));
}

/** Whether two ends, each an Outcome or the content of an END, name the same winners and the same reason. */
export function isEnd(content, ended) {
  const [winners, reason] = content;
  return reason === ended.reason && winners.length === ended.winners.length
    && winners.every((seat, at) => seat === ended.winners[at]);
}
