// spec/spies.md, section 3, points 1 and 2: cards that are dealt, and the tiles.

import type { Part } from "../../asks.js";
import { ALL_POWERS, range, TILES } from "./tables.js";
import type { World } from "./world.js";

const [RANDOM_DECK, COLOURED_DECK] = [2, 3];
const [RANDOM_TILES, COLOURED_TILES] = [3, 7];

export function* shuffled(w: World, deck: number, faces: number[]): Part<void> {
  yield { ask: "newDeck", deck, faces };
  if (!w.isLesson) yield { ask: "shuffle", deck };
}

/** To the seat that runs a power; if nobody does, they are laid. */
export function* deal(w: World, deck: number, power: number, slots: number[]): Part<void> {
  const { seat } = w.powers[power];
  if (seat === null) yield { ask: "lay", deck, slots };
  else yield { ask: "draw", deck, hands: [[seat, slots]] };
}

export function* dealTiles(w: World): Part<void> {
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
