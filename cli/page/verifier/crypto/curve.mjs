// The curve of Ed25519 and ristretto255 (RFC 8032, RFC 9496): points, their sums and multiples.  All of it is public, so
// nothing here needs to take the same time for all inputs.

import {inverse, modP, P, power} from './field.mjs';

/** The order of the base point. */
export const L = 2n ** 252n + 27742317777372353535851937790883648493n;
export const D = modP(-121665n * inverse(121666n));
const TWICE_D = modP(2n * D);
export const ROOT_OF_MINUS_1 = power(2n, (P - 1n) / 4n);

/**
 * A point in extended coordinates (Hisil, Wong, Carter, Dawson 2008): x = X/Z, y = Y/Z, T = XY/Z.
 * @typedef {{X: bigint, Y: bigint, Z: bigint, T: bigint}} Point
 */

export const IDENTITY = {X: 0n, Y: 1n, Z: 1n, T: 0n};

export function addPoints(p, q) {
  const a = ((p.Y - p.X) * (q.Y - q.X)) % P;
  const b = ((p.Y + p.X) * (q.Y + q.X)) % P;
  const c = (((p.T * TWICE_D) % P) * q.T) % P;
  const d = (2n * p.Z * q.Z) % P;
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return {X: (e * f) % P, Y: (g * h) % P, Z: (f * g) % P, T: (e * h) % P};
}

export function doublePoint(p) {
  const a = (p.X * p.X) % P;
  const b = (p.Y * p.Y) % P;
  const c = (2n * p.Z * p.Z) % P;
  const sum = p.X + p.Y;
  const e = ((sum * sum) % P) - a - b;
  const [g, h] = [b - a, -a - b];
  const f = g - c;
  return {X: (e * f) % P, Y: (g * h) % P, Z: (f * g) % P, T: (e * h) % P};
}

export function negativePoint(p) {
  return {X: -p.X, Y: p.Y, Z: p.Z, T: -p.T};
}

/** The odd multiples 1, 3, 5, … of a point, as many as digits of so many bits need. @returns {Point[]} */
export function oddMultiples(point, window) {
  const twice = doublePoint(point);
  const multiples = [point];
  while (multiples.length < 2 ** (window - 2)) {
    multiples.push(addPoints(multiples.at(-1), twice));
  }
  return multiples;
}

/** The digits of a number in the non-adjacent form of a width, lowest first: odd ones with zeros between. */
export function nafDigits(number, window) {
  const naf = [];
  const base = 1n << BigInt(window);
  for (let rest = number; rest > 0n; rest >>= 1n) {
    let digit = 0n;
    if (rest & 1n) {
      digit = rest & (base - 1n);
      digit -= digit >= base >> 1n ? base : 0n;
      rest -= digit;
    }
    naf.push(Number(digit));
  }
  return naf;
}

function withDigit(point, digit, multiples) {
  if (digit === 0 || digit === undefined) {
    return point;
  }
  const multiple = multiples[(Math.abs(digit) - 1) / 2];
  return addPoints(point, digit > 0 ? multiple : negativePoint(multiple));
}

/** The sum of multiples of points by interleaving (Straus 1964); each: the digits of a number, and odd multiples. */
export function sumOfMultiples(terms) {
  let sum = IDENTITY;
  for (let at = Math.max(0, ...terms.map(([naf]) => naf.length)) - 1; at >= 0; at -= 1) {
    sum = doublePoint(sum);
    for (const [naf, multiples] of terms) {
      sum = withDigit(sum, naf[at], multiples);
    }
  }
  return sum;
}
