// SPEC 2 and 4: tagged hashes, keys, signatures; the ciphers of 7.5.

import { createDecipheriv, createHash, createPublicKey, diffieHellman, createPrivateKey, hkdfSync, verify } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519";
import { ascii, big, concat, hex, little, same, unhex, type Bytes } from "../bytes.js";
import { encode, type Value } from "../encoding.js";

const PREFIX = "p2p-stratego/2 ";
const LABELS = new Map<string, Bytes>();

export function label(rest: string): Bytes {
  return ascii(PREFIX + rest);
}

export function sha256(...parts: Bytes[]): Bytes {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

/** H(label, data) of section 2. */
export function tagged(rest: string, data: Bytes): Bytes {
  let tag = LABELS.get(rest);
  if (tag === undefined) {
    tag = sha256(label(rest));
    LABELS.set(rest, tag);
  }
  return sha256(tag, tag, data);
}

export function taggedValue(rest: string, value: Value): Bytes {
  return tagged(rest, encode(value));
}

const SPKI = unhex("302a300506032b6570032100");
const X_SPKI = unhex("302a300506032b656e032100");
const X_PKCS8 = unhex("302e020100300506032b656e04220420");
/** The prime order of the groups of Ed25519 and ristretto255. */
export const L = 2n ** 252n + 27742317777372353535851937790883648493n;

// 4.2.2: the canonical encodings of the eight points of small order. Another encoding never equals what 4.2.3 computes.
const SMALL = (() => {
  const torsion = ed25519.Point.fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", true);
  const encodings = new Set<string>();
  let point = ed25519.Point.ZERO;
  for (let i = 0; i < 8; i += 1) {
    encodings.add(hex(point.toBytes()));
    point = point.add(torsion);
  }
  if (encodings.size !== 8) throw new Error("the point is not of order 8");
  return encodings;
})();

/** 4.1: whether a verifier accepts these bytes for a public key. */
export function isPublicKey(key: Bytes): boolean {
  if (key.length !== 32) return false;
  try {
    const point = ed25519.Point.fromHex(hex(key), false);
    return same(point.toBytes(), key) && !point.is0() && point.isTorsionFree();
  } catch {
    return false;
  }
}

const KEYS = new Map<string, ReturnType<typeof createPublicKey>>();

/** 4.2: whether a signature holds, over `label ‖ 0x00 ‖ data`, by an accepted key. */
export function isSigned(key: Bytes, rest: string, data: Bytes, signature: Bytes): boolean {
  if (signature.length !== 64 || little(signature.subarray(32)) >= L) return false;
  if (SMALL.has(hex(signature.subarray(0, 32)))) return false;
  const name = hex(key);
  let object = KEYS.get(name);
  if (object === undefined) {
    object = createPublicKey({ key: Buffer.from(concat(SPKI, key)), format: "der", type: "spki" });
    KEYS.set(name, object);
  }
  return verify(null, concat(label(rest), Uint8Array.of(0), data), object, signature);
}

const FIELD = 2n ** 255n - 19n;
const LOW_ORDER = new Set(
  [
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
  ].map((digits) => little(unhex(digits))).concat([0n, 1n, FIELD - 1n]),
);

/** 7.5.3: whether an X25519 key is sound. */
export function isSoundKey(key: Bytes): boolean {
  const number = little(key);
  return number < FIELD && !LOW_ORDER.has(number);
}

const NINE = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 9 : 0));

/** X25519 of RFC 7748; null if the answer is all zeros. */
export function x25519(secret: Bytes, point: Bytes): Bytes | null {
  try {
    const answer = diffieHellman({
      privateKey: createPrivateKey({ key: Buffer.from(concat(X_PKCS8, secret)), format: "der", type: "pkcs8" }),
      publicKey: createPublicKey({ key: Buffer.from(concat(X_SPKI, point)), format: "der", type: "spki" }),
    });
    return answer.every((byte) => byte === 0) ? null : new Uint8Array(answer);
  } catch {
    return null;
  }
}

export function x25519Public(secret: Bytes): Bytes | null {
  return x25519(secret, NINE);
}

export type Look = { game: Bytes; viewer: number; owner: number; slot: number; serial: number; lookKey: Bytes; key: Bytes };

/** 7.5.2: the 33 bytes in a box, opened with the viewer's secret; null if the box does not open. */
export function unseal(look: Look, secret: Bytes, box: Bytes): Bytes | null {
  const shared = x25519(secret, look.key);
  if (shared === null) return null;
  const place = encode([look.game, look.viewer, look.owner, look.slot, look.serial, look.lookKey, look.key]);
  const info = concat(label("sealed opening"), Uint8Array.of(0), place);
  const keys = new Uint8Array(hkdfSync("sha256", shared, new Uint8Array(0), info, 44));
  const cipher = createDecipheriv("chacha20-poly1305", keys.subarray(0, 32), keys.subarray(32), { authTagLength: 16 });
  cipher.setAuthTag(box.subarray(33));
  try {
    return concat(new Uint8Array(cipher.update(box.subarray(0, 33))), new Uint8Array(cipher.final()));
  } catch {
    return null;
  }
}

/** 7.7.5: the answer of a toss. */
export function roll(game: Bytes, toss: number, shares: Bytes[], sides: bigint): bigint {
    const limit = 2n ** 256n - (2n ** 256n % sides);
  for (let attempt = 0; ; attempt += 1) {
    const drawn = big(taggedValue("chance roll", [game, toss, attempt, shares]));
    if (drawn < limit) return drawn % sides;
  }
}

/** 7.2: what stands for a face under a slot. */
export function commitment(game: Bytes, seat: number, slot: number, salt: Bytes, face: number): Bytes {
  return taggedValue("commitment", [game, seat, slot, salt, face]);
}
