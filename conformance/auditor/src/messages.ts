// SPEC 7: the forms of messages (8.3.2). An exact length follows from the Ask and is checked there.

import type { Bytes } from "./bytes.js";
import type { Value } from "./encoding.js";

export type Message =
  | { kind: "Choice"; move: string }
  | { kind: "HiddenChoice"; digest: Bytes }
  | { kind: "ShownChoice"; move: string; salt: Bytes }
  | { kind: "Commitments" | "Mixed"; digests: Bytes[] }
  | { kind: "Opening"; face: number; salt: Bytes }
  | { kind: "Share"; link: Bytes }
  | { kind: "LookKey"; key: Bytes }
  | { kind: "SealedOpening"; key: Bytes; box: Bytes }
  | { kind: "Gone"; seat: number; aways: Bytes[] }
  | { kind: "Keys"; key: Bytes; proof: Bytes; shareKey: Bytes }
  | { kind: "Escrowed"; commitments: Bytes; ephemeral: Bytes; pads: Bytes }
  | { kind: "Shuffled" | "Moved" | "Laid"; cards: Bytes; proof: Bytes }
  | { kind: "Tokens"; tokens: Bytes; proof: Bytes }
  | { kind: "Opened"; face: Bytes; proof: Bytes }
  | { kind: "Proved"; proof: Bytes }
  | { kind: "Released"; share: Bytes }
  | { kind: "TakeBack"; number: number };

export type Kind = Message["kind"];
export type MessageOf<K extends Kind> = Message & { kind: K };

/** Printable ASCII, 1 to 32 characters: a move, or the reason of an END. */
export function isWord(value: Value): value is string {
  return typeof value === "string" && /^[\x20-\x7e]{1,32}$/.test(value);
}

export function isBytes(value: Value, length: number): value is Bytes {
  return value instanceof Uint8Array && value.length === length;
}

/** Joined items of `size` bytes, one at least. */
function isJoined(value: Value, size: number): value is Bytes {
  return value instanceof Uint8Array && value.length > 0 && value.length % size === 0;
}

/** An opening's face. */
export function isFace(value: Value): value is number {
  return typeof value === "number" && value <= 127;
}

function areDigests(value: Value): value is Bytes[] {
  return Array.isArray(value) && value.length >= 1 && value.every((digest) => isBytes(digest, 32));
}

/** The message, or null if the value is none. */
export function readMessage(value: Value): Message | null {
  if (!Array.isArray(value) || typeof value[0] !== "number") return null;
  const [tag, a, b, c] = value;
  const size = value.length;
  if (tag === 1 && size === 2 && isWord(a)) return { kind: "Choice", move: a };
  if (tag === 2 && size === 2 && isBytes(a, 32)) return { kind: "HiddenChoice", digest: a };
  if (tag === 3 && size === 3 && isWord(a) && isBytes(b, 32)) return { kind: "ShownChoice", move: a, salt: b };
  if ((tag === 4 || tag === 9) && size === 2 && areDigests(a)) {
    return { kind: tag === 4 ? "Commitments" : "Mixed", digests: a };
  }
  if (tag === 5 && size === 3 && isFace(a) && isBytes(b, 32)) return { kind: "Opening", face: a, salt: b };
  if (tag === 6 && size === 2 && isBytes(a, 32)) return { kind: "Share", link: a };
  if (tag === 7 && size === 2 && isBytes(a, 32)) return { kind: "LookKey", key: a };
  if (tag === 8 && size === 3 && isBytes(a, 32) && isBytes(b, 49)) return { kind: "SealedOpening", key: a, box: b };
  if (tag === 15 && size === 3 && typeof a === "number" && Array.isArray(b) && b.length >= 1) {
    return b.every((away) => away instanceof Uint8Array) ? { kind: "Gone", seat: a, aways: b as Bytes[] } : null;
  }
  if (tag === 16 && size === 4 && isBytes(a, 32) && isBytes(b, 64) && (isBytes(c, 0) || isBytes(c, 32))) {
    return { kind: "Keys", key: a, proof: b, shareKey: c };
  }
  if (tag === 17 && size === 4 && isJoined(a, 32) && isBytes(b, 96) && isJoined(c, 32)) {
    return { kind: "Escrowed", commitments: a, ephemeral: b, pads: c };
  }
  if (tag === 18 && size === 3 && isJoined(a, 64) && isJoined(b, 32)) return { kind: "Shuffled", cards: a, proof: b };
  if (tag === 19 && size === 3 && isJoined(a, 32) && isBytes(b, 64)) return { kind: "Tokens", tokens: a, proof: b };
  if (tag === 20 && size === 3 && isJoined(a, 1) && isJoined(b, 64)) return { kind: "Opened", face: a, proof: b };
  if (tag === 21 && size === 3 && isJoined(a, 64) && isJoined(b, 96)) return { kind: "Moved", cards: a, proof: b };
  if (tag === 22 && size === 2 && isJoined(a, 64)) return { kind: "Proved", proof: a };
  if (tag === 23 && size === 3 && isJoined(a, 64) && isJoined(b, 64)) return { kind: "Laid", cards: a, proof: b };
  if (tag === 24 && size === 2 && isBytes(a, 32)) return { kind: "Released", share: a };
  if (tag === 25 && size === 2 && typeof a === "number") return { kind: "TakeBack", number: a };
  return null;
}
