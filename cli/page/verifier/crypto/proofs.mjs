// Cards under keys and the proofs about them (spec/decks.md, D4 to D10).  A card is `{a, b}`, two Elements; `who` is a
// prover, `{ctx: [game id, serial, seat], key: Element}`.  A check throws Broken.

import {asciiBytes, joinBytes, littleEndian, toHex} from '../wire/bytes.mjs';
import {encode} from '../wire/codec.mjs';
import {L} from './curve.mjs';
import {
  LABEL_PROOF_KEY, LABEL_PROOF_MEMBER, LABEL_PROOF_MOVE, LABEL_PROOF_OPENING, LABEL_PROOF_SHUFFLE,
  LABEL_SHUFFLE_CHALLENGE, LABEL_SHUFFLE_GENERATOR, LABEL_SHUFFLE_SEED,
} from '../wire/labels.mjs';
import {Broken} from '../refusals.mjs';
import {combination, decodeElement, elementOfHash, GENERATOR, NO_ELEMENT, POINT_BYTES} from './ristretto.mjs';
import {sha512} from './sha2.mjs';

export const CARD_BYTES = 2 * POINT_BYTES;
export const OPENING_BYTES = 64;
export const MOVE_BYTES = 96;
const NOT_A_MESSAGE = 'not-a-message';
const FACE_COUNT_IN_CARDS = 128;

const labelBlocks = new Map();

/** H512(label, value): 64 bytes. */
export function hash512(label, value) {
  if (!labelBlocks.has(label)) {
    const tag = sha512(asciiBytes(label));
    labelBlocks.set(label, joinBytes(tag, tag));
  }
  return sha512(joinBytes(labelBlocks.get(label), encode(value)));
}

/** The hash of a value to a number below L. */
export function hashToScalar(label, value) {
  return littleEndian(hash512(label, value)) % L;
}

/** A number below L as 32 bytes. */
export function scalarBytes(number) {
  return Uint8Array.from({length: 32}, (_, at) => Number((number >> BigInt(8 * at)) & 255n));
}

/** The parts of 32 bytes of a field. */
function partsOfBytes(bytes) {
  return Array.from({length: bytes.length / 32}, (_, at) => bytes.subarray(32 * at, 32 * at + 32));
}

/** Refuses a field that has not the length that the Ask calls for. */
export function requireLength(bytes, length) {
  if (bytes.length !== length) {
    throw new Broken(NOT_A_MESSAGE);
  }
}

/** The points that were received in a field: none is the identity. @returns {Element[]} */
export function receivedPoints(bytes) {
  return partsOfBytes(bytes).map((part) => {
    const element = part.every((byte) => byte === 0) ? null : decodeElement(part);
    if (element === null) {
      throw new Broken(NOT_A_MESSAGE);
    }
    return element;
  });
}

/** The numbers below L that were received in a field. @returns {bigint[]} */
export function receivedScalars(bytes) {
  return partsOfBytes(bytes).map((part) => {
    const number = littleEndian(part);
    if (number >= L) {
      throw new Broken(NOT_A_MESSAGE);
    }
    return number;
  });
}

/** The cards that were received in a field. */
export function receivedCards(bytes) {
  const points = receivedPoints(bytes);
  return Array.from({length: points.length / 2}, (_, at) => ({a: points[2 * at], b: points[2 * at + 1]}));
}

function cardBytes(...cards) {
  return joinBytes(...cards.flatMap(({a, b}) => [a.bytes, b.bytes]));
}

const markers = new Map();

/** M(f), the point that stands for a face. */
export function markerOf(face) {
  if (!markers.has(face)) {
    markers.set(face, combination([BigInt(face + 1), GENERATOR]));
  }
  return markers.get(face);
}

/** The card of a face that all know, under a key. */
export function publicCard(face, key) {
  return {a: GENERATOR, b: markerOf(face).plus(key)};
}

const facesByPoint = new Map();

/** The face that a point stands for, once all was proved. */
export function faceOfPoint(point) {
  if (facesByPoint.size === 0) {
    Array.from({length: FACE_COUNT_IN_CARDS}, (_, face) => facesByPoint.set(toHex(markerOf(face).bytes), face));
  }
  const face = facesByPoint.get(toHex(point.bytes));
  if (face === undefined) {
    throw new RangeError('a card has no face, though all was proved');
  }
  return face;
}

/** The context in which a proof of a seat holds: this match, the Ask under way, this seat. */
export function contextOf(table, seat) {
  return [table.genesis.id, table.serial, seat];
}

/** A seat as a prover. */
export function proverOf(table, seat) {
  return {ctx: contextOf(table, seat), key: table.cards.keys.get(seat)};
}

/** z·p − c·q, the commitment that a response belongs to. */
export function commitmentTo(z, p, c, q) {
  return combination([z, p], [-c, q]).bytes;
}

/** Throws Broken unless a proof holds. */
export function requireHolds(holds, rule) {
  if (!holds) {
    throw new Broken(rule);
  }
}

/** D4: that the seat of a context knows the secret of its key; `checks`: whether the proof is checked now. */
export function checkKey(ctx, key, proof, checks) {
  const [element] = receivedPoints(key);
  if (checks) {
    const [c, z] = receivedScalars(proof);
    requireHolds(c === hashToScalar(LABEL_PROOF_KEY, [ctx, key, commitmentTo(z, GENERATOR, c, element)]), 'wrong-key');
  }
  return element;
}

/** Whether 32 bytes are the secret of a key. */
export function isSecretOf(key, bytes) {
  const secret = littleEndian(bytes);
  return secret < L && combination([secret, GENERATOR]).minus(key).isNothing;
}

/** D8: that a card shows a face. */
export function checkOpened({ctx, key}, card, face, proof) {
  const [c, z] = receivedScalars(proof);
  const commitments = [commitmentTo(z, GENERATOR, c, key), commitmentTo(z, card.a, c, card.b.minus(markerOf(face)))];
  const statement = [ctx, key.bytes, cardBytes(card), face, ...commitments];
  requireHolds(c === hashToScalar(LABEL_PROOF_OPENING, statement), 'wrong-opening');
}

/** D9: that a card shows under the key `to` what another one shows. */
export function checkMoved({ctx, key}, card, to, moved, proof) {
  const [c, z1, z2] = receivedScalars(proof);
  const third = combination([z1, card.a], [-z2, to], [-c, card.b.minus(moved.b)]).bytes;
  const commitments = [commitmentTo(z1, GENERATOR, c, key), commitmentTo(z2, GENERATOR, c, moved.a), third];
  const statement = [ctx, key.bytes, to.bytes, cardBytes(card), cardBytes(moved), ...commitments];
  requireHolds(c === hashToScalar(LABEL_PROOF_MOVE, statement), 'wrong-move');
}

/** D10: that cards show, in order, one of these tuples of faces; `rule`: broken if not. */
export function checkMember({ctx, key}, cards, tuples, proof, rule) {
  const scalars = receivedScalars(proof);
  const challenges = tuples.map((_, at) => scalars[2 * at]);
  const commitments = tuples.flatMap((faces, at) => {
    const [c, z] = [challenges[at], scalars[2 * at + 1]];
    const ofCards = cards.map(({a, b}, place) => commitmentTo(z, a, c, b.minus(markerOf(faces[place]))));
    return [commitmentTo(z, GENERATOR, c, key), ...ofCards];
  });
  const statement = [ctx, key.bytes, cardBytes(...cards), tuples.map((faces) => Uint8Array.from(faces)), joinBytes(...commitments)];
  const sum = challenges.reduce((all, c) => all + c, 0n) % L;
  requireHolds(sum === hashToScalar(LABEL_PROOF_MEMBER, statement), rule);
}

const generators = [];

/** h_i, a point whose logarithm nobody knows. */
function shuffleGenerator(index) {
  while (generators.length <= index) {
    generators.push(elementOfHash(hash512(LABEL_SHUFFLE_GENERATOR, [generators.length])));
  }
  return generators[index];
}

/** The length of the proof of a shuffle of so many cards. */
export function shuffleBytes(count) {
  return 128 * count + 160;
}

function sumOf(elements) {
  return elements.reduce((sum, element) => sum.plus(element), NO_ELEMENT);
}

/** D6: that cards are others in another order, under a key. */
export function checkShuffled({ctx, key}, cards, shuffled, proof) {
  const m = cards.length;
  const committedBytes = proof.subarray(0, 32 * m);
  const chainBytes = proof.subarray(32 * m, 64 * m);
  const [committed, chain] = [receivedPoints(committedBytes), receivedPoints(chainBytes)];
  const [x, s1, s2, s3, s4, ...rest] = receivedScalars(proof.subarray(64 * m));
  const [answers, outs] = [rest.slice(0, m), rest.slice(m)];
  const [before, after] = [cardBytes(...cards), cardBytes(...shuffled)];
  const seed = hashToScalar(LABEL_SHUFFLE_SEED, [ctx, key.bytes, before, after, committedBytes]);
  const root = scalarBytes(seed);
  const weights = cards.map((_, at) => hashToScalar(LABEL_SHUFFLE_CHALLENGE, [root, at + 1]));
  const product = weights.reduce((all, weight) => (all * weight) % L, 1n);
  const hs = cards.map((_, at) => shuffleGenerator(at + 1));
  const first = shuffleGenerator(0);
  const weighted = (elements) => elements.map((element, at) => [-x * weights[at], element]);
  const outOf = (elements) => elements.map((element, at) => [outs[at], element]);
  const sides = (part) => [...outOf(shuffled.map(part)), ...weighted(cards.map(part))];
  const t = [
    commitmentTo(s1, GENERATOR, x, sumOf(committed).minus(sumOf(hs))),
    commitmentTo(s2, GENERATOR, x, chain.at(-1).minus(combination([product, first]))),
    combination([s3, GENERATOR], ...outOf(hs), ...weighted(committed)).bytes,
    combination([-s4, GENERATOR], ...sides(({a}) => a)).bytes,
    combination([-s4, key], ...sides(({b}) => b)).bytes,
    ...chain.map((link, at) => combination([answers[at], GENERATOR], [outs[at], chain[at - 1] ?? first], [-x, link]).bytes),
  ];
  const statement = [ctx, key.bytes, before, after, committedBytes, chainBytes, joinBytes(...t)];
  requireHolds(x === hashToScalar(LABEL_PROOF_SHUFFLE, statement), 'wrong-shuffle');
}
