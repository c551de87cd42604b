// SPEC 13: the secrets of one seat in one match, and the file that keeps them.

import { randomBytes } from "node:crypto";
import type { Bytes } from "../../auditor/build/bytes.js";
import { taggedValue } from "../../auditor/build/crypto/hashing.js";
import { encode, type Value } from "../../auditor/build/encoding.js";
import { fields, frame } from "./channel.js";
import { Journal, Spoilt } from "./journal.js";
import { derived } from "./keys.js";

const [MASTER, DECISION] = [64, 65];
const FIRST_LINE = "p2p-stratego secrets 2\n";

export class Secrets {
  readonly master: Bytes;
  /** By the serial of an Ask: the move, or the faces. */
  readonly decisions = new Map<number, Value>();
  private journal: Journal | null = null;

  constructor(master: Bytes = new Uint8Array(randomBytes(32))) {
    this.master = master;
  }

  /** Those of a match of before. Raises Spoilt. */
  static goOn(path: string): Secrets {
    const { journal, frames: [first, ...decisions] } = Journal.goOn(path, FIRST_LINE);
    if (first?.kind !== MASTER) throw new Spoilt(`${path} has no master secret`);
    const secrets = new Secrets(first.payload.slice());
    for (const { payload } of decisions) {
      const [serial, decision] = fields(payload);
      if (serial === undefined) throw new Spoilt("this copy is an old one: another has gone on");
      secrets.decisions.set(serial as number, decision);
    }
    secrets.journal = journal;
    return secrets;
  }

  /** 13.4. Nothing that follows from the master secret is sent before. */
  keep(path: string): void {
    this.journal = Journal.begin(path, FIRST_LINE, frame(MASTER, this.master));
  }

  /** 13.3.1: a decision is made once, and kept before anything else is done. */
  decide<T extends Value>(serial: number, decide: () => T): T {
    const before = this.decisions.get(serial);
    if (before !== undefined) return before as T;
    const decision = decide();
    this.journal!.append(frame(DECISION, encode([serial, decision])));
    this.decisions.set(serial, decision);
    return decision;
  }

  /** 13.3.7. */
  freeze(): void {
    this.journal!.append(frame(DECISION, encode([])));
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
  Journal.begin(path, "", seed);
  return seed;
}
