// Chits that are played and the answers to them, searches, captures and killed spies of SPIES! (spec/spies.md, section 4).

import {askToClaimOneOf, askToOpen, askToShowCards} from '../../verifier/record/asks.mjs';
import {SPIES_DATA} from '../../game_data.mjs';
import {cityNamed} from './map.mjs';
import {chitsBack, drawChits, payPounds, takeOutChit} from './purse.mjs';
import {isBorrowed, isBoundByPact, isIdlePower, policeIn} from './state.mjs';

const SPY_FACES = SPIES_DATA.strengths.map((_, face) => face);
const CHITS_BY_NAME = new Map(SPIES_DATA.chits.map((chit) => [chit.name, chit]));

/** Whether a power can pay for a chit, by what everybody can see. */
export function isAffordable(state, power, name) {
  const chit = CHITS_BY_NAME.get(name);
  if (power === state.power && state.ap < chit.points) {
    return false;
  }
  return state.hands[power].length > 0 && (state.secret || state.money[power] >= chit.pounds);
}

/** A chit is opened, paid, and goes back into the cup. */
export function* playChit(act, power, name, slot) {
  const chit = CHITS_BY_NAME.get(name);
  const face = SPIES_DATA.chits.indexOf(chit);
  if ((yield askToOpen(slot)) !== face) {
    throw act.breached(power, SPIES_DATA.wrongChitRule);
  }
  yield* payPounds(act, power, chit.pounds);
  act.points(power, chit.points);
  takeOutChit(act, power, slot);
  yield* chitsBack(act, [slot]);
  act.tell('plays', power, {face});
}

/** A pass, and every chit that `power` could play; `pieces`: those that an Intercept can name. */
function answerOptions(state, power, names, pieces) {
  const partsOf = (name) => {
    if (name === 'escape') {
      return SPIES_DATA.havens.map((haven) => ` ${SPIES_DATA.cities[haven]}`);
    }
    return name === 'intercept' ? pieces.map((piece) => ` ${piece}`) : [''];
  };
  const played = names.filter((name) => isAffordable(state, power, name)).flatMap((name) => (
    state.hands[power].flatMap((slot) => partsOf(name).map((part) => `${name} ${slot}${part}`))));
  return new Set(['pass', ...played]);
}

/**
 * A power is asked for an answer, and the other of the two for one to that, until one passes: `{name, parts, stands}`,
 * null if it passes or cannot answer.  `against`: null if nobody can answer to it.
 */
export function* askForAnswer(act, power, against, names, pieces = []) {
  const first = yield* playedInAnswer(act, power, names, pieces);
  if (first === null) {
    return null;
  }
  let [onIt, next, other] = [0, against, power];
  while (next !== null && (yield* playedInAnswer(act, next, ['double-cross'])) !== null) {
    onIt += 1;
    [next, other] = [other, next];
  }
  return {...first, stands: onIt % 2 === 0};
}

function* playedInAnswer(act, power, names, pieces = []) {
  const {state} = act;
  if (state.hands[power].length === 0 || isIdlePower(state, power) || isBoundByPact(state, power)) {
    return null;
  }
  const options = answerOptions(state, power, names, pieces);
  const answer = options.size === 1 ? null : yield* act.chosen(power, options);
  if (answer === null || answer === 'pass') {
    return null;
  }
  const [name, slot, ...parts] = answer.split(' ');
  yield* playChit(act, power, name, Number(slot));
  return {name, parts};
}

/** The police of `power` search one spy in its city. */
export function* searchSpy(act, power, spy) {
  const piece = act.state.spies[spy];
  act.tell('searches', power, {spy, city: piece.city});
  const answer = yield* askForAnswer(act, piece.power, power, ['papers', 'escape']);
  if (answer !== null && answer.stands) {
    if (answer.name === 'escape') {
      spyEscaped(act, spy, answer.parts[0]);
    }
  } else if (yield* isCaught(act, power, spy)) {
    yield* spyCaptured(act, spy, power);
  } else {
    act.tell('too strong', power, {spy});
  }
}

/** A spy gets away to a haven. */
export function spyEscaped(act, spy, haven) {
  act.toHaven(spy, cityNamed(haven));
  act.tell('escapes', -1, {spy, city: cityNamed(haven)});
}

/** Both sides see what the other has; then the searcher says, and proves, whether its police win. */
function* isCaught(act, power, spy) {
  const piece = act.state.spies[spy];
  const units = policeIn(act.state, power, piece.city).map((unit) => unit.slot);
  const copy = yield* act.showSpy(spy, power);
  const [seat, other] = [act.state.runs[power], act.state.runs[piece.power]];
  if (!act.state.gone.includes(other)) {
    yield askToShowCards(units, other, act.copies(units.length));
  }
  const answer = yield* act.chosen(power, new Set(['captured', 'free']));
  if (answer === null) {
    return false;
  }
  const known = act.state.spies[spy].face;
  const strengths = [...new Set(SPIES_DATA.powers[power].police)].sort((strength, other) => strength - other);
  const lines = units.reduce((begun) => begun.flatMap((line) => strengths.map((strength) => [...line, strength])), [[]]);
  const tuples = lines.flatMap((line) => {
    const sum = line.reduce((all, strength) => all + strength, 0);
    const fitting = (known === null ? SPY_FACES : [known]).filter((face) => (
      sum > SPIES_DATA.strengths[face]) === (answer === 'captured'));
    return fitting.map((face) => (known === null ? [...line, face] : line));
  });
  if (tuples.length === 0) {
    throw act.breached(power, SPIES_DATA.falseComparisonRule);
  }
  const slots = copy === null ? units : [...units, copy];
  yield askToClaimOneOf(seat, SPIES_DATA.falseComparisonRule, slots, tuples);
  return answer === 'captured';
}

/** A spy is opened and goes on the captor's record, with a reward; without a captor it goes into the box. */
export function* spyCaptured(act, spy, captor) {
  const face = yield* act.openSpy(spy);
  act.offMap(spy, captor === null ? 'box' : 'captured', captor);
  act.tell('captured', captor ?? -1, {spy, face});
  if (captor !== null && !isBorrowed(act.state, act.state.spies[spy].power)) {
    act.gain(captor, SPIES_DATA.reward);
    yield* drawChits(act, captor, 1, undefined, 'capture');
  }
}

/** A spy is opened and out, a cousin for good. */
export function* spyKilled(act, spy, killer) {
  const face = yield* act.openSpy(spy);
  act.offMap(spy, face === SPIES_DATA.cousin ? 'lost' : 'killed');
  if (!isBorrowed(act.state, act.state.spies[spy].power)) {
    act.change({markers: [...act.state.markers, {power: killer, year: act.state.year, victim: spy}]});
  }
  act.tell('killed', killer, {spy, face});
}
