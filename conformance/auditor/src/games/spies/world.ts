// spec/spies.md, sections 1, 2 and 5: the pieces of SPIES!, where they are, and who runs them.

import type { Part } from "../../asks.js";
import { ALL_POWERS, CITIES, FIRST_YEAR, GAINS, GERMANY, LAST_YEAR, POWERS, range, RUSSIA, STRENGTHS } from "./tables.js";

export type Allocation = "standard" | "alternate" | "bid" | "lesson";
export type Settings = {
  seats: number;
  allocation: Allocation;
  alliances: boolean;
  handicap: string;
  purseIsSecret: boolean;
  hasTalk: boolean;
};

/** A card that one seat holds, or nobody; `copies`: by seat, where it lies that was shown it. */
export type Card = { slot: number; holder: number | null; face: number | null; copies: Map<number, number> };

export type Spy = Card & {
  power: number;
  name: string;
  /** Null: it is on no city. */
  city: number | null;
  fate: "board" | "captured" | "killed" | "out";
  /** Of a captured spy: the power on whose record it lies. */
  captor: number | null;
  carries: Secret | null;
  spaces: number;
};

export type Control = { by: "spy"; spy: Spy } | { by: "police" | "drop"; power: number };

export type Secret = Card & {
  /** The power to which it is original, or null. */
  power: number | null;
  home: number;
  city: number;
  control: Control | null;
  yearOfLoss: number | null;
  isAway: boolean;
  last: { power: number; seat: number } | null;
  fate: "play" | "cashed" | "gone";
};

export type Unit = { slot: number; city: number; face: number | null };
/** Pounds that all see, and the three digits that they do not. */
export type Purse = { known: number; hidden: number[] | null };
/** What a power has on its record of secrets, and of spies, by year. */
export type Record = { secrets: { secret: Secret; year: number }[]; captured: { spy: Spy; year: number }[]; killed: { spy: Spy; year: number }[] };

export type Power = {
  power: number;
  /** The seat that runs it now. */
  seat: number | null;
  spies: Spy[];
  police: Unit[];
  tiles: number[];
  chits: number[];
  purse: Purse;
  tilesPlayed: number;
  record: Record;
};

/** By number of seats and allocation: the powers of each seat. */
const SEATED: { [table: string]: number[][] } = {
  "5 standard": [[0], [1], [2], [3], [4]],
  "4 standard": [[0, 1], [2], [3], [4]],
  "4 alternate": [[0], [1], [2, 3], [4]],
  "4 bid": [[0], [1], [3], [4]],
  "3 standard": [[0, 1], [2], [3, 4]],
  "3 alternate": [[0, 1], [2, 3], [4]],
  "2 standard": [[0, 1], [3, 4]],
  "2 bid": [[0, 1], [3, 4]],
  "2 lesson": [[0], [3]],
};

export function powersOfSeats(seats: number, allocation: string): number[][] | null {
  return SEATED[`${seats} ${allocation}`] ?? null;
}

const FIRST = { police: 512, chit: 4096, copy: 32_768, digit: 49_152 };

export class World {
  readonly settings: Settings;
  /** The powers that each seat has for good. */
  readonly powersOf: number[][];
  readonly powers: Power[];
  readonly secrets: Secret[] = [];
  /** By tile, city and power: territory that was gained. */
  readonly gained = new Map<number, number>();
  readonly left = new Set<number>();
  year = FIRST_YEAR;
  lastYear = LAST_YEAR;
  pact = false;
  /** Whether anything came back to the cup since it was shuffled. */
  cupIsStirred = false;
  cup = 0;
  /** The power to move, or null, and what it has left. */
  mover: number | null = null;
  points = 0;
  private readonly next = { ...FIRST };

  constructor(settings: Settings) {
    this.settings = settings;
    this.powersOf = powersOfSeats(settings.seats, settings.allocation)!;
    this.powers = ALL_POWERS.map((power) => ({
      power,
      seat: null,
      spies: STRENGTHS.map((_, k) => newSpy(power, k)),
      police: [],
      tiles: [],
      chits: [],
      purse: { known: POWERS[power].pounds, hidden: null },
      tilesPlayed: 0,
      record: { secrets: [], captured: [], killed: [] },
    }));
    this.powersOf.forEach((powers, seat) => powers.forEach((power) => (this.powers[power].seat = seat)));
    if (this.russiaAlternates) this.powers[RUSSIA].seat = 0;
  }

  newSlots(kind: keyof typeof FIRST, number: number): number[] {
    const slots = range(number, this.next[kind]);
    this.next[kind] += number;
    return slots;
  }

  get seats(): number[] {
    return range(this.settings.seats);
  }

  get seatsThere(): number[] {
    return this.seats.filter((seat) => !this.left.has(seat));
  }

  get isLesson(): boolean {
    return this.settings.allocation === "lesson";
  }

  get russiaIsBidFor(): boolean {
    return this.settings.allocation === "bid";
  }

  get russiaAlternates(): boolean {
    return this.settings.seats === 2 && this.settings.allocation === "standard";
  }

  get russiaChangesHands(): boolean {
    return this.russiaIsBidFor || this.russiaAlternates;
  }

  /** The seat that runs a power and is there; null of one that does nothing. */
  runner(power: number): number | null {
    const { seat } = this.powers[power];
    return seat === null || this.left.has(seat) ? null : seat;
  }

  /** After tile 16 a seat other than germany's can only search with russia (section 6). */
  onlySearches(power: number): boolean {
    return power === RUSSIA && this.pact && this.powers[RUSSIA].seat !== this.powers[GERMANY].seat;
  }

  /** Two powers of one seat, at this moment. */
  areStrangers(a: number, b: number): boolean {
    return a !== b && this.powers[a].seat !== null && this.powers[a].seat === this.powers[b].seat;
  }

  areFoes(a: number, b: number): boolean {
    return a !== b && !this.areStrangers(a, b);
  }

  /** All powers, in turn order behind one. */
  behind(power: number): number[] {
    return ALL_POWERS.map((_, i) => (power + 1 + i) % ALL_POWERS.length).slice(0, -1);
  }

  territory(city: number): number | null {
    return this.gained.get(city) ?? CITIES[city].power;
  }

  gain(tile: number): void {
    const gain = GAINS.get(tile);
    if (gain !== undefined) this.gained.set(gain.city, gain.power);
  }

  spyNamed(name: string): Spy {
    return this.allSpies.find((spy) => spy.name === name)!;
  }

  get allSpies(): Spy[] {
    return this.powers.flatMap(({ spies }) => spies);
  }

  spiesIn(city: number): Spy[] {
    return this.allSpies.filter((spy) => spy.city === city);
  }

  policeIn(power: number, city: number): Unit[] {
    return this.powers[power].police.filter((unit) => unit.city === city);
  }

  secretsIn(city: number): Secret[] {
    return this.secrets.filter((secret) => secret.fate === "play" && secret.city === city);
  }

  secretFrom(home: number): Secret {
    return this.secrets.find((secret) => secret.home === home)!;
  }

  /** The power that controls a secret. */
  controller(secret: Secret): number | null {
    const { control } = secret;
    if (control === null) return null;
    return control.by === "spy" ? control.spy.power : control.power;
  }

  isOriginal(secret: Secret, power: number): boolean {
    return secret.power === power;
  }

  /** How many of the police of a power in a city have nothing to stand on. */
  freePolice(power: number, city: number): number {
    const stoodOn = this.secretsIn(city).filter(({ control }) => control?.by === "police" && control.power === power);
    return this.policeIn(power, city).length - stoodOn.length;
  }

  // Section 5.

  /** Whatever controlled a secret does so no more, and now `control` does. */
  setControl(secret: Secret, control: Control | null): void {
    if (secret.control?.by === "spy") secret.control.spy.carries = null;
    secret.control = control;
    const power = this.controller(secret);
    const isHome = secret.city === secret.home;
    if (power === null || control === null) {
      if (isHome) secret.yearOfLoss = null;
    } else {
      if (control.by === "spy") control.spy.carries = secret;
      secret.last = { power, seat: this.powers[power].seat! };
      if (power === secret.power) secret.yearOfLoss = null;
      else secret.yearOfLoss ??= this.year;
    }
    if (isHome && control?.by !== "spy") secret.isAway = false;
  }

  /** A spy goes to a city, with what it carries. */
  travel(spy: Spy, city: number): void {
    const secret = spy.carries;
    if (secret !== null && this.isOriginal(secret, spy.power) && !secret.isAway) this.setControl(secret, null);
    spy.city = city;
    if (spy.carries === null) return;
    if (spy.carries.city === spy.carries.home) spy.carries.isAway = true;
    spy.carries.city = city;
  }

  /** A spy leaves the board; what it carried is uncontrolled. */
  remove(spy: Spy, fate: Spy["fate"]): void {
    if (spy.carries !== null) this.setControl(spy.carries, null);
    spy.city = null;
    spy.fate = fate;
  }

  /** A captured or killed spy, or one that escapes, comes to a city. */
  place(spy: Spy, city: number): void {
    if (spy.carries !== null) this.setControl(spy.carries, null);
    if (spy.captor !== null) {
      const { record } = this.powers[spy.captor];
      record.captured = record.captured.filter((entry) => entry.spy !== spy);
      spy.captor = null;
    }
    spy.fate = "board";
    spy.city = city;
  }

  /**
   * Section 1: whether a power may discover or seize a secret. Not one that another power won last for the same seat,
   * whoever runs that power now.
   */
  mayGain(power: number, { last, power: owner }: Secret): boolean {
    return last === null || last.power === power || last.power === owner || last.seat !== this.powers[power].seat;
  }
}

function newSpy(power: number, k: number): Spy {
  return {
    slot: 320 + 8 * power + k,
    holder: null,
    face: null,
    copies: new Map(),
    power,
    name: `${POWERS[power].code}${k + 1}`,
    city: null,
    fate: "out",
    captor: null,
    carries: null,
    spaces: 0,
  };
}

/** The end of a step (6.3): ■. */
export type Told = (seat: number) => Part<void>;
