// SPEC 13.3 and 13.5: files that only grow, and are on the disk when a call returns.

import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { ascii, concat, same, type Bytes } from "../../auditor/build/bytes.js";
import { readFrame } from "../../auditor/build/encoding.js";
import type { Frame } from "./channel.js";

/** A file of this player is not what it wrote. */
export class Spoilt extends Error {}

export class Journal {
  private readonly descriptor: number;

  private constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  /** Makes a file, 0600, that must not be there. */
  static begin(path: string, firstLine: string, content: Bytes): Journal {
    const journal = new Journal(openSync(path, "ax", 0o600));
    journal.append(concat(ascii(firstLine), content));
    const folder = openSync(dirname(path), "r");
    fsyncSync(folder);
    closeSync(folder);
    return journal;
  }

  /** Opens a file of before, and cuts an incomplete last frame. Raises Spoilt. */
  static goOn(path: string, firstLine: string): { journal: Journal; frames: Frame[] } {
    const bytes = new Uint8Array(readFileSync(path));
    let at = firstLine.length;
    if (!same(bytes.subarray(0, at), ascii(firstLine))) throw new Spoilt(`${path} is another file`);
    const frames: Frame[] = [];
    for (;;) {
      const next = readFrame(bytes, at);
      if (next === "damaged") throw new Spoilt(`${path} is damaged`);
      if (next === "incomplete") break;
      frames.push({ kind: next.kind, payload: next.payload });
      at = next.next;
    }
    const journal = new Journal(openSync(path, "a"));
    ftruncateSync(journal.descriptor, at);
    fsyncSync(journal.descriptor);
    return { journal, frames };
  }

  append(bytes: Bytes): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.descriptor, bytes, at);
    fsyncSync(this.descriptor);
  }
}
