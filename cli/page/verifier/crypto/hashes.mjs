// Commitments and chance by hashes (SPEC 7).

import {bigEndian, equalBytes} from '../wire/bytes.mjs';
import {encode} from '../wire/codec.mjs';
import {LABEL_CHANCE_LINK, LABEL_CHANCE_ROLL, LABEL_COMMITMENT, LABEL_HIDDEN_CHOICE} from '../wire/labels.mjs';
import {Broken} from '../refusals.mjs';
import {taggedHash} from './sha2.mjs';

const SPACE = 1n << 256n;

/** Refuses an opening that does not fit `hidden`, the commitment under a slot, or shows a face not allowed there. */
export function checkOpening(game, hidden, slot, face, salt) {
  if (!equalBytes(hideFace(game, hidden.seat, slot, face, salt), hidden.digest)) {
    throw new Broken('wrong-opening');
  }
  if (!hidden.faces.includes(face)) {
    throw new Broken('impossible-face');
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
