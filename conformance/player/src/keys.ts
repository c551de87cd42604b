// SPEC 2, 4 and 13.1: what only the holder of a secret can make.

import { createHmac, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { concat, unhex, type Bytes } from "../../auditor/build/bytes.js";
import { label } from "../../auditor/build/crypto/hashing.js";
import { encode, type Value } from "../../auditor/build/encoding.js";

const PKCS8 = unhex("302e020100300506032b657004220420");
const ZERO = Uint8Array.of(0);

export function hmac(key: Bytes, ...parts: Bytes[]): Bytes {
  return new Uint8Array(createHmac("sha256", key).update(concat(...parts)).digest());
}

/** An HMAC over a label and what it stands for (14.11). */
export function labelled(key: Bytes, rest: string, data: Bytes): Bytes {
  return hmac(key, label(rest), ZERO, data);
}

/** 13.1: one block of HKDF-Expand. */
export function derived(master: Bytes, rest: string, ...place: Value[]): Bytes {
  return hmac(master, label(rest), ZERO, encode(place), Uint8Array.of(1));
}

/** An Ed25519 key that signs. */
export class Key {
  readonly public: Bytes;
  private readonly key: ReturnType<typeof createPrivateKey>;

  /** `seed`: 32 bytes. */
  constructor(seed: Bytes) {
    this.key = createPrivateKey({ key: Buffer.from(concat(PKCS8, seed)), format: "der", type: "pkcs8" });
    this.public = new Uint8Array(createPublicKey(this.key).export({ format: "der", type: "spki" }).subarray(-32));
  }

  sign(rest: string, data: Bytes): Bytes {
    return new Uint8Array(sign(null, concat(label(rest), ZERO, data), this.key));
  }
}
