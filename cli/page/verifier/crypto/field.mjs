// Arithmetic modulo P = 2^255 − 19, the field of both curves (RFC 7748): of public numbers, so in any time.

import {squaredOften} from './squares.mjs';

export const P = 2n ** 255n - 19n;

export function modP(number) {
  const rest = number % P;
  return rest < 0n ? rest + P : rest;
}

export function power(base, exponent) {
  let result = 1n;
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) {
      result = (result * square) % P;
    }
    square = (square * square) % P;
  }
  return result;
}

/** 1 / number modulo P, by Euclid's algorithm; number is not 0. */
export function inverse(number) {
  let [low, high] = [modP(number), P];
  let [factor, next] = [1n, 0n];
  while (low > 1n) {
    const quotient = high / low;
    [low, high] = [high - quotient * low, low];
    [factor, next] = [next - quotient * factor, factor];
  }
  return modP(factor);
}

/** Few squares as they are, many in doubles: to go over and back costs as much as eight squares. */
const MANY_SQUARES = 10;

function squared(number, times) {
  if (times >= MANY_SQUARES) {
    return squaredOften(number, times) % P;
  }
  let result = number;
  for (let time = 0; time < times; time += 1) {
    result = (result * result) % P;
  }
  return result;
}

/** number^((P − 5) / 8), by a short chain of squares. */
export function nearlyRoot(number) {
  const z9 = (squared(number, 3) * number) % P;
  const z11 = (squared(number, 1) * z9) % P;
  const z5 = (squared(z11, 1) * z9) % P; // of so many bits, all 1; the next ones, too
  const z10 = (squared(z5, 5) * z5) % P;
  const z20 = (squared(z10, 10) * z10) % P;
  const z40 = (squared(z20, 20) * z20) % P;
  const z50 = (squared(z40, 10) * z10) % P;
  const z100 = (squared(z50, 50) * z50) % P;
  const z200 = (squared(z100, 100) * z100) % P;
  const z250 = (squared(z200, 50) * z50) % P;
  return (squared(z250, 2) * number) % P;
}
