// SPEC 8.1 and 9.1, 9.2: the forms of entries and statements.

import type { Bytes } from "./bytes.js";
import { same } from "./bytes.js";
import { isSigned, tagged } from "./crypto/hashing.js";
import { decode, Malformed, type Value } from "./encoding.js";
import type { Genesis } from "./genesis.js";
import { isBytes, isFace, isWord } from "./messages.js";

export type Entry = {
  record: "entry";
  number: number;
  seat: number;
  previous: Bytes;
  message: Value;
  release: Bytes[];
  body: Bytes;
  signature: Bytes;
  payload: Bytes;
  /** The head behind it. */
  head: Bytes;
};

export type Content =
  | { kind: "AGREE"; key: Bytes | null }
  | { kind: "CHAT" | "OFFER_DRAW" }
  | { kind: "RESIGN"; secret: Bytes | null }
  | { kind: "ACCEPT_DRAW"; by: number; offer: number }
  | { kind: "AWAY"; accused: number; receipt: Bytes | null; ofTime: boolean }
  | { kind: "END"; winners: number[]; reason: string }
  | { kind: "REVEAL"; part: number; openings: { face: number; salt: Bytes }[] }
  | { kind: "COMPLAIN"; look: number; secret: Bytes }
  | { kind: "COMPLAIN_SHARE"; deal: number; point: Bytes; proof: Bytes }
  | { kind: "BACK"; place: number; release: Bytes | null }
  | { kind: "SEALED"; reader: number };

export type Statement = {
  record: "statement";
  seat: number;
  index: number;
  previous: Bytes;
  count: number;
  head: Bytes;
  content: Content;
  body: Bytes;
  signature: Bytes;
  payload: Bytes;
  /** The seat's statement head behind it. */
  behind: Bytes;
};

const MOST_PAYLOAD = 16 * 1024;
const MOST_SHUFFLED = 33_024;
const MOST_RELEASED = 152;
const MOST_INDEX = 999;

function split(payload: Bytes): { body: Bytes; signature: Bytes; value: Value[] } | null {
  if (payload.length <= 64) return null;
  const body = payload.subarray(0, -64);
  try {
    const value = decode(body);
    return Array.isArray(value) ? { body, signature: payload.subarray(-64), value } : null;
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

function isSeat(value: Value, seats: number): value is number {
  return typeof value === "number" && value < seats;
}

/** The entry, or null if it has not the form of 8.1. */
export function readEntry(payload: Bytes, seats: number): Entry | null {
  const parts = split(payload);
  if (parts === null) return null;
  const { body, signature, value } = parts;
  const [number, seat, previous, message, release] = value;
  if (value.length < 4 || value.length > (seats > 2 ? 5 : 4)) return null;
  if (typeof number !== "number" || !isSeat(seat, seats) || !isBytes(previous, 32)) return null;
  const isShuffled = Array.isArray(message) && message[0] === 18;
  if (payload.length > (isShuffled ? MOST_SHUFFLED : MOST_PAYLOAD)) return null;
  if (release !== undefined) {
    if (!Array.isArray(release) || release.length < 1 || release.length > 8) return null;
    if (!release.every((item) => item instanceof Uint8Array && item.length <= MOST_RELEASED)) return null;
  }
  return {
    record: "entry", number, seat, previous, message, release: (release ?? []) as Bytes[], body, signature, payload,
    head: tagged("entry", body),
  };
}

/** The statement, or null if it has not the form of 9.1 and 9.2. */
export function readStatement(payload: Bytes, seats: number): Statement | null {
  const parts = split(payload);
  if (parts === null) return null;
  const { body, signature, value } = parts;
  const [seat, index, previous, count, head, kind, ...rest] = value;
  if (!isSeat(seat, seats) || !isSmall(index) || index > MOST_INDEX || !isBytes(previous, 32)) return null;
  if (!isSmall(count) || !isBytes(head, 32) || typeof kind !== "number") return null;
  const content = readContent(kind, rest);
  if (content === null) return null;
  return {
    record: "statement", seat, index, previous, count, head, content, body, signature, payload,
    behind: tagged("statement", body),
  };
}

function isSmall(value: Value): value is number {
  return typeof value === "number" && value < 2 ** 32;
}

function readContent(kind: number, content: Value[]): Content | null {
  const [a, b, c, d] = content;
  const size = content.length;
  switch (kind) {
    case 0:
      if (size === 0) return { kind: "AGREE", key: null };
      return size === 1 && isBytes(a, 32) ? { kind: "AGREE", key: a } : null;
    case 1: {
      const length = typeof a === "string" ? [...a].length : 0;
      return size === 1 && length >= 1 && length <= 500 ? { kind: "CHAT" } : null;
    }
    case 2:
      if (size === 0) return { kind: "RESIGN", secret: null };
      return size === 1 && isBytes(a, 32) ? { kind: "RESIGN", secret: a } : null;
    case 3:
      return size === 0 ? { kind: "OFFER_DRAW" } : null;
    case 4:
      return size === 2 && isSmall(a) && isSmall(b) ? { kind: "ACCEPT_DRAW", by: a, offer: b } : null;
    case 5: {
      if ((size !== 3 && !(size === 4 && d === 1)) || !isSmall(a) || !isSmall(b)) return null;
      if (!isBytes(c, 0) && !isBytes(c, 64)) return null;
      return { kind: "AWAY", accused: a, receipt: c.length === 0 ? null : c, ofTime: size === 4 };
    }
    case 6: {
      if (size !== 2 || !Array.isArray(a) || !a.every(isSmall) || !isWord(b)) return null;
      const winners = a as number[];
      if (winners.some((winner, i) => i > 0 && winner <= winners[i - 1])) return null;
      return { kind: "END", winners, reason: b };
    }
    case 7: {
      if (size !== 2 || !isSmall(a) || !Array.isArray(b) || b.length < 1) return null;
      const openings = b.map(readOpening);
      return openings.every((opening) => opening !== null) ? { kind: "REVEAL", part: a, openings } : null;
    }
    case 8:
      if (!isSmall(a)) return null;
      if (size === 2 && isBytes(b, 32)) return { kind: "COMPLAIN", look: a, secret: b };
      if (size === 3 && isBytes(b, 32) && isBytes(c, 64)) return { kind: "COMPLAIN_SHARE", deal: a, point: b, proof: c };
      return null;
    case 9:
      if (!isSmall(a)) return null;
      if (size === 1) return { kind: "BACK", place: a, release: null };
      if (size !== 2 || !(b instanceof Uint8Array) || b.length < 1 || b.length > MOST_RELEASED) return null;
      return { kind: "BACK", place: a, release: b };
    case 10:
      return size === 2 && isSmall(a) && (isBytes(b, 304) || isBytes(b, 2096)) ? { kind: "SEALED", reader: a } : null;
    default:
      return null;
  }
}

function readOpening(value: Value): { face: number; salt: Bytes } | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [face, salt] = value;
  return isFace(face) && isBytes(salt, 32) ? { face, salt } : null;
}

export function isWellSigned(genesis: Genesis, record: Entry | Statement): boolean {
  const data = new Uint8Array(32 + record.body.length);
  data.set(genesis.id);
  data.set(record.body, 32);
  return isSigned(genesis.keys[record.seat], `sign ${record.record}`, data, record.signature);
}

/** The same record, whatever its signature (4.2). */
export function isSameRecord(record: Entry | Statement, other: Entry | Statement): boolean {
  return same(record.body, other.body);
}
