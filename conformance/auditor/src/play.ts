// SPEC 6, 7 and 10.1: the rules of a game, run over the answers that messages give. It says who owes what.

import { hex, same, type Bytes } from "./bytes.js";
import type { Answer, Ask, Breach, Choose, Commit, Rules, Step } from "./asks.js";
import { Ended } from "./asks.js";
import { firstFalse, type Claim } from "./claims.js";
import { roll, taggedValue } from "./crypto/hashing.js";
import type { Genesis } from "./genesis.js";
import type { Kind, Message, MessageOf } from "./messages.js";
import type { Reply, Owed, Steps, Table } from "./table.js";
import { Fault } from "./table.js";
import { HashTable } from "./hashes.js";
import { CardTable } from "./deck.js";

export type End = {
  winners: number[];
  reason: string;
  breach: Breach | null;
  claim: Claim | null;
  /** P7.3: the seat whose key cannot be had. */
  keyless: number | null;
};

type Decision = { entry: number; seat: number; ask: number };
/** The table as it stood when an Ask was put (7.10.4). */
type Snapshot = { answers: number; table: Table; toss: number };

const MOST_DECISIONS = 100;
const MOST_TAKEBACKS = 250;

/** P7.3 raises it. */
export class Keyless extends Error {
  readonly seat: number;

  constructor(seat: number) {
    super("a key cannot be had");
    this.seat = seat;
  }
}

class TakenBack extends Error {
  readonly ask: number;

  constructor(ask: number) {
    super("taken back");
    this.ask = ask;
  }
}

export class Play {
  readonly genesis: Genesis;
  readonly seats: number;
  readonly checksProofs: boolean;
  /** Seats that have not gone. */
  readonly present: boolean[];
  readonly left: number[] = [];
  /** Entries and folds so far, the one under judgement counted. */
  count = 0;
  serial = 0;
  owed: Owed | null = null;
  end: End | null = null;
  table: Table;
  readonly digests = new Set<string>();
  readonly decisions: Decision[] = [];
  takebacks = 0;
  private readonly links: Bytes[];
  private toss = 0;
  private readonly tosses = new Map<number, Bytes[]>();
  private answers: Answer[] = [];
  private standing: Decision[] = [];
  private snapshots = new Map<number, Snapshot>();
  private lastGone = -1;
  private rules: Rules;
  private readonly flow: Generator<Owed, void, Reply>;

  constructor(genesis: Genesis, checksProofs: boolean) {
    this.genesis = genesis;
    this.seats = genesis.keys.length;
    this.checksProofs = checksProofs;
    this.present = genesis.keys.map(() => true);
    this.links = [...genesis.anchors];
    this.table = genesis.proofs ? new CardTable(this) : new HashTable(this);
    this.rules = genesis.game.rules(genesis.options, this.seats);
    this.flow = this.run();
    this.advance({ gone: false });
  }

  /** Raises `Fault`. The message has the form of one (8.3.2). */
  feed(message: Message): void {
    const owed = this.owed!;
    if (message.kind === "TakeBack" && this.genesis.takebacks && owed.decision) {
      const ask = this.judgeTakeBack(message.number, owed.seat);
      this.count += 1;
      this.advance({ gone: false, takeBack: ask });
      return;
    }
    if (message.kind !== owed.kind) throw new Fault("wrong-message");
    this.count += 1;
    try {
      this.advance({ gone: false, message });
    } catch (error) {
      this.count -= 1;
      throw error;
    }
    if (owed.decision) {
      const decision = { entry: this.count - 1, seat: owed.seat, ask: owed.ask };
      this.decisions.push(decision);
      this.standing.push(decision);
      if (this.standing.length > MOST_DECISIONS) this.standing.shift();
      const oldest = this.standing[0].ask;
      for (const ask of this.snapshots.keys()) if (ask < oldest) this.snapshots.delete(ask);
    }
  }

  /** The seat that owes goes (10.7.1), with an entry of another seat or a fold. */
  go(): void {
    const { seat } = this.owed!;
    this.present[seat] = false;
    this.left.push(seat);
    this.lastGone = this.count;
    this.count += 1;
    this.advance({ gone: true });
  }

  /** The chain ends with an agreed draw in the place of an entry (10.8.5). */
  draw(): void {
    this.count += 1;
    this.owed = null;
    this.end = { winners: [], reason: "agreed-draw", breach: null, claim: null, keyless: null };
  }

  // 7.10.2. The answer is the number of the Ask that is put again.
  private judgeTakeBack(number: number, seat: number): number {
    const decision = this.standing.find((candidate) => candidate.entry === number && candidate.seat === seat);
    if (decision === undefined || this.lastGone >= number || this.takebacks >= MOST_TAKEBACKS) throw new Fault("false-takeback");
    return decision.ask;
  }

  private advance(reply: Reply): void {
    const next = this.flow.next(reply);
    this.owed = next.done === true ? null : next.value;
    if (this.end !== null && this.end.breach !== null) return;
    // 10.2.12, 10.2.15: a claim that an entry shows to be false ends play before any other end.
    const claim = this.table.claimsChanged() ? firstFalse(this.table.claims, (slot) => this.table.faces.get(slot)?.face) : null;
    if (claim !== null) {
      this.owed = null;
      this.end = { ...this.fault(claim.seat), breach: null, claim, keyless: null };
    }
  }

  /** 10.2.10, 10.2.11: a fault during play. */
  fault(seat: number): { winners: number[]; reason: string } {
    const { sides } = this.genesis;
    const winners = new Set(sides).size === 2 ? this.seatsOf((side) => side !== sides[seat]) : [];
    return { winners, reason: "cheated" };
  }

  private seatsOf(which: (side: number) => boolean): number[] {
    return this.genesis.sides.flatMap((side, seat) => (which(side) ? [seat] : []));
  }

  /** 7.9.3, the second and third row: one side alone is left. */
  deserted(): { winners: number[]; reason: string } | null {
    if (this.left.length === 0) return null;
    const sides = new Set(this.genesis.sides.filter((_, seat) => this.present[seat]));
    if (sides.size > 1) return null;
    const [side] = sides.size === 1 ? sides : [this.genesis.sides[this.left[this.left.length - 1]]];
    return { winners: this.seatsOf((other) => other === side), reason: "deserted" };
  }

  private *run(): Generator<Owed, void, Reply> {
    let leavers = 0;
    let ask: Ask | Step | null = this.resume(undefined);
    while (ask !== null) {
      let answer: Answer;
      if (ask.ask === "step") {
        const end = this.deserted();
        if (end !== null) {
          this.end = { ...end, breach: null, claim: null, keyless: null };
          return;
        }
        answer = leavers < this.left.length ? this.left[leavers++] : null;
      } else {
        if (this.genesis.takebacks) {
          this.snapshots.set(this.answers.length, { answers: this.answers.length, table: this.table.copy(), toss: this.toss });
        }
        try {
          answer = yield* this.answer(ask);
        } catch (error) {
          if (error instanceof TakenBack) {
            ask = this.restore(error.ask);
            continue;
          }
          if (!(error instanceof Keyless)) throw error;
          this.end = this.withoutKey(error.seat);
          return;
        }
        this.serial += 1;
      }
      this.answers.push(answer);
      ask = this.resume(answer);
    }
  }

  // The next Ask of the rules, or null if they have ended the game.
  private resume(answer: Answer): Ask | Step | null {
    try {
      const next = this.rules.next(answer);
      if (next.done === true) throw new Error("rules without an end");
      return next.value;
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      const { winners, reason, breach } = error;
      const outcome = breach === null ? { winners, reason } : this.fault(breach.seat);
      this.end = { ...outcome, breach, claim: null, keyless: null };
      return null;
    }
  }

  // P7.3.
  private withoutKey(seat: number): End {
    const deserted = this.deserted();
    if (deserted !== null) return { ...deserted, breach: null, claim: null, keyless: null };
    const { sides } = this.genesis;
    const winners = new Set(sides).size === 2 ? this.seatsOf((side) => side !== sides[seat]) : [];
    return { winners, reason: "unresponsive", breach: null, claim: null, keyless: seat };
  }

  private *answer(ask: Ask): Steps<Answer> {
    if (ask.ask === "choose") return yield* this.choose(ask);
    if (ask.ask === "roll") return yield* this.roll(ask.sides);
    if (ask.ask === "together") {
      const { asks } = ask;
      if (asks.every((part) => part.ask === "choose")) return yield* this.chooseTogether(asks as Choose[]);
      return yield* this.table.commitTogether(asks as Commit[]);
    }
    return yield* this.table.answer(ask);
  }

  /** The message of a kind that a seat owes; null if the seat goes instead. */
  *wait<K extends Kind>(seat: number, kind: K, decision = false): Steps<MessageOf<K> | null> {
    const reply = yield { seat, kind, decision, ask: this.answers.length };
    if (reply.takeBack !== undefined) throw new TakenBack(reply.takeBack);
    if (reply.gone) {
      yield* this.table.seatGone();
      return null;
    }
    return reply.message as MessageOf<K>;
  }

  private *choose(ask: Choose): Steps<Answer> {
    if (!this.present[ask.seat]) return null;
    const choice = yield* this.wait(ask.seat, "Choice", true);
    if (choice === null) return null;
    if (!ask.options.has(choice.move)) throw new Fault("illegal-choice");
    return choice.move;
  }

  private *chooseTogether(asks: Choose[]): Steps<Answer> {
    const digests: (Bytes | null)[] = [];
    for (const { seat } of asks) {
      const hidden = this.present[seat] ? yield* this.wait(seat, "HiddenChoice", true) : null;
      if (hidden !== null) this.useDigests([hidden.digest]);
      digests.push(hidden === null ? null : hidden.digest);
    }
    const answers: Answer[] = [];
    for (const [i, { seat, options }] of asks.entries()) {
      const digest = digests[i];
      const shown = digest !== null && this.present[seat] ? yield* this.wait(seat, "ShownChoice") : null;
      if (shown !== null) {
        const { move, salt } = shown;
        const expected = taggedValue("hidden choice", [this.genesis.id, seat, this.serial, salt, move]);
        if (!same(expected, digest!)) throw new Fault("wrong-opening");
        if (!options.has(move)) throw new Fault("illegal-choice");
      }
      answers.push(shown === null ? null : shown.move);
    }
    return answers;
  }

  /** 7.2.2: raises `Fault` if a digest stood in this match before, or stands here twice. */
  useDigests(digests: Bytes[]): void {
    const names = digests.map(hex);
    if (new Set(names).size < names.length || names.some((name) => this.digests.has(name))) {
      throw new Fault("repeated-commitment");
    }
    for (const name of names) this.digests.add(name);
  }

  // 7.7.
  private *roll(sides: number): Steps<number> {
    for (;;) {
      const toss = this.toss++;
      const before = this.tosses.get(toss);
      if (before !== undefined) return Number(roll(this.genesis.id, toss, before, BigInt(sides)));
      const order = Array.from({ length: this.seats }, (_, i) => (toss + i) % this.seats).filter((seat) => this.present[seat]);
      const shares = new Map<number, Bytes>();
      let isVoid = false;
      for (const seat of order) {
        const share = yield* this.wait(seat, "Share");
        if (share === null) {
          isVoid = true;
          break;
        }
        if (!same(taggedValue("chance link", [seat, share.link]), this.links[seat])) throw new Fault("wrong-link");
        this.links[seat] = share.link;
        shares.set(seat, share.link);
      }
      if (isVoid) continue;
      const inOrder = [...shares].sort(([a], [b]) => a - b).map(([, link]) => link);
      this.tosses.set(toss, inOrder);
      return Number(roll(this.genesis.id, toss, inOrder, BigInt(sides)));
    }
  }

  // 7.10.3 to 7.10.7.
  private restore(ask: number): Ask | Step | null {
    const snapshot = this.snapshots.get(ask)!;
    this.serial += 1;
    this.takebacks += 1;
    const table = snapshot.table.copy();
    table.remember(this.table);
    this.table = table;
    this.toss = snapshot.toss;
    this.standing = this.standing.filter((decision) => decision.ask < ask);
    this.answers = this.answers.slice(0, snapshot.answers);
    for (const later of this.snapshots.keys()) if (later >= ask) this.snapshots.delete(later);
    this.rules = this.genesis.game.rules(this.genesis.options, this.seats);
    let put = this.resume(undefined);
    for (const answer of this.answers) put = this.resume(answer);
    return put;
  }
}
