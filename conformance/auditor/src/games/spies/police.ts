// spec/spies.md, sections 3 to 5: where police stand, and on what.

import type { Part } from "../../asks.js";
import { ALL_CITIES, CITIES, cityNamed } from "./tables.js";
import type { Secret, World } from "./world.js";

const MOST_IN_A_CITY = 2;

/** Point 5 of section 3: a power's police, all of them under new slots, go to cities and onto secrets. */
export function* layPolice(w: World, power: number, slots: number[]): Part<void> {
  const seat = w.powers[power].seat!;
  const before = w.secrets.filter(({ fate, control }) => fate === "play" && control?.by === "police" && control.power === power);
  const signs = ALL_CITIES.filter((city) => CITIES[city].power === power && CITIES[city].hasSign);
  const others = ALL_CITIES.filter((city) => w.territory(city) === power && !signs.includes(city));
  const has = (word: string) => citiesOf(word, signs, others)?.length === slots.length;
  const laid: string | null = yield { ask: "choose", seat, options: { has } };
  const cities = laid === null ? firstLaying(slots.length, signs, others) : citiesOf(laid, signs, others)!;
  w.powers[power].police = cities.map((city, i) => ({ slot: slots[i], city, face: null }));
  const free = (city: number) => w.policeIn(power, city).length;
  const mine = w.secrets.filter(
    (secret) =>
      secret.fate === "play" && free(secret.city) > 0 &&
      (before.includes(secret) || (secret.power === power && secret.control === null && w.territory(secret.city) === power)),
  );
  const stand: string | null = mine.length === 0 ? "stand" : yield { ask: "choose", seat, options: { has: (word) => fits(word, mine, free) } };
  const guarded = stand === null ? [] : stand.split(" ").slice(1).map(Number);
  for (const secret of before) if (!guarded.includes(secret.slot)) w.setControl(secret, null);
  for (const secret of mine) {
    if (guarded.includes(secret.slot) && !before.includes(secret)) w.setControl(secret, { by: "police", power });
  }
}

// The cities of the units in order; null if the word is no laying.
function citiesOf(word: string, signs: number[], others: number[]): number[] | null {
  const [verb, digits, last, ...more] = word.split(" ");
  if (verb !== "lay" || more.length > 0 || !new RegExp(`^[0-${MOST_IN_A_CITY}]{${signs.length}}$`).test(digits ?? "")) return null;
  const cities = signs.flatMap((city, i) => Array.from({ length: Number(digits[i]) }, () => city));
  if (last === undefined) return cities;
  const overseas = others.find((city) => CITIES[city].name === last);
  return overseas === undefined ? null : [...cities, overseas];
}

// The first of all layings, as words are sorted: where police of a seat that is gone stand.
function firstLaying(number: number, signs: number[], others: number[]): number[] {
  const overseas = others.map((city) => CITIES[city].name).sort()[0];
  const last = overseas === undefined ? [] : [cityNamed(overseas)];
  const cities: number[] = [];
  for (const city of [...signs].reverse()) {
    while (cities.length < number - last.length && cities.filter((other) => other === city).length < MOST_IN_A_CITY) cities.unshift(city);
  }
  return [...cities, ...last];
}

function fits(word: string, secrets: Secret[], free: (city: number) => number): boolean {
  const numbers = word === "stand" ? [] : word.slice("stand ".length).split(" ").map(Number);
  if (word !== ["stand", ...numbers].join(" ") || numbers.some((number, i) => i > 0 && number <= numbers[i - 1])) return false;
  const chosen = numbers.map((number) => secrets.find(({ slot }) => slot === number));
  if (chosen.includes(undefined)) return false;
  const cities = chosen.map((secret) => secret!.city);
  return cities.every((city) => cities.filter((other) => other === city).length <= free(city));
}

/** They are laid anew, once a turn. */
export function* relayPolice(w: World, power: number): Part<void> {
  const old = w.powers[power].police.map(({ slot }) => slot);
  const slots = w.newSlots("police", old.length);
  yield { ask: "mix", seat: w.powers[power].seat!, old, new: slots, rule: "wrong-police", chosen: true };
  yield* layPolice(w, power, slots);
}
