// Byte strings: hexadecimal digits, base 64, and comparing and joining them.

/** A byte string as lower-case hexadecimal digits. @param {Uint8Array} bytes @returns {string} */
export function toHex(bytes) {
  let text = '';
  for (const byte of bytes) {
    text += byte.toString(16).padStart(2, '0');
  }
  return text;
}

/** The byte string of hexadecimal digits; throws SyntaxError for any other text. @returns {Uint8Array} */
export function fromHex(text) {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) {
    throw new SyntaxError('not hexadecimal digits');
  }
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  }
  return bytes;
}

/** The byte string of base 64 (RFC 4648, section 4); throws for any other text. @returns {Uint8Array} */
export function fromBase64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Whether two byte strings are the same; of public data only: it stops at the first difference. */
export function equalBytes(left, right) {
  if (left.length !== right.length) {
    return false;
  }
  for (let at = 0; at < left.length; at += 1) {
    if (left[at] !== right[at]) {
      return false;
    }
  }
  return true;
}

/** All byte strings, one behind the other. @param {...Uint8Array} parts @returns {Uint8Array} */
export function joinBytes(...parts) {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** The bytes of an ASCII text. @returns {Uint8Array} */
export function asciiBytes(text) {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** Bytes as a big-endian integer. @param {Uint8Array} bytes @returns {bigint} */
export function bigEndian(bytes) {
  return bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`);
}

/** Bytes as a little-endian integer. @param {Uint8Array} bytes @returns {bigint} */
export function littleEndian(bytes) {
  return bigEndian(bytes.slice().reverse());
}
