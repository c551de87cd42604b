// SPEC 14.6: an invite to play, and the addresses in it that this player can call.

import { same, type Bytes } from "../../auditor/build/bytes.js";
import { tagged } from "../../auditor/build/crypto/hashing.js";
import { BadAddress, readAddress, type Place } from "./addresses.js";

export type Invite = { certificate: Bytes; secret: Bytes; places: Place[] };

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export class BadInvite extends Error {}

// 14.6.3. Bits behind the last whole byte are zeros.
function fromBase32(text: string): Bytes {
  const bytes: number[] = [];
  let [bits, value] = [0, 0];
  for (const letter of text) {
    const digit = DIGITS.indexOf(letter);
    if (digit < 0) throw new BadInvite("a letter that no invite has");
    value = ((value << 5) | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 255);
    }
  }
  if (bits >= 5 || (value & ((1 << bits) - 1)) !== 0) throw new BadInvite("letters too many");
  return Uint8Array.from(bytes);
}

/** Raises BadInvite. */
export function readInvite(word: string): Invite {
  const text = word.replace(/[\s|│-]/g, "").toUpperCase().replace(/[IL]/g, "1").replace(/O/g, "0");
  if (!text.startsWith("P2PS")) throw new BadInvite("it does not begin as an invite");
  const bytes = fromBase32(text.slice(4));
  const [payload, check] = [bytes.subarray(0, -4), bytes.subarray(-4)];
  if (payload.length < 51 || !same(tagged("invite checksum", payload).subarray(0, 4), check)) {
    throw new BadInvite("a slip of the hand");
  }
  if (payload[0] !== 3 || payload[1] !== 0) throw new BadInvite("another version, or an invite to watch");
  const [certificate, secret, count] = [payload.subarray(2, 34), payload.subarray(34, 50), payload[50]];
  const places: Place[] = [];
  let at = 51;
  for (let i = 0; i < count; i += 1) {
    const place = placeOf(payload.subarray(at + 1, at + 1 + payload[at]));
    at += 1 + payload[at];
    if (place !== null) places.push(place);
  }
  if (count < 1 || count > 8 || at !== payload.length || places.length === 0) throw new BadInvite("no address to call");
  return { certificate, secret, places };
}

function placeOf(address: Bytes): Place | null {
  try {
    return readAddress(address);
  } catch (error) {
    if (error instanceof BadAddress) throw new BadInvite(`an address that is none: ${error.message}`);
    throw error;
  }
}
