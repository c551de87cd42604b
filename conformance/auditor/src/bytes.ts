// Byte strings: joined, compared, and as hexadecimal digits.

export type Bytes = Uint8Array;

export function concat(...parts: Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function same(a: Bytes, b: Bytes): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

export function hex(bytes: Bytes): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

export function unhex(digits: string): Bytes {
  return new Uint8Array(Buffer.from(digits, "hex"));
}

export function ascii(text: string): Bytes {
  return new Uint8Array(Buffer.from(text, "latin1"));
}

/** A little-endian integer. */
export function little(bytes: Bytes): bigint {
  return BigInt("0x0" + hex(bytes.slice().reverse()));
}

/** A big-endian integer. */
export function big(bytes: Bytes): bigint {
  return BigInt("0x0" + hex(bytes));
}

/** 32 bytes, little-endian. */
export function bytes32(value: bigint): Bytes {
  return unhex(value.toString(16).padStart(64, "0")).reverse();
}

/** Joined items of `size` bytes each, apart. */
export function lots(bytes: Bytes, size: number): Bytes[] {
  const items: Bytes[] = [];
  for (let at = 0; at < bytes.length; at += size) items.push(bytes.subarray(at, at + size));
  return items;
}
