// ristretto255 (RFC 9496): the group of the cards (SPEC D1), whose points have one encoding each.

import {equalBytes, littleEndian} from '../wire/bytes.mjs';
import {
  addPoints, D, IDENTITY, L, nafDigits, negativePoint, oddMultiples, ROOT_OF_MINUS_1, sumOfMultiples,
} from './curve.mjs';
import {modP, nearlyRoot, P} from './field.mjs';

export const POINT_BYTES = 32;
const WINDOW = 5;

/**
 * A point with its encoding, 32 bytes, and what multiples of it need; both are worked out when they are asked for.
 */
export class Element {
  #bytes = null;

  #multiples = null;

  constructor(point, bytes = null) {
    this.point = point;
    this.#bytes = bytes;
  }

  get bytes() {
    this.#bytes ??= encodeElement(this.point);
    return this.#bytes;
  }

  get multiples() {
    this.#multiples ??= oddMultiples(this.point, WINDOW);
    return this.#multiples;
  }

  plus(other) {
    return new Element(addPoints(this.point, other.point));
  }

  minus(other) {
    return new Element(addPoints(this.point, negativePoint(other.point)));
  }

  get isNothing() {
    return equalBytes(this.bytes, NOTHING_BYTES);
  }
}

const NOTHING_BYTES = new Uint8Array(POINT_BYTES);

function isNegative(number) {
  return (number & 1n) === 1n;
}

function absolute(number) {
  const reduced = modP(number);
  return isNegative(reduced) ? P - reduced : reduced;
}

/** Whether u / v is a square, and its root that is not negative, or that of i·u / v (RFC 9496, 4.2). */
function rootOfRatio(u, v) {
  const v3 = modP(v * v * v);
  const root = modP(u * v3 * nearlyRoot(modP(u * v3 * v3 * v)));
  const check = modP(v * root * root);
  const flipped = check === modP(-u);
  const turned = flipped || check === modP(-u * ROOT_OF_MINUS_1);
  return [check === modP(u) || flipped, absolute(turned ? root * ROOT_OF_MINUS_1 : root)];
}

/** The root that RFC 9496, 4.1, names: the one that is negative. */
const ROOT_OF_AD_MINUS_1 = P - rootOfRatio(modP(-D - 1n), 1n)[1];
const [, INVERSE_ROOT_OF_A_MINUS_D] = rootOfRatio(1n, modP(-1n - D));
const ONE_MINUS_D_SQUARED = modP(1n - D * D);
const D_MINUS_ONE_SQUARED = modP((D - 1n) ** 2n);

/** The element of its encoding, or null if it is none (RFC 9496, 4.3.1). @returns {?Element} */
export function decodeElement(bytes) {
  const s = littleEndian(bytes);
  if (bytes.length !== POINT_BYTES || s >= P || isNegative(s)) {
    return null;
  }
  const ss = modP(s * s);
  const [u1, u2] = [modP(1n - ss), 1n + ss];
  const squared = modP(u2 * u2);
  const v = modP(-D * u1 * u1 - squared);
  const [isSquare, root] = rootOfRatio(1n, modP(v * squared));
  const x = absolute(2n * s * modP(root * u2));
  const y = modP(u1 * modP(root * modP(root * u2) * v));
  const t = modP(x * y);
  return !isSquare || isNegative(t) || y === 0n ? null : new Element({X: x, Y: y, Z: 1n, T: t}, bytes);
}

/** RFC 9496, 4.3.2. */
function encodeElement({X, Y, Z, T}) {
  const u1 = modP((Z + Y) * (Z - Y));
  const u2 = modP(X * Y);
  const [, root] = rootOfRatio(1n, modP(u1 * modP(u2 * u2)));
  const [den1, den2] = [modP(root * u1), modP(root * u2)];
  const inverseOfZ = modP(den1 * modP(den2 * T));
  const turned = isNegative(modP(T * inverseOfZ));
  const x = turned ? modP(Y * ROOT_OF_MINUS_1) : modP(X);
  const y = turned ? modP(X * ROOT_OF_MINUS_1) : modP(Y);
  const den = turned ? modP(den1 * INVERSE_ROOT_OF_A_MINUS_D) : den2;
  const s = absolute(den * (Z - (isNegative(modP(x * inverseOfZ)) ? -y : y)));
  return Uint8Array.from({length: POINT_BYTES}, (_, at) => Number((s >> BigInt(8 * at)) & 255n));
}

/** A number of the field to a point (RFC 9496, 4.3.4). */
function mapToPoint(t) {
  const r = modP(ROOT_OF_MINUS_1 * modP(t * t));
  const u = modP((r + 1n) * ONE_MINUS_D_SQUARED);
  const v = modP((-1n - r * D) * (r + D));
  const [isSquare, root] = rootOfRatio(u, v);
  const s = isSquare ? root : modP(-absolute(root * t));
  const c = isSquare ? -1n : r;
  const n = modP(c * (r - 1n) * D_MINUS_ONE_SQUARED - v);
  const w0 = modP(2n * s * v);
  const w1 = modP(n * ROOT_OF_AD_MINUS_1);
  const [w2, w3] = [modP(1n - s * s), modP(1n + s * s)];
  return {X: modP(w0 * w3), Y: modP(w2 * w1), Z: modP(w1 * w3), T: modP(w0 * w2)};
}

/** The one-way map of 64 bytes. @returns {Element} */
export function elementOfHash(bytes) {
  const [first, second] = [bytes.subarray(0, 32), bytes.subarray(32)].map((half) => (
    mapToPoint(modP(BigInt.asUintN(255, littleEndian(half))))));
  return new Element(addPoints(first, second));
}

/** The sum of multiples: terms are pairs of a number and an Element. @returns {Element} */
export function combination(...terms) {
  return new Element(sumOfMultiples(terms.map(([number, element]) => (
    [nafDigits(((number % L) + L) % L, WINDOW), element.multiples]))));
}

export const NO_ELEMENT = new Element(IDENTITY, NOTHING_BYTES);
/** The base point: the encoding of RFC 9496, appendix A. */
export const GENERATOR = decodeElement(Uint8Array.from([
  0xe2, 0xf2, 0xae, 0x0a, 0x6a, 0xbc, 0x4e, 0x71, 0xa8, 0x84, 0xa9, 0x61, 0xc5, 0x00, 0x51, 0x5f,
  0x58, 0xe3, 0x0b, 0x6a, 0xa5, 0x82, 0xdd, 0x8d, 0xb6, 0xa6, 0x59, 0x45, 0xe0, 0x8d, 0x2d, 0x76,
]));

