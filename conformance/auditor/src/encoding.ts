// SPEC 3: values and their one encoding; frames.

import { concat, same, type Bytes } from "./bytes.js";
import { isAssigned, isMark } from "./unicode32.js";

export type Value = number | string | Bytes | Value[];

export class Malformed extends Error {}

const MOST_BYTES = 65_535;
const MOST_ITEMS = 256;
const MOST_IN_ALL = 4_096;
const DEEPEST = 8;
const LONGEST_TEXT = 2_048;
const MOST_MARKS = 30;

/** 3.2: whether a text may stand in a value. */
export function isNormalText(text: string): boolean {
  const points = [...text];
  if (points.length > LONGEST_TEXT) return false;
  let marks = 0;
  for (const point of points) {
    const code = point.codePointAt(0)!;
    if (code >= 0xd800 && code <= 0xdfff) return false;
    // 3.2.6: these three have class 0, and each stands for two marks.
    if (isMark(code) || code === 0x0f73 || code === 0x0f75 || code === 0x0f81) marks += 1;
    else marks = 0;
    if (marks > MOST_MARKS) return false;
  }
  let run = "";
  for (const point of points) {
    if (isAssigned(point.codePointAt(0)!)) {
      run += point;
    } else {
      if (run.normalize("NFC") !== run) return false;
      run = "";
    }
  }
  return run.normalize("NFC") === run;
}

export function encode(value: Value): Bytes {
  const parts: Bytes[] = [];
  write(value, parts);
  return concat(...parts);
}

function write(value: Value, parts: Bytes[]): void {
  if (typeof value === "number") {
    parts.push(integer(value));
  } else if (typeof value === "string") {
    const utf8 = new TextEncoder().encode(value);
    parts.push(head(utf8.length, [0xa0, 31], 0xd9, 0xda), utf8);
  } else if (value instanceof Uint8Array) {
    parts.push(head(value.length, null, 0xc4, 0xc5), value);
  } else {
    parts.push(value.length <= 15 ? Uint8Array.of(0x90 | value.length) : sized(0xdc, value.length, 2));
    for (const item of value) write(item, parts);
  }
}

function integer(value: number): Bytes {
  if (value < 0x80) return Uint8Array.of(value);
  if (value < 0x100) return sized(0xcc, value, 1);
  if (value < 0x1_0000) return sized(0xcd, value, 2);
  if (value < 0x1_0000_0000) return sized(0xce, value, 4);
  return sized(0xcf, value, 8);
}

function head(length: number, fix: [number, number] | null, short: number, long: number): Bytes {
  if (fix !== null && length <= fix[1]) return Uint8Array.of(fix[0] | length);
  return length < 0x100 ? sized(short, length, 1) : sized(long, length, 2);
}

function sized(tag: number, value: number, size: number): Bytes {
  const bytes = new Uint8Array(1 + size);
  bytes[0] = tag;
  for (let i = size; i > 0; i -= 1) {
    bytes[i] = value % 256;
    value = Math.floor(value / 256);
  }
  return bytes;
}

/** The value with exactly this encoding. Raises `Malformed`. */
export function decode(bytes: Bytes): Value {
  if (bytes.length > MOST_BYTES) throw new Malformed("too many bytes");
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (reader.at !== bytes.length) throw new Malformed("bytes behind the value");
  if (!same(encode(value), bytes)) throw new Malformed("not the shortest form");
  return value;
}

class Reader {
  at = 0;
  private items = 0;
  private readonly bytes: Bytes;

  constructor(bytes: Bytes) {
    this.bytes = bytes;
  }

  value(depth: number): Value {
    const tag = this.number(1);
    if (tag < 0x80) return tag;
    if (tag >= 0x90 && tag <= 0x9f) return this.array(tag & 15, depth);
    if (tag >= 0xa0 && tag <= 0xbf) return this.text(tag & 31);
    switch (tag) {
      case 0xcc: return this.number(1);
      case 0xcd: return this.number(2);
      case 0xce: return this.number(4);
      case 0xcf: return this.number(8);
      case 0xc4: return this.take(this.number(1)).slice();
      case 0xc5: return this.take(this.number(2)).slice();
      case 0xd9: return this.text(this.number(1));
      case 0xda: return this.text(this.number(2));
      case 0xdc: return this.array(this.number(2), depth);
      default: throw new Malformed(`no value begins with ${tag}`);
    }
  }

  private take(length: number): Bytes {
    if (this.at + length > this.bytes.length) throw new Malformed("too few bytes");
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  private number(size: number): number {
    let value = 0;
    for (const byte of this.take(size)) value = value * 256 + byte;
    if (value > Number.MAX_SAFE_INTEGER) throw new Malformed("too large an integer");
    return value;
  }

  private text(length: number): string {
    const utf8 = this.take(length);
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(utf8);
    } catch {
      throw new Malformed("no UTF-8");
    }
    if (!isNormalText(text)) throw new Malformed("a text that is too long or not in normal form");
    return text;
  }

  private array(length: number, depth: number): Value[] {
    this.items += length;
    if (length > MOST_ITEMS || depth + 1 > DEEPEST || this.items > MOST_IN_ALL) throw new Malformed("too large an array");
    const items: Value[] = [];
    for (let i = 0; i < length; i += 1) items.push(this.value(depth + 1));
    return items;
  }
}

const CRC_32 = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit += 1) byte = (byte >>> 1) ^ (byte & 1 ? 0xedb88320 : 0);
  return byte;
});

export function crc32(bytes: Bytes): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC_32[(crc ^ byte) & 255];
  return (crc ^ 0xffffffff) >>> 0;
}

/** CRC-16 with polynomial 0x1021 and initial value 0xFFFF (3.3). */
export function crc16(bytes: Bytes): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc;
}

export type Frame = { kind: number; payload: Bytes; next: number };

/** The frame that begins at `at` (3.3, 11.1.5). */
export function readFrame(bytes: Bytes, at: number): Frame | "incomplete" | "damaged" {
  const left = bytes.length - at;
  if (left < 5) return "incomplete";
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (view.getUint16(at + 3) !== crc16(bytes.subarray(at, at + 3))) return "damaged";
  const length = view.getUint16(at + 1);
  const end = at + 5 + length + 4;
  if (end > bytes.length) return "incomplete";
  const payload = bytes.subarray(at + 5, at + 5 + length);
  if (view.getUint32(end - 4) !== crc32(payload)) return "damaged";
  return { kind: bytes[at], payload, next: end };
}
