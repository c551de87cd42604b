// SPEC 14.11 and 14.12: what proves a joiner to its host, and the host to the joiner.

import { concat, type Bytes } from "../../auditor/build/bytes.js";
import { isPublicKey, isSigned, taggedValue } from "../../auditor/build/crypto/hashing.js";
import { encode } from "../../auditor/build/encoding.js";
import { isName } from "../../auditor/build/genesis.js";
import { isBytes } from "../../auditor/build/messages.js";
import { fields } from "./channel.js";
import { labelled, type Key } from "./keys.js";

export const [CHALLENGE, JOIN, WELCOME, RESUME, RESUMED] = [16, 17, 18, 20, 21];
const VERSION = 2;
const SIGNATURE = 64;

/** The payload of a CHALLENGE names a version that this player speaks. */
export function canAnswer(challenge: Bytes): boolean {
  const [versions, nonce] = fields(challenge);
  return Array.isArray(versions) && versions.includes(VERSION) && isBytes(nonce, 32);
}

/** The payload of a JOIN. */
export function join(binding: Bytes, challenge: Bytes, secret: Bytes, key: Key, name: string, nonce: Bytes): Bytes {
  const body = encode([VERSION, nonce, key.public, name]);
  const bound = taggedValue("handshake", [JOIN, binding, challenge, body]);
  return concat(body, labelled(secret, "mac invite", bound), key.sign("sign handshake as joiner", bound));
}

/** The host's key and name, or null: it did not sign this WELCOME. */
export function welcomed(
  binding: Bytes, challenge: Bytes, joined: Bytes, payload: Bytes,
): { key: Bytes; name: string } | null {
  const [body, signature] = [payload.subarray(0, -SIGNATURE), payload.subarray(-SIGNATURE)];
  const [key, name, ...more] = fields(body);
  if (more.length > 0 || !isBytes(key, 32) || !isPublicKey(key) || !isName(name)) return null;
  const bound = taggedValue("handshake", [WELCOME, binding, challenge, joined, body]);
  return isSigned(key, "sign handshake as host", bound, signature) ? { key, name } : null;
}

/** The payload of a RESUME: `caller` calls `called`, both seats of a match. */
export function resume(
  binding: Bytes, challenge: Bytes, game: Bytes, caller: number, called: number, key: Key, nonce: Bytes,
): Bytes {
  const body = encode([game, caller, called, nonce]);
  return concat(body, key.sign("sign handshake as joiner", taggedValue("handshake", [RESUME, binding, challenge, body])));
}

/** Whether the payload of a RESUMED is of the seat that was called, which has this key. */
export function isResumed(binding: Bytes, challenge: Bytes, resumed: Bytes, key: Bytes, payload: Bytes): boolean {
  const bound = taggedValue("handshake", [RESUMED, binding, challenge, resumed, new Uint8Array(0)]);
  return isSigned(key, "sign handshake as host", bound, payload);
}
