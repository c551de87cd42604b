// SPEC 8, 9 and 13.3: a seat's own copy of a match. What it signs or admits is on the disk when a call returns.

import { concat, type Bytes } from "../../auditor/build/bytes.js";
import { encode, type Value } from "../../auditor/build/encoding.js";
import type { Game } from "../../auditor/build/asks.js";
import { readGenesis, type Genesis } from "../../auditor/build/genesis.js";
import { Blamed, Match, STRICT } from "../../auditor/build/match.js";
import { frame } from "./channel.js";
import { Journal, Spoilt } from "./journal.js";
import type { Key } from "./keys.js";

const [GENESIS, ENTRY, STATEMENT] = [1, 2, 3];
const FIRST_LINE = "p2p-stratego transcript 2\n";

export class Copy {
  readonly match: Match;
  /** For tests: the process is killed when so many entries are kept, the last one its own and not sent. */
  stopAt = Infinity;
  private readonly journal: Journal;

  private constructor(genesis: Genesis, journal: Journal) {
    this.match = new Match(genesis, STRICT);
    this.journal = journal;
  }

  static begin(genesis: Genesis, body: Bytes, path: string): Copy {
    return new Copy(genesis, Journal.begin(path, FIRST_LINE, frame(GENESIS, body)));
  }

  /** That of a match of before. Raises Spoilt. */
  static goOn(path: string, games: Map<string, Game>): Copy {
    const { journal, frames: [first, ...records] } = Journal.goOn(path, FIRST_LINE);
    if (first?.kind !== GENESIS) throw new Spoilt(`${path} has no genesis`);
    const copy = new Copy(readGenesis(first.payload, games), journal);
    for (const { kind, payload } of records) copy.match.admit(kind, payload);
    return copy;
  }

  /** Raises Refused and, with the record that proves the fault kept as the last one (11.1.2), Blamed. */
  admit(kind: number, payload: Bytes): void {
    try {
      this.match.admit(kind, payload);
    } catch (error) {
      if (error instanceof Blamed) this.journal.append(frame(kind, payload));
      throw error;
    }
    this.journal.append(frame(kind, payload));
  }

  /** The payload of an entry at the head, signed; not admitted. */
  draft(seat: number, key: Key, message: Value): Bytes {
    const { count } = this.match;
    const body = encode([count, seat, this.match.headAt(count), message]);
    return concat(body, key.sign("sign entry", concat(this.match.genesis.id, body)));
  }

  /** The payload of an entry, signed and kept. */
  entry(seat: number, key: Key, message: Value): Bytes {
    const payload = this.draft(seat, key, message);
    this.admit(ENTRY, payload);
    if (this.match.count >= this.stopAt) process.kill(process.pid, "SIGKILL");
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
