// The games whose rules the page has.

import {CONQUEST} from './rules/conquest/conquest.mjs';
import {SPIES} from './rules/spies/spies.mjs';
import {SPIES_AND_LIES} from './rules/spies_and_lies/spies_and_lies.mjs';
import {STRATEGO} from './rules/stratego/stratego.mjs';

/** @type {Map<string, import('./verifier/record/asks.mjs').Rulebook>} */
export const RULEBOOKS = new Map([CONQUEST, SPIES, SPIES_AND_LIES, STRATEGO].map((rulebook) => [rulebook.name, rulebook]));
