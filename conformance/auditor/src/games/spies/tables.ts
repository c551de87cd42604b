// spec/spies.md, section 1: the tables of SPIES!, and what follows from them.

import { readFileSync } from "node:fs";

type Data = {
  powers: { name: string; code: string; pounds: number; secrets: number; police: number[]; chits: number; multiples: number[] }[];
  years: [number, number];
  "spy strengths": number[];
  cities: {
    name: string; power: string | null; capital: boolean; "police sign": boolean; "neutral secret": boolean; haven: boolean;
  }[];
  rail: [string, string][];
  air: [string, string][];
  seas: { name: string; ports: string[]; "next to": string[] }[];
  "die of the sea": number[];
  secrets: { face: number; copies: number }[];
  chits: { name: string; face: number; copies: number; pounds: number; AP: number }[];
  tiles: { face: number; coloured: boolean; years: [number, number]; awards: [string, number, number][] }[];
  secrets_in_order: number[];
  chits_in_order: number[];
};

const TABLES = new URL("../../../../vectors/tables/spies.json", import.meta.url);
const DATA: Data = JSON.parse(readFileSync(TABLES, "utf8"));

export const POWERS = DATA.powers;
export const [GERMANY, ITALY, RUSSIA, FRANCE, BRITAIN] = [0, 1, 2, 3, 4];
export const ALL_POWERS = [GERMANY, ITALY, RUSSIA, FRANCE, BRITAIN];
export const [FIRST_YEAR, LAST_YEAR] = DATA.years;
export const STRENGTHS = DATA["spy strengths"];
export const COUSIN = 4;
export const SPY_FACES = STRENGTHS.map((_, face) => face);
export const DIE = DATA["die of the sea"];

export type City = { name: string; power: number | null; capital: boolean; hasSign: boolean; hasSecret: boolean; haven: boolean };
export const CITIES: City[] = DATA.cities.map((city) => ({
  name: city.name,
  power: city.power === null ? null : powerNamed(city.power),
  capital: city.capital,
  hasSign: city["police sign"],
  hasSecret: city["neutral secret"],
  haven: city.haven,
}));
export const ALL_CITIES = CITIES.map((_, city) => city);
export const HAVENS = ALL_CITIES.filter((city) => CITIES[city].haven);
export const CAPITALS = ALL_POWERS.map((power) => CITIES.findIndex((city) => city.power === power && city.capital));

export function powerNamed(name: string): number {
  return POWERS.findIndex((power) => power.name === name);
}

export function cityNamed(name: string): number {
  return CITIES.findIndex((city) => city.name === name);
}

/** By city, where a link of rail or air leads. */
export const LINKS: number[][] = ALL_CITIES.map((city) => {
  const { name } = CITIES[city];
  const ends = [...DATA.rail, ...DATA.air].filter((link) => link.includes(name)).flat();
  return [...new Set(ends)].filter((other) => other !== name).map(cityNamed);
});

export type Sea = { name: string; ports: number[]; nextTo: number[] };
export const SEAS: Sea[] = DATA.seas.map(({ name, ports, "next to": nextTo }) => ({
  name,
  ports: ports.map(cityNamed),
  nextTo: nextTo.map((other) => DATA.seas.findIndex((sea) => sea.name === other)),
}));

/** The length of the voyage from a sea to each port. */
export const VOYAGES: Map<number, number>[] = SEAS.map((_, start) => {
  const lengths = new Map<number, number>();
  const reached = new Set([start]);
  let shore = [start];
  for (let length = 2; shore.length > 0; length += 1) {
    for (const sea of shore) for (const port of SEAS[sea].ports) if (!lengths.has(port)) lengths.set(port, length);
    shore = shore.flatMap((sea) => SEAS[sea].nextTo).filter((sea) => !reached.has(sea));
    for (const sea of shore) reached.add(sea);
  }
  return lengths;
});

function copies(cards: { face: number; copies: number }[]): number[] {
  return cards.flatMap(({ face, copies: number }) => Array.from({ length: number }, () => face));
}

export const SECRETS = copies(DATA.secrets);
export const CHITS = copies(DATA.chits);
/** The cards on the top of deck 1 and of the cup under `lesson`. */
export const LESSON = { secrets: DATA.secrets_in_order, chits: DATA.chits_in_order };

/** A deck with some of its cards on the top. */
export function withTop(top: number[], deck: number[]): number[] {
  const rest = [...deck];
  for (const face of top) rest.splice(rest.indexOf(face), 1);
  return [...top, ...rest];
}

export const TILES = DATA.tiles.map(({ face, coloured, years, awards }) => ({
  face,
  coloured,
  years,
  awards: awards.map(([city, chits, pounds]) => ({ city: cityNamed(city), chits, pounds })),
}));

export type Chit = { face: number; pounds: number; points: number };
export type ChitName =
  | "discovery" | "sanction" | "drop" | "recruit" | "escape" | "papers" | "cover" | "double-cross" | "intercept";
export const CHIT = Object.fromEntries(
  DATA.chits.map(({ name, face, pounds, AP }) => [name, { face, pounds, points: AP }]),
) as Record<ChitName, Chit>;
export const MOST_CHITS = 10;
export const MOST_IN_PURSE = 9 ** 3 - 1;

export const GENUINE = [1, 2, 3, 4, 5];
/** How many actions of these kinds a turn has at most (section 4). */
export const MOST_HANDOVERS = 100;
export const MOST_PROPOSALS = 20;
export const MOST_SPACES = 5;
export const POINTS_OF_A_TURN = 12;
/** What is added to the strength of a counterspy (section 1). */
export const COUNTERSPY = 10;

export const [TILE_SUDETEN, TILE_CRISIS, TILE_UNION, TILE_ALBANIA, TILE_PACT] = [1, 5, 7, 14, 16];
/** By tile, the city that becomes territory of a power. */
export const GAINS = new Map([
  [TILE_SUDETEN, { city: cityNamed("prague"), power: GERMANY }],
  [TILE_UNION, { city: cityNamed("vienna"), power: GERMANY }],
  [TILE_ALBANIA, { city: cityNamed("tirana"), power: ITALY }],
]);

export function range(length: number, from = 0): number[] {
  return Array.from({ length }, (_, i) => from + i);
}
