// The box of a look, which one seat alone can open (SPEC 7.5), and how everybody opens it once a COMPLAIN has published
// the secret of that look: X25519 (RFC 7748), HKDF-SHA-256 (RFC 5869), ChaCha20-Poly1305 (RFC 8439).

import {asciiBytes, equalBytes, joinBytes, littleEndian} from '../wire/bytes.mjs';
import {encode} from '../wire/codec.mjs';
import {inverse, modP, P} from './field.mjs';
import {LABEL_SEALED_OPENING} from '../wire/labels.mjs';
import {sha256} from './sha2.mjs';

const A24 = 121665n;
/** X25519 keys that give everybody the shared secret: their order divides 8. */
const LOW_ORDER = new Set([
  0n, 1n, P - 1n,
  0x00b8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0n,
  0x57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5fn,
]);
const BASE = littleBytes(9n, 32);
const TAG_BYTES = 16;

/** Whether 32 bytes are the one encoding of an X25519 key, and not of low order. */
export function isSound(key) {
  const number = littleEndian(key);
  return number < P && !LOW_ORDER.has(number);
}

function littleBytes(number, length) {
  return Uint8Array.from({length}, (_, at) => Number((number >> BigInt(8 * at)) & 255n));
}

/** X25519, by the ladder of RFC 7748, section 5. @returns {Uint8Array} 32 bytes. */
export function x25519(secret, point) {
  const scalar = (BigInt.asUintN(255, littleEndian(secret)) & ~7n) | (1n << 254n);
  const u = modP(BigInt.asUintN(255, littleEndian(point)));
  let [x2, z2, x3, z3] = [1n, 0n, u, 1n];
  for (let bit = 254n; bit >= 0n; bit -= 1n) {
    const swap = (scalar >> bit) & 1n;
    if (swap) {
      [x2, z2, x3, z3] = [x3, z3, x2, z2];
    }
    const [a, b, c, d] = [x2 + z2, x2 - z2, x3 + z3, x3 - z3];
    const [aa, bb] = [modP(a * a), modP(b * b)];
    const [da, cb, e] = [modP(d * a), modP(c * b), modP(aa - bb)];
    [x2, z2] = [modP(aa * bb), modP(e * (aa + A24 * e))];
    [x3, z3] = [modP((da + cb) ** 2n), modP(u * (da - cb) ** 2n)];
    if (swap) {
      [x2, z2, x3, z3] = [x3, z3, x2, z2];
    }
  }
  return littleBytes(z2 === 0n ? 0n : modP(x2 * inverse(z2)), 32);
}

/** The public key of a secret. */
export function publicKey(secret) {
  return x25519(secret, BASE);
}

function hmac256(key, data) {
  const block = new Uint8Array(64);
  block.set(key);
  const pad = (byte) => block.map((octet) => octet ^ byte);
  return sha256(joinBytes(pad(0x5c), sha256(joinBytes(pad(0x36), data))));
}

/** HKDF without a salt, `length` bytes; `info`: the context. */
function hkdf(material, info, length) {
  const key = hmac256(new Uint8Array(32), material);
  let [okm, last] = [new Uint8Array(0), new Uint8Array(0)];
  for (let count = 1; okm.length < length; count += 1) {
    last = hmac256(key, joinBytes(last, info, Uint8Array.of(count)));
    okm = joinBytes(okm, last);
  }
  return okm.subarray(0, length);
}

function quarterRound(x, a, b, c, d) {
  const mix = (at, other, into, by) => {
    x[at] = (x[at] + x[other]) | 0;
    const turned = x[into] ^ x[at];
    x[into] = (turned << by) | (turned >>> (32 - by));
  };
  mix(a, b, d, 16);
  mix(c, d, b, 12);
  mix(a, b, d, 8);
  mix(c, d, b, 7);
}

/** A block of ChaCha20's key stream, 64 bytes (RFC 8439, 2.3). */
function chachaBlock(key, counter, nonce) {
  const start = new Int32Array(16);
  const input = joinBytes(asciiBytes('expand 32-byte k'), key, littleBytes(BigInt(counter), 4), nonce);
  const view = new DataView(input.buffer);
  start.forEach((_, at) => {
    start[at] = view.getInt32(4 * at, true);
  });
  const x = start.slice();
  for (let round = 0; round < 10; round += 1) {
    for (let at = 0; at < 4; at += 1) {
      quarterRound(x, at, at + 4, at + 8, at + 12);
    }
    for (let at = 0; at < 4; at += 1) {
      quarterRound(x, at, 4 + ((at + 1) % 4), 8 + ((at + 2) % 4), 12 + ((at + 3) % 4));
    }
  }
  const block = new Uint8Array(64);
  const out = new DataView(block.buffer);
  x.forEach((word, at) => out.setInt32(4 * at, word + start[at], true));
  return block;
}

/** Poly1305 (RFC 8439, 2.5). */
function poly1305(key, data) {
  const r = littleEndian(key.subarray(0, 16)) & 0x0ffffffc0ffffffc0ffffffc0fffffffn;
  let sum = 0n;
  for (let at = 0; at < data.length; at += 16) {
    const part = data.subarray(at, at + 16);
    sum = ((sum + littleEndian(part) + (1n << BigInt(8 * part.length))) * r) % (2n ** 130n - 5n);
  }
  return littleBytes(sum + littleEndian(key.subarray(16, 32)), 16);
}

/** What a box of at most 64 bytes behind its tag holds, without associated data; null if the tag is wrong. */
function decrypted(key, nonce, box) {
  const [text, tag] = [box.subarray(0, -TAG_BYTES), box.subarray(-TAG_BYTES)];
  const padding = new Uint8Array((16 - (text.length % 16)) % 16);
  const lengths = joinBytes(new Uint8Array(8), littleBytes(BigInt(text.length), 8));
  if (!equalBytes(poly1305(chachaBlock(key, 0, nonce), joinBytes(text, padding, lengths)), tag)) {
    return null;
  }
  const stream = chachaBlock(key, 1, nonce);
  return text.map((byte, at) => byte ^ stream[at]);
}

/**
 * The face, 0 to 255, and the salt in the box of a look; null if it does not open with the viewer's secret.
 * @param {Uint8Array} game The match's id. @param {{viewer: number, owner: number, slot: number, serial: number,
 *   key: Uint8Array, box: Uint8Array}} look @param {Uint8Array} secret @returns {?[number, Uint8Array]}
 */
export function unseal(game, look, secret) {
  const shared = x25519(secret, look.key);
  if (shared.every((byte) => byte === 0)) {
    return null;
  }
  const {viewer, owner, slot, serial, key, box} = look;
  const context = encode([game, viewer, owner, slot, serial, publicKey(secret), key]);
  const derived = hkdf(shared, joinBytes(asciiBytes(`${LABEL_SEALED_OPENING}\0`), context), 44);
  const opening = decrypted(derived.subarray(0, 32), derived.subarray(32), box);
  return opening && [opening[0], opening.subarray(1)];
}
