// spec/spies.md, section 8: points, and who wins.

import { Ended, type Part } from "../../asks.js";
import { open } from "./cards.js";
import { hasWorth } from "./pieces.js";
import { ALL_POWERS, BRITAIN, COUNTERSPY, FIRST_YEAR, FRANCE, GERMANY, ITALY, POWERS, STRENGTHS } from "./tables.js";
import type { Secret, World } from "./world.js";

const ALLIANCE_POINTS = 20;
const HANDICAP: { [table: string]: number } = { standard: 17, "4 alternate": 19, "3 alternate": 18 };

export function* score(w: World): Part<never> {
  for (const secret of w.secrets) if (isCounted(w, secret)) yield* open(secret);
  const pounds: number[] = [];
  for (const power of ALL_POWERS) pounds.push(yield* poundsOf(w, power));
  const points = ALL_POWERS.map((power) => pointsOf(w, power));
  if (w.settings.alliances) breakAlliances(points);
  const seats = w.seatsThere;
  const scores = new Map(seats.map((seat) => [seat, scoreOf(w, seat, points)]));
  const best = Math.max(...scores.values());
  const tied = seats.filter((seat) => scores.get(seat) === best);
  if (tied.length === 1) throw new Ended(tied, "points");
  const money = new Map(tied.map((seat) => [seat, moneyOf(w, seat, points, pounds)]));
  const richest = Math.max(...money.values());
  const rich = tied.filter((seat) => money.get(seat) === richest);
  if (rich.length === 1) throw new Ended(rich, "money");
  throw new Ended(rich, "draw");
}

function isCounted(w: World, secret: Secret): boolean {
  if (secret.fate === "cashed") return true;
  const controller = w.controller(secret);
  return secret.fate === "play" && secret.power !== null && secret.city === secret.home && (controller === null || controller === secret.power);
}

function* poundsOf(w: World, power: number): Part<number> {
  const { known, hidden } = w.powers[power].purse;
  let pounds = known;
  for (const [i, slot] of (hidden ?? []).entries()) {
    const digit: number | null = yield { ask: "open", slot };
    pounds += (digit ?? 0) * 9 ** i;
  }
  return pounds;
}

function worth(secret: Secret, multiple: number): number {
  const { face } = secret;
  if (face === null) return 0;
  return face < COUNTERSPY ? face * multiple : (face - COUNTERSPY) * Math.floor(multiple / 2);
}

function pointsOf(w: World, power: number): number {
  const multiple = (year: number) => POWERS[power].multiples[year - FIRST_YEAR];
  const { tilesPlayed, record } = w.powers[power];
  let points = 2 * tilesPlayed;
  for (const { secret, year } of record.secrets) points += worth(secret, multiple(year));
  for (const secret of w.secrets) {
    if (secret.power === power && secret.fate === "play" && isCounted(w, secret)) points += worth(secret, multiple(w.year));
  }
  for (const { spy, year } of record.captured) if (hasWorth(w, spy)) points += STRENGTHS[spy.face!] * multiple(year);
  for (const { spy, year } of record.killed) if (hasWorth(w, spy)) points += 2 * multiple(year);
  return points;
}

function breakAlliances(points: number[]): void {
  const before = [...points];
  const pairs = [[GERMANY, ITALY], [FRANCE, BRITAIN]];
  for (const [pair, foes] of [pairs, [...pairs].reverse()]) {
    for (const [ally, other] of [pair, [...pair].reverse()]) {
      if (foes.every((foe) => before[other] < before[foe])) points[ally] -= ALLIANCE_POINTS;
    }
  }
}

function scoreOf(w: World, seat: number, points: number[]): number {
  const { handicap, allocation, seats } = w.settings;
  const mine = w.powersOf[seat].map((power) => points[power]);
  if (mine.length === 1) return mine[0];
  if (handicap === "sum") return mine[0] + mine[1];
  if (handicap === "lower") return Math.min(...mine);
  const less = handicap === "even" ? (HANDICAP[allocation] ?? HANDICAP[`${seats} ${allocation}`] ?? 0) : 0;
  return Math.max(...mine) - less;
}

function moneyOf(w: World, seat: number, points: number[], pounds: number[]): number {
  const { handicap } = w.settings;
  const mine = w.powersOf[seat];
  if (handicap === "sum" || handicap === "lower") return mine.reduce((sum, power) => sum + pounds[power], 0);
  const best = Math.max(...mine.map((power) => points[power]));
  return Math.max(...mine.filter((power) => points[power] === best).map((power) => pounds[power]));
}
