// Arithmetic modulo P = 2^255 − 19, the field of both curves (RFC 7748): of public numbers, so in any time.

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
