// SPEC 13.3: files that only grow, and are on the disk when a call returns.

import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { ascii, concat, type Bytes } from "../../auditor/build/bytes.js";

export class Journal {
  private readonly descriptor: number;

  /** Makes the file, 0600; it must not be there. */
  constructor(path: string, firstLine: string, content: Bytes) {
    this.descriptor = openSync(path, "ax", 0o600);
    this.append(concat(ascii(firstLine), content));
    const folder = openSync(dirname(path), "r");
    fsyncSync(folder);
    closeSync(folder);
  }

  append(bytes: Bytes): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.descriptor, bytes, at);
    fsyncSync(this.descriptor);
  }
}
