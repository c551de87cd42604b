// Values as bytes (SPEC 3): a subset of msgpack in which one value has one encoding, and frames.
//
// A value is an integer (number), a byte string (Uint8Array), a text (string) or an array of values.

import {isText} from './texts.mjs';

/** @typedef {number|Uint8Array|string|Value[]} Value */

export const MOST_BYTES = 65_535;
const MOST_ITEMS = 256;
const MOST_DEPTH = 8;
const MOST_VALUES = 4096;
const TWO_32 = 2 ** 32;

/** Bytes in a form that the protocol does not have; nobody is blamed for it. */
export class Malformed extends Error {}

/**
 * The value whose one encoding is `bytes`.  Every length is compared with the bytes that are there before anything is
 * set aside, and the shortest form is the only one that is read; so there is no need to encode again and compare.
 * @param {Uint8Array} bytes @returns {Value} Throws Malformed.
 */
export function decode(bytes) {
  if (bytes.length > MOST_BYTES) {
    throw new Malformed(`A message of ${bytes.length} bytes is over the limit of ${MOST_BYTES}.`);
  }
  const reader = new Reader(bytes);
  const value = reader.value(MOST_DEPTH);
  if (reader.at !== bytes.length) {
    throw new Malformed('Bytes follow the value.');
  }
  return value;
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
    /** The number of values in the arrays so far. */
    this.values = 0;
  }

  /** The value that begins here; `depth`: how many arrays may still stand in each other. @returns {Value} */
  value(depth) {
    const kind = this.unsigned(1);
    if (kind < 0x80) {
      return kind;
    }
    if (kind >= 0x90 && kind < 0xa0) {
      return this.array(kind - 0x90, depth);
    }
    if (kind >= 0xa0 && kind < 0xc0) {
      return this.text(kind - 0xa0);
    }
    switch (kind) {
      case 0xc4: return this.take(this.unsigned(1));
      case 0xc5: return this.take(this.shortest(2, 0x100));
      case 0xcc: return this.shortest(1, 0x80);
      case 0xcd: return this.shortest(2, 0x100);
      case 0xce: return this.shortest(4, 0x1_0000);
      case 0xcf: return this.long();
      case 0xd9: return this.text(this.shortest(1, 0x20));
      case 0xda: return this.text(this.shortest(2, 0x100));
      case 0xdc: return this.array(this.shortest(2, 0x10), depth);
      default: throw new Malformed('A message holds what is neither integer, bytes, text nor array.');
    }
  }

  take(length) {
    if (length > this.bytes.length - this.at) {
      throw new Malformed('The bytes end within a value.');
    }
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  unsigned(length) {
    let number = 0;
    for (const byte of this.take(length)) {
      number = number * 256 + byte;
    }
    return number;
  }

  /** An integer that needs so many bytes: a smaller one has another form. */
  shortest(length, least) {
    const number = this.unsigned(length);
    if (number < least) {
      throw new Malformed('An integer or a length is not in its shortest form.');
    }
    return number;
  }

  /** An integer of 64 bits, up to 2^53 − 1; beyond that a number would not hold it exactly. */
  long() {
    const high = this.unsigned(4);
    const low = this.unsigned(4);
    if (high === 0 || high >= 2 ** 21) {
      throw new Malformed('An integer is outside 0 to 2^53 − 1, or not in its shortest form.');
    }
    return high * TWO_32 + low;
  }

  text(length) {
    let text;
    try { // without `ignoreBOM` a text would lose a U+FEFF at its start, and two encodings would be one value
      text = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(this.take(length));
    } catch (error) {
      throw error instanceof Malformed ? error : new Malformed('A text is not UTF-8.');
    }
    if (!isText(text)) {
      throw new Malformed('A text is too long, not in Unicode normal form C, or has too many marks in a row.');
    }
    return text;
  }

  array(length, depth) {
    if (length > MOST_ITEMS || depth === 0) {
      throw new Malformed(`An array has over ${MOST_ITEMS} items, or stands over ${MOST_DEPTH} deep.`);
    }
    this.values += length;
    if (this.values > MOST_VALUES) {
      throw new Malformed(`A message holds more than ${MOST_VALUES} values.`);
    }
    const items = [];
    for (let item = 0; item < length; item += 1) {
      items.push(this.value(depth - 1));
    }
    return items;
  }
}

/** The encoding of a value that keeps to the limits. @param {Value} value @returns {Uint8Array} */
export function encode(value) {
  const bytes = [];
  write(bytes, value);
  return Uint8Array.from(bytes);
}

function write(bytes, value) {
  if (typeof value === 'number') {
    writeInteger(bytes, value);
  } else if (typeof value === 'string') {
    const text = new TextEncoder().encode(value);
    writeLength(bytes, text.length, [0x20, 0xa0], 0xd9, 0xda);
    bytes.push(...text);
  } else if (value instanceof Uint8Array) {
    writeLength(bytes, value.length, [0, 0], 0xc4, 0xc5);
    bytes.push(...value);
  } else {
    writeLength(bytes, value.length, [0x10, 0x90], null, 0xdc);
    value.forEach((item) => write(bytes, item));
  }
}

function writeInteger(bytes, value) {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`no integer of the protocol: ${value}`);
  }
  if (value < 0x80) {
    bytes.push(value);
  } else if (value < 0x100) {
    bytes.push(0xcc, value);
  } else if (value < 0x1_0000) {
    bytes.push(0xcd, ...bigEndianBytes(value, 2));
  } else if (value < TWO_32) {
    bytes.push(0xce, ...bigEndianBytes(value, 4));
  } else {
    bytes.push(0xcf, ...bigEndianBytes(Math.floor(value / TWO_32), 4), ...bigEndianBytes(value % TWO_32, 4));
  }
}

/** A length within its first byte (`short`: below which length, and on what base), in 8 bits, or in 16. */
function writeLength(bytes, length, short, eight, sixteen) {
  if (length < short[0]) {
    bytes.push(short[1] + length);
  } else if (length < 0x100 && eight !== null) {
    bytes.push(eight, length);
  } else {
    bytes.push(sixteen, ...bigEndianBytes(length, 2));
  }
}

function bigEndianBytes(value, length) {
  return Array.from({length}, (_, at) => Math.floor(value / 256 ** (length - 1 - at)) % 256);
}

// Frames

export const GENESIS = 1;
export const ENTRY = 2;
export const STATEMENT = 3;
export const PROOF = 4;
const HEADER_BYTES = 5;
const TRAILER_BYTES = 4;

/**
 * The frame at `start`, `{kind, payload, end}`, or null if its end is missing.  Throws Malformed if it is damaged.
 * @param {Uint8Array} bytes @returns {?{kind: number, payload: Uint8Array, end: number}}
 */
export function readFrame(bytes, start) {
  const body = start + HEADER_BYTES;
  if (bytes.length < body) {
    return null;
  }
  const [kind, high, low] = bytes.subarray(start, body);
  if (crc16(bytes.subarray(start, body)) !== 0) {
    throw new Malformed('A record\'s length is damaged.');
  }
  const end = body + high * 256 + low;
  if (bytes.length < end + TRAILER_BYTES) {
    return null;
  }
  const payload = bytes.subarray(body, end);
  const view = new DataView(bytes.buffer, bytes.byteOffset + end, TRAILER_BYTES);
  if (crc32(payload) !== view.getUint32(0)) {
    throw new Malformed('A record\'s content is damaged.');
  }
  return {kind, payload, end: end + TRAILER_BYTES};
}

/** CRC-16 with polynomial 0x1021 from 0xFFFF; over bytes with their own check behind them it is 0. */
function crc16(bytes) {
  let check = 0xffff;
  for (const byte of bytes) {
    check ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      check = (check & 0x8000 ? (check << 1) ^ 0x1021 : check << 1) & 0xffff;
    }
  }
  return check;
}

const CRC_32_TABLE = Uint32Array.from({length: 256}, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) {
    value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return value;
});

/** CRC-32 as in zlib. */
function crc32(bytes) {
  let check = 0xffffffff;
  for (const byte of bytes) {
    check = CRC_32_TABLE[(check ^ byte) & 0xff] ^ (check >>> 8);
  }
  return (check ^ 0xffffffff) >>> 0;
}
