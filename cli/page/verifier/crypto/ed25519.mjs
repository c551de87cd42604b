// Ed25519 (RFC 8032): which keys and which signatures count as valid (SPEC 4).  It verifies public things and holds no
// secret, so nothing here needs to take the same time for all inputs.

import {asciiBytes, equalBytes, joinBytes, littleEndian} from '../wire/bytes.mjs';
import {
  D, doublePoint, L, nafDigits, negativePoint, oddMultiples, ROOT_OF_MINUS_1, sumOfMultiples,
} from './curve.mjs';
import {inverse, modP, P, power} from './field.mjs';
import {sha512} from './sha2.mjs';

const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;
/** Bits of a window of the sliding windows: of the base point's table, and of a key's. */
const BASE_WINDOW = 8;
const KEY_WINDOW = 5;

/** The encoding of a point: y, little-endian, and the lowest bit of x on top. @returns {Uint8Array} */
function encodePoint(p) {
  const z = inverse(p.Z);
  const x = modP(p.X * z);
  const number = modP(p.Y * z) | ((x & 1n) << 255n);
  const bytes = new Uint8Array(KEY_BYTES);
  const view = new DataView(bytes.buffer);
  for (let word = 0; word < 4; word += 1) {
    view.setBigUint64(8 * word, BigInt.asUintN(64, number >> BigInt(64 * word)), true);
  }
  return bytes;
}

/** The point of a canonical encoding of 32 bytes, or null if it is none (RFC 8032, 5.1.3). @returns {?Point} */
function decodePoint(bytes) {
  const number = littleEndian(bytes);
  const y = BigInt.asUintN(255, number);
  const odd = number >> 255n;
  if (y >= P) { // a second encoding of y − P: two keys for one point
    return null;
  }
  const u = modP(y * y - 1n);
  const v = modP(D * y * y + 1n);
  let x = modP(u * v ** 3n * power(modP(u * v ** 7n), (P - 5n) / 8n));
  if (modP(v * x * x) !== u) {
    x = modP(x * ROOT_OF_MINUS_1);
  }
  if (modP(v * x * x) !== u || (x === 0n && odd === 1n)) {
    return null;
  }
  if ((x & 1n) !== odd) {
    x = P - x;
  }
  return {X: x, Y: y, Z: 1n, T: modP(x * y)};
}

/** [s]B + [t]Q; `multiples`: of Q. @returns {Point} */
function twoMultiples(s, t, multiples) {
  return sumOfMultiples([[nafDigits(s, BASE_WINDOW), baseMultiples], [nafDigits(t, KEY_WINDOW), multiples]]);
}

function isIdentity(p) {
  return modP(p.X) === 0n && modP(p.Y - p.Z) === 0n;
}

/** Whether the order of a point divides 8. */
function isSmall(p) {
  return isIdentity(doublePoint(doublePoint(doublePoint(p))));
}

const BASE_POINT = decodePoint(Uint8Array.from({length: KEY_BYTES}, (_, at) => (at === 0 ? 0x58 : 0x66)));
const baseMultiples = oddMultiples(BASE_POINT, BASE_WINDOW);

/**
 * A key with what its verifications need, or null if anybody could sign for it: 32 bytes, the canonical encoding of a
 * point of the subgroup of prime order that is not the identity.
 * @param {Uint8Array} bytes @returns {?{bytes: Uint8Array, multiples: Point[]}}
 */
export function readKey(bytes) {
  const point = bytes.length === KEY_BYTES ? decodePoint(bytes) : null;
  if (point === null || isIdentity(point)) {
    return null;
  }
  if (!isIdentity(twoMultiples(0n, L, oddMultiples(point, KEY_WINDOW)))) { // a part of small order: T29
    return null;
  }
  return {bytes, multiples: oddMultiples(negativePoint(point), KEY_WINDOW)};
}

/**
 * Whether `signature` is that of `key` over `label`, a zero byte and `data`: S < L, R of no small order, and R equal to
 * the encoding of [S]B − [h]A.
 * @param {{bytes: Uint8Array, multiples: Point[]}} key From `readKey`. @param {string} label
 * @param {Uint8Array} data @param {Uint8Array} signature @returns {boolean}
 */
export function isSigned(key, label, data, signature) {
  if (signature.length !== SIGNATURE_BYTES) {
    return false;
  }
  const r = signature.subarray(0, KEY_BYTES);
  const s = littleEndian(signature.subarray(KEY_BYTES));
  if (s >= L) { // RFC 8032, 5.1.7: otherwise s + L would be a second signature of the same bytes (T28)
    return false;
  }
  const message = joinBytes(r, key.bytes, asciiBytes(`${label}\0`), data);
  const sum = twoMultiples(s, littleEndian(sha512(message)) % L, key.multiples);
  return equalBytes(encodePoint(sum), r) && !isSmall(sum);
}
