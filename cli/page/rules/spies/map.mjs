// The map of SPIES! (spec/spies.md, section 1): cities as numbers, 0 (berlin) to 60 (tirana), links, seas, voyages.

import {SPIES_DATA} from '../../game_data.mjs';

export const POWER_NAMES = SPIES_DATA.powers.map(({name}) => name);
/** All powers, in turn order. */
export const ALL_POWERS = POWER_NAMES.map((_, power) => power);
export const [GERMANY, ITALY, RUSSIA, FRANCE, BRITAIN] = ALL_POWERS;
export const ALL_CITIES = SPIES_DATA.cities.map((_, city) => city);
const CITY_NUMBERS = new Map(SPIES_DATA.cities.map((name, city) => [name, city]));
const LINKED_CITIES = ALL_CITIES.map(() => new Set());
[...SPIES_DATA.rail, ...SPIES_DATA.air].forEach(([city, other]) => {
  LINKED_CITIES[city].add(other);
  LINKED_CITIES[other].add(city);
});
const SEAS_OF_PORTS = ALL_CITIES.map((city) => (
  SPIES_DATA.seas.flatMap(({ports}, sea) => (ports.includes(city) ? [sea] : []))));
/** All ports, ascending. */
export const ALL_PORTS = ALL_CITIES.filter((city) => SEAS_OF_PORTS[city].length > 0);

/** The city of this name. */
export function cityNamed(name) {
  return CITY_NUMBERS.get(name);
}

/** The cities that one link joins to a city. */
export function linkedTo(city) {
  return [...LINKED_CITIES[city]];
}

/** The seas of a port; none of another city. */
export function seasAt(city) {
  return SEAS_OF_PORTS[city];
}

/** By sea, how many borders lie between. */
function bordersFrom(sea) {
  const borders = new Map([[sea, 0]]);
  for (const [at, far] of borders) { // a Map goes on with what is added meanwhile, in its order
    SPIES_DATA.seas[at].near.filter((near) => !borders.has(near)).forEach((near) => borders.set(near, far + 1));
  }
  return borders;
}

const SEA_BORDERS = SPIES_DATA.seas.map((_, sea) => bordersFrom(sea));

/** The length of a voyage that puts out to `sea` and lands at a port. */
export function voyageLength(sea, port) {
  return 2 + Math.min(...SEAS_OF_PORTS[port].map((other) => SEA_BORDERS[sea].get(other)));
}
