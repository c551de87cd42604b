// The games whose rules the page has, and those that it knows by name only.

import {SPIES_AND_LIES} from './rules/spies_and_lies.mjs';
import {STRATEGO} from './rules/stratego.mjs';

/** @type {Map<string, import('./verifier/asks.mjs').Rulebook>} */
export const RULEBOOKS = new Map([SPIES_AND_LIES, STRATEGO].map((rulebook) => [rulebook.name, rulebook]));

/** By name: the version of the rules of each other game. */
export const OTHER_GAMES = new Map([['conquest', 1], ['spies', 2]]);
