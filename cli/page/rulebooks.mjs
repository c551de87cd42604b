// The games whose rules the page has, and those that it knows by name only.

import {CONQUEST} from './rules/conquest.mjs';
import {SPIES_AND_LIES} from './rules/spies_and_lies.mjs';
import {STRATEGO} from './rules/stratego.mjs';

/** @type {Map<string, import('./verifier/asks.mjs').Rulebook>} */
export const RULEBOOKS = new Map([CONQUEST, SPIES_AND_LIES, STRATEGO].map((rulebook) => [rulebook.name, rulebook]));

/** By name: the version of the rules of each other game. */
export const OTHER_GAMES = new Map([['spies', 2]]);
