// Armies of Stratego: how many of each piece a side has, by name or as text (spec/stratego.md, options).

import {STRATEGO_DATA} from '../../game_data.mjs';

const ARMY_PATTERN = /^(?:0|[1-9][0-9]?)(?:-(?:0|[1-9][0-9]?)){11}$/;

/**
 * @typedef {{text: string, counts: number[]}} Army Its one spelling as an option, and the number of each face.
 */

/** The number of pieces of an army. */
export function armySize(army) {
  return army.counts.reduce((sum, count) => sum + count, 0);
}

/** The faces of an army, highest rank first, each as often as there are of it. */
export function armyFaces(army) {
  return STRATEGO_DATA.order.flatMap((face) => Array(army.counts[face]).fill(face));
}

/** Whether an army can be played. */
function isPlayable(army) {
  const size = armySize(army);
  const {fewestPieces, mostPieces, flag, pieces} = STRATEGO_DATA;
  return (
    army.counts[flag] === 1 &&
    fewestPieces <= size &&
    size <= mostPieces &&
    army.counts.some((count, face) => count > 0 && pieces[face].reach > 0)
  );
}

/** The army that the option names, or spells out; null if the game does not offer it. @returns {?Army} */
export function armyFrom(option) {
  if (typeof option !== 'string') {
    return null;
  }
  const named = Object.entries(STRATEGO_DATA.armies).find(([name]) => name === option);
  if (named) {
    return {text: named[0], counts: named[1]};
  }
  if (!ARMY_PATTERN.test(option)) {
    return null;
  }
  const numbers = option.split('-').map(Number);
  const counts = STRATEGO_DATA.pieces.map((_, face) => numbers[STRATEGO_DATA.order.indexOf(face)]);
  const alike = ([, other]) => other.every((count, face) => count === counts[face]);
  const boxed = Object.entries(STRATEGO_DATA.armies).find(alike);
  const army = {text: boxed ? boxed[0] : option, counts};
  return isPlayable(army) ? army : null;
}
