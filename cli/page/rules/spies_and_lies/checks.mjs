// The offences of a card (spec/spies-and-lies.md, section 3); this module detects, the turn's table punishes.

import {SPIES_AND_LIES_DATA} from '../../game_data.mjs';
import {soldierOf} from './state.mjs';

/** Whether a card is lower than one shown before it; the Sergeant neither breaks the order nor sets it. */
export function isOutOfOrder(rank, earlier) {
  return !soldierOf(rank).free && earlier.some((other) => rank < other && !soldierOf(other).free);
}

/** Whether the mark, or its absence, tells a lie that the rules punish; the Sergeant may lie. */
export function isFalselyMarked(rank, marked, [lowest, highest]) {
  const inRange = lowest <= rank && rank <= highest;
  return marked !== inRange && !soldierOf(rank).free;
}

/** The rule by which this card cannot have been in its owner's hand; null if it can have been. @returns {?string} */
export function impossibilityOf(rank, shown, exhausted) {
  if (exhausted.includes(rank)) {
    return SPIES_AND_LIES_DATA.exhaustedRule;
  }
  return shown.includes(rank) ? SPIES_AND_LIES_DATA.twiceRule : null;
}

/** Whether of a line's open cards one is out of order, or one that the flag opened falsely marked. */
export function hasFlaw(line, marks, intel) {
  return line.some((card, place) => {
    const earlier = line.slice(0, place).filter((other) => other !== null).map(({rank}) => rank);
    return card !== null && (isOutOfOrder(card.rank, earlier)
      || (card.result === 'opened' && isFalselyMarked(card.rank, marks.includes(place + 1), intel)));
  });
}
