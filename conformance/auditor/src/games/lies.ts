// spec/spies-and-lies.md: Spies & Lies, two to four seats.

import { broken, Ended, integerOf, oneOf, type Commit, type Choose, type Game, type Part, type Rules } from "../asks.js";

const [SPY, SCOUT, MINER, SERGEANT, LIEUTENANT, CAPTAIN, BOMB, COLONEL, GENERAL, MARSHAL] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const RANKS = [SPY, SCOUT, MINER, SERGEANT, LIEUTENANT, CAPTAIN, BOMB, COLONEL, GENERAL, MARSHAL];
const INTEL = [[1, 4], [1, 4], [4, 7], [4, 7], [7, 10], [7, 10]];
const DAYS = 3;
const MISSIONS = [1, 2, 3, 4];

/** What one side has in common. */
type Side = {
  exhausted: number[];
  points: number;
  tokens: number;
  inForce: Set<number>;
  blast: boolean;
  doubleDamage: boolean;
  steps: number;
  caught: boolean;
  marked: Set<number>;
};

type Card = { layer: number; face: number | null };

class Table {
  readonly sides: Side[];
  agent = 0;
  /** Where the agent stood when the turn began. */
  private began = 0;
  flag: number | null = null;
  day = 0;
  range = [0, 0];
  private spare = 2;
  private readonly gone = new Set<number>();
  /** By mission of today. */
  private cards: Map<number, Card>[] = [];
  /** The slots that are to be laid in the step under way, by seat. */
  private due = new Map<number, { side: number; missions: number[] }>();
  private readonly seats: number;
  private readonly wall: number;

  constructor(seats: number, wall: number) {
    this.seats = seats;
    this.wall = wall;
    this.sides = [0, 1].map(() => ({
      exhausted: [], points: 0, tokens: 1, inForce: new Set(), blast: false, doubleDamage: false, steps: 0,
      caught: false, marked: new Set(),
    }));
  }

  *play(starter: string): Rules {
    const ways = 6 * 10 * 10;
    let drawn: number = yield { ask: "roll", sides: starter === "random" ? 2 * ways : ways };
    const first = starter === "random" ? Math.floor(drawn / ways) : starter === "red" ? 0 : 1;
    drawn %= ways;
    const intel = [0, 1, 2, 3, 4, 5];
    intel.splice(Math.floor(drawn / 100), 1);
    this.sides[0].exhausted = [(Math.floor(drawn / 10) % 10) + 1];
    this.sides[1].exhausted = [(drawn % 10) + 1];
    yield* this.step();
    for (this.day = 1; this.day <= DAYS; this.day += 1) {
      yield* this.lay();
      const [card] = intel.splice(yield { ask: "roll", sides: intel.length }, 1);
      this.range = INTEL[card];
      yield* this.mark();
      yield* this.step();
      const starts = (first + this.day - 1) % 2;
      for (let turn = 0; turn < 8; turn += 1) {
        const guesser = (starts + turn) % 2;
        yield* this.turn(guesser, Math.floor(turn / 2) + 1);
        if (this.flag !== null) yield* this.flagTaken(this.flag);
        if (this.day < DAYS || turn < 7) yield* this.step();
      }
      if (this.day < DAYS) yield* this.night();
    }
    this.ranked();
  }

  private ranked(): never {
    const [red, blue] = this.sides;
    if (this.agent !== 0) throw new Ended(this.seatsOf(this.agent > 0 ? 0 : 1), "territory");
    if (red.points !== blue.points) throw new Ended(this.seatsOf(red.points > blue.points ? 0 : 1), "points");
    throw new Ended([], "draw");
  }

  // Seats.

  private seatsOf(side: number): number[] {
    return Array.from({ length: this.seats }, (_, seat) => seat).filter((seat) => seat % 2 === side);
  }

  private seatOf(side: number, mission: number): number {
    const seats = this.seatsOf(side);
    return seats[seats.length - 1] === side || mission <= 2 ? side : side + 2;
  }

  /** The other seat of the side, unless the rules have been told that it is gone. */
  private mate(seat: number): number | null {
    return this.seatsOf(seat % 2).find((other) => other !== seat && !this.gone.has(other)) ?? null;
  }

  private acting(side: number, mission: number): number {
    const seat = this.seatOf(side, mission);
    return this.gone.has(seat) ? (this.mate(seat) ?? seat) : seat;
  }

  private hasTwo(side: number): boolean {
    return this.seatsOf(side).length === 2;
  }

  private *step(): Part<void> {
    for (;;) {
      const left: number | null = yield { ask: "step" };
      this.finishStep(left);
      if (left === null) return;
      yield* this.leave(left);
    }
  }

  private finishStep(left: number | null): void {
    if (left === null) this.due.clear();
    else this.gone.add(left);
  }

  private *leave(seat: number): Part<void> {
    const due = this.due.get(seat);
    if (due === undefined) return;
    this.due.delete(seat);
    const mate = this.mate(seat)!;
    this.due.set(mate, due);
    yield this.commit(mate, due.side, due.missions);
    this.laid(mate, due.side, due.missions);
  }

  // Laying and marking.

  private slot(side: number, mission: number): number {
    return (this.day - 1) * 8 + side * 4 + mission - 1;
  }

  private commit(seat: number, side: number, missions: number[]): Commit {
    this.due.set(seat, { side, missions });
    const slots = missions.map((mission) => this.slot(side, mission));
    return { ask: "commit", seat, slots, faces: RANKS, exactly: false, chosen: true };
  }

  private laid(seat: number, side: number, missions: number[]): void {
    for (const mission of missions) this.cards[side].set(mission, { layer: seat, face: null });
  }

  private *lay(): Part<void> {
    this.cards = [new Map(), new Map()];
    for (const side of this.sides) {
      Object.assign(side, { inForce: new Set(), blast: false, doubleDamage: false, steps: 0, caught: false, marked: new Set() });
    }
    yield* this.layAll([0, 1].map((side) => [side, this.hasTwo(side) ? [1, 2] : MISSIONS]));
    yield* this.step();
    if (!this.hasTwo(0)) return;
    for (const side of [0, 1]) {
      const viewer = side + 2;
      if (!this.hasTwo(side) || this.gone.has(viewer) || this.acting(side, 1) === viewer) continue;
      for (const mission of [1, 2]) yield { ask: "openTo", slot: this.slot(side, mission), seat: viewer };
    }
    yield* this.layAll([0, 1].filter((side) => this.hasTwo(side)).map((side) => [side, [3, 4]]));
    yield* this.step();
  }

  private *layAll(all: [side: number, missions: number[]][]): Part<void> {
    const parts = all.map(([side, missions]) => ({ seat: this.acting(side, missions[0]), side, missions }));
    parts.sort((a, b) => a.seat - b.seat);
    const asks = parts.map(({ seat, side, missions }) => this.commit(seat, side, missions));
    if (asks.length === 1) yield asks[0];
    else yield { ask: "together", asks };
    for (const { seat, side, missions } of parts) this.laid(seat, side, missions);
  }

  /** A card that nobody will open: its layer has left. */
  private isShut(side: number, mission: number): boolean {
    const card = this.cards[side].get(mission)!;
    return card.face === null && this.gone.has(card.layer);
  }

  private *mark(): Part<void> {
    const bySeat = new Map<number, { side: number; missions: number[] }>();
    for (const side of [0, 1]) {
      for (const mission of MISSIONS) {
        if (this.isShut(side, mission)) continue;
        const seat = this.acting(side, mission);
        const mine = bySeat.get(seat) ?? { side, missions: [] };
        mine.missions.push(mission);
        bySeat.set(seat, mine);
      }
    }
    const seats = [...bySeat.keys()].sort((a, b) => a - b);
    const asks = seats.map((seat): Choose => ({ ask: "choose", seat, options: new Set(markings(bySeat.get(seat)!.missions)) }));
    const answers: (string | null)[] = yield { ask: "together", asks };
    answers.forEach((answer, i) => {
      if (answer === null || answer === "mark none") return;
      for (const digit of answer.slice(5)) this.sides[bySeat.get(seats[i])!.side].marked.add(Number(digit));
    });
  }

  // Turns.

  private *turn(guesser: number, mission: number): Part<void> {
    const owner = 1 - guesser;
    const [mine, theirs] = [this.sides[owner], this.sides[guesser]];
    this.began = this.agent;
    const blast = theirs.blast;
    theirs.blast = false;
    const result = yield* this.reveal(guesser, mission, blast);
    if (result.name === "retreated" || result.name === "activated") {
      if (result.name === "activated") yield* this.use(owner, mission, result.face);
      if (result.token) this.score(owner, 4);
      return;
    }
    if (blast) mine.doubleDamage = true;
    if (result.name === "incorrect-order") {
      mine.caught = true;
      this.undo(owner);
    }
    this.score(guesser, theirs.inForce.has(SCOUT) ? 4 : 2);
  }

  private *reveal(guesser: number, mission: number, blast: boolean): Part<{ name: string; face: number; token: boolean }> {
    const owner = 1 - guesser;
    const [mine, theirs] = [this.sides[owner], this.sides[guesser]];
    const counted = { name: "counted", face: 0, token: false };
    if (this.isShut(owner, mission)) return counted;
    let token = false;
    let guess: number | null = null;
    if (!mine.caught) {
      if (mine.tokens > 0) {
        const seat = this.acting(owner, mission);
        const answer: string | null = yield { ask: "choose", seat, options: new Set(["token", "no token"]) };
        if (answer === null) return counted;
        token = answer === "token";
        if (token) mine.tokens -= 1;
      }
      guess = yield* this.guess(guesser, mission);
    }
    const face = yield* this.open(owner, mission);
    if (face === null || mine.caught) return { ...counted, token };
    const name =
      this.isOutOfOrder(owner, mission, face) ? "incorrect-order"
      : this.isMarkFalse(owner, mission, face) ? "incorrect-intel"
      : guess === face ? "identified"
      : blast || (face === MARSHAL && theirs.inForce.has(SPY)) || (face === BOMB && theirs.inForce.has(MINER)) ? "retreated"
      : "activated";
    return { name, face, token };
  }

  private *guess(guesser: number, mission: number): Part<number | null> {
    const answer: string | null = yield* this.askMates(
      this.acting(guesser, mission),
      RANKS.map((rank) => `guess ${rank}`),
    );
    return answer === null ? null : Number(answer.slice(6));
  }

  // A choice that the mate makes if the seat goes owing it.
  private *askMates(seat: number, options: string[]): Part<string | null> {
    const answer: string | null = yield { ask: "choose", seat, options: new Set(options) };
    const mate = this.mate(seat);
    if (answer !== null || mate === null) return answer;
    return yield { ask: "choose", seat: mate, options: new Set(options) };
  }

  private *open(owner: number, mission: number): Part<number | null> {
    const face: number | null = yield { ask: "open", slot: this.slot(owner, mission) };
    if (face === null) return null;
    const card = this.cards[owner].get(mission)!;
    if (this.sides[owner].exhausted.includes(face)) throw broken(card.layer, "exhausted-card");
    if ([...this.cards[owner].values()].some((other) => other.face === face)) throw broken(card.layer, "card-laid-twice");
    card.face = face;
    return face;
  }

  private isOutOfOrder(owner: number, mission: number, face: number): boolean {
    if (face === SERGEANT) return false;
    return [...this.cards[owner]].some(
      ([other, { face: shown }]) => other < mission && shown !== null && shown !== SERGEANT && shown > face,
    );
  }

  private isMarkFalse(owner: number, mission: number, face: number): boolean {
    const inRange = this.range[0] <= face && face <= this.range[1];
    return face !== SERGEANT && this.sides[owner].marked.has(mission) !== inRange;
  }

  private score(side: number, points: number, keepsRest = false): void {
    const mine = this.sides[side];
    mine.points += points;
    if (mine.points < 10) return;
    mine.points = keepsRest ? mine.points - 10 : 0;
    this.push(side, this.day);
  }

  private push(side: number, steps: number): void {
    const direction = side === 0 ? 1 : -1;
    const wall = direction * this.wall;
    for (let i = 0; i < steps && this.flag === null; i += 1) {
      if (this.agent !== wall) {
        this.agent += direction;
        this.sides[side].steps += 1;
      } else if (this.began === wall) {
        this.flag = side;
      }
    }
  }

  private undo(side: number): void {
    const mine = this.sides[side];
    const direction = side === 0 ? 1 : -1;
    const back = this.agent - direction * mine.steps;
    this.agent = side === 0 ? Math.max(back, -this.wall) : Math.min(back, this.wall);
    mine.steps = 0;
    mine.points = 0;
  }

  private *use(owner: number, mission: number, face: number): Part<void> {
    if (face !== CAPTAIN) {
      yield* this.act(owner, mission, face);
      return;
    }
    const { exhausted } = this.sides[owner];
    let answer: string | null = null;
    if (exhausted.length > 0) {
      const options = ["captain points", ...exhausted.map((rank) => `captain ${rank}`)];
      answer = yield* this.askMates(this.acting(owner, mission), options);
    }
    if (answer === null || answer === "captain points") {
      this.score(owner, 6);
      return;
    }
    const rank = Number(answer.slice(8));
    const enemy = this.sides[1 - owner];
    if ((rank === MARSHAL && enemy.inForce.has(SPY)) || (rank === BOMB && enemy.inForce.has(MINER))) return;
    yield* this.act(owner, mission, rank);
  }

  private *act(owner: number, mission: number, rank: number): Part<void> {
    const mine = this.sides[owner];
    if (rank === SPY) {
      this.score(owner, 1);
      if (this.spare > 0 && mine.tokens < 2) {
        this.spare -= 1;
        mine.tokens += 1;
      }
    } else if (rank === SCOUT || rank === MINER || rank === SERGEANT) {
      this.score(owner, rank);
    } else if (rank === LIEUTENANT) {
      this.push(owner, 1);
    } else if (rank === BOMB) {
      mine.blast = true;
    } else if (rank === COLONEL) {
      this.score(owner, 8, true);
    } else if (rank === GENERAL) {
      this.push(owner, 2);
    } else if (rank === MARSHAL) {
      const answer = yield* this.askMates(this.acting(owner, mission), ["marshal ten", "marshal five"]);
      if (answer !== "marshal five") {
        this.score(owner, 10);
      } else {
        this.score(owner, 5);
        this.sides[1 - owner].points = Math.max(0, this.sides[1 - owner].points - 5);
      }
    }
    if (rank === SPY || rank === SCOUT || rank === MINER) mine.inForce.add(rank);
  }

  // Section 4.1.
  private *flagTaken(side: number): Part<never> {
    let isFlawed = false;
    for (const mission of MISSIONS) {
      if (this.cards[side].get(mission)!.face !== null) continue;
      if (this.isShut(side, mission)) {
        isFlawed = true;
        continue;
      }
      const face = yield* this.open(side, mission);
      if (face === null || this.isMarkFalse(side, mission, face)) isFlawed = true;
    }
    for (const [mission, { face }] of this.cards[side]) {
      if (face !== null && this.isOutOfOrder(side, mission, face)) isFlawed = true;
    }
    throw new Ended(this.seatsOf(isFlawed ? 1 - side : side), isFlawed ? "critical-flaw" : "flag");
  }

  // Section 2, point 6.
  private *night(): Part<void> {
    const ways = this.sides.map((side, of) => this.restWays(of, side.doubleDamage ? 2 : 1));
    const answer: number = yield { ask: "roll", sides: ways[0].length * ways[1].length };
    this.sides[0].exhausted = ways[0][Math.floor(answer / ways[1].length)];
    this.sides[1].exhausted = ways[1][answer % ways[1].length];
    yield* this.step();
  }

  private restWays(side: number, due: number): number[][] {
    const open = MISSIONS.map((mission) => this.cards[side].get(mission)!.face).filter((face) => face !== null);
    if (open.length <= due) return [open];
    if (due === 1) return open.map((face) => [face]);
    return open.flatMap((face, i) => open.slice(i + 1).map((other) => [face, other]));
  }
}

/** The words for marks at these missions. */
function markings(missions: number[]): string[] {
  const words = [];
  for (let bits = 0; bits < 1 << missions.length; bits += 1) {
    const marked = missions.filter((_, i) => (bits >> i) & 1);
    words.push(marked.length === 0 ? "mark none" : `mark ${marked.join("")}`);
  }
  return words;
}

export const spiesAndLies: Game = {
  name: "spies-and-lies",
  version: 2,
  options: [integerOf("wall", 2, 8), oneOf("starter", "random", "red", "blue")],
  needsProofs: false,
  talk: false,
  sides: (seats) => (seats >= 2 && seats <= 4 ? Array.from({ length: seats }, (_, seat) => seat % 2) : null),
  *rules(options, seats) {
    yield* new Table(seats, options.get("wall") as number).play(options.get("starter") as string);
  },
};
