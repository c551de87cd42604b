// SPEC 8, 9 and 13.3: a seat's own copy of a match. What it signs or admits is on the disk when a call returns.

import { concat, type Bytes } from "../../auditor/build/bytes.js";
import { encode, type Value } from "../../auditor/build/encoding.js";
import type { Genesis } from "../../auditor/build/genesis.js";
import { Blamed, Match, STRICT } from "../../auditor/build/match.js";
import { frame } from "./channel.js";
import { Journal } from "./journal.js";
import type { Key } from "./keys.js";

const [GENESIS, ENTRY, STATEMENT] = [1, 2, 3];

export class Copy {
  readonly match: Match;
  private readonly file: Journal;

  constructor(genesis: Genesis, body: Bytes, path: string) {
    this.match = new Match(genesis, STRICT);
    this.file = new Journal(path, "p2p-stratego transcript 2\n", frame(GENESIS, body));
  }

  /** Raises Refused and, with the record that proves the fault kept as the last one (11.1.2), Blamed. */
  admit(kind: number, payload: Bytes): void {
    try {
      this.match.admit(kind, payload);
    } catch (error) {
      if (error instanceof Blamed) this.file.append(frame(kind, payload));
      throw error;
    }
    this.file.append(frame(kind, payload));
  }

  /** The payload of an entry at the head, signed; not admitted. */
  draft(seat: number, key: Key, message: Value, number = this.match.count): Bytes {
    const body = encode([number, seat, this.match.headAt(number), message]);
    return concat(body, key.sign("sign entry", concat(this.match.genesis.id, body)));
  }

  /** The payload of an entry, signed and kept. */
  entry(seat: number, key: Key, message: Value): Bytes {
    const payload = this.draft(seat, key, message);
    this.admit(ENTRY, payload);
    return payload;
  }

  /** The payload of a statement over all entries there are, signed; not admitted. */
  draftStatement(seat: number, key: Key, kind: number, content: Value[]): Bytes {
    const { match } = this;
    const mine = match.statements[seat];
    const previous = mine.length > 0 ? mine[mine.length - 1].behind : match.genesis.id;
    const body = encode([seat, mine.length, previous, match.count, match.headAt(match.count), kind, ...content]);
    return concat(body, key.sign("sign statement", concat(match.genesis.id, body)));
  }

  /** The payload of a statement, signed and kept. */
  statement(seat: number, key: Key, kind: number, content: Value[]): Bytes {
    const payload = this.draftStatement(seat, key, kind, content);
    this.admit(STATEMENT, payload);
    return payload;
  }
}
