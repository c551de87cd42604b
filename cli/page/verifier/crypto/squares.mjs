// Squares modulo P = 2^255 − 19, many in a row, in doubles: nine tenths of reading a point are squares, and BigInts take
// three times as long for them.
//
// A number is 11 limbs of 24 bits, the lowest first.  A column of a square is at most 11 · 2^48 and a carry, below 2^53, so
// that each double is exact.  2^264 is 19 · 2^9 modulo P.

const LIMB = 2 ** 24;
const SMALL = 2 ** -24;
const WRAPPED = 19 * 2 ** 9;
const PAIR_BITS = 48n;

const LIMB_PAIRS = 6;

function limbsOf(number) {
  const limbs = [];
  for (let rest = number; limbs.length < 2 * LIMB_PAIRS; rest >>= PAIR_BITS) {
    const pair = Number(BigInt.asUintN(Number(PAIR_BITS), rest));
    const high = Math.floor(pair * SMALL);
    limbs.push(pair - high * LIMB, high);
  }
  return limbs;
}

function numberOf(limbs) {
  let number = 0n;
  for (let at = 2 * LIMB_PAIRS - 2; at >= 0; at -= 2) {
    number = (number << PAIR_BITS) + BigInt((limbs[at + 1] ?? 0) * LIMB + limbs[at]);
  }
  return number;
}

/** number^(2^times), not reduced: below 2^265; number is from 0 to P − 1. */
export function squaredOften(number, times) {
  let [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10] = limbsOf(number);
  let [sum, carry] = [0, 0];
  for (let time = 0; time < times; time += 1) {
    sum = a0 * a0;
    carry = Math.floor(sum * SMALL);
    const t0 = sum - carry * LIMB;
    sum = 2 * a0 * a1 + carry;
    carry = Math.floor(sum * SMALL);
    const t1 = sum - carry * LIMB;
    sum = 2 * a0 * a2 + a1 * a1 + carry;
    carry = Math.floor(sum * SMALL);
    const t2 = sum - carry * LIMB;
    sum = 2 * (a0 * a3 + a1 * a2) + carry;
    carry = Math.floor(sum * SMALL);
    const t3 = sum - carry * LIMB;
    sum = 2 * (a0 * a4 + a1 * a3) + a2 * a2 + carry;
    carry = Math.floor(sum * SMALL);
    const t4 = sum - carry * LIMB;
    sum = 2 * (a0 * a5 + a1 * a4 + a2 * a3) + carry;
    carry = Math.floor(sum * SMALL);
    const t5 = sum - carry * LIMB;
    sum = 2 * (a0 * a6 + a1 * a5 + a2 * a4) + a3 * a3 + carry;
    carry = Math.floor(sum * SMALL);
    const t6 = sum - carry * LIMB;
    sum = 2 * (a0 * a7 + a1 * a6 + a2 * a5 + a3 * a4) + carry;
    carry = Math.floor(sum * SMALL);
    const t7 = sum - carry * LIMB;
    sum = 2 * (a0 * a8 + a1 * a7 + a2 * a6 + a3 * a5) + a4 * a4 + carry;
    carry = Math.floor(sum * SMALL);
    const t8 = sum - carry * LIMB;
    sum = 2 * (a0 * a9 + a1 * a8 + a2 * a7 + a3 * a6 + a4 * a5) + carry;
    carry = Math.floor(sum * SMALL);
    const t9 = sum - carry * LIMB;
    sum = 2 * (a0 * a10 + a1 * a9 + a2 * a8 + a3 * a7 + a4 * a6) + a5 * a5 + carry;
    carry = Math.floor(sum * SMALL);
    const t10 = sum - carry * LIMB;
    sum = 2 * (a1 * a10 + a2 * a9 + a3 * a8 + a4 * a7 + a5 * a6) + carry;
    carry = Math.floor(sum * SMALL);
    const t11 = sum - carry * LIMB;
    sum = 2 * (a2 * a10 + a3 * a9 + a4 * a8 + a5 * a7) + a6 * a6 + carry;
    carry = Math.floor(sum * SMALL);
    const t12 = sum - carry * LIMB;
    sum = 2 * (a3 * a10 + a4 * a9 + a5 * a8 + a6 * a7) + carry;
    carry = Math.floor(sum * SMALL);
    const t13 = sum - carry * LIMB;
    sum = 2 * (a4 * a10 + a5 * a9 + a6 * a8) + a7 * a7 + carry;
    carry = Math.floor(sum * SMALL);
    const t14 = sum - carry * LIMB;
    sum = 2 * (a5 * a10 + a6 * a9 + a7 * a8) + carry;
    carry = Math.floor(sum * SMALL);
    const t15 = sum - carry * LIMB;
    sum = 2 * (a6 * a10 + a7 * a9) + a8 * a8 + carry;
    carry = Math.floor(sum * SMALL);
    const t16 = sum - carry * LIMB;
    sum = 2 * (a7 * a10 + a8 * a9) + carry;
    carry = Math.floor(sum * SMALL);
    const t17 = sum - carry * LIMB;
    sum = 2 * a8 * a10 + a9 * a9 + carry;
    carry = Math.floor(sum * SMALL);
    const t18 = sum - carry * LIMB;
    sum = 2 * a9 * a10 + carry;
    carry = Math.floor(sum * SMALL);
    const t19 = sum - carry * LIMB;
    sum = a10 * a10 + carry;
    carry = Math.floor(sum * SMALL);
    const t20 = sum - carry * LIMB;
    const top = carry;
    sum = t0 + WRAPPED * t11;
    carry = Math.floor(sum * SMALL);
    a0 = sum - carry * LIMB;
    sum = t1 + WRAPPED * t12 + carry;
    carry = Math.floor(sum * SMALL);
    a1 = sum - carry * LIMB;
    sum = t2 + WRAPPED * t13 + carry;
    carry = Math.floor(sum * SMALL);
    a2 = sum - carry * LIMB;
    sum = t3 + WRAPPED * t14 + carry;
    carry = Math.floor(sum * SMALL);
    a3 = sum - carry * LIMB;
    sum = t4 + WRAPPED * t15 + carry;
    carry = Math.floor(sum * SMALL);
    a4 = sum - carry * LIMB;
    sum = t5 + WRAPPED * t16 + carry;
    carry = Math.floor(sum * SMALL);
    a5 = sum - carry * LIMB;
    sum = t6 + WRAPPED * t17 + carry;
    carry = Math.floor(sum * SMALL);
    a6 = sum - carry * LIMB;
    sum = t7 + WRAPPED * t18 + carry;
    carry = Math.floor(sum * SMALL);
    a7 = sum - carry * LIMB;
    sum = t8 + WRAPPED * t19 + carry;
    carry = Math.floor(sum * SMALL);
    a8 = sum - carry * LIMB;
    sum = t9 + WRAPPED * t20 + carry;
    carry = Math.floor(sum * SMALL);
    a9 = sum - carry * LIMB;
    sum = t10 + WRAPPED * top + carry;
    carry = Math.floor(sum * SMALL);
    a10 = sum - carry * LIMB;
    sum = a0 + WRAPPED * carry;
    carry = Math.floor(sum * SMALL);
    a0 = sum - carry * LIMB;
    a1 += carry; // at most a few more than 2^24
  }
  return numberOf([a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10]);
}
