// spec/conquest.md: Conquest, two to four seats.

import { readFileSync } from "node:fs";
import { broken, Ended, integerOf, oneOf, type Game, type Part, type Rules } from "../asks.js";

type Data = {
  zones: string[];
  mountains: [string, string][];
  territories: { letter: string; city: boolean; zones: string[] }[];
  pieces: { face: number; name: string; "a side": number; fixed: boolean }[];
};

const TABLES = new URL("../../../vectors/tables/conquest.json", import.meta.url);
const DATA: Data = JSON.parse(readFileSync(TABLES, "utf8"));
const ZONES = DATA.zones;
const FACES = Array.from({ length: 12 }, (_, face) => face);
const [CURSED, SPY, SCOUT, SORCERESS, KING, FLAG] = [0, 1, 2, 3, 10, 11];
const A_SIDE = FACES.map((face) => DATA.pieces.find((piece) => piece.face === face)!["a side"]);
const NAMES = FACES.map((face) => DATA.pieces.find((piece) => piece.face === face)!.name);
const FIXED = [CURSED, FLAG];
const ARMY = FACES.flatMap((face) => Array.from({ length: A_SIDE[face] }, () => face));
/** By place in the table of pieces: flag, ranks downwards, cursed land. */
const PLACES = [...ARMY].reverse();
PLACES.sort((a, b) => b - a);
const CARDS = ["blitz", "regroup", "reinforce", "secret", "surprise", "new-spy", "traitor"];
const COPIES = [13, 11, 6, 5, 4, 2, 1];
const TRAITOR = 6;
const MOST_IN_ROLL = 6;

const NEIGHBOURS: number[][] = ZONES.map((zone) => {
  const [column, row] = [zone.charCodeAt(0), Number(zone[1])];
  const around = [[-1, 0], [1, 0], [0, -1], [0, 1]].map(([x, y]) => String.fromCharCode(column + x) + String(row + y));
  const isOpen = (other: string) => !DATA.mountains.some((pair) => pair.includes(zone) && pair.includes(other));
  return around.filter((other) => ZONES.includes(other) && isOpen(other)).map((other) => ZONES.indexOf(other));
});
const TERRITORIES = DATA.territories.map(({ letter, city, zones }) => ({ letter, city, zones: zones.map((zone) => ZONES.indexOf(zone)) }));

type Piece = { slot: number; owner: number; face: number | null; stepped: boolean };
type Claim = { slots: Set<number>; faces: number[]; rule: string };
/** Why a piece is opened (section 7). */
type Purpose = { attacks?: boolean; runs?: boolean; forSecret?: boolean; forSpy?: boolean; named?: number };
/** On the board, lost, or the seat that holds it. */
type FlagState = "board" | "lost" | number;

class Board {
  private readonly seats: number;
  private readonly garrison: boolean;
  private readonly charge: boolean;
  private readonly rounds: number;
  private readonly board = new Map<number, Piece>();
  private readonly bags: Piece[][];
  private readonly flags: FlagState[];
  /** The piece of a captured flag. */
  private readonly flagPieces: (Piece | null)[];
  private readonly left = new Set<number>();
  private readonly out = new Set<number>();
  private readonly taken: (number | null)[] = TERRITORIES.map(() => null);
  private owners: (number | null)[] = TERRITORIES.map(() => null);
  private readonly claims: Claim[] = [];
  private nextSlot: number;
  private stands = false;
  private starter = 0;
  private mover = 0;
  private round = 1;
  private turns = 0;
  // Cards, by kind how many.
  private pile = [...COPIES];
  private discards = COPIES.map(() => 0);
  private drawn = COPIES.map(() => 0);
  private traitorBelow = true;
  /** The player to move has answered an Ask of the act under way with nothing. */
  private silent = false;

  constructor(seats: number, garrison: boolean, charge: boolean, rounds: number) {
    this.seats = seats;
    this.garrison = garrison;
    this.charge = charge;
    this.rounds = rounds;
    this.bags = Array.from({ length: seats }, () => []);
    this.flags = Array.from({ length: seats }, () => "board");
    this.flagPieces = Array.from({ length: seats }, () => null);
    this.nextSlot = 18 * seats;
  }

  *play(): Rules {
    yield* this.drawStarter();
    yield* this.step();
    yield* this.draft();
    yield* this.setUp();
    this.mover = this.starter;
    if (!this.isIn(this.mover)) this.passOn();
    this.countTerritories();
    for (;;) yield* this.turn();
  }

  private isIn(seat: number): boolean {
    return !this.left.has(seat) && !this.out.has(seat);
  }

  private get all(): number[] {
    return Array.from({ length: this.seats }, (_, seat) => seat);
  }

  private *step(): Part<void> {
    for (;;) {
      const left: number | null = yield { ask: "step" };
      if (left === null) return;
      yield* this.leave(left);
    }
  }

  // Section 2.

  private *drawStarter(): Part<void> {
    let drawn: number = yield { ask: "roll", sides: 18 ** this.seats };
    const faces: number[] = [];
    for (let seat = 0; seat < this.seats; seat += 1) {
      faces.unshift(PLACES[drawn % 18]);
      drawn = Math.floor(drawn / 18);
    }
    const highest = Math.max(...faces);
    const tied = this.all.filter((seat) => faces[seat] === highest);
    this.starter = tied.length === 1 ? tied[0] : tied[yield { ask: "roll", sides: tied.length }];
  }

  private *draft(): Part<void> {
    const order = this.all.map((i) => (this.starter + i) % this.seats);
    for (let pick = 0; pick < TERRITORIES.length; pick += 1) {
      const lap = Math.floor(pick / this.seats);
      const place = pick % this.seats;
      const seat = order[lap % 2 === 0 ? place : this.seats - 1 - place];
      if (this.left.has(seat)) continue;
      const free = TERRITORIES.flatMap(({ letter }, i) => (this.taken[i] === null ? [`take ${letter}`] : []));
      const answer: string | null = yield { ask: "choose", seat, options: new Set(free) };
      if (answer !== null) this.taken[TERRITORIES.findIndex(({ letter }) => answer === `take ${letter}`)] = seat;
      yield* this.step();
    }
  }

  private zonesOf(seat: number): number[] {
    return TERRITORIES.flatMap(({ zones }, i) => (this.taken[i] === seat ? zones : [])).sort((a, b) => a - b);
  }

  private *setUp(): Part<void> {
    let seats = this.all.filter((seat) => !this.left.has(seat));
    yield {
      ask: "together",
      asks: seats.map((seat) => {
        const slots = ARMY.map((_, k) => 18 * seat + k);
        return { ask: "commit", seat, slots, faces: ARMY, exactly: true, chosen: true } as const;
      }),
    };
    yield* this.step();
    seats = seats.filter((seat) => !this.left.has(seat));
    const filled = new Map(seats.map((seat) => [seat, this.zonesOf(seat)]));
    if (this.seats < 4) {
      const asks = seats.map((seat) => ({ ask: "choose", seat, options: { has: (word: string) => this.isLayout(seat, word) } }) as const);
      const words: (string | null)[] = yield { ask: "together", asks };
      yield* this.step();
      words.forEach((word, i) => filled.set(seats[i], word === null ? [] : bitsOf(word, this.zonesOf(seats[i]))));
    }
    for (const [seat, zones] of filled) {
      if (this.left.has(seat)) continue;
      zones.forEach((zone, k) => this.board.set(zone, { slot: 18 * seat + k, owner: seat, face: null, stepped: false }));
    }
    this.stands = true;
  }

  private isLayout(seat: number, word: string): boolean {
    const digits = this.seats === 2 ? 9 : 6;
    if (!new RegExp(`^zones [0-9a-f]{${digits}}$`).test(word)) return false;
    const zones = bitsOf(word, this.zonesOf(seat));
    if (zones.length !== 18 || bitCount(word) !== 18) return false;
    return !this.garrison || TERRITORIES.every((territory, i) => this.taken[i] !== seat || territory.zones.some((zone) => zones.includes(zone)));
  }

  // Section 3.

  private countTerritories(): void {
    this.owners = TERRITORIES.map(({ zones }) => {
      const owners = new Set(zones.map((zone) => this.board.get(zone)?.owner).filter((owner) => owner !== undefined));
      return owners.size === 1 ? [...owners][0] : null;
    });
  }

  private territoriesOf(seat: number): number[] {
    return this.owners.flatMap((owner, i) => (owner === seat ? [i] : []));
  }

  private *turn(): Part<void> {
    const { mover, turns } = this;
    const mine = this.territoriesOf(mover);
    const due = this.flags[mover] === "board" ? Math.floor(mine.length / 2) : 0;
    let moves = 1 + mine.filter((i) => TERRITORIES[i].city).length;
    if (due > 0) {
      yield* this.drawCards(due);
      yield* this.step();
      if (this.turns !== turns) return;
      this.silent = false;
      const card = yield* this.playCard();
      if (!this.silent) {
        if (card === "blitz") moves += 2;
        this.putAway();
      }
      yield* this.step();
      if (this.turns !== turns) return;
    }
    for (let move = 0; move < moves; move += 1) {
      this.silent = false;
      const goesOn = yield* this.move(move === 0);
      if (!this.silent && (!goesOn || move === moves - 1)) this.end();
      yield* this.step();
      if (this.turns !== turns) return;
    }
  }

  private *drawCards(due: number): Part<void> {
    for (let drawn = 0; drawn < due; drawn += MOST_IN_ROLL) {
      const number = Math.min(MOST_IN_ROLL, due - drawn);
      const bases = this.bases(number);
      let left = bases.reduce((product, base) => product * base, 1);
      let answer: number = yield { ask: "roll", sides: left };
      for (const base of bases) {
        left /= base;
        this.drawCard(Math.floor(answer / left));
        answer %= left;
      }
    }
  }

  private bases(number: number): number[] {
    const bases: number[] = [];
    let size = sum(this.pile);
    let below = this.traitorBelow;
    for (let i = 0; i < number; i += 1) {
      if (size === 0) {
        size = sum(this.discards);
        below = false;
      }
      bases.push(below && size > 1 ? size - 1 : size);
      size -= 1;
    }
    return bases;
  }

  private drawCard(digit: number): void {
    if (sum(this.pile) === 0) {
      this.pile = this.discards;
      this.discards = COPIES.map(() => 0);
      this.traitorBelow = false;
    }
    const last = sum(this.pile) === 1;
    const next = this.pile.map((copies, kind) => (kind === TRAITOR && this.traitorBelow && !last ? 0 : copies));
    const kind = next.findIndex((copies) => {
      digit -= copies;
      return digit < 0;
    });
    this.pile[kind] -= 1;
    this.drawn[kind] += 1;
    if (kind === TRAITOR) this.traitorBelow = false;
  }

  private putAway(): void {
    if (this.drawn[TRAITOR] > 0) {
      this.pile = [...COPIES];
      this.discards = COPIES.map(() => 0);
      this.traitorBelow = false;
    } else {
      this.discards = this.discards.map((copies, kind) => copies + this.drawn[kind]);
    }
    this.drawn = COPIES.map(() => 0);
  }

  // Point 7.
  private end(): void {
    this.turns += 1;
    this.countTerritories();
    for (const seat of this.all) {
      const onBoard = [...this.board.values()].some((piece) => piece.owner === seat);
      if (this.flags[seat] !== "board" && !onBoard) this.out.add(seat);
    }
    if (!this.passOn()) return;
    if (this.round === this.rounds) this.rank();
    this.round += 1;
  }

  // Whether a round has ended.
  private passOn(): boolean {
    let ended = false;
    do {
      this.mover = (this.mover + 1) % this.seats;
      if (this.mover === this.starter) ended = true;
    } while (!this.isIn(this.mover));
    return ended;
  }

  private rank(): never {
    const pieces = (seat: number) => [...this.board.values()].filter((piece) => piece.owner === seat).length;
    const held = (seat: number) => this.flags.filter((state) => state === seat).length;
    const score = (seat: number) => [held(seat), this.territoriesOf(seat).length, pieces(seat)];
    const ranked = this.all.filter((seat) => this.flags[seat] === "board");
    const better = (a: number[], b: number[]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
    const best = ranked.map(score).reduce((most, other) => (better(other, most) > 0 ? other : most));
    const winners = ranked.filter((seat) => better(score(seat), best) === 0);
    if (winners.length === this.seats) throw new Ended([], "draw");
    throw new Ended(winners, "rounds");
  }

  // Section 7.

  private *open(piece: Piece, purpose: Purpose): Part<boolean> {
    if (piece.face !== null) return true;
    const face: number | null = yield { ask: "open", slot: piece.slot };
    if (face === null) {
      if (piece.owner === this.mover) this.silent = true;
      return false;
    }
    piece.face = face;
    const rule = this.breach(piece, face, purpose);
    if (rule !== null) throw broken(piece.owner, rule);
    return true;
  }

  private breach(piece: Piece, face: number, purpose: Purpose): string | null {
    const live = [...this.board.values(), ...this.bags.flat(), ...this.flagPieces].filter((other) => other !== null);
    const alike = new Set([...live, piece].filter((other) => other.owner === piece.owner && other.face === face));
    if (alike.size > A_SIDE[face]) return "wrong-faces";
    const claim = this.claims.find(({ slots, faces }) => slots.has(piece.slot) && !faces.includes(face));
    if (claim !== undefined) return claim.rule;
    if ((purpose.runs || purpose.attacks) && FIXED.includes(face)) return "fixed-piece-moved";
    if (purpose.runs && face !== SCOUT) return "ran-but-no-scout";
    if ((purpose.forSecret && face === SPY) || (purpose.forSpy && face !== SPY)) return "no-spy";
    return purpose.named !== undefined && face !== purpose.named ? "false-hit" : null;
  }

  private *claim(seat: number, rule: string, pieces: Piece[], faces: number[]): Part<void> {
    const slots = pieces.map(({ slot }) => slot);
    this.claims.push({ slots: new Set(slots), faces, rule });
    yield { ask: "claim", seat, rule, slots, faces };
  }

  /** A choice; of the player to move, nothing ends the act. */
  private *choose(seat: number, options: string[]): Part<string | null> {
    const answer: string | null = yield { ask: "choose", seat, options: new Set(options) };
    if (answer === null && seat === this.mover) this.silent = true;
    return answer;
  }

  // Section 4.

  private free(): number[] {
    return ZONES.map((_, zone) => zone).filter((zone) => !this.board.has(zone));
  }

  private zonesWith(seat: number): number[] {
    return ZONES.map((_, zone) => zone).filter((zone) => this.board.get(zone)?.owner === seat);
  }

  private steps(zone: number): number[] {
    const { owner } = this.board.get(zone)!;
    return NEIGHBOURS[zone].filter((next) => this.board.get(next)?.owner !== owner);
  }

  private runs(zone: number): number[] {
    const { owner } = this.board.get(zone)!;
    const reached = new Set<number>();
    const targets = new Set<number>();
    const waiting = [zone];
    while (waiting.length > 0) {
      for (const next of NEIGHBOURS[waiting.pop()!]) {
        const there = this.board.get(next);
        if (there !== undefined) {
          if (this.charge && there.owner !== owner) targets.add(next);
        } else if (!reached.has(next)) {
          reached.add(next);
          targets.add(next);
          waiting.push(next);
        }
      }
    }
    return [...targets].filter((target) => target !== zone && !NEIGHBOURS[zone].includes(target));
  }

  private moves(seat: number): Map<string, [number, number]> {
    const moves = new Map<string, [number, number]>();
    for (const zone of this.zonesWith(seat)) {
      const { face } = this.board.get(zone)!;
      const targets = face !== null && FIXED.includes(face) ? [] : this.steps(zone);
      if (face === null || face === SCOUT) targets.push(...this.runs(zone));
      for (const target of targets) moves.set(ZONES[zone] + ZONES[target], [zone, target]);
    }
    return moves;
  }

  // Whether the player goes on moving.
  private *move(first: boolean): Part<boolean> {
    const { mover } = this;
    const moves = this.moves(mover);
    const surely = this.zonesWith(mover).some((zone) => {
      const { face } = this.board.get(zone)!;
      return face !== null && !FIXED.includes(face) && this.steps(zone).length > 0;
    });
    const others = first ? (surely ? [] : ["none"]) : ["stop"];
    const answer = yield* this.choose(mover, [...moves.keys(), ...others]);
    if (answer === null) return false;
    if (answer === "none") {
      const closed = this.zonesWith(mover).filter((zone) => this.board.get(zone)!.face === null && this.steps(zone).length > 0);
      if (closed.length > 0) yield* this.claim(mover, "false-no-move", closed.map((zone) => this.board.get(zone)!), FIXED);
    }
    const move = moves.get(answer);
    if (move === undefined) return false;
    yield* this.carryOut(move);
    return true;
  }

  private *carryOut([from, to]: [number, number]): Part<void> {
    const piece = this.board.get(from)!;
    const target = this.board.get(to);
    const runs = !NEIGHBOURS[from].includes(to);
    const attacks = target !== undefined;
    if ((runs || attacks) && !(yield* this.open(piece, { runs, attacks }))) return;
    if (target === undefined) {
      if (piece.face === null && !piece.stepped) {
        yield* this.claim(piece.owner, "fixed-piece-moved", [piece], FACES.filter((face) => !FIXED.includes(face)));
      }
      piece.stepped = true;
      this.board.delete(from);
      this.board.set(to, piece);
      return;
    }
    if (!(yield* this.open(target, {}))) {
      this.board.delete(from);
      this.board.set(to, piece);
      return;
    }
    yield* this.fight(piece, target, from, to);
  }

  private *fight(attacker: Piece, defender: Piece, from: number, to: number): Part<void> {
    const [a, d] = [attacker.face!, defender.face!];
    const takes =
      d === FLAG ? true
      : d === CURSED ? a === SORCERESS
      : (a === SPY && d === KING) || a > d;
    const both = d !== FLAG && d !== CURSED && a === d;
    this.board.delete(from);
    if (takes || both) {
      this.board.delete(to);
      if (d !== FLAG) this.bags[defender.owner].push(defender);
    }
    if (takes) this.board.set(to, attacker);
    else this.bags[attacker.owner].push(attacker);
    if (d === FLAG) yield* this.capture(attacker.owner, defender);
  }

  // Section 6.
  private *capture(by: number, flag: Piece): Part<void> {
    const owner = flag.owner;
    this.flagPieces[owner] = flag;
    const mine = this.flags[by];
    const brings = this.all.filter((seat) => seat === owner || this.flags[seat] === owner);
    const captor = mine === "board" || mine === owner ? by : mine;
    for (const seat of brings) this.flags[seat] = captor;
    if (mine === owner) this.flags[by] = "board";
    this.lastFlag();
    if (mine === owner) yield* this.putBack(by);
  }

  private lastFlag(): void {
    const onBoard = this.all.filter((seat) => this.flags[seat] === "board");
    if (onBoard.length === 1) throw new Ended(onBoard, "flag");
  }

  private *putBack(seat: number): Part<void> {
    const answer = yield* this.choose(seat, this.free().map((zone) => `flag ${ZONES[zone]}`));
    if (answer === null) {
      this.flags[seat] = "lost";
      return;
    }
    this.flags[seat] = "board";
    this.board.set(ZONES.indexOf(answer.slice(5)), this.flagPieces[seat]!);
    this.flagPieces[seat] = null;
  }

  private *leave(seat: number): Part<void> {
    this.left.add(seat);
    const held = this.all.filter((other) => this.flags[other] === seat);
    if (this.flags[seat] === "board") this.flags[seat] = "lost";
    if (!this.stands) return;
    for (const [zone, piece] of this.board) if (piece.owner === seat) this.board.delete(zone);
    this.bags[seat] = [];
    for (const other of held) if (!this.isIn(other)) this.flags[other] = "lost";
    for (const other of held) if (this.isIn(other)) yield* this.putBack(other);
    this.countTerritories();
    this.lastFlag();
    if (seat === this.mover) {
      this.putAway();
      this.end();
    }
  }

  // Section 5.

  private *playCard(): Part<string | null> {
    const { mover } = this;
    const kinds = CARDS.filter((card, kind) => this.drawn[kind] > 0 && this.mayPlay(card, mover));
    const answer = yield* this.choose(mover, ["play none", ...kinds.map((card) => `play ${card}`)]);
    const card = answer === null ? null : answer.slice(5);
    if (card === "regroup") yield* this.regroup(mover);
    else if (card === "reinforce") yield* this.bring(mover, () => this.freeBeside(mover));
    else if (card === "surprise") yield* this.bring(mover, () => this.free());
    else if (card === "secret") yield* this.secret(mover);
    else if (card === "new-spy") yield* this.newSpy(mover);
    else if (card === "traitor") yield* this.traitor(mover);
    return card;
  }

  private mayPlay(card: string, seat: number): boolean {
    const bag = this.bags[seat];
    const spyInBag = bag.some(({ face }) => face === SPY);
    const free = this.free().length > 0;
    if (card === "regroup") return this.zonesWith(seat).length >= 3;
    if (card === "reinforce") return bag.length > 0 && this.freeBeside(seat).length > 0;
    if (card === "secret") return !spyInBag && this.pairs(seat).length > 0;
    if (card === "surprise") return bag.length > 0 && free;
    if (card === "new-spy") {
      const spyOnBoard = this.zonesWith(seat).some((zone) => this.board.get(zone)!.face === SPY);
      return free && (spyInBag || (bag.some(({ face }) => face === null) && !spyOnBoard));
    }
    return true;
  }

  private freeBeside(seat: number): number[] {
    return this.free().filter((zone) => NEIGHBOURS[zone].some((next) => this.board.get(next)?.owner === seat));
  }

  private pairs(seat: number): [number, number][] {
    const pairs: [number, number][] = [];
    for (const [zone, piece] of this.board) {
      for (const next of NEIGHBOURS[zone]) {
        const other = this.board.get(next);
        if (next > zone && other !== undefined && (piece.owner !== seat || other.owner !== seat)) pairs.push([zone, next]);
      }
    }
    return pairs;
  }

  private *mix(seat: number, pieces: Piece[], chosen: boolean): Part<Piece[]> {
    const fresh = pieces.map(({ owner }): Piece => ({ slot: this.nextSlot++, owner, face: null, stepped: false }));
    const [old, slots] = [pieces, fresh].map((all) => all.map(({ slot }) => slot));
    yield { ask: "mix", seat, old, new: slots, rule: "changed-pieces", chosen };
    return fresh;
  }

  private *regroup(seat: number): Part<void> {
    const mine = this.zonesWith(seat);
    const options = mine.flatMap((a, i) =>
      mine.slice(i + 1).flatMap((b, j) => mine.slice(i + j + 2).map((c) => `regroup ${[a, b, c].map((zone) => ZONES[zone]).join(" ")}`)),
    );
    const answer = yield* this.choose(seat, options);
    if (answer === null) return;
    const zones = answer.slice(8).split(" ").map((name) => ZONES.indexOf(name));
    const fresh = yield* this.mix(seat, zones.map((zone) => this.board.get(zone)!), true);
    zones.forEach((zone, i) => this.board.set(zone, fresh[i]));
  }

  private *bring(seat: number, where: () => number[]): Part<void> {
    this.bags[seat] = yield* this.mix(seat, this.bags[seat], false);
    const drawn: number = yield { ask: "roll", sides: this.bags[seat].length };
    const answer = yield* this.choose(seat, where().map((zone) => `place ${ZONES[zone]}`));
    if (answer === null) return;
    const [piece] = this.bags[seat].splice(drawn, 1);
    this.board.set(ZONES.indexOf(answer.slice(6)), piece);
  }

  private *secret(seat: number): Part<void> {
    for (const piece of this.bags[seat]) {
      if (!(yield* this.open(piece, { forSecret: true }))) return;
    }
    const pairs = new Map(this.pairs(seat).map((pair) => [`look ${ZONES[pair[0]]} ${ZONES[pair[1]]}`, pair]));
    const answer = yield* this.choose(seat, [...pairs.keys()]);
    if (answer === null) return;
    for (const zone of pairs.get(answer)!) {
      const piece = this.board.get(zone)!;
      if (piece.face === null && piece.owner !== seat) yield { ask: "openTo", slot: piece.slot, seat };
    }
  }

  private *newSpy(seat: number): Part<void> {
    const bag = this.bags[seat];
    if (!bag.some(({ face }) => face === SPY)) {
      const options = bag.flatMap(({ face }, k) => (face === null ? [`draw ${k}`] : []));
      const answer = yield* this.choose(seat, options);
      if (answer === null || !(yield* this.open(bag[Number(answer.slice(5))], { forSpy: true }))) return;
    }
    const answer = yield* this.choose(seat, this.free().map((zone) => `place ${ZONES[zone]}`));
    if (answer === null) return;
    const [spy] = bag.splice(bag.findIndex(({ face }) => face === SPY), 1);
    this.board.set(ZONES.indexOf(answer.slice(6)), spy);
  }

  private *traitor(seat: number): Part<void> {
    const enemies = [...this.board.keys()].filter((zone) => this.board.get(zone)!.owner !== seat);
    const options = enemies.flatMap((zone) => NAMES.map((name) => `accuse ${ZONES[zone]} ${name}`));
    const answer = yield* this.choose(seat, options);
    if (answer === null) return;
    const [, zoneName, name] = answer.split(" ");
    const zone = ZONES.indexOf(zoneName);
    const piece = this.board.get(zone)!;
    const named = NAMES.indexOf(name);
    if (piece.face === null) {
      const word = yield* this.choose(piece.owner, ["yes", "no"]);
      if (word === "no") {
        yield* this.claim(piece.owner, "false-miss", [piece], FACES.filter((face) => face !== named));
        yield { ask: "openTo", slot: piece.slot, seat };
      }
      if (word !== "yes" || !(yield* this.open(piece, { named }))) return;
    }
    if (piece.face !== named) return;
    this.board.delete(zone);
    if (named === FLAG) yield* this.capture(seat, piece);
    else this.bags[piece.owner].push(piece);
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function bitsOf(word: string, zones: number[]): number[] {
  const bits = BigInt("0x" + word.slice(6));
  return zones.filter((_, i) => (bits >> BigInt(i)) & 1n);
}

function bitCount(word: string): number {
  return [...BigInt("0x" + word.slice(6)).toString(2)].filter((digit) => digit === "1").length;
}

export const conquest: Game = {
  name: "conquest",
  version: 1,
  options: [oneOf("garrison", "free", "all"), oneOf("scout", "run", "charge"), integerOf("rounds", 1, 250)],
  needsProofs: false,
  talk: false,
  sides: (seats) => (seats >= 2 && seats <= 4 ? Array.from({ length: seats }, (_, seat) => seat) : null),
  *rules(options, seats) {
    const [garrison, scout, rounds] = ["garrison", "scout", "rounds"].map((name) => options.get(name));
    yield* new Board(seats, garrison === "all", scout === "charge", rounds as number).play();
  },
};
