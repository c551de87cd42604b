// SPEC 6: what the rules of a game ask of the table, and what a game is to this auditor.

export type Options = { has(move: string): boolean };

export type Choose = { ask: "choose"; seat: number; options: Options };
export type Commit = {
  ask: "commit";
  seat: number;
  slots: number[];
  /** Allowed faces; with `exactly` each as often as it is to be laid. */
  faces: number[];
  exactly: boolean;
  chosen: boolean;
};
export type Hand = [seat: number, slots: number[]];

export type Ask =
  | Choose
  | Commit
  | { ask: "open"; slot: number }
  | { ask: "claim"; seat: number; rule: string; slots: number[]; faces: number[] }
  | { ask: "roll"; sides: number }
  | { ask: "together"; asks: (Choose | Commit)[] }
  | { ask: "openTo"; slot: number; seat: number }
  | { ask: "mix"; seat: number; old: number[]; new: number[]; rule: string; chosen: boolean }
  | { ask: "newDeck"; deck: number; faces: number[] }
  | { ask: "shuffle"; deck: number }
  | { ask: "draw"; deck: number; hands: Hand[] }
  | { ask: "lay"; deck: number; slots: number[] }
  | { ask: "show"; slots: number[]; seat: number; copies: number[] }
  | { ask: "give"; slots: number[]; seat: number }
  | { ask: "back"; slots: number[]; deck: number }
  | { ask: "claimOneOf"; seat: number; rule: string; slots: number[]; tuples: number[][] };

/** The end of a step (6.3). It is answered with a seat that has gone, of which the rules have to be told, or with null. */
export type Step = { ask: "step" };

// One type for the answers of all Asks: a move, a face, a number, a list of answers, a seat, or null for nothing.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Answer = any;

export type Rules = Generator<Ask | Step, void, Answer>;
/** A part of the rules of a game that answers with a T. */
export type Part<T> = Generator<Ask | Step, T, Answer>;

export type Breach = { seat: number; rule: string };

/** What the rules of a game raise when they end it. */
export class Ended extends Error {
  readonly winners: number[];
  readonly reason: string;
  readonly breach: Breach | null;

  constructor(winners: number[], reason: string, breach: Breach | null = null) {
    super(reason);
    this.winners = winners;
    this.reason = reason;
    this.breach = breach;
  }
}

/** The rules found that a seat broke one. The table says who wins (10.2.10, 10.2.11). */
export function broken(seat: number, rule: string): Ended {
  return new Ended([], "cheated", { seat, rule });
}

export type Option = { name: string; allows(value: number | string): boolean };

export type Game = {
  name: string;
  version: number;
  options: Option[];
  needsProofs: boolean;
  /** Two alone may talk, sealed (9.3). */
  talk: boolean;
  seatNames(seats: number): string[];
  /** By seat its side, for each number of seats that the game has a table for. */
  sides(seats: number): number[] | null;
  /** Whether options fit each other and the number of seats. */
  fits?(options: Map<string, number | string>, seats: number): boolean;
  rules(options: Map<string, number | string>, seats: number): Rules;
};

export function oneOf(name: string, ...values: string[]): Option {
  return { name, allows: (value) => typeof value === "string" && values.includes(value) };
}

export function integerOf(name: string, least: number, most: number): Option {
  return { name, allows: (value) => typeof value === "number" && value >= least && value <= most };
}
