// SPEC 7, 10 and 14.13: playing a match of two by hashes over one link, from the first Ask to the END of both.

import type { Answer, Ask, Choose, Commit } from "../../auditor/build/asks.js";
import { concat, same, type Bytes } from "../../auditor/build/bytes.js";
import { commitment, taggedValue } from "../../auditor/build/crypto.js";
import { encode, type Value } from "../../auditor/build/encoding.js";
import * as ending from "../../auditor/build/ending.js";
import { Refused } from "../../auditor/build/match.js";
import type { Owed } from "../../auditor/build/table.js";
import type { Cheat } from "./cheats.js";
import { fields, LEFT } from "./channel.js";
import type { Seat } from "./lobby.js";
import type { Person } from "./people.js";

const [ENTRY, STATEMENT, SYNC, REMATCH, RECEIPT, CARD, HAVE, AUDIENCE, FRIEND] = [2, 3, 22, 25, 27, 28, 29, 30, 43];
/** Frames that this player may pass over: hints, and offers that it does not take up. */
const PASSED = [REMATCH, RECEIPT, CARD, HAVE, AUDIENCE, FRIEND];
const [END, REVEAL] = [6, 7];
const PART = 256;

/** What the rules ask at this moment, and who is told of answers. */
export class Onlooker {
  ask: Ask | null = null;
  person: Person | null = null;

  asked(ask: Ask): void {
    this.ask = ask;
  }

  learn(ask: Ask, answer: Answer): void {
    this.person!.learn(ask, answer);
  }
}

export class Player {
  readonly seat: Seat;
  readonly person: Person;
  private readonly onlooker: Onlooker;
  private readonly cheat: Cheat | null;
  private readonly faces = new Map<number, number>();
  private readonly moves = new Map<number, string>();
  private shares = 0;
  /** It has cheated, and only waits to be sent away. */
  private isCaught = false;

  constructor(seat: Seat, onlooker: Onlooker, person: Person, cheat: Cheat | null) {
    this.seat = seat;
    this.person = person;
    this.onlooker = onlooker;
    this.cheat = cheat;
    onlooker.person = person;
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
      if (this.isCaught) continue;
      try {
        copy.admit(kind, payload);
      } catch (error) {
        // 8.2: refused records blame nobody; what comes twice is one.
        if (!(error instanceof Refused)) throw error;
      }
      this.act();
    }
    channel.close(LEFT);
    return ending.outcome(copy.match)!;
  }

  // 14.13, of a match that has just begun: both have the AGREEs, and no entry.
  private sync(): Value {
    const { match } = this.seat.copy;
    const heads = match.statements.map((mine): Value => [mine.length, mine[mine.length - 1].behind]);
    const shown = match.statements[1 - this.seat.seat][0].payload;
    return [match.genesis.id, match.count, match.headAt(match.count), heads, new Uint8Array(0), shown];
  }

  private async compare(): Promise<void> {
    const { channel, copy } = this.seat;
    for (;;) {
      const { kind, payload } = await channel.next();
      // The AGREE of every seat comes, and this seat's own may be the last (14.18.14).
      if (kind === CARD || kind === STATEMENT) continue;
      const [id, count, head] = fields(payload);
      if (kind !== SYNC) return channel.refuse("no SYNC");
      const isOurs = id instanceof Uint8Array && same(id, copy.match.genesis.id) && count === 0;
      if (!isOurs || !(head instanceof Uint8Array) || !same(head, id)) return channel.refuse("a SYNC of another copy");
      return;
    }
  }

  private act(): void {
    const { match } = this.seat.copy;
    this.acknowledge();
    while (!this.isCaught && ending.playEnd(match) === null && match.play.owed!.seat === this.seat.seat) {
      this.answer(match.play.owed!);
    }
    if (!this.isCaught && ending.playEnd(match) !== null) this.settle();
    if (!this.isCaught) this.interrupt();
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
    if (crooked !== null) return this.send(ENTRY, crooked);
    channel.send(ENTRY, copy.entry(seat, key, message));
  }

  /** Its own part of the Ask under way. */
  private mine(): Ask {
    const { ask } = this.onlooker;
    if (ask!.ask !== "together") return ask!;
    return ask!.asks.find((part) => part.seat === this.seat.seat)!;
  }

  private message({ kind }: Owed): Value {
    const { copy: { match }, secrets, seat, links } = this.seat;
    const { id } = match.genesis;
    const { serial } = match.play;
    const ask = this.mine();
    switch (kind) {
      case "Choice":
        return [1, this.choose(ask as Choose)];
      case "HiddenChoice": {
        const move = this.choose(ask as Choose);
        return [2, taggedValue("hidden choice", [id, seat, serial, secrets.choiceSalt(id, seat, serial), move])];
      }
      case "ShownChoice":
        return [3, this.moves.get(serial)!, secrets.choiceSalt(id, seat, serial)];
      case "Commitments": {
        const { slots } = ask as Commit;
        const faces = this.person.lay(ask as Commit);
        secrets.decide(serial, faces);
        slots.forEach((slot, i) => this.faces.set(slot, faces[i]));
        return [4, slots.map((slot, i) => commitment(id, seat, slot, secrets.salt(id, seat, slot), faces[i]))];
      }
      case "Opening": {
        const { slot } = ask as Ask & { ask: "open" };
        return [5, ...this.opening(slot)];
      }
      case "Share":
        this.shares += 1;
        return [6, links[this.shares]];
      default:
        throw new Error(`a game of two by hashes asks for no ${kind}`);
    }
  }

  private choose(ask: Choose): string {
    const { secrets, copy: { match } } = this.seat;
    const move = this.cheat?.choose?.(this, ask) ?? this.person.choose(ask);
    secrets.decide(match.play.serial, move);
    this.moves.set(match.play.serial, move);
    return move;
  }

  private opening(slot: number): [face: number, salt: Bytes] {
    const { copy: { match }, secrets, seat } = this.seat;
    return [this.faces.get(slot)!, secrets.salt(match.genesis.id, seat, slot)];
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
    if (this.isCaught) return;
    const { channel, copy, key, seat } = this.seat;
    const crooked = this.cheat?.statement?.(this, kind, content) ?? null;
    if (crooked !== null) return this.send(STATEMENT, [copy.draftStatement(seat, key, kind, crooked)]);
    channel.send(STATEMENT, copy.statement(seat, key, kind, content));
  }

  // A cheat that comes when nothing is owed.
  private interrupt(): void {
    const crooked = this.cheat?.unasked?.(this) ?? null;
    if (crooked !== null) this.send(ENTRY, crooked);
  }

  // What its own copy would not admit.
  private send(kind: number, payloads: Bytes[]): void {
    for (const payload of payloads) this.seat.channel.send(kind, payload);
    this.isCaught = true;
  }

  private hasEnded(seat: number, outcome: ending.Outcome): boolean {
    const { match } = this.seat.copy;
    return match.said(seat, "END").some(({ count, content }) => count === match.count && ending.isNamed(outcome, content));
  }

  private isOver(): boolean {
    const outcome = this.isCaught ? null : ending.outcome(this.seat.copy.match);
    return outcome !== null && [0, 1].every((seat) => this.hasEnded(seat, outcome));
  }
}
