// Entries (SPEC 8): the links of the chain, one signed message each.

import {decode, Malformed} from '../wire/codec.mjs';
import {SIGNATURE_BYTES} from '../crypto/ed25519.mjs';
import {isBytes, isHash} from '../wire/messages.mjs';

const MOST_ENTRY = 16 * 1024;
const MOST_SHUFFLE = 33_024;
const SHUFFLED = 18;
const MOST_RELEASE = 8;
export const MOST_BACK = 152;

/** The bytes of a payload before its signature. @param {Uint8Array} payload @returns {Uint8Array} */
export function bodyOf(payload) {
  return payload.subarray(0, -SIGNATURE_BYTES);
}

/** The signature at the end of a payload. @param {Uint8Array} payload @returns {Uint8Array} */
export function signatureOf(payload) {
  return payload.subarray(-SIGNATURE_BYTES);
}

/**
 * The envelope of an entry; neither its signature nor its message is checked here.  Throws Malformed.
 * @param {Uint8Array} payload
 * @returns {{number: number, seat: number, previous: Uint8Array, message: *, release: Uint8Array[], payload: Uint8Array,
 *   body: Uint8Array}}
 */
export function parseEntry(payload) {
  if (payload.length <= SIGNATURE_BYTES || payload.length > MOST_SHUFFLE) {
    throw new Malformed('An entry is too short to be signed, or over 16 KiB.');
  }
  const body = bodyOf(payload);
  const value = decode(body);
  if (!Array.isArray(value) || (value.length !== 4 && value.length !== 5)) {
    throw new Malformed('An entry is not a number, a seat, a head and a message.');
  }
  const [number, seat, previous, message, release = []] = value;
  if (value.length === 5 && !isRelease(release)) {
    throw new Malformed('A release does not hold 1 to 8 BACKs.');
  }
  if (typeof number !== 'number' || typeof seat !== 'number' || !isHash(previous)) {
    throw new Malformed('An entry has no number, no seat or no head.');
  }
  if (payload.length > MOST_ENTRY && !(Array.isArray(message) && message[0] === SHUFFLED)) {
    throw new Malformed('An entry is over 16 KiB.');
  }
  return {number, seat, previous, message, release, payload, body};
}

function isRelease(value) {
  const fits = (item) => item instanceof Uint8Array && item.length <= MOST_BACK;
  return Array.isArray(value) && value.length > 0 && value.length <= MOST_RELEASE && value.every(fits);
}

/** Whether a value is a receipt: a signature, or nothing. */
export function isReceipt(value) {
  return isBytes(value, 0, SIGNATURE_BYTES);
}
