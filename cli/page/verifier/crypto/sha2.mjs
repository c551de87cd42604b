// SHA-256 and SHA-512 (FIPS 180-4), of whole byte strings and at once: those of the browser are asynchronous, and a
// check walks thousands of small hashes.

import {asciiBytes} from '../wire/bytes.mjs';

/** The first `bits` bits behind the point of the roots of the first `count` primes, as FIPS 180-4 defines constants. */
function rootsOfPrimes(count, bits, power) {
  const primes = [];
  for (let number = 2n; primes.length < count; number += 1n) {
    if (primes.every((prime) => number % prime !== 0n)) {
      primes.push(number);
    }
  }
  const mask = (1n << BigInt(bits)) - 1n;
  return primes.map((prime) => integerRoot(prime << BigInt(power * bits), BigInt(power)) & mask);
}

/** The greatest integer of which the `power`-th power is at most `value`, by bisection. */
function integerRoot(value, power) {
  let low = 0n;
  let high = 1n << (BigInt(value.toString(2).length) / power + 1n);
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** power <= value) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

const START_256 = Int32Array.from(rootsOfPrimes(8, 32, 2), Number);
const ROUNDS_256 = Int32Array.from(rootsOfPrimes(64, 32, 3), Number);
const SCHEDULE_256 = new Int32Array(64);

/** A block of 64 bytes, from `at` on, into a state of 8 words. */
function compress256(state, bytes, at) {
  const w = SCHEDULE_256;
  for (let t = 0; t < 16; t += 1) {
    const byte = at + 4 * t;
    w[t] = (bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3];
  }
  for (let t = 16; t < 64; t += 1) {
    const x = w[t - 15];
    const y = w[t - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[t] = (w[t - 16] + s0 + w[t - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let t = 0; t < 64; t += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS_256[t] + w[t]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => {
    state[place] = (state[place] + word) | 0;
  });
}

/**
 * The bytes of a last part, padded to whole blocks: a bit 1, zeros, and the length of the whole in bits.
 * `before`: bytes of the message in blocks before this part.
 */
function padded(bytes, before, block) {
  const field = block / 8;
  const whole = new Uint8Array(Math.ceil((bytes.length + 1 + field) / block) * block);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  const length = before + bytes.length;
  view.setUint32(whole.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(whole.length - 4, (length << 3) >>> 0);
  return whole;
}

function finish256(start, bytes, before) {
  const state = start.slice();
  const rest = padded(bytes, before, 64);
  for (let at = 0; at < rest.length; at += 64) {
    compress256(state, rest, at);
  }
  const digest = new Uint8Array(32);
  const view = new DataView(digest.buffer);
  state.forEach((word, place) => view.setInt32(4 * place, word));
  return digest;
}

/** SHA-256. @param {Uint8Array} bytes @returns {Uint8Array} 32 bytes. */
export function sha256(bytes) {
  return finish256(START_256, bytes, 0);
}

const tagStates = new Map();

/** H(label, data), the tagged hash of BIP-340. @param {string} label @param {Uint8Array} data @returns {Uint8Array} */
export function taggedHash(label, data) {
  let start = tagStates.get(label);
  if (start === undefined) {
    const tag = sha256(asciiBytes(label));
    const block = new Uint8Array(64);
    block.set(tag);
    block.set(tag, 32);
    start = START_256.slice();
    compress256(start, block, 0); // the tag fills one block, so it is hashed once
    tagStates.set(label, start);
  }
  return finish256(start, data, 64);
}

// SHA-512, for the signatures alone.  A word is a bigint: a signature costs a hundred times as much behind it.

const START_512 = rootsOfPrimes(8, 64, 2);
const ROUNDS_512 = rootsOfPrimes(80, 64, 3);
const MASK_64 = (1n << 64n) - 1n;

function rotate64(word, by) {
  return (word >> by) | ((word << (64n - by)) & MASK_64);
}

function schedule512(view, at) {
  const w = [];
  for (let t = 0; t < 80; t += 1) {
    if (t < 16) {
      w.push(view.getBigUint64(at + 8 * t));
    } else {
      const s0 = rotate64(w[t - 15], 1n) ^ rotate64(w[t - 15], 8n) ^ (w[t - 15] >> 7n);
      const s1 = rotate64(w[t - 2], 19n) ^ rotate64(w[t - 2], 61n) ^ (w[t - 2] >> 6n);
      w.push((w[t - 16] + s0 + w[t - 7] + s1) & MASK_64);
    }
  }
  return w;
}

/** SHA-512. @param {Uint8Array} bytes @returns {Uint8Array} 64 bytes. */
export function sha512(bytes) {
  const state = [...START_512];
  const whole = padded(bytes, 0, 128);
  const view = new DataView(whole.buffer);
  for (let at = 0; at < whole.length; at += 128) {
    const w = schedule512(view, at);
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 80; t += 1) {
      const s1 = rotate64(e, 14n) ^ rotate64(e, 18n) ^ rotate64(e, 41n);
      const t1 = h + s1 + ((e & f) ^ ((e ^ MASK_64) & g)) + ROUNDS_512[t] + w[t];
      const s0 = rotate64(a, 28n) ^ rotate64(a, 34n) ^ rotate64(a, 39n);
      const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) & MASK_64, c, b, a, (t1 + t2) & MASK_64];
    }
    [a, b, c, d, e, f, g, h].forEach((word, place) => {
      state[place] = (state[place] + word) & MASK_64;
    });
  }
  const digest = new Uint8Array(64);
  const out = new DataView(digest.buffer);
  state.forEach((word, place) => out.setBigUint64(8 * place, word));
  return digest;
}
