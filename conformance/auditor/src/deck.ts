// spec/proofs.md: the table under the profile of proofs.

import type { Answer, Ask, Commit, Hand } from "./asks.js";
import { lots, type Bytes } from "./bytes.js";
import {
  areTokens, checkDeal, checkKey, checkMember, checkMove, checkOpening, checkShuffle, checkTokens, faceOf, isShare,
  publicCard, readCards, recover, unpad, type Card, type Context, type Deal,
} from "./crypto/cards.js";
import type { Claim } from "./claims.js";
import { expectLength, G, readPoint, readPoints, readScalar, readScalars, sumOf, times, ZERO, type Point } from "./crypto/group.js";
import type { Message } from "./messages.js";
import { Keyless, type Play } from "./play.js";
import { Fault, type SealedLook, type Steps, type Table } from "./table.js";

const LOT_BYTES = 15_000;

/** What a TakeBack leaves as it is (7.10.8). */
class Keyring {
  begun = false;
  /** Y of P2; the identity of seats that are gone without one. */
  readonly keys: Point[];
  /** As it was sent, and in which entry. */
  readonly sent: ({ key: Point; entry: number } | null)[];
  readonly shareKeys: (Point | null)[];
  /** The secrets that are public. */
  readonly secrets: (bigint | null)[];
  readonly lost = new Set<number>();
  readonly deals = new Map<number, Deal>();
  /** By dealer and then receiver. */
  readonly released = new Map<number, Map<number, bigint>>();
  /** Seats under whose key something was laid. */
  readonly laid = new Set<number>();
  hasDeck = false;

  constructor(seats: number) {
    this.keys = Array.from({ length: seats }, () => ZERO);
    this.sent = this.keys.map(() => null);
    this.shareKeys = this.keys.map(() => null);
    this.secrets = this.keys.map(() => null);
  }

  get joint(): Point {
    return sumOf(this.keys);
  }
}

export class CardTable implements Table {
  claims: Claim[] = [];
  faces = new Map<number, { face: number; entry: number }>();
  looks = new Map<number, { look: SealedLook; then: Table | null }>();
  private readonly play: Play;
  private ring: Keyring;
  private decks = new Map<number, Card[]>();
  private holders = new Map<number, number | null>();
  private cards = new Map<number, Card>();
  private neverLaid = new Set<number>();
  private changed = false;

  constructor(play: Play) {
    this.play = play;
    this.ring = new Keyring(play.seats);
  }

  copy(): CardTable {
    const table = new CardTable(this.play);
    table.claims = [...this.claims];
    table.faces = new Map(this.faces);
    table.ring = this.ring;
    table.decks = new Map(this.decks);
    table.holders = new Map(this.holders);
    table.cards = new Map(this.cards);
    table.neverLaid = new Set(this.neverLaid);
    return table;
  }

  remember(): void {}

  claimsChanged(): boolean {
    const { changed } = this;
    this.changed = false;
    return changed;
  }

  laid(): undefined {
    return undefined;
  }

  // Statements (P8).

  keyBefore(seat: number, count: number): Bytes | null {
    const sent = this.ring.sent[seat];
    return sent !== null && sent.entry < count ? sent.key.toBytes() : null;
  }

  isSecretOf(secret: Bytes, key: Bytes): boolean {
    const scalar = readScalar(secret);
    return scalar !== null && times(scalar, G).equals(readPoint(key)!);
  }

  publish(seat: number, secret: Bytes | null): void {
    if (secret !== null) this.ring.secrets[seat] = readScalar(secret);
  }

  isFalseShare(entry: number, seat: number, point: Bytes, proof: Bytes): number | null {
    const deal = [...this.ring.deals.values()].find((candidate) => candidate.entry === entry);
    const shareKey = this.ring.shareKeys[seat];
    const token = readPoint(point);
    const scalars = lots(proof, 32).map(readScalar);
    if (deal === undefined || deal.dealer === seat || shareKey === null || token === null || scalars.includes(null)) return null;
    const ctx: Context = [deal.ctx[0], deal.ctx[1], seat];
    if (!areTokens(ctx, shareKey, [deal.ephemeral], [token], scalars as bigint[])) return null;
    const share = readScalar(unpad(deal, seat, token));
    return share === null || !isShare(deal, seat, share) ? deal.dealer : null;
  }

  // P7.
  *seatGone(): Steps<void> {
    for (;;) {
      const { ring } = this;
      const left = this.play.left.find((seat) => ring.sent[seat] !== null && ring.secrets[seat] === null && !ring.lost.has(seat));
      if (left === undefined) return;
      const released = ring.released.get(left) ?? new Map<number, bigint>();
      const others = this.present().filter((seat) => !released.has(seat));
      const { escrow, game } = this.play.genesis;
      const deal = ring.deals.get(left);
      if (deal === undefined || released.size + others.length < escrow) {
        if (!ring.hasDeck && !ring.laid.has(left)) {
          ring.keys[left] = ZERO;
          ring.secrets[left] = 0n;
        } else if (game.needsProofs) {
          throw new Keyless(left);
        } else {
          ring.lost.add(left);
        }
        continue;
      }
      if (released.size >= escrow) {
        const lowest = [...released].sort(([a], [b]) => a - b).slice(0, escrow);
        ring.secrets[left] = recover(new Map(lowest));
        continue;
      }
      const message = yield* this.play.wait(others[0], "Released");
      if (message === null) continue;
      const share = readScalar(message.share);
      if (share === null) throw new Fault("not-a-message");
      if (!isShare(deal, others[0], share)) throw new Fault("wrong-share");
      ring.released.set(left, released.set(others[0], share));
    }
  }

  private present(): number[] {
    return this.play.present.flatMap((present, seat) => (present ? [seat] : []));
  }

  private ctx(seat: number): Context {
    return [this.play.genesis.id, this.play.serial, seat];
  }

  private get seats(): number[] {
    return this.ring.keys.map((_, seat) => seat);
  }

  // P5.
  private *sendKeys(): Steps<void> {
    const { ring } = this;
    if (ring.begun) return;
    ring.begun = true;
    const { escrow } = this.play.genesis;
    for (const seat of this.seats) {
      const message = this.play.present[seat] ? yield* this.play.wait(seat, "Keys") : null;
      if (message === null) {
        ring.secrets[seat] = 0n;
        continue;
      }
      expectLength(message.shareKey, escrow > 0 ? 32 : 0);
      const [key] = readPoints(message.key);
      const [shareKey] = readPoints(message.shareKey);
      if (this.play.checksProofs) {
        readScalars(message.proof);
        checkKey(this.ctx(seat), key, message.proof);
      }
      if (ring.sent.some((other) => other !== null && other.key.equals(key))) throw new Fault("wrong-key");
      ring.keys[seat] = key;
      if (ring.joint.is0()) throw new Fault("wrong-key");
      ring.sent[seat] = { key, entry: this.play.count - 1 };
      ring.shareKeys[seat] = shareKey ?? null;
    }
    if (escrow === 0 || ring.sent.includes(null)) return;
    for (const seat of this.seats) {
      const message = this.play.present[seat] ? yield* this.play.wait(seat, "Escrowed") : null;
      if (message === null) continue;
      expectLength(message.commitments, 32 * (escrow - 1));
      expectLength(message.pads, 32 * (ring.keys.length - 1));
      const commitments = readPoints(message.commitments);
      const [ephemeral] = readPoints(message.ephemeral.subarray(0, 32));
      const scalars = readScalars(message.ephemeral.subarray(32));
      const { key } = ring.sent[seat]!;
      const ctx = this.ctx(seat);
      checkDeal(ctx, key, message.commitments, ephemeral, scalars);
      const pads = lots(message.pads, 32);
      ring.deals.set(seat, { ctx, entry: this.play.count - 1, dealer: seat, key, commitments, ephemeral, pads });
    }
  }

  // P6.

  *commitTogether(asks: Commit[]): Steps<Answer> {
    if (asks.some(({ seat }) => this.play.present[seat])) yield* this.sendKeys();
    for (const ask of asks) yield* this.commit(ask);
    return asks.map(() => null);
  }

  *answer(ask: Ask): Steps<Answer> {
    switch (ask.ask) {
      case "commit":
        if (this.play.present[ask.seat]) yield* this.sendKeys();
        return yield* this.commit(ask);
      case "newDeck":
        yield* this.sendKeys();
        this.ring.hasDeck = true;
        this.decks.set(ask.deck, ask.faces.map((face) => publicCard(face, this.ring.joint)));
        return null;
      case "shuffle":
        return yield* this.shuffle(ask.deck);
      case "draw":
        return yield* this.draw(ask.deck, ask.hands);
      case "lay":
        this.takeTop(ask.deck, ask.slots.length).forEach((card, i) => this.put(ask.slots[i], null, card));
        return null;
      case "open":
        return yield* this.open(ask.slot);
      case "openTo":
        if (this.play.present[ask.seat] && !this.neverLaid.has(ask.slot)) {
          yield* this.moved([ask.slot], this.ring.keys[ask.seat]);
        }
        return null;
      case "show":
        return yield* this.show(ask.slots, ask.seat, ask.copies);
      case "give":
        return yield* this.show(ask.slots, ask.seat, null);
      case "back":
        return yield* this.back(ask.slots, ask.deck);
      case "mix":
        return yield* this.mix(ask);
      case "claim":
        return yield* this.claim(ask);
      case "claimOneOf":
        yield* this.proved(ask.seat, ask.slots, ask.tuples, ask.rule);
        return null;
      default:
        throw new Error(`${ask.ask} is none of the table's`);
    }
  }

  private put(slot: number, holder: number | null, card: Card): void {
    this.holders.set(slot, holder);
    this.cards.set(slot, card);
    this.neverLaid.delete(slot);
  }

  private takeTop(deck: number, number: number): Card[] {
    const cards = this.decks.get(deck)!;
    this.decks.set(deck, cards.slice(number));
    return cards.slice(0, number);
  }

  /** A Shuffled of these cards under a key; null if the seat goes. */
  private *shuffled(seat: number, key: Point, before: Card[], decision: boolean): Steps<Card[] | null> {
    const message = yield* this.play.wait(seat, "Shuffled", decision);
    if (message === null) return null;
    const m = before.length;
    expectLength(message.cards, 64 * m);
    expectLength(message.proof, 128 * m + 160);
    const after = readCards(message.cards);
    if (this.play.checksProofs) checkShuffle(this.ctx(seat), key, before, after, message.proof);
    return after;
  }

  // P6.2.
  private *commit({ seat, slots, faces, exactly, chosen }: Commit): Steps<null> {
    if (!this.play.present[seat]) {
      for (const slot of slots) this.neverLaid.add(slot);
      return null;
    }
    const { ring } = this;
    const key = ring.keys[seat];
    if (exactly) {
      let cards: Card[] | null = [...faces].sort((a, b) => a - b).map((face) => publicCard(face, key));
      if (cards.length > 1) cards = yield* this.shuffled(seat, key, cards, chosen);
      if (cards === null) {
        for (const slot of slots) this.neverLaid.add(slot);
        return null;
      }
      ring.laid.add(seat);
      cards.forEach((card, i) => this.put(slots[i], seat, card));
      return null;
    }
    const allowed = [...new Set(faces)].sort((a, b) => a - b);
    const size = Math.max(1, Math.floor(LOT_BYTES / (64 + 64 * allowed.length)));
    for (let at = 0; at < slots.length; at += size) {
      const lot = slots.slice(at, at + size);
      const message = yield* this.play.wait(seat, "Laid", chosen);
      if (message === null) {
        for (const slot of slots.slice(at)) this.neverLaid.add(slot);
        return null;
      }
      const length = 64 * allowed.length;
      expectLength(message.cards, 64 * lot.length);
      expectLength(message.proof, length * lot.length);
      const cards = readCards(message.cards);
      const tuples = allowed.map((face) => [face]);
      if (this.play.checksProofs) {
        readScalars(message.proof);
        lots(message.proof, length).forEach((proof, i) => checkMember(this.ctx(seat), key, [cards[i]], tuples, proof, "impossible-face"));
      }
      ring.laid.add(seat);
      cards.forEach((card, i) => this.put(lot[i], seat, card));
    }
    return null;
  }

  private *shuffle(deck: number): Steps<null> {
    if (this.decks.get(deck)!.length < 2) return null;
    for (const seat of this.seats) {
      if (!this.play.present[seat]) continue;
      const after = yield* this.shuffled(seat, this.ring.joint, this.decks.get(deck)!, false);
      if (after !== null) this.decks.set(deck, after);
    }
    return null;
  }

  /** The tokens of a seat for cards; computed by everybody if it is gone. */
  private *tokens(seat: number, cards: Card[]): Steps<Point[]> {
    const firsts = cards.map(({ a }) => a);
    const message = this.play.present[seat] ? yield* this.play.wait(seat, "Tokens") : null;
    if (message === null) {
      const secret = this.ring.secrets[seat];
      if (secret === null) throw new Error("a deck without a key");
      return firsts.map((first) => times(secret, first));
    }
    expectLength(message.tokens, 32 * cards.length);
    const tokens = readPoints(message.tokens);
    if (this.play.checksProofs) checkTokens(this.ctx(seat), this.ring.keys[seat], firsts, tokens, message.proof);
    return tokens;
  }

  private *draw(deck: number, hands: Hand[]): Steps<null> {
    const slots = hands.flatMap(([seat, all]) => all.map((slot) => ({ seat, slot })));
    const cards = this.takeTop(deck, slots.length);
    const left = cards.map(({ b }) => b);
    for (const seat of this.seats) {
      const others = slots.flatMap((to, i) => (to.seat === seat ? [] : [i]));
      if (others.length === 0) continue;
      const tokens = yield* this.tokens(seat, others.map((i) => cards[i]));
      others.forEach((i, k) => (left[i] = left[i].subtract(tokens[k]) as Point));
    }
    slots.forEach(({ seat, slot }, i) => this.put(slot, seat, { a: cards[i].a, b: left[i] }));
    return null;
  }

  // P6.4.
  private *open(slot: number): Steps<number | null> {
    if (this.neverLaid.has(slot)) return null;
    const open = this.faces.get(slot);
    if (open !== undefined) return open.face;
    const card = this.cards.get(slot)!;
    const holder = this.holders.get(slot)!;
    let face: number | null;
    if (holder === null) {
      let left = card.b;
      for (const seat of this.seats) {
        const [token] = yield* this.tokens(seat, [card]);
        left = left.subtract(token) as Point;
      }
      face = faceOf(left);
    } else {
      face = yield* this.openHeld(holder, card);
    }
    if (face === null) return null;
    this.faces.set(slot, { face, entry: this.play.count - 1 });
    this.changed = true;
    return face;
  }

  private *openHeld(holder: number, card: Card): Steps<number | null> {
    const message = this.play.present[holder] ? yield* this.play.wait(holder, "Opened") : null;
    if (message === null) return this.read(holder, card);
    expectLength(message.face, 1);
    expectLength(message.proof, 64);
    const [face] = message.face;
    if (face > 127) throw new Fault("not-a-message");
    if (this.play.checksProofs) checkOpening(this.ctx(holder), this.ring.keys[holder], card, face, message.proof);
    return face;
  }

  /** What everybody reads with a public secret; null if it is not public. */
  private read(holder: number, card: Card): number | null {
    const secret = this.ring.secrets[holder];
    return secret === null ? null : faceOf(card.b.subtract(times(secret, card.a)) as Point);
  }

  /**
   * Cards of one holder, under another key: by its Moved, or as everybody computes them (P6.9).
   * Null if the holder's key is lost.
   */
  private *moved(slots: number[], to: Point): Steps<Card[] | null> {
    const holder = this.holders.get(slots[0])!;
    const cards = slots.map((slot) => this.cards.get(slot)!);
    if (holder === null) throw new Error("nobody holds this card");
    const message = this.play.present[holder] ? yield* this.play.wait(holder, "Moved") : null;
    if (message === null) {
      const faces = cards.map((card) => this.read(holder, card));
      return faces.includes(null) ? null : faces.map((face) => publicCard(face!, to));
    }
    expectLength(message.cards, 64 * cards.length);
    expectLength(message.proof, 96 * cards.length);
    const moved = readCards(message.cards);
    if (this.play.checksProofs) {
      readScalars(message.proof);
      const key = this.ring.keys[holder];
      lots(message.proof, 96).forEach((proof, i) => checkMove(this.ctx(holder), key, to, cards[i], moved[i], proof));
    }
    return moved;
  }

  // P6.5: Show with copies, Give without.
  private *show(slots: number[], viewer: number, copies: number[] | null): Steps<null> {
    const isGone = !this.play.present[viewer];
    const left = slots.flatMap((slot, i) => (isGone || this.neverLaid.has(slot) ? [] : [i]));
    slots.forEach((_, i) => {
      if (copies !== null && !left.includes(i)) this.neverLaid.add(copies[i]);
    });
    const key = this.ring.keys[viewer];
    const fresh = new Map<number, Card>();
    const closed: number[] = [];
    for (const i of left) {
      const open = this.faces.get(slots[i]);
      if (open !== undefined) fresh.set(i, publicCard(open.face, key));
      else if (this.holders.get(slots[i]) === viewer) fresh.set(i, this.cards.get(slots[i])!);
      else closed.push(i);
    }
    if (closed.length > 0) {
      const unheld = this.holders.get(slots[closed[0]]) === null;
      const cards = unheld ? yield* this.reveal(closed.map((i) => slots[i]), viewer) : yield* this.moved(closed.map((i) => slots[i]), key);
      closed.forEach((i, k) => {
        if (cards === null) {
          if (copies !== null) this.neverLaid.add(copies[i]);
          return;
        }
        fresh.set(i, cards[k]);
        if (unheld) this.put(slots[i], viewer, cards[k]);
      });
    }
    for (const [i, card] of fresh) {
      if (copies !== null) this.put(copies[i], viewer, card);
      else this.put(slots[i], viewer, card);
    }
    return null;
  }

  // Cards that nobody holds, under the viewer's key.
  private *reveal(slots: number[], viewer: number): Steps<Card[]> {
    const cards = slots.map((slot) => this.cards.get(slot)!);
    const left = cards.map(({ b }) => b);
    for (const seat of this.seats) {
      if (seat === viewer) continue;
      const tokens = yield* this.tokens(seat, cards);
      tokens.forEach((token, i) => (left[i] = left[i].subtract(token) as Point));
    }
    return cards.map(({ a }, i) => ({ a, b: left[i] }));
  }

  // P6.6.
  private *back(all: number[], deck: number): Steps<null> {
    const slots = all.filter((slot) => !this.neverLaid.has(slot));
    const { joint } = this.ring;
    const held = slots.filter((slot) => !this.faces.has(slot) && this.holders.get(slot) !== null);
    const moved = held.length > 0 ? yield* this.moved(held, joint) : [];
    if (moved === null) throw new Error("a deck without a key");
    const cards = slots.map((slot) => {
      const open = this.faces.get(slot);
      if (open !== undefined) return publicCard(open.face, joint);
      return held.includes(slot) ? moved[held.indexOf(slot)] : this.cards.get(slot)!;
    });
    this.decks.set(deck, [...this.decks.get(deck)!, ...cards]);
    return null;
  }

  // P6.7.
  private *mix(ask: Extract<Ask, { ask: "mix" }>): Steps<null> {
    const { seat, old, chosen } = ask;
    const cards = yield* this.mixed(seat, old, chosen);
    ask.new.forEach((slot, i) => {
      if (cards === null) this.neverLaid.add(slot);
      else this.put(slot, seat, cards[i]);
    });
    return null;
  }

  private *mixed(seat: number, old: number[], chosen: boolean): Steps<Card[] | null> {
    if (old.some((slot) => this.neverLaid.has(slot))) return null;
    const cards = old.map((slot) => this.cards.get(slot)!);
    const key = this.ring.keys[seat];
    if (this.play.present[seat]) {
      if (cards.length > 1) {
        const after = yield* this.shuffled(seat, key, cards, chosen);
        if (after !== null) return after;
      } else {
        const message = yield* this.play.wait(seat, "Moved"); // 10.1.7: no decision
        if (message !== null) return this.checkMoved(message, seat, key, cards);
      }
    }
    return this.ring.secrets[seat] === null ? null : cards;
  }

  private checkMoved(message: Message & { kind: "Moved" }, seat: number, key: Point, cards: Card[]): Card[] {
    expectLength(message.cards, 64);
    expectLength(message.proof, 96);
    const moved = readCards(message.cards);
    if (this.play.checksProofs) checkMove(this.ctx(seat), key, key, cards[0], moved[0], message.proof);
    return moved;
  }

  // P6.8.
  private *claim({ seat, rule, slots, faces }: Extract<Ask, { ask: "claim" }>): Steps<null> {
    if (!this.play.present[seat]) return null;
    const open = slots.filter((slot) => this.faces.has(slot));
    if (open.length > 0) {
      this.claims.push({ entry: this.play.count - 1, seat, rule, about: "faces", slots: open, faces: new Set(faces) });
      this.changed = true;
    }
    const tuples = [...new Set(faces)].sort((a, b) => a - b).map((face) => [face]);
    for (const slot of slots) {
      if (this.faces.has(slot)) continue;
      if (!(yield* this.proved(seat, [slot], tuples, rule))) return null;
    }
    return null;
  }

  private *proved(seat: number, slots: number[], tuples: number[][], rule: string): Steps<boolean> {
    const message = this.play.present[seat] ? yield* this.play.wait(seat, "Proved") : null;
    if (message === null) return false;
    expectLength(message.proof, 64 * tuples.length);
    if (this.play.checksProofs) {
      const cards = slots.map((slot) => this.cards.get(slot)!);
      checkMember(this.ctx(seat), this.ring.keys[seat], cards, tuples, message.proof, rule);
    }
    return true;
  }
}
