// SPEC 7, 10 and 14.13: playing a match of two by hashes over one link, up to the END of both.

import type { Answer, Ask, Choose, Commit } from "../../auditor/build/asks.js";
import { concat, same, type Bytes } from "../../auditor/build/bytes.js";
import { commitment, taggedValue } from "../../auditor/build/crypto/hashing.js";
import { encode, type Value } from "../../auditor/build/encoding.js";
import * as ending from "../../auditor/build/ending.js";
import { Blamed, Refused } from "../../auditor/build/match.js";
import { isSameRecord, readEntry, readStatement, type Entry, type Statement } from "../../auditor/build/records.js";
import type { Owed } from "../../auditor/build/table.js";
import type { Cheat } from "./cheats.js";
import { fields, LEFT, PROTOCOL } from "./channel.js";
import type { Seat } from "./lobby.js";
import type { Onlooker, Person } from "./people.js";

const [ENTRY, STATEMENT, SYNC, REMATCH, RECEIPT, CARD, HAVE, AUDIENCE, FRIEND] = [2, 3, 22, 25, 27, 28, 29, 30, 43];
/** Frames that this player may pass over: hints, and offers that it does not take up. */
const PASSED = [REMATCH, RECEIPT, CARD, HAVE, AUDIENCE, FRIEND];
const [SHARE, END, REVEAL] = [6, 6, 7];
const PART = 256;
/** A code of CLOSE. */
const STALE = 10;
const NOTHING = new Uint8Array(0);

export class Player {
  readonly seat: Seat;
  readonly person: Person;
  private readonly onlooker: Onlooker;
  private readonly cheat: Cheat | null;
  private readonly faces = new Map<number, number>();
  /** What the other side's SYNC announced: entries, and statements by seat. */
  private announced: { count: number; statements: number[] } = { count: 0, statements: [] };
  /** It has cheated, and only waits to be sent away. */
  private isDone = false;

  constructor(seat: Seat, onlooker: Onlooker, person: Person, cheat: Cheat | null) {
    this.seat = seat;
    this.person = person;
    this.onlooker = onlooker;
    this.cheat = cheat;
    onlooker.tell((serial, ask, answer) => this.learn(serial, ask, answer));
  }

  /** Plays until both have signed the end. Raises Trouble; and Blamed if the other side breaks a rule. */
  async play(): Promise<ending.Outcome> {
    const { channel, copy } = this.seat;
    channel.say(SYNC, this.sync());
    await this.compare();
    this.act();
    while (!this.isOver()) {
      const { kind, payload } = await channel.next();
      if (PASSED.includes(kind)) continue;
      if (kind !== ENTRY && kind !== STATEMENT) channel.refuse(`a frame of kind ${kind} in a match`);
      if (this.isDone) continue;
      try {
        copy.admit(kind, payload);
      } catch (error) {
        if (error instanceof Blamed) channel.close(PROTOCOL);
        // 8.2: refused records blame nobody; what comes twice is one.
        if (!(error instanceof Refused)) throw error;
      }
      this.act();
    }
    channel.close(LEFT);
    return ending.outcome(copy.match)!;
  }

  private get other(): number {
    return 1 - this.seat.seat;
  }

  // 14.13.
  private sync(): Value {
    const { match } = this.seat.copy;
    const held = match.statements.map((mine): Value => [mine.length, mine[mine.length - 1].behind]);
    const theirs = match.chain.filter(({ entry }) => entry?.seat === this.other);
    const entry = theirs.length > 0 ? theirs[theirs.length - 1].entry!.payload : NOTHING;
    const statements = match.statements[this.other];
    return [match.genesis.id, match.count, match.headAt(match.count), held, entry, statements[statements.length - 1].payload];
  }

  private async compare(): Promise<void> {
    const { channel, copy: { match } } = this.seat;
    let { kind, payload } = await channel.next();
    // The AGREE of every seat comes, and this seat's own may be the last (14.18.14).
    while (kind === CARD || kind === STATEMENT) ({ kind, payload } = await channel.next());
    const [id, count, head, held, ...shown] = fields(payload);
    const isSync = kind === SYNC && id instanceof Uint8Array && typeof count === "number" && head instanceof Uint8Array;
    const statements = Array.isArray(held) ? held.map((of) => (Array.isArray(of) ? of[0] : null)) : [];
    if (!isSync || statements.length !== match.seats || !statements.every(isNumber) || !same(id, match.genesis.id)) {
      return channel.refuse("no SYNC about this match");
    }
    this.recognise(shown);
    if (count <= match.count && !same(head, match.headAt(count))) return channel.refuse("another chain");
    this.announced = { count, statements };
    for (const record of match.arrived) {
      if (!this.has(record)) channel.send(record.record === "entry" ? ENTRY : STATEMENT, record.payload);
    }
  }

  // 14.13.2: a record of this seat that is not here shows that another copy has gone on.
  private recognise([entry, statement]: Value[]): void {
    const { channel, copy: { match }, seat, secrets } = this.seat;
    for (const [payload, read] of [[entry, readEntry], [statement, readStatement]] as const) {
      if (payload instanceof Uint8Array && payload.length === 0) continue;
      const record = payload instanceof Uint8Array ? read(payload, match.seats) : null;
      if (record?.seat !== seat || !match.isWellSigned(record)) return channel.refuse("it shows what this seat never signed");
      if (match.arrived.some((known) => known.record === record.record && isSameRecord(known, record))) continue;
      secrets.freeze();
      channel.refuse("this copy is an old one", STALE);
    }
  }

  /** Whether the other side's SYNC counts a record. */
  private has(record: Entry | Statement): boolean {
    const { count, statements } = this.announced;
    return record.record === "entry" ? record.number < count : record.index < statements[record.seat];
  }

  // 14.13.3.
  private isBehind(): boolean {
    const { match } = this.seat.copy;
    const { count, statements } = this.announced;
    return match.count < count || statements.some((number, seat) => match.statements[seat].length < number);
  }

  private act(): void {
    const { match } = this.seat.copy;
    if (this.isDone || this.isBehind()) return;
    this.acknowledge();
    while (!this.isDone && ending.playEnd(match) === null && match.play.owed!.seat === this.seat.seat) {
      this.answer(match.play.owed!);
    }
    if (ending.playEnd(match) !== null) this.settle();
    else this.interrupt();
  }

  // 14.14.
  private acknowledge(): void {
    const { channel, copy: { match }, key, seat } = this.seat;
    const { owed } = match.play;
    if (owed?.seat !== seat || !owed.decision || match.count === 0 || match.chain[match.count - 1].owner === seat) return;
    const head = match.headAt(match.count);
    const receipt = key.sign("sign receipt", concat(match.genesis.id, encode([seat, match.count, head])));
    channel.say(RECEIPT, [match.genesis.id, seat, match.count, receipt]);
  }

  // Section 7.
  private answer(owed: Owed): void {
    const { channel, copy, key, seat } = this.seat;
    const message = this.message(owed);
    const crooked = this.cheat?.entries?.(this, owed, message) ?? null;
    if (crooked !== null) this.send(ENTRY, crooked);
    else channel.send(ENTRY, copy.entry(seat, key, message));
  }

  private message({ kind }: Owed): Value {
    const { copy: { match }, secrets, seat, links } = this.seat;
    const { id } = match.genesis;
    const { serial } = match.play;
    const ask = partOf(this.onlooker.ask!, seat)!;
    switch (kind) {
      case "Choice":
        return [1, this.choose(ask as Choose)];
      case "HiddenChoice": {
        const salt = secrets.choiceSalt(id, seat, serial);
        return [2, taggedValue("hidden choice", [id, seat, serial, salt, this.choose(ask as Choose)])];
      }
      case "ShownChoice":
        return [3, secrets.decisions.get(serial)!, secrets.choiceSalt(id, seat, serial)];
      case "Commitments": {
        const { slots } = ask as Commit;
        const faces = secrets.decide(serial, () => this.person.lay(ask as Commit));
        return [4, slots.map((slot, i) => commitment(id, seat, slot, secrets.salt(id, seat, slot), faces[i]))];
      }
      case "Opening": {
        const { slot } = ask as Ask & { ask: "open" };
        return [5, ...this.opening(slot)];
      }
      case "Share":
        return [6, links[1 + match.chain.filter(({ entry }) => entry?.seat === seat && isShare(entry)).length]];
      default:
        throw new Error(`a game of two by hashes asks for no ${kind}`);
    }
  }

  private choose(ask: Choose): string {
    const { secrets, copy: { match } } = this.seat;
    return secrets.decide(match.play.serial, () => this.cheat?.choose?.(this, ask) ?? this.person.choose(ask));
  }

  private opening(slot: number): [face: number, salt: Bytes] {
    const { copy: { match }, secrets, seat } = this.seat;
    return [this.faces.get(slot)!, secrets.salt(match.genesis.id, seat, slot)];
  }

  private learn(serial: number, ask: Ask, answer: Answer): void {
    const mine = partOf(ask, this.seat.seat);
    if (mine?.ask === "commit") {
      const faces = this.seat.secrets.decisions.get(serial) as number[];
      mine.slots.forEach((slot, i) => this.faces.set(slot, faces[i]));
      this.person.hold(mine.slots, faces);
    }
    this.person.learn(ask, answer);
  }

  // 10.2 and 10.4.
  private settle(): void {
    const { copy: { match }, seat } = this.seat;
    if (ending.owing(match).includes(seat)) {
      const openings = ending.due(match, seat, match.count).map((slot) => this.opening(slot));
      for (let part = 0; part * PART < openings.length; part += 1) {
        this.state(REVEAL, [part, openings.slice(part * PART, (part + 1) * PART)]);
      }
    }
    // 10.4.1: also a claim that is false already waits for the other side's REVEAL.
    const outcome = ending.owing(match).length === 0 ? ending.outcome(match) : null;
    if (outcome !== null && !this.hasEnded(seat, outcome)) this.state(END, [outcome.winners, outcome.reason]);
  }

  private state(kind: number, content: Value[]): void {
    const { channel, copy, key, seat } = this.seat;
    const crooked = this.cheat?.statement?.(this, kind, content) ?? null;
    if (crooked !== null) this.send(STATEMENT, [copy.draftStatement(seat, key, kind, crooked)]);
    else channel.send(STATEMENT, copy.statement(seat, key, kind, content));
  }

  // A cheat that comes when nothing is owed.
  private interrupt(): void {
    const crooked = this.cheat?.unasked?.(this) ?? null;
    if (crooked !== null) this.send(ENTRY, crooked);
  }

  // What its own copy would not admit.
  private send(kind: number, payloads: Bytes[]): void {
    for (const payload of payloads) this.seat.channel.send(kind, payload);
    this.isDone = true;
  }

  private hasEnded(seat: number, outcome: ending.Outcome): boolean {
    const { match } = this.seat.copy;
    return match.statementsOf(seat, "END").some(({ count, content }) => count === match.count && ending.isNamed(outcome, content));
  }

  private isOver(): boolean {
    const outcome = this.isDone ? null : ending.outcome(this.seat.copy.match);
    return outcome !== null && [0, 1].every((seat) => this.hasEnded(seat, outcome));
  }
}

/** What of an Ask is for a seat to answer. */
function partOf(ask: Ask, seat: number): Ask | undefined {
  const parts: Ask[] = ask.ask === "together" ? ask.asks : [ask];
  return parts.find((part) => !("seat" in part) || part.seat === seat);
}

function isNumber(value: Value | null): value is number {
  return typeof value === "number";
}

function isShare({ message }: Entry): boolean {
  return (message as Value[])[0] === SHARE;
}
