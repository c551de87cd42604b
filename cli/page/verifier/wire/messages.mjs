// Messages (SPEC 7): arrays of a tag and fields.  All that the protocol has are told apart here, also those that no
// match checked here can owe: "not a message" and "the wrong message" are two faults.

import {isPlain} from './texts.mjs';

const MOST_MOVE = 32;
const MOST_DIGESTS = 256;
const MOST_FACE = 127;
const HASH_BYTES = 32;

/** Whether a decoded value is a byte string of one of these lengths. */
export function isBytes(value, ...lengths) {
  return value instanceof Uint8Array && lengths.includes(value.length);
}

/** Whether a value is a digest, a salt, a link or a head. */
export function isHash(value) {
  return isBytes(value, HASH_BYTES);
}

/** Whether a value is a face, 0 to 127. */
export function isFace(value) {
  return typeof value === 'number' && value <= MOST_FACE;
}

function isMove(value) {
  return typeof value === 'string' && isPlain(value, MOST_MOVE);
}

function areDigests(value) {
  return Array.isArray(value) && value.length > 0 && value.length <= MOST_DIGESTS && value.every(isHash);
}

function exactly(...lengths) {
  return (value) => isBytes(value, ...lengths);
}

/** A byte string of one or more parts of so many bytes. */
function partsOf(length) {
  return (value) => value instanceof Uint8Array && value.length > 0 && value.length % length === 0;
}

function isCount(value) {
  return typeof value === 'number';
}

function arePayloads(value) {
  return Array.isArray(value) && value.length > 0 && value.every((item) => item instanceof Uint8Array);
}

/** By tag: the name, and for each field its name and its check. */
const SHAPES = new Map([
  [1, ['Choice', [['move', isMove]]]],
  [2, ['HiddenChoice', [['digest', isHash]]]],
  [3, ['ShownChoice', [['move', isMove], ['salt', isHash]]]],
  [4, ['Commitments', [['digests', areDigests]]]],
  [5, ['Opening', [['face', isFace], ['salt', isHash]]]],
  [6, ['Share', [['link', isHash]]]],
  [7, ['LookKey', [['key', isHash]]]],
  [8, ['SealedOpening', [['key', isHash], ['box', exactly(49)]]]],
  [9, ['Mixed', [['digests', areDigests]]]],
  [15, ['Gone', [['seat', isCount], ['aways', arePayloads]]]],
  [16, ['Keys', [['key', isHash], ['proof', exactly(64)], ['shareKey', exactly(0, 32)]]]],
  [17, ['Escrowed', [['commitments', partsOf(32)], ['ephemeral', exactly(96)], ['pads', partsOf(32)]]]],
  [18, ['Shuffled', [['cards', partsOf(64)], ['proof', partsOf(32)]]]],
  [19, ['Tokens', [['tokens', partsOf(32)], ['proof', exactly(64)]]]],
  [20, ['Opened', [['face', partsOf(1)], ['proof', partsOf(64)]]]],
  [21, ['Moved', [['cards', partsOf(64)], ['proofs', partsOf(96)]]]],
  [22, ['Proved', [['proof', partsOf(64)]]]],
  [23, ['Laid', [['cards', partsOf(64)], ['proofs', partsOf(64)]]]],
  [24, ['Released', [['share', isHash]]]],
  [25, ['TakeBack', [['number', isCount]]]],
]);

/**
 * The message that a decoded value stands for, or null if it is none.
 * @param {import('./codec.mjs').Value} value @returns {?{kind: string}} The fields stand beside `kind`.
 */
export function parseMessage(value) {
  const shape = Array.isArray(value) ? SHAPES.get(value[0]) : undefined;
  if (shape === undefined) {
    return null;
  }
  const [kind, fields] = shape;
  if (value.length !== fields.length + 1 || !fields.every(([, fits], at) => fits(value[at + 1]))) {
    return null;
  }
  return {kind, ...Object.fromEntries(fields.map(([name], at) => [name, value[at + 1]]))};
}
