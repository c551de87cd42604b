// conformance/cups.md: the toy of the vectors in `decks/`.

import { Ended, integerOf, type Choose, type Commit, type Game, type Part, type Rules } from "../asks.js";

const DECK = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7];
const TOKENS = [20, 21, 21];
const POUNDS = [0, 1, 2, 3];

class Cups {
  private readonly seats: number;
  private readonly gone = new Set<number>();
  private readonly points: number[];
  private round = 0;
  /** Cards in hand, by seat. */
  private hands = new Map<number, number[]>();

  constructor(seats: number) {
    this.seats = seats;
    this.points = Array.from({ length: seats }, () => 0);
  }

  private get there(): number[] {
    return this.points.flatMap((_, seat) => (this.gone.has(seat) ? [] : [seat]));
  }

  private slot(seat: number, which: number): number {
    return 100 * this.round + 10 * seat + which;
  }

  private get middle(): number {
    return 100 * this.round + 99;
  }

  private tokens(seat: number, round = this.round): number[] {
    return [0, 1, 2].map((i) => 10_000 + 100 * round + 10 * seat + i);
  }

  private *step(): Part<void> {
    for (;;) {
      const left: number | null = yield { ask: "step" };
      if (left === null) return;
      const hand = this.hands.get(left) ?? [];
      this.gone.add(left);
      this.hands.delete(left);
      if (hand.length === 0) continue;
      for (const slot of hand) yield { ask: "open", slot };
      yield { ask: "back", slots: hand, deck: 0 };
    }
  }

  *play(rounds: number): Rules {
    yield { ask: "newDeck", deck: 0, faces: DECK };
    yield* this.step();
    for (this.round = 0; this.round < rounds; this.round += 1) {
      for (const phase of [this.deal, this.bet, this.compare, this.size, this.swap, this.sides]) {
        yield* phase.call(this);
        yield* this.step();
      }
      yield* this.score();
      if (this.round < rounds - 1) yield* this.step();
    }
    const { there } = this;
    const most = Math.max(...there.map((seat) => this.points[seat]));
    const winners = there.filter((seat) => this.points[seat] === most);
    if (winners.length === there.length) throw new Ended([], "draw");
    throw new Ended(winners, "points");
  }

  private *deal(): Part<void> {
    yield { ask: "shuffle", deck: 0 };
    this.hands = new Map(this.there.map((seat) => [seat, [this.slot(seat, 0), this.slot(seat, 1)]]));
    yield { ask: "draw", deck: 0, hands: [...this.hands] };
    yield { ask: "lay", deck: 0, slots: [this.middle] };
  }

  private *bet(): Part<void> {
    const pounds = (seat: number): Commit => ({ ask: "commit", seat, slots: [this.slot(seat, 2)], faces: POUNDS, exactly: false, chosen: true });
    yield { ask: "together", asks: this.there.map(pounds) };
    if (this.round > 0) return;
    const tokens = (seat: number): Commit => ({ ask: "commit", seat, slots: this.tokens(seat), faces: TOKENS, exactly: true, chosen: true });
    yield { ask: "together", asks: this.there.map(tokens) };
  }

  private *compare(): Part<void> {
    const { there } = this;
    for (const [i, seat] of there.entries()) {
      const viewer = there[(i + 1) % there.length];
      const copy = this.slot(viewer, 3);
      yield { ask: "show", slots: [this.slot(seat, 0)], seat: viewer, copies: [copy] };
      const word: string | null = yield { ask: "choose", seat: viewer, options: new Set(["higher", "not higher"]) };
      if (word !== null) {
        const faces = [1, 2, 3, 4, 5, 6, 7];
        const tuples = faces.flatMap((own) => faces.map((shown) => [own, shown])).filter(([own, shown]) => own > shown === (word === "higher"));
        yield { ask: "claimOneOf", seat: viewer, rule: "false-word", slots: [this.slot(viewer, 0), copy], tuples };
      }
      yield { ask: "openTo", slot: this.slot(seat, 1), seat: viewer };
    }
  }

  private *size(): Part<void> {
    const drawn: number = yield { ask: "roll", sides: this.seats };
    const even = this.round % 2 === 0;
    if (even) yield { ask: "show", slots: [this.middle], seat: drawn, copies: [this.slot(drawn, 4)] };
    else yield { ask: "open", slot: this.middle };
    const holder = (drawn + 1) % this.seats;
    yield { ask: "give", slots: [this.middle], seat: holder };
    if (even) return;
    const word: string | null = yield { ask: "choose", seat: holder, options: new Set(["high", "low"]) };
    if (word === null) return;
    yield { ask: "claim", seat: holder, rule: "false-size", slots: [this.middle], faces: word === "high" ? [5, 6, 7] : [1, 2, 3, 4] };
  }

  private *swap(): Part<void> {
    for (const seat of this.there) {
      const [old, fresh] = [this.tokens(seat), this.tokens(seat, this.round + 1)];
      yield { ask: "mix", seat, old, new: fresh, rule: "swapped", chosen: seat % 2 === 0 };
    }
  }

  private *sides(): Part<void> {
    const choose = (seat: number): Choose => ({ ask: "choose", seat, options: new Set(["first", "second"]) });
    yield { ask: "together", asks: this.there.map(choose) };
  }

  private *score(): Part<void> {
    const { there } = this;
    const caller = there[this.round % there.length];
    const side: string | null = yield { ask: "choose", seat: caller, options: new Set(["first", "second"]) };
    yield { ask: "claim", seat: caller, rule: "no-pounds", slots: [this.slot(caller, 2)], faces: POUNDS };
    const faces = new Map<number, number | null>();
    for (const seat of there) faces.set(seat, yield { ask: "open", slot: this.slot(seat, side === "second" ? 1 : 0) });
    const most = Math.max(...[...faces.values()].filter((face) => face !== null));
    for (const [seat, face] of faces) if (face === most) this.points[seat] += 1;
    for (const seat of there) yield { ask: "back", slots: [this.slot(seat, 0), this.slot(seat, 1)], deck: 0 };
    this.hands.clear();
    yield { ask: "back", slots: [this.middle], deck: 0 };
  }
}

export const cups: Game = {
  name: "cups",
  version: 1,
  options: [integerOf("rounds", 1, 3)],
  needsProofs: true,
  talk: false,
  sides: (seats) => (seats >= 2 && seats <= 5 ? Array.from({ length: seats }, (_, seat) => seat) : null),
  *rules(options, seats) {
    yield* new Cups(seats).play(options.get("rounds") as number);
  },
};
