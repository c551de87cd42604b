// How this player decides: by chance among what is honest. Games by their name.

import type { Answer, Ask, Choose, Commit, Game, Rules, Step } from "../../auditor/build/asks.js";

/** By game, how many links a chain of chance has (7.7.6): Spies & Lies has 16 rolls, and up to four players. */
export const LINKS = new Map([["stratego", 1], ["spies-and-lies", 16 + 3]]);

/** Numbers from 0 to below `below` (mulberry32): for moves alone, never for secrets. */
export type Dice = (below: number) => number;

export function diceOf(seed: number): Dice {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function shuffled<T>(items: T[], dice: Dice): T[] {
  const left = [...items];
  return items.map(() => left.splice(dice(left.length), 1)[0]);
}

function oneOf<T>(items: T[], dice: Dice): T {
  return items[dice(items.length)];
}

export interface Person {
  /** The faces for the slots of a Commit, in their order. */
  lay(ask: Commit): number[];
  choose(ask: Choose): string;
  /** What it has laid. */
  hold(slots: number[], faces: number[]): void;
  /** An Ask that is complete, and its answer. */
  learn(ask: Ask, answer: Answer): void;
}

type Listener = (serial: number, ask: Ask, answer: Answer) => void;

/** Sees what the rules of a match ask, and what is answered. */
export class Onlooker {
  /** What is asked at this moment. */
  ask: Ask | null = null;
  private readonly complete: [Ask, Answer][] = [];
  private listener: Listener = () => {};

  /** The game, with this onlooker. */
  at(game: Game): Game {
    return { ...game, rules: (options, seats) => this.watch(game.rules(options, seats)) };
  }

  /** Tells all Asks, also those that are complete already. */
  tell(listener: Listener): void {
    this.complete.forEach(([ask, answer], serial) => listener(serial, ask, answer));
    this.listener = listener;
  }

  private *watch(rules: Rules): Rules {
    let next = rules.next();
    while (next.done !== true) {
      const ask: Ask | Step = next.value;
      if (ask.ask === "step") {
        next = rules.next(yield ask);
        continue;
      }
      this.ask = ask;
      const answer: Answer = yield ask;
      this.listener(this.complete.length, ask, answer);
      this.complete.push([ask, answer]);
      next = rules.next(answer);
    }
  }
}

/** Options that can be listed. */
function listed(ask: Choose): string[] {
  return [...(ask.options as Set<string>)];
}

const [FLAG, SPY, SCOUT, MINER, MARSHAL, BOMB] = [0, 1, 2, 3, 10, 11];
const PLACES = 40;

/** Stratego: it keeps a board of its own, with the faces that it knows. */
export class StrategoPerson implements Person {
  private readonly dice: Dice;
  private readonly faces = new Map<number, number>();
  private slots: number[][] = [];
  /** By square the slot of the piece. */
  private readonly at = new Map<string, number>();
  private move: [from: string, to: string] | null = null;

  constructor(dice: Dice) {
    this.dice = dice;
  }

  lay({ faces }: Commit): number[] {
    return shuffled(faces, this.dice);
  }

  hold(slots: number[], faces: number[]): void {
    slots.forEach((slot, i) => this.faces.set(slot, faces[i]));
  }

  choose(ask: Choose): string {
    this.carryOut();
    if (!(ask.options instanceof Set)) return this.squares(this.slots[ask.seat].length);
    const moves = listed(ask).filter((word) => word !== "none" && this.isHonest(word));
    return moves.length > 0 ? oneOf(moves, this.dice) : "none";
  }

  /** The moves among the options of which a piece has one of these faces. */
  movesWith(ask: Choose, faces: number[]): string[] {
    this.carryOut();
    return listed(ask).filter((word) => word !== "none" && faces.includes(this.faces.get(this.at.get(apart(word)[0])!)!));
  }

  private squares(count: number): string {
    const places = shuffled([...Array(PLACES).keys()], this.dice).slice(0, count);
    const bits = places.reduce((sum, place) => sum | (1n << BigInt(place)), 0n);
    return `squares ${bits.toString(16).padStart(10, "0")}`;
  }

  private isHonest(word: string): boolean {
    const [from, to] = apart(word);
    const face = this.faces.get(this.at.get(from)!)!;
    return face !== FLAG && face !== BOMB && (face === SCOUT || distance(from, to) === 1);
  }

  learn(ask: Ask, answer: Answer): void {
    if (ask.ask === "together" && ask.asks[0].ask === "commit") {
      this.slots = (ask.asks as Commit[]).map(({ slots }) => slots);
      if (this.slots[0].length === PLACES) this.setUp([0, 1].map(() => [...Array(PLACES).keys()]));
    } else if (ask.ask === "together") {
      this.setUp((answer as string[]).map(filled));
    } else if (ask.ask === "open") {
      this.faces.set(ask.slot, answer);
    } else if (ask.ask === "choose") {
      this.carryOut();
      this.move = answer === "none" ? null : apart(answer);
    }
  }

  private setUp(places: number[][]): void {
    places.forEach((filledBy, side) =>
      filledBy.forEach((place, k) => this.at.set(squareOf(side === 0 ? place : 99 - place), this.slots[side][k])),
    );
  }

  // The last move, once all that it opens is known.
  private carryOut(): void {
    if (this.move === null) return;
    const [from, to] = this.move;
    this.move = null;
    const [mover, there] = [this.at.get(from)!, this.at.get(to)];
    this.at.delete(from);
    const result = there === undefined ? 1 : fight(this.faces.get(mover)!, this.faces.get(there)!);
    if (result > 0) this.at.set(to, mover);
    else if (result === 0) this.at.delete(to);
  }
}

// Above 0 if the attacker wins, 0 if both go.
function fight(attacker: number, defender: number): number {
  if (defender === BOMB) return attacker === MINER ? 1 : -1;
  return attacker === SPY && defender === MARSHAL ? 1 : attacker - defender;
}

function squareOf(number: number): string {
  return "abcdefghij"[number % 10] + String(Math.floor(number / 10) + 1);
}

function apart(move: string): [string, string] {
  const [, from, to] = /^([a-j]\d+)([a-j]\d+)$/.exec(move)!;
  return [from, to];
}

function distance(from: string, to: string): number {
  return Math.abs(from.charCodeAt(0) - to.charCodeAt(0)) + Math.abs(Number(from.slice(1)) - Number(to.slice(1)));
}

function filled(word: string): number[] {
  const bits = BigInt("0x" + word.slice("squares ".length));
  return [...Array(PLACES).keys()].filter((place) => (bits >> BigInt(place)) & 1n);
}

const RANKS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const MISSIONS = 4;

/** Spies & Lies: it lays no soldier that could be exhausted, each day in order, and chooses anything. */
export class LiesPerson implements Person {
  private readonly dice: Dice;
  private readonly seat: number;
  /** Those that may rest today: of the set-up, or all that lay yesterday. */
  private tired: number[] | null = null;

  constructor(dice: Dice, seat: number) {
    this.dice = dice;
    this.seat = seat;
  }

  lay(): number[] {
    const fresh = RANKS.filter((rank) => !this.tired!.includes(rank));
    return shuffled(fresh, this.dice).slice(0, MISSIONS).sort((a, b) => a - b);
  }

  hold(_slots: number[], faces: number[]): void {
    this.tired = faces;
  }

  choose(ask: Choose): string {
    return oneOf(listed(ask), this.dice);
  }

  learn(ask: Ask, answer: Answer): void {
    if (ask.ask !== "roll" || this.tired !== null) return;
    this.tired = [(this.seat === 0 ? Math.floor(answer / 10) : answer) % 10 + 1];
  }
}
