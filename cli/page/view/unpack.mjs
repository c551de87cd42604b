// The page's content: blocks of base64 of gzip, in elements that no browser runs.  A few bytes of gzip can unpack to a
// thousand times as many, so each block has a limit, which is kept while it is unpacked (threat 92).

/** Bytes of a record: those of a transcript without proofs (SPEC 11.1.3), and more than a page of any other holds. */
export const MOST_RECORD = 16 * 1024 * 1024;
/** Bytes of the words: twice what the densest talk in a page of 500,000 bytes comes to. */
export const MOST_WORDS = 8 * 1024 * 1024;

/** A block holds more than its limit. */
export class Bloated extends Error {}

/**
 * What the gzip `packed` holds.  Throws Bloated as soon as that is more than `most` bytes; damaged gzip is another
 * error.
 * @param {Uint8Array} packed @param {number} most @returns {Promise<Uint8Array>}
 */
export async function unpack(packed, most) {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > most) {
      reader.cancel().catch(() => {});
      throw new Bloated(`more than ${most} bytes`);
    }
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The record of the page. */
export function unpackRecord() {
  return unpack(packedIn('record'), MOST_RECORD);
}

/** The words and facts of the page. */
export async function unpackContent() {
  return JSON.parse(new TextDecoder().decode(await unpack(packedIn('told'), MOST_WORDS)));
}

function packedIn(identifier) {
  return Uint8Array.from(atob(document.getElementById(identifier).textContent.trim()), (sign) => sign.charCodeAt(0));
}
