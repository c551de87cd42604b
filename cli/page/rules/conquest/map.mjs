// The map of Conquest (spec/conquest.md, section 1): zones as numbers, 0 (a1) to 71 (l6), and walks over them.

import {CONQUEST_DATA} from '../../game_data.mjs';

export const ZONE_NAMES = [...CONQUEST_DATA.columns].flatMap((column) => Array.from({length: CONQUEST_DATA.rows}, (_, row) => `${column}${row + 1}`));
export const ALL_ZONES = ZONE_NAMES.map((_, zone) => zone);
const ZONE_NAMED = new Map(ZONE_NAMES.map((name, zone) => [name, zone]));
/** By zone: the territory that it belongs to. */
export const TERRITORY_AT = ALL_ZONES.map((zone) => CONQUEST_DATA.territories.findIndex((territory) => territory.zones.includes(zone)));

/** The zones beside one without a mountain between, ascending. */
export function besideZone(zone) {
  return CONQUEST_DATA.neighbours[zone];
}

/** The zones that names joined by spaces name. */
export function zonesNamed(names) {
  return names.split(' ').map((name) => ZONE_NAMED.get(name));
}

/** Source and target of a move such as "c4c5"; null if it is none. @returns {?number[]} */
export function zonesOfMove(move) {
  const zones = move.length === 4 ? [ZONE_NAMED.get(move.slice(0, 2)), ZONE_NAMED.get(move.slice(2))] : [];
  return zones.length === 2 && !zones.includes(undefined) ? zones : null;
}

/** The zones that a walk over `isFree` zones alone comes to from `start`, which is none of them. @returns {Set<number>} */
export function floodFrom(start, isFree) {
  const reached = new Set();
  const open = [start];
  while (open.length > 0) {
    for (const next of CONQUEST_DATA.neighbours[open.pop()]) {
      if (next !== start && isFree(next) && !reached.has(next)) {
        reached.add(next);
        open.push(next);
      }
    }
  }
  return reached;
}
