// spec/spies.md, section 3: what is asked before the first turn.

import type { Part } from "../../asks.js";
import { choose, CUP } from "./cards.js";
import { firstRussia } from "./russia.js";
import { step } from "./leaving.js";
import { layPolice } from "./police.js";
import {
  ALL_CITIES, ALL_POWERS, CHITS, CITIES, LESSON, POWERS, range, RUSSIA, SECRETS, SPY_FACES, TILES, withTop,
} from "./tables.js";
import type { Secret, World } from "./world.js";

const [SECRET_DECK, RANDOM_DECK, COLOURED_DECK] = [1, 2, 3];
const [RANDOM_TILES, COLOURED_TILES] = [3, 7];
const MOST_ABROAD = 4;

export function* setUp(w: World): Part<void> {
  yield* dealSecrets(w);
  yield* dealTiles(w);
  yield { ask: "newDeck", deck: CUP, faces: w.isLesson ? withTop(LESSON.chits, CHITS) : CHITS };
  w.cup = CHITS.length;
  yield* step(w);
  for (const power of ALL_POWERS) {
    if (power === RUSSIA && w.russiaIsBidFor) {
      yield* firstRussia(w);
      yield* step(w);
    }
    yield* laySecrets(w, power);
    yield* step(w);
  }
  const running = ALL_POWERS.filter((power) => w.powers[power].seat !== null);
  for (const [i, power] of running.entries()) {
    if (i > 0) yield* step(w);
    yield* firstPolice(w, power);
  }
  yield* drawChits(w);
  yield* step(w);
  yield* talk(w);
  for (const power of ALL_POWERS) {
    yield* laySpies(w, power);
    yield* step(w);
  }
}

function* shuffled(w: World, deck: number, faces: number[]): Part<void> {
  yield { ask: "newDeck", deck, faces };
  if (!w.isLesson) yield { ask: "shuffle", deck };
}

function* deal(w: World, deck: number, power: number, slots: number[]): Part<void> {
  const { seat } = w.powers[power];
  if (seat === null) yield { ask: "lay", deck, slots };
  else yield { ask: "draw", deck, hands: [[seat, slots]] };
}

function* dealSecrets(w: World): Part<void> {
  yield* shuffled(w, SECRET_DECK, w.isLesson ? withTop(LESSON.secrets, SECRETS) : SECRETS);
  let next = 0;
  for (const power of ALL_POWERS) {
    const slots = range(POWERS[power].secrets, next);
    next += slots.length;
    yield* deal(w, SECRET_DECK, power, slots);
    for (const slot of slots) w.secrets.push(newSecret(slot, power, w.powers[power].seat));
  }
  const neutral = ALL_CITIES.filter((city) => CITIES[city].hasSecret);
  const slots = range(neutral.length, next);
  yield { ask: "lay", deck: SECRET_DECK, slots };
  slots.forEach((slot, i) => {
    const secret = newSecret(slot, null, null);
    secret.home = secret.city = neutral[i];
    w.secrets.push(secret);
  });
}

function newSecret(slot: number, power: number | null, holder: number | null): Secret {
  return {
    slot, holder, face: null, copies: new Map(), power, home: -1, city: -1, control: null, yearOfLoss: null, isAway: false,
    last: null, fate: "play",
  };
}

function* dealTiles(w: World): Part<void> {
  const dealt = (power: number) => 64 + 16 * power;
  yield* shuffled(w, RANDOM_DECK, TILES.filter(({ coloured }) => !coloured).map(({ face }) => face));
  for (const power of ALL_POWERS) yield* deal(w, RANDOM_DECK, power, range(RANDOM_TILES, dealt(power)));
  yield { ask: "newDeck", deck: COLOURED_DECK, faces: TILES.filter(({ coloured }) => coloured).map(({ face }) => face) };
  for (const power of ALL_POWERS) yield* deal(w, COLOURED_DECK, power, range(COLOURED_TILES, dealt(power) + RANDOM_TILES));
  for (const power of ALL_POWERS) if (w.powers[power].seat !== null) yield* mixTiles(w, power);
}

export function dealtTiles(power: number): number[] {
  return range(RANDOM_TILES + COLOURED_TILES, 64 + 16 * power);
}

export function* mixTiles(w: World, power: number): Part<void> {
  const fresh = range(RANDOM_TILES + COLOURED_TILES, 192 + 16 * power);
  yield { ask: "mix", seat: w.powers[power].seat!, old: dealtTiles(power), new: fresh, rule: "wrong-tile", chosen: false };
  w.powers[power].tiles = fresh;
}

export function* laySecrets(w: World, power: number): Part<void> {
  const seat = w.powers[power].seat;
  for (const secret of w.secrets.filter((other) => other.power === power)) {
    const taken = w.secrets.filter((other) => other.power === power).map(({ home }) => home);
    const free = ALL_CITIES.filter((city) => CITIES[city].power === power && !taken.includes(city));
    const answer = seat === null ? null : yield* choose(seat, free.map((city) => `at ${CITIES[city].name}`));
    const city = answer === null ? free[0] : free.find((other) => answer === `at ${CITIES[other].name}`)!;
    secret.home = secret.city = city;
  }
}

function* firstPolice(w: World, power: number): Part<void> {
  const faces = [...POWERS[power].police].sort((a, b) => a - b);
  const slots = w.newSlots("police", faces.length);
  yield { ask: "commit", seat: w.powers[power].seat!, slots, faces, exactly: true, chosen: true };
  yield* layPolice(w, power, slots);
}

function* drawChits(w: World): Part<void> {
  if (!w.isLesson) yield { ask: "shuffle", deck: CUP };
  const hands: [number, number[]][] = [];
  for (const power of ALL_POWERS) {
    const seat = w.runner(power);
    if (seat === null) continue;
    const slots = w.newSlots("chit", POWERS[power].chits);
    w.powers[power].chits = [...slots];
    hands.push([seat, slots]);
    w.cup -= slots.length;
  }
  yield { ask: "draw", deck: CUP, hands };
}

/** Section 11. */
export function* talk(w: World): Part<void> {
  if (!w.settings.hasTalk) return;
  const options = new Set(["ready"]);
  yield { ask: "together", asks: w.seatsThere.map((seat) => ({ ask: "choose", seat, options }) as const) };
  yield* step(w);
}

function* laySpies(w: World, power: number): Part<void> {
  const { seat, spies } = w.powers[power];
  if (seat === null) return;
  yield { ask: "commit", seat, slots: spies.map(({ slot }) => slot), faces: SPY_FACES, exactly: true, chosen: true };
  let abroad = 0;
  for (const spy of spies) {
    spy.holder = seat;
    const where = ALL_CITIES.filter((city) => abroad < MOST_ABROAD || w.territory(city) === power);
    const answer = yield* choose(seat, where.map((city) => `at ${CITIES[city].name}`));
    if (answer === null) continue;
    spy.city = where.find((city) => answer === `at ${CITIES[city].name}`)!;
    spy.fate = "board";
    if (w.territory(spy.city) !== power) abroad += 1;
  }
}
