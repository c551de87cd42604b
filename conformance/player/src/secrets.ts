// SPEC 13: the secrets of one seat in one match, and the file that keeps them.

import { randomBytes } from "node:crypto";
import type { Bytes } from "../../auditor/build/bytes.js";
import { taggedValue } from "../../auditor/build/crypto.js";
import { encode, type Value } from "../../auditor/build/encoding.js";
import { frame } from "./channel.js";
import { Journal } from "./journal.js";
import { derived } from "./keys.js";

const [MASTER, DECISION] = [64, 65];

export class Secrets {
  readonly master: Bytes;
  private file: Journal | null = null;

  constructor(master: Bytes = new Uint8Array(randomBytes(32))) {
    this.master = master;
  }

  /** 13.4. Nothing that follows from the master secret is sent before. */
  keep(path: string): void {
    this.file = new Journal(path, "p2p-stratego secrets 2\n", frame(MASTER, this.master));
  }

  /** 13.3.1. */
  decide(serial: number, decision: Value): void {
    this.file!.append(frame(DECISION, encode([serial, decision])));
  }

  get nonce(): Bytes {
    return derived(this.master, "kdf nonce");
  }

  /** 7.7: the anchor, link[0], and as many links behind it. */
  links(seat: number, length: number): Bytes[] {
    const links = [derived(this.master, "kdf chance", seat)];
    while (links.length <= length) links.unshift(taggedValue("chance link", [seat, links[0]]));
    return links;
  }

  salt(game: Bytes, seat: number, slot: number): Bytes {
    return derived(this.master, "kdf salt", game, seat, slot);
  }

  choiceSalt(game: Bytes, seat: number, serial: number): Bytes {
    return derived(this.master, "kdf choice salt", game, seat, serial);
  }
}

/** The signature key of a player, made once. */
export function newSeed(path: string): Bytes {
  const seed = new Uint8Array(randomBytes(32));
  new Journal(path, "", seed);
  return seed;
}
