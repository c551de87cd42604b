// The cup of chits and the purses of SPIES! (spec/spies.md, sections 4, 7 and 10): draws, and sums proved digit by digit.

import {
  askToClaimOneOf, askToCommit, askToDraw, askToPutBack, askToShuffle,
} from '../../verifier/record/asks.mjs';
import {SPIES_DATA} from '../../game_data.mjs';
import {withAt} from '../acts.mjs';
import {isIdlePower, NO_CITY} from './state.mjs';

export const [PURSE_BASE, PURSE_DIGITS] = SPIES_DATA.digits;
export const ALL_DIGITS = Array.from({length: PURSE_BASE}, (_, digit) => digit);
/** Pounds of a secret purse, a secret amount or a bid, at most. */
export const MOST_POUNDS = PURSE_BASE ** PURSE_DIGITS - 1;
const CARRY_COUNT = 3;

/** New slots from `first` on. */
export function slotsFrom(first, count) {
  return Array.from({length: count}, (_, at) => first + at);
}

// The cup

/** A power draws chits, as many as there are, and returns those over ten; a player who has left draws none. */
export function* drawChits(act, power, wanted, city = NO_CITY, why = '') {
  const number = Math.min(wanted, act.state.cup);
  if (number === 0 || isIdlePower(act.state, power)) {
    return;
  }
  if (act.state.stirred) {
    yield askToShuffle(SPIES_DATA.decks.cup);
    act.change({stirred: false});
  }
  const slots = newChits(act, power, number);
  yield askToDraw(SPIES_DATA.decks.cup, [[act.state.runs[power], slots]]);
  act.tell('draws', power, {numbers: [number], city, word: why});
  yield* returnSurplus(act, power);
}

/** The slots of chits that leave the cup for a hand. */
export function newChits(act, power, number) {
  const {nextChit, cup, hands} = act.state;
  const slots = slotsFrom(nextChit, number);
  act.change({nextChit: nextChit + number, cup: cup - number, hands: withAt(hands, power, [...hands[power], ...slots])});
  return slots;
}

function* returnSurplus(act, power) {
  const returned = [];
  while (act.state.hands[power].length > SPIES_DATA.hand) {
    const answer = yield* act.chosen(power, new Set(act.state.hands[power].map((slot) => `return ${slot}`)));
    const slot = answer === null ? act.state.hands[power].at(-1) : Number(answer.split(' ')[1]);
    takeOutChit(act, power, slot);
    returned.push(slot);
  }
  if (returned.length > 0) {
    yield* chitsBack(act, returned);
    act.tell('returns', power, {numbers: [returned.length]});
  }
}

/** A chit leaves a hand. */
export function takeOutChit(act, power, slot) {
  const {hands} = act.state;
  act.change({hands: withAt(hands, power, hands[power].filter((held) => held !== slot))});
}

/** Chits go back into the cup. */
export function* chitsBack(act, slots) {
  yield askToPutBack(slots, SPIES_DATA.decks.cup);
  act.change({cup: act.state.cup + slots.length, stirred: true});
}

// Purses

/** A power pays pounds that everybody sees; throws if it cannot have them. */
export function* payPounds(act, power, cost) {
  if (act.state.secret && act.state.least[power] < cost) {
    yield* settlePurse(act, power, -cost);
  } else {
    act.gain(power, -cost);
  }
}

/** A power's purse changes by what all see and by a secret amount. */
export function* settlePurse(act, power, change, amount = [], sign = -1) {
  const {money, purses} = act.state;
  const after = yield* provedSum(act, {power, base: money[power] + change, before: purses[power], amount, sign});
  act.change({
    purses: withAt(act.state.purses, power, after), money: withAt(act.state.money, power, 0),
    least: withAt(act.state.least, power, 0),
  });
}

/**
 * The slots of base + before + sign × amount, which is not below 0, proved by the player of its power; `nothing`: and is
 * 0.  Throws if nobody could prove it.
 */
export function* provedSum(act, {power, base, before, amount, sign}, nothing = false) {
  const first = act.state.nextPurse;
  const after = slotsFrom(first, PURSE_DIGITS);
  const carries = slotsFrom(first + PURSE_DIGITS, PURSE_DIGITS - 1);
  act.change({nextPurse: first + 2 * PURSE_DIGITS - 1});
  const seat = act.state.runs[power];
  yield askToCommit(seat, [...after, ...carries], ALL_DIGITS);
  for (let place = 0; place < PURSE_DIGITS; place += 1) {
    const tuples = digitTuples(base, before, amount, sign, place, nothing);
    if (tuples.length === 0) {
      throw act.breached(power, SPIES_DATA.overdrawnRule);
    }
    const slots = [before[place], amount[place], carries[place - 1], after[place], carries[place]];
    yield askToClaimOneOf(seat, SPIES_DATA.overdrawnRule, slots.filter((slot) => slot !== undefined), tuples);
  }
  return after;
}

/** The digit of the constant at a place: the last one takes what is over, or below 0. */
function constantDigit(base, place) {
  const rest = Math.floor(base / PURSE_BASE ** place);
  return place === PURSE_DIGITS - 1 ? rest : ((rest % PURSE_BASE) + PURSE_BASE) % PURSE_BASE;
}

/** What one digit and all that it is worked out of can be together; what stands last changes fastest. */
function digitTuples(base, before, amount, sign, place, nothing) {
  const least = Math.min(sign, 0); // the lowest carry, which is laid as 0
  const isLast = place === PURSE_DIGITS - 1;
  const constant = constantDigit(base, place);
  const carriesIn = place > 0 ? slotsFrom(0, CARRY_COUNT) : [-least];
  const sums = (before.length > 0 ? ALL_DIGITS : [0]).flatMap((had) => (
    (amount.length > 0 ? ALL_DIGITS : [0]).flatMap((more) => carriesIn.map((carry) => ({had, more, carry})))));
  return sums.flatMap(({had, more, carry}) => {
    const total = had + sign * more + constant + carry + least;
    const out = Math.floor(total / PURSE_BASE);
    const digit = total - out * PURSE_BASE;
    const fits = isLast ? out === 0 : out - least >= 0 && out - least < CARRY_COUNT;
    if (!fits || (nothing && digit !== 0)) {
      return [];
    }
    return [[
      ...(before.length > 0 ? [had] : []), ...(amount.length > 0 ? [more] : []), ...(place > 0 ? [carry] : []), digit,
      ...(isLast ? [] : [out - least]),
    ]];
  });
}
