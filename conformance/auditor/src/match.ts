// SPEC 8 and 9: what a verifier does with entries and statements of one match.

import { concat, same, type Bytes } from "./bytes.js";
import { commitment, isSigned, isSoundKey, unseal, x25519Public } from "./crypto/hashing.js";
import { encode } from "./encoding.js";
import { headBehindFold, type Genesis } from "./genesis.js";
import { readMessage, type MessageOf } from "./messages.js";
import { Play } from "./play.js";
import { isSameRecord, isWellSigned, readEntry, readStatement, type Content, type Entry, type Statement } from "./records.js";
import { Fault } from "./table.js";
import { firstFalse } from "./claims.js";
import * as ending from "./ending.js";
import { judgeProof } from "./proof.js";
import { Silence } from "./silence.js";

export type Blame = { seat: number; what: "entry" | "statement"; number: number; rule: string };

/** A record that is not admitted and blames nobody. */
export class Refused extends Error {}

/** A record that proves a fault, also of another seat than its signer. */
export class Blamed extends Error {
  readonly blame: Blame;

  constructor(blame: Blame) {
    super(blame.rule);
    this.blame = blame;
  }
}

/** What stands at a place of the chain. */
export type Link = {
  /** Who owed it. */
  owner: number;
  head: Bytes;
  entry: Entry | null;
  fold: Statement | null;
  gone: MessageOf<"Gone"> | null;
  decision: boolean;
};

type StatementOf<K> = Statement & { content: Extract<Content, { kind: K }> };

export type Manner = {
  /** Every signature of entries and statements is verified (not so on the quick way, 12.4). */
  signatures: boolean;
  proofs: boolean;
  /** The records of a proof (12.8): statements of a seat have gaps, and consents are not needed. */
  excerpt: boolean;
};

export const STRICT: Manner = { signatures: true, proofs: true, excerpt: false };

const MOST_AWAYS = 64;

export class Match {
  readonly genesis: Genesis;
  readonly manner: Manner;
  readonly seats: number;
  readonly chain: Link[] = [];
  readonly statements: Statement[][];
  /** Entries and statements as they were admitted. */
  readonly arrived: (Entry | Statement)[] = [];
  readonly play: Play;
  /** By seat the place at which it went (10.7.1), or null. */
  readonly wentAt: (number | null)[];
  readonly silence: Silence;
  /** Where no RESIGN is folded, since a Gone is to stand there. */
  private unfolded = -1;
  /** What a forgotten record showed (8.4.4). */
  forgotten: Blame | null = null;

  constructor(genesis: Genesis, manner: Manner) {
    this.genesis = genesis;
    this.manner = manner;
    this.seats = genesis.keys.length;
    this.statements = genesis.keys.map(() => []);
    this.wentAt = genesis.keys.map(() => null);
    this.play = new Play(genesis, manner.proofs);
    this.silence = new Silence(this);
  }

  // What is so.

  get count(): number {
    return this.chain.length;
  }

  /** The head after so many entries. */
  headAt(count: number): Bytes {
    return count === 0 ? this.genesis.id : this.chain[count - 1].head;
  }

  /** Who owes, or owed, the entry at a place; null behind the end of play. */
  ownerAt(place: number): number | null {
    if (place < this.count) return this.chain[place].owner;
    return place === this.count && !this.isDrawn() ? (this.play.owed?.seat ?? null) : null;
  }

  /** 10.7.1. */
  presentAt(place: number): number[] {
    return this.wentAt.flatMap((went, seat) => (went === null || went >= place ? [seat] : []));
  }

  isPresent(seat: number): boolean {
    return this.wentAt[seat] === null;
  }

  /** Seats that have not gone. */
  get present(): number[] {
    return this.presentAt(this.count);
  }

  isDrawn(): boolean {
    return this.play.end?.reason === "agreed-draw";
  }

  private hasAgreed(seat: number): boolean {
    return this.manner.excerpt || this.statements[seat].length > 0;
  }

  /** 5.3.3. */
  isAgreed(): boolean {
    return this.statements.every((_, seat) => this.hasAgreed(seat));
  }

  statementsOf<K extends Content["kind"]>(seat: number, kind: K): StatementOf<K>[] {
    return this.statements[seat].filter((statement) => statement.content.kind === kind) as StatementOf<K>[];
  }

  private isLastWord(statement: Statement): boolean {
    const { kind } = statement.content;
    return kind === "RESIGN" || kind === "END" || kind === "REVEAL" || (kind === "ACCEPT_DRAW" && this.seats === 2);
  }

  /** The first entry with at least this number that a seat signed, Gones aside (9.4.3). */
  private firstEntry(seat: number, from: number): number | null {
    for (let number = from; number < this.count; number += 1) {
      const { entry, gone } = this.chain[number];
      if (entry !== null && gone === null && entry.seat === seat) return number;
    }
    return null;
  }

  /** A decision that a seat signed with a number from `from` to before `to`. */
  hasDecided(seat: number, from: number, to: number): boolean {
    return this.play.decisions.some(({ entry, seat: by }) => by === seat && entry >= from && entry < to);
  }

  // Admission. Each raises `Refused` or `Blamed`, and then the match is not used any more.

  admit(kind: number, payload: Bytes): void {
    if (kind === 4) {
      throw judgeProof(this, payload);
    }
    const record = kind === 2 ? readEntry(payload, this.seats) : readStatement(payload, this.seats);
    if (record === null) throw new Refused("it has not the form of a record");
    this.admitRecord(record);
  }

  /** Answers with the match to go on with: another one if a Gone supersedes a record (8.4). */
  next: Match = this;

  admitRecord(record: Entry | Statement): void {
    if (record.record === "entry") this.judgeEntry(record);
    else this.judgeStatement(record);
    this.next.fold();
  }

  isWellSigned(record: Entry | Statement): boolean {
    return isWellSigned(this.genesis, record);
  }

  private verify(record: Entry | Statement): void {
    if (this.manner.signatures && !this.isWellSigned(record)) throw new Refused("its signature does not verify");
  }

  private blame(record: Entry | Statement, rule: string, seat = record.seat): Blamed {
    if (record.record === "entry") return new Blamed({ seat, what: "entry", number: record.number, rule });
    return new Blamed({ seat, what: "statement", number: record.count, rule });
  }

  // Table 8.2.
  private judgeEntry(entry: Entry): void {
    const { number, seat } = entry;
    const below = number < this.count;
    if (below && this.chain[number].entry !== null && isSameRecord(this.chain[number].entry!, entry)) {
      throw new Refused("it is repeated");
    }
    this.verify(entry);
    if (number > this.count) throw new Refused("it is too early");
    const atHead = same(entry.previous, this.headAt(number));
    if (below) {
      this.judgeLateEntry(entry, atHead);
      return;
    }
    if (!atHead) throw new Refused("it builds on another head");
    if (!this.isAgreed()) throw new Refused("not every seat has agreed");
    if (this.play.end !== null) throw this.blame(entry, "after-the-end");
    const owes = this.play.owed!.seat === seat;
    const message = readMessage(entry.message);
    if (owes) {
      const last = this.statements[seat].some((statement) => this.isLastWord(statement));
      if (last) throw this.blame(entry, "went-on");
      this.judgeOwed(entry);
    } else if (message?.kind === "Gone") {
      this.judgeGone(entry, message);
    } else {
      throw this.blame(entry, this.isPresent(seat) ? "out-of-turn" : "went-on");
    }
  }

  // Rows 4 to 12.
  private judgeLateEntry(entry: Entry, atHead: boolean): void {
    const { number, seat } = entry;
    const there = this.chain[number];
    if (there.entry !== null && there.entry.seat === seat) throw this.blame(entry, "equivocation");
    if (!atHead) throw new Refused("it builds on another head");
    if (there.fold !== null && there.fold.seat === seat) throw this.blame(entry, "went-on");
    if (there.gone !== null && there.gone.seat === seat) throw new Refused("it is too late");
    const message = readMessage(entry.message);
    if (message?.kind === "Gone") {
      if (!this.silence.isRightGone(entry, message)) throw this.blame(entry, "false-gone");
      const culprit = this.silence.bothWays({ entry, gone: message });
      if (culprit !== null) throw this.blame(entry, "both-ways", culprit);
      this.supersede(entry);
      return;
    }
    const went = this.wentAt[seat];
    throw this.blame(entry, went !== null && went < number ? "went-on" : "out-of-turn");
  }

  // 8.3.
  private judgeOwed(entry: Entry): void {
    const culprit = this.silence.bothWays({ entry });
    if (culprit === entry.seat) throw this.blame(entry, "both-ways", culprit);
    const message = readMessage(entry.message);
    if (message === null) throw this.blame(entry, "not-a-message");
    const { owed } = this.play;
    try {
      this.play.feed(message);
    } catch (error) {
      if (error instanceof Fault) throw this.blame(entry, error.rule);
      throw error;
    }
    if (culprit !== null) throw this.blame(entry, "both-ways", culprit);
    const decision = owed!.decision && message.kind !== "TakeBack";
    this.chain.push({ owner: entry.seat, head: entry.head, entry, fold: null, gone: null, decision });
    this.arrived.push(entry);
  }

  // 10.11.2, at the end of the chain.
  private judgeGone(entry: Entry, message: MessageOf<"Gone">): void {
    const culprit = this.silence.bothWays({ entry });
    if (culprit === entry.seat) throw this.blame(entry, "both-ways", culprit);
    if (!this.silence.isRightGone(entry, message)) throw this.blame(entry, "false-gone");
    if (culprit !== null) throw this.blame(entry, "both-ways", culprit);
    const owner = this.play.owed!.seat;
    this.wentAt[owner] = entry.number;
    this.chain.push({ owner, head: entry.head, entry, fold: null, gone: message, decision: false });
    this.arrived.push(entry);
    this.play.go();
  }

  // 8.4.
  private supersede(entry: Entry): void {
    const place = entry.number;
    const match = new Match(this.genesis, this.manner);
    match.unfolded = place;
    const forgotten = new Set<number>();
    for (const record of this.arrived) {
      if (record.record === "entry") {
        if (record.number < place) match.admitRecord(record);
        continue;
      }
      if (forgotten.has(record.seat)) continue;
      if (record.count > place) {
        forgotten.add(record.seat);
        continue;
      }
      try {
        match.admitRecord(record);
      } catch (error) {
        if (!(error instanceof Refused) && !(error instanceof Blamed)) throw error;
        forgotten.add(record.seat);
      }
    }
    match.admitRecord(entry);
    match.forgotten = this.forgotten ?? ending.shown(this);
    this.next = match;
  }

  /** 10.7.5, 10.8.5: folds what can be folded. */
  private fold(): void {
    if (this.seats === 2) return;
    for (;;) {
      const seat = this.play.end === null ? this.play.owed!.seat : null;
      if (seat === null || this.count === this.unfolded) return;
      const [resign] = this.statementsOf(seat, "RESIGN");
      if (resign === undefined) return;
      this.wentAt[seat] = this.count;
      this.play.table.publish?.(seat, resign.content.secret);
      this.foldAs(resign);
      this.play.go();
    }
  }

  private foldAs(statement: Statement): void {
    const { seat } = statement;
    const head = headBehindFold(this.count, seat, this.headAt(this.count), statement.body);
    this.chain.push({ owner: seat, head, entry: null, fold: statement, gone: null, decision: false });
  }

  // 9.6.
  private judgeStatement(statement: Statement): void {
    const { seat, index, count, content } = statement;
    const mine = this.statements[seat];
    const known = mine.find((other) => other.index === index);
    if (known !== undefined && isSameRecord(known, statement)) throw new Refused("it is repeated");
    this.verify(statement);
    if (known !== undefined) {
      throw new Blamed({ seat, what: "statement", number: index, rule: "equivocation" });
    }
    const last = mine.length > 0 ? mine[mine.length - 1] : null;
    // The statements of a proof stand in any order, with gaps (12.8).
    if (!this.manner.excerpt) {
      if (index !== mine.length) throw new Refused("its index is not the next one");
      const head = last === null ? this.genesis.id : last.behind;
      if (!same(statement.previous, head)) throw new Refused("it belongs to another history of its seat");
    }
    const first = content.kind === "AGREE" || index === 0;
    if (!first && !this.isAgreed()) throw new Refused("not every seat has agreed");
    if (!this.manner.excerpt && last !== null && count < last.count) throw new Refused("its count falls");
    if (count > this.count || !same(statement.head, this.headAt(count))) throw new Refused("its head is not the one here");
    if ((index === 0) !== (content.kind === "AGREE")) throw this.blame(statement, "no-consent-first");
    this.judgeRight(statement);
    if (this.isLastWord(statement)) {
      const entry = this.firstEntry(seat, count);
      if (entry !== null) throw new Blamed({ seat, what: "entry", number: entry, rule: "went-on" });
    }
    if (this.seats > 2 && this.silence.isOnBothSides(statement)) throw this.blame(statement, "both-ways");
    const draws = this.judgeKind(statement);
    mine.push(statement);
    this.arrived.push(statement);
    if (draws) {
      this.foldAs(statement);
      this.play.draw();
    }
  }

  // 9.6.9.
  private judgeRight({ seat, count, content }: Statement): void {
    const { kind } = content;
    const { talk } = this.genesis.game;
    const isRight =
      kind === "AGREE" ? (talk ? content.key !== null && isSoundKey(content.key) : content.key === null)
      : kind === "SEALED" ? talk && content.reader < this.seats && content.reader !== seat
      : kind === "COMPLAIN" || kind === "COMPLAIN_SHARE" ? !this.statements[seat].some((other) => this.isLastWord(other))
      : kind === "AWAY" ? (!content.ofTime || this.genesis.clock !== null) && this.mayAccuse(seat)
      : kind === "RESIGN" || kind === "OFFER_DRAW" || kind === "ACCEPT_DRAW" || kind === "REVEAL"
        ? this.statementsOf(seat, "END").length === 0 && (kind !== "REVEAL" || this.mayReveal(seat))
      : true;
    const went = this.wentAt[seat] ?? (ending.isGone(this, seat) ? this.count - 1 : null);
    if (!isRight || (kind !== "BACK" && went !== null && went < count)) {
      throw new Refused("its seat may not say this, or not any more");
    }
  }

  private mayAccuse(seat: number): boolean {
    return this.seats === 2 || this.statementsOf(seat, "AWAY").length < MOST_AWAYS;
  }

  private mayReveal(seat: number): boolean {
    // A proof of two seats may lack the word that ended play (12.8.3).
    const isOver = ending.playEnd(this) !== null || (this.manner.excerpt && this.seats === 2);
    return isOver && !ending.isGone(this, seat);
  }

  // 9.6.12. Whether it is a draw that ends play in an entry's place.
  private judgeKind(statement: Statement): boolean {
    const { content } = statement;
    switch (content.kind) {
      case "RESIGN":
        this.judgeSecret(statement, content.secret);
        return false;
      case "AWAY":
        this.judgeAway(statement, content);
        return false;
      case "BACK":
        if (!this.silence.isRightBack(statement)) throw this.blame(statement, "false-back");
        this.judgeBothWays(statement);
        return false;
      case "ACCEPT_DRAW":
        return this.seats > 2 && this.judgeAcceptance(statement, content);
      case "REVEAL":
        this.judgeReveal(statement, content);
        return false;
      case "COMPLAIN":
        throw new Blamed(this.judgeComplaint(statement, content));
      case "COMPLAIN_SHARE":
        throw new Blamed(this.judgeShare(statement, content));
      case "END":
        this.judgeEnd(statement, content);
        return false;
      default:
        this.judgeBothWays(statement);
        return false;
    }
  }

  private judgeBothWays(statement: Statement): void {
    if (this.seats === 2) return;
    const culprit = this.silence.bothWays({ statement });
    if (culprit !== null) throw this.blame(statement, "both-ways", culprit);
  }

  private judgeSecret(statement: Statement, secret: Bytes | null): void {
    const key = this.seats > 2 && this.genesis.game.needsProofs ? (this.play.table.keyBefore?.(statement.seat, statement.count) ?? null) : null;
    const isRight = key === null ? secret === null : secret !== null && this.play.table.isSecretOf!(secret, key);
    if (!isRight) throw this.blame(statement, "wrong-key");
  }

  // 10.5.1 to 10.5.6, 10.11.1.
  private judgeAway(statement: Statement, { accused, receipt, ofTime }: StatementOf<"AWAY">["content"]): void {
    const { seat, count, head } = statement;
    const isFalse = this.blame(statement, "false-away");
    if (accused >= this.seats || accused === seat) throw isFalse;
    if (receipt !== null) {
      const data = concat(this.genesis.id, encode([accused, count, head]));
      if (!isSigned(this.genesis.keys[accused], "sign receipt", data, receipt)) throw isFalse;
    }
    const owner = this.ownerAt(count);
    if (owner === accused || (owner !== null && this.seats > 2)) {
      const isDecider = owner !== accused;
      if (isDecider && ofTime) throw isFalse;
      if (this.presentAt(count).length >= 3) {
        const parts = this.silence.partsAt(count)!;
        if (isDecider && !(parts.accusers.includes(seat) && parts.decider === accused)) throw isFalse;
        this.judgeBothWays(statement);
      } else if (isDecider) {
        throw isFalse;
      }
      return;
    }
    if (ofTime) throw isFalse;
    const went = this.wentAt[accused];
    const brokeOff = this.play.end !== null && this.count === count && (this.play.end.breach !== null || this.play.end.claim !== null);
    if (ending.due(this, accused, count).length === 0 || brokeOff || (went !== null && went < count)) throw isFalse;
    if (ending.playEnd(this) === null) throw new Refused("play has not ended here");
    this.judgeBothWays(statement);
  }

  // 10.8. Whether it is folded.
  private judgeAcceptance(statement: Statement, { by, offer }: StatementOf<"ACCEPT_DRAW">["content"]): boolean {
    const { seat, count } = statement;
    if (this.ownerAt(count) !== seat) return false;
    // Rule 7.
    if (count < this.count) {
      if (this.chain[count].entry?.seat !== seat) throw new Refused("its place is taken");
      throw new Blamed({ seat, what: "entry", number: count, rule: "went-on" });
    }
    const offered = by < this.seats ? this.statementsOf(by, "OFFER_DRAW").find(({ index }) => index === offer) : undefined;
    const early = new Refused("what the acceptance rests on is not here");
    // Rules 1 to 4.
    const present = this.presentAt(count);
    if (!this.play.owed!.decision) throw new Refused("it is in the place of no decision");
    if (offered === undefined || offered.count > count || !present.includes(by)) throw early;
    if (this.statementsOf(seat, "RESIGN").length > 0) throw early;
    if (this.statementsOf(by, "RESIGN").some(({ index }) => index < offer)) throw early;
    const accepted = present.filter((other) => other !== by && (other === seat || this.hasAccepted(other, by, offer, count)));
    const others = present.filter((other) => other !== by);
    const resigned = (other: number) => this.statementsOf(other, "RESIGN").some((resign) => resign.count <= count);
    if (!others.every((other) => accepted.includes(other) || resigned(other)) || accepted.length === 0) throw early;
    if (others.some((other) => this.hasDecided(other, offered.count, count))) throw early;
    return true;
  }

  /** Whether a seat has an acceptance of the offer over as many entries as `place` says. */
  private hasAccepted(seat: number, by: number, offer: number, place: number): boolean {
    const resigned = this.statementsOf(seat, "RESIGN")[0]?.index ?? Infinity;
    return this.statementsOf(seat, "ACCEPT_DRAW").some(
      ({ index, count, content }) => index < resigned && count === place && content.by === by && content.offer === offer,
    );
  }

  /** 12.8.2. The offer, the other acceptances and the RESIGNs that a folded draw rests on. */
  drawRestsOn({ seat, count, content }: Statement): Statement[] {
    const { by, offer } = content as StatementOf<"ACCEPT_DRAW">["content"];
    const others = this.presentAt(count).filter((other) => other !== seat);
    return [
      ...this.statementsOf(by, "OFFER_DRAW").filter(({ index }) => index === offer),
      ...others.flatMap((other) => this.statementsOf(other, "ACCEPT_DRAW").filter(
        (acceptance) => acceptance.count === count && acceptance.content.by === by && acceptance.content.offer === offer)),
      ...others.flatMap((other) => this.statementsOf(other, "RESIGN").filter((resign) => resign.count <= count)),
    ];
  }

  // 10.2.4, 10.2.5.
  private judgeReveal(statement: Statement, { part, openings }: StatementOf<"REVEAL">["content"]): void {
    const { seat, count } = statement;
    const slots = ending.due(this, seat, count).slice(256 * part, 256 * part + 256);
    if (slots.length === 0 || slots.length !== openings.length) throw this.blame(statement, "wrong-count");
    slots.forEach((slot, i) => {
      const rule = this.openingFault(slot, openings[i].face, openings[i].salt);
      if (rule !== null) throw this.blame(statement, rule);
    });
  }

  private openingFault(slot: number, face: number, salt: Bytes, table = this.play.table): string | null {
    const { seat, digest, faces } = table.laid(slot)!;
    if (!same(commitment(this.genesis.id, seat, slot, salt, face), digest)) return "wrong-opening";
    return faces.has(face) ? null : "impossible-face";
  }

  // 10.3.
  private judgeComplaint(statement: Statement, { look: number, secret }: StatementOf<"COMPLAIN">["content"]): Blame {
    const { seat, count } = statement;
    const mine: Blame = { seat, what: "statement", number: count, rule: "false-complaint" };
    const moment = this.play.table.looks.get(number);
    if (moment === undefined || number >= count || moment.look.viewer !== seat) return mine;
    const { look } = moment;
    const table = moment.then ?? this.play.table;
    for (let between = number + 1; between < count; between += 1) {
      if (this.chain[between].entry?.seat === seat) return mine;
    }
    const key = x25519Public(secret);
    if (key === null || !same(key, look.lookKey)) return mine;
    const theirs = (rule: string, entry = number): Blame => ({ seat: look.owner, what: "entry", number: entry, rule });
    const opened = unseal(look, secret, look.box);
    if (opened === null) return theirs("wrong-opening");
    const rule = this.openingFault(look.slot, opened[0], opened.subarray(1), table);
    if (rule !== null) return theirs(rule);
    const claims = table.claims.filter((claim) => claim.seat === look.owner && claim.entry < count);
    const claim = firstFalse(claims, (slot) => {
      if (slot === look.slot) return opened[0];
      const open = table.faces.get(slot);
      return open !== undefined && open.entry < count ? open.face : undefined;
    });
    return claim === null ? mine : theirs(claim.rule, claim.entry);
  }

  // P8.
  private judgeShare(statement: Statement, content: StatementOf<"COMPLAIN_SHARE">["content"]): Blame {
    const { seat, count } = statement;
    const { deal, point, proof } = content;
    const mine: Blame = { seat, what: "statement", number: count, rule: "false-complaint" };
    if (this.play.table.isFalseShare === undefined || deal >= count || this.chain[deal].entry === null) return mine;
    for (let between = deal + 1; between < count; between += 1) {
      if (this.chain[between].entry?.seat === seat) return mine;
    }
    const dealer = this.play.table.isFalseShare(deal, seat, point, proof);
    return dealer === null ? mine : { seat: dealer, what: "entry", number: deal, rule: "wrong-share" };
  }

  // Table 10.4.
  private judgeEnd(statement: Statement, content: StatementOf<"END">["content"]): void {
    const { count } = statement;
    if (this.manner.excerpt && this.isExcerptEnd(statement)) return;
    const named = (outcome: ending.Outcome | null) => outcome !== null && ending.isNamed(outcome, content);
    const chainEnded = this.play.end !== null && count === this.count;
    if (this.seats > 2 && chainEnded && content.reason === "unrevealed") return;
    const outcome = ending.outcome(this);
    const settled = ending.owing(this).length === 0;
    if (chainEnded && settled && !this.isBesideDraw(statement, content)) {
      if (!named(outcome)) throw this.blame(statement, "false-end");
      return;
    }
    if (!settled && outcome?.reason !== "unrevealed") throw new Refused("claims are open");
    if (named(outcome)) return;
    if (this.seats === 2 && ending.endsByWord(this).some(named)) return;
    throw new Refused("it names another outcome than the records here");
  }

  // 12.8.8: the checker of a proof judges an END only where it is the last record.
  isExcerptEnd: (statement: Statement) => boolean = () => false;

  // 10.4.11.
  private isBesideDraw({ count }: Statement, { reason }: StatementOf<"END">["content"]): boolean {
    if (this.seats === 2 || !this.isDrawn() || (reason !== "agreed-draw" && reason !== "cheated")) return false;
    return this.present.some((seat) => ending.due(this, seat, count).length > 0);
  }
}
