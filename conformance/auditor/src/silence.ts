// SPEC 10.9 to 10.12: silence among three and more.

import { same, type Bytes } from "./bytes.js";
import type { Match } from "./match.js";
import type { MessageOf } from "./messages.js";
import { isWellSigned, readStatement, type Entry, type Statement } from "./records.js";

type Parts = { owner: number; decider: number; accusers: number[] };
/** The record under judgement; `gone` if it is a right Gone below the end. */
type Candidate = { entry?: Entry; statement?: Statement; gone?: MessageOf<"Gone"> };

export class Silence {
  private readonly match: Match;

  constructor(match: Match) {
    this.match = match;
  }

  // 10.9.1 to 10.9.4.
  partsAt(place: number): Parts | null {
    const owner = this.match.ownerAt(place);
    const present = this.match.presentAt(place);
    if (owner === null || present.length < 3) return null;
    const others = present.filter((seat) => seat !== owner);
    const decider = others[others.length - 1];
    return { owner, decider, accusers: others.slice(0, -1) };
  }

  /** 10.11.2, but for 10.12. */
  isRightGone(entry: Entry, { seat, aways }: MessageOf<"Gone">): boolean {
    const place = entry.number;
    const parts = this.partsAt(place);
    if (parts === null || parts.decider !== entry.seat || parts.owner !== seat) return false;
    if (aways.length !== parts.accusers.length) return false;
    return aways.every((payload, i) => {
      const away = readStatement(payload, this.match.seats);
      return (
        away !== null && away.content.kind === "AWAY" && away.seat === parts.accusers[i] &&
        away.count === place && same(away.head, this.match.headAt(place)) && away.content.accused === seat &&
        isWellSigned(this.match.genesis, away)
      );
    });
  }

  /** 10.11.3, but for 10.12. */
  isRightBack(statement: Statement): boolean {
    const { content, seat, count } = statement;
    if (content.kind !== "BACK" || content.place >= count) return false;
    const { place, release } = content;
    const parts = this.partsAt(place);
    if (parts === null || !this.hasOwnRecord(place)) return false;
    if (seat === parts.owner || !this.match.presentAt(place).includes(seat)) return false;
    return release === null || this.releasedIn(statement, place) !== null;
  }

  private hasOwnRecord(place: number): boolean {
    return place < this.match.count && this.match.chain[place].gone === null;
  }

  // 10.11.4: the seat for which a payload says BACK.
  private backOf(payload: Bytes, place: number, most: number): number | null {
    const back = readStatement(payload, this.match.seats);
    if (back === null || back.content.kind !== "BACK" || back.content.place !== place || back.content.release !== null) return null;
    if (back.count <= place || back.count > most || back.count > this.match.count) return null;
    if (!same(back.head, this.match.headAt(back.count)) || !isWellSigned(this.match.genesis, back)) return null;
    return back.seat;
  }

  private releasedIn(statement: Statement, place: number): number | null {
    const { content } = statement;
    if (content.kind !== "BACK" || content.place !== place || content.release === null) return null;
    const seat = this.backOf(content.release, place, statement.count);
    const isRight =
      seat !== null && seat !== statement.seat && seat !== this.match.ownerAt(place) && this.match.presentAt(place).includes(seat);
    return isRight ? seat : null;
  }

  private statementsOf(seat: number, candidate: Candidate): Statement[] {
    const mine = this.match.statements[seat];
    return candidate.statement?.seat === seat ? [...mine, candidate.statement] : mine;
  }

  /** 10.9.5. */
  private hasCalled(seat: number, place: number, owner: number, candidate: Candidate): boolean {
    if (candidate.gone !== undefined && candidate.entry!.number === place) return true;
    return this.statementsOf(seat, candidate).some(
      ({ content, count }) => content.kind === "AWAY" && count === place && content.accused === owner,
    );
  }

  // The first entry behind a place by another seat than the owner, not a fold.
  private firstBehind(place: number, owner: number, candidate: Candidate): Entry | null {
    for (let number = place + 1; number < this.match.count; number += 1) {
      const { entry } = this.match.chain[number];
      if (entry !== null && entry.seat !== owner) return entry;
    }
    const { entry } = candidate;
    return entry !== undefined && entry.number === this.match.count && entry.seat !== owner ? entry : null;
  }

  private places(candidate: Candidate): number[] {
    const places = new Set<number>();
    for (const mine of this.match.statements) {
      for (const { content, count } of mine) if (content.kind === "AWAY") places.add(count);
    }
    const { statement, gone, entry } = candidate;
    if (statement?.content.kind === "AWAY") places.add(statement.count);
    if (gone !== undefined) places.add(entry!.number);
    return [...places].filter((place) => this.hasOwnRecord(place)).sort((a, b) => a - b);
  }

  /** 10.12: the culprit, if the record under judgement is counted in. */
  bothWays(candidate: Candidate): number | null {
    if (this.match.seats === 2) return null;
    for (const place of this.places(candidate)) {
      const culprit = this.culpritAt(place, candidate);
      if (culprit !== null) return culprit;
    }
    return null;
  }

  private culpritAt(place: number, candidate: Candidate): number | null {
    const parts = this.partsAt(place);
    if (parts === null) return null;
    const { owner, decider, accusers } = parts;
    const callers = accusers.filter((seat) => this.hasCalled(seat, place, owner, candidate));
    const first = this.firstBehind(place, owner, candidate);
    const released = (first?.release ?? []).map((payload) => this.backOf(payload, place, first!.number));
    const backs = new Set(released.filter((seat) => seat !== null));
    for (const seat of this.match.genesis.keys.keys()) {
      for (const statement of this.statementsOf(seat, candidate)) {
        const { content } = statement;
        if (content.kind !== "BACK" || content.place !== place) continue;
        const by = content.release === null ? seat : this.releasedIn(statement, place);
        if (by !== null) backs.add(by);
      }
    }
    const caller = callers.find((seat) => backs.has(seat));
    if (caller !== undefined) return caller;
    const present = this.match.presentAt(place);
    if (first !== null && callers.includes(first.seat)) {
      const isReleased = released.some((seat) => seat !== null && seat !== owner && seat !== first.seat && present.includes(seat));
      if (!isReleased) return first.seat;
    }
    const three = callers.find((seat) => this.goesOn(seat, place, first, candidate));
    if (three !== undefined) return three;
    if (candidate.gone === undefined || candidate.entry!.number !== place) return null;
    const later = this.statementsOf(decider, candidate).some(({ count }) => count > place);
    return backs.has(decider) || first?.seat === decider || later ? decider : null;
  }

  // 10.12.3.
  private goesOn(seat: number, place: number, first: Entry | null, candidate: Candidate): boolean {
    const mine = [...this.statementsOf(seat, candidate)].sort((a, b) => a.index - b.index);
    const statement = mine.find(({ count }) => count > place);
    // A proof may leave out statements: then nobody knows whether this is the first one.
    if (statement === undefined || !mine.some(({ index }) => index === statement.index - 1)) return false;
    const { content } = statement;
    if (content.kind === "BACK" && content.place === place && content.release !== null) return false;
    return first === null || statement.count <= first.number;
  }

  /** 9.6.11: a statement by which its own seat falls under 10.12.3. */
  isOnBothSides(statement: Statement): boolean {
    const candidate = { statement };
    return this.places(candidate).some((place) => {
      const parts = this.partsAt(place);
      if (parts === null || !parts.accusers.includes(statement.seat)) return false;
      if (!this.hasCalled(statement.seat, place, parts.owner, candidate)) return false;
      return this.goesOn(statement.seat, place, this.firstBehind(place, parts.owner, candidate), candidate);
    });
  }
}
