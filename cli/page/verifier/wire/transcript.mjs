// The transcript file (SPEC 11.1): a first line, the frame of the genesis, then the records in their order.

import {asciiBytes} from './bytes.mjs';
import {decode, ENTRY, GENESIS, Malformed, PROOF, readFrame, STATEMENT} from './codec.mjs';
import {PROTOCOL_VERSION, Unsupported} from '../record/genesis.mjs';

const MAGIC = `p2p-stratego transcript ${PROTOCOL_VERSION}\n`;
const ANY_MAGIC = /^p2p-stratego transcript (0|[1-9][0-9]{0,17})\n/;
const LONGEST_MAGIC = 64;
const MOST_TRANSCRIPT = 16 * 1024 * 1024;
const MOST_WITH_PROOFS = 64 * 1024 * 1024;

/** The file is something else altogether. */
export class NotATranscript extends Error {}

/** The records of a transcript, read one by one. */
export class Records {
  /** Throws NotATranscript, Unsupported and Malformed. @param {Uint8Array} bytes The whole file. */
  constructor(bytes) {
    if (bytes.length > MOST_WITH_PROOFS) {
      throw new NotATranscript('The file is far too long to be the transcript of a match.');
    }
    checkFirstLine(bytes);
    const first = readFrame(bytes, MAGIC.length);
    if (first === null || first.kind !== GENESIS) {
      throw new Malformed('The transcript does not begin with a whole genesis.');
    }
    if (bytes.length > MOST_TRANSCRIPT) {
      refuseLength(first.payload);
    }
    this.bytes = bytes;
    this.genesis = first.payload;
    this.start = first.end;
    this.kinds = isOfMany(first.payload) ? [ENTRY, STATEMENT, PROOF] : [ENTRY, STATEMENT];
    /** Bytes up to the end of the last whole frame read; the next two are those of the last walk, too. */
    this.size = first.end;
    /** Whether an incomplete frame follows. */
    this.torn = false;
    /** Why reading stopped before the end, or null. */
    this.damage = null;
  }

  /** Walks over the frames behind the genesis; each is `{kind, payload, end}`. */
  * frames() {
    this.size = this.start;
    this.torn = false;
    this.damage = null;
    for (let frame = this.#next(); frame !== null; frame = this.#next()) {
      yield frame;
      this.size = frame.end;
    }
  }

  #next() {
    let frame = null;
    try {
      frame = readFrame(this.bytes, this.size);
    } catch (error) {
      if (!(error instanceof Malformed)) {
        throw error;
      }
      this.damage = error.message;
      return null;
    }
    if (frame === null) {
      this.torn = this.size < this.bytes.length;
    } else if (!this.kinds.includes(frame.kind)) {
      this.damage = 'A record is of a kind that cannot stand at its place.';
      return null;
    }
    return frame;
  }
}

function checkFirstLine(bytes) {
  if (asciiBytes(MAGIC).every((byte, at) => bytes[at] === byte)) {
    return;
  }
  const line = String.fromCharCode(...bytes.subarray(0, LONGEST_MAGIC));
  if (!ANY_MAGIC.test(line)) {
    throw new NotATranscript('The file is not a transcript of a match.');
  }
  throw new Unsupported('The transcript is of a version that this page does not know.');
}

/** A longer file can only be of a match with proofs. */
function refuseLength(genesis) {
  const value = decode(genesis);
  if (!Array.isArray(value) || value.length < 7 || value[5] !== 1) {
    throw new NotATranscript('The file is far too long to be the transcript of a match.');
  }
}

/** Whether the match of a genesis, which is not checked yet, has three seats or more: only such a one has PROOFs. */
function isOfMany(genesis) {
  try {
    const value = decode(genesis);
    return Array.isArray(value) && Array.isArray(value[4]) && value[4].length > 2;
  } catch (error) {
    if (error instanceof Malformed) {
      return false;
    }
    throw error;
  }
}
