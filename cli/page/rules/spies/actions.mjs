// The actions of a turn of SPIES! (spec/spies.md, section 4): the choices of a power now, and the course of each.

import {askToRoll} from '../../verifier/record/asks.mjs';
import {SPIES_DATA} from '../../game_data.mjs';
import {isAffordable, searchSpy} from './answers.mjs';
import {CHIT_PLAYS, CHIT_TARGETS} from './chits.mjs';
import {ALL_PORTS, ALL_POWERS, cityNamed, linkedTo, POWER_NAMES, seasAt, voyageLength} from './map.mjs';
import {layPoliceAnew} from './police.mjs';
import {drawChits} from './purse.mjs';
import {
  carriedBy, freePoliceIn, isBoundByPact, isIdlePower, isSameSeat, mayGuard, NOTHING_ON_IT, POLICE_STAGE, policePowerIn,
  SEARCH_STAGE, secretFrom, secretNameOf, secretsInCity, spacesLeft, spiesInCity, spiesOnMap, SPY_STAGE, spyCode, spyCoded,
  UNDER_POLICE,
} from './state.mjs';
import {canPropose, mayTalk, tradeWith} from './trade.mjs';
import {finishTurn} from './turns.mjs';

const {cities: CITY_NAMES, seas: ALL_SEAS} = SPIES_DATA;
/** Points and spaces that must be left to land with. */
const TO_LAND = 1;

// The choices

/** All that the power to move may do now, by what everybody can see. */
function actionsOf(state) {
  const {power} = state;
  const searches = searchableCities(state, power).map((city) => `search ${CITY_NAMES[city]}`);
  if (isBoundByPact(state, power)) {
    return new Set([...searches, 'end']);
  }
  const police = state.stage < POLICE_STAGE ? ['police'] : [];
  const ways = spiesOnMap(state, power).flatMap((spy) => actionsOfSpy(state, spy));
  return new Set([...searches, ...police, ...ways, ...chitActions(state, power), ...talkActions(state, power), 'end']);
}

function searchableCities(state, power) {
  if (state.ap < 1 || state.stage > SEARCH_STAGE) {
    return [];
  }
  const cities = [...new Set(state.police[power].map((unit) => unit.city))];
  return cities.filter((city) => !state.searched.includes(city) && enemiesIn(state, power, city).length > 0);
}

/** The spies in a city that a power may search: those of other seats. */
function enemiesIn(state, power, city) {
  return spiesInCity(state, city).filter((spy) => !isSameSeat(state, state.spies[spy].power, power));
}

function actionsOfSpy(state, spy) {
  const code = spyCode(spy);
  const {city, power} = state.spies[spy];
  const links = state.ap < 1 || spacesLeft(state, spy) < 1 ? [] : linkedTo(city);
  const seas = canRoll(state, spy) ? seasAt(city) : [];
  return [
    ...links.map((other) => `move ${code} ${CITY_NAMES[other]}`),
    ...seas.map((sea) => `sail ${code} ${ALL_SEAS[sea].name}`),
    ...handlings(state, spy, code, power, city),
  ];
}

/** Whether a spy may put out or roll again: it may while it can still land. */
function canRoll(state, spy) {
  return state.ap >= 1 + TO_LAND && spacesLeft(state, spy) >= 1 + TO_LAND;
}

/** What a spy may do with secrets, without a chit. */
function handlings(state, spy, code, power, city) {
  const secret = carriedBy(state, spy);
  const may = state.handled < SPIES_DATA.mostHandled;
  if (secret === null) {
    const takeable = secretsInCity(state, city).filter((there) => {
      const {by, owner} = state.secrets[there];
      return by === power || (by === null && owner === power && state.territory[city] === power);
    });
    return may ? takeable.map((there) => `take ${code} ${secretNameOf(state, there)}`) : [];
  }
  const canLeave = may && mayGuard(state, power, secret);
  const canGive = canLeave && freePoliceIn(state, power, city) > 0;
  const canCash = city === SPIES_DATA.capitals[power] && state.secrets[secret].owner !== power;
  return [...(canGive ? [`give ${code}`] : []), ...(canLeave ? [`leave ${code}`] : []), ...(canCash ? [`cash ${code}`] : [])];
}

function chitActions(state, power) {
  return [...CHIT_TARGETS].filter(([name]) => isAffordable(state, power, name)).flatMap(([name, targets]) => {
    const parts = targets(state, power);
    return state.hands[power].flatMap((slot) => parts.map((part) => `${name} ${slot} ${part}`));
  });
}

function talkActions(state, power) {
  return ALL_POWERS.filter((other) => mayTalk(state, power, other)).flatMap((other) => {
    if (!state.talks.includes(other)) {
      return state.ap > 0 ? [`diplomacy ${POWER_NAMES[other]}`] : [];
    }
    const may = state.proposals < SPIES_DATA.mostProposals && canPropose(state, power, other);
    return may ? [`propose ${POWER_NAMES[other]}`] : [];
  });
}

// Their course

/** An action of the power to move. */
export function* actionStep(act) {
  const {power} = act.state;
  const answer = yield* act.chosen(power, actionsOf(act.state));
  if (answer === null || answer === 'end') {
    yield* finishTurn(act);
    return;
  }
  const [word, ...parts] = answer.split(' ');
  if (word === 'propose') {
    yield* tradeWith(act, power, POWER_NAMES.indexOf(parts[0]));
  } else if (word === 'diplomacy') {
    const other = POWER_NAMES.indexOf(parts[0]);
    act.points(power, 1);
    act.change({talks: [...act.state.talks, other]});
    act.tell('diplomacy', power, {other});
  } else {
    act.change({talks: []});
    yield* quietAction(act, power, word, parts);
  }
}

function* quietAction(act, power, word, parts) {
  if (word === 'police') {
    yield* layPoliceAnew(act, power);
  } else if (word === 'search') {
    yield* searchCity(act, power, cityNamed(parts[0]));
  } else {
    act.change({stage: SPY_STAGE});
    if (CHIT_PLAYS.has(word)) {
      const [slot, code, ...more] = parts;
      yield* CHIT_PLAYS.get(word)(act, Number(slot), spyCoded(code), ...more);
    } else {
      yield* SPY_ACTIONS.get(word)(act, spyCoded(parts[0]), parts[1]);
    }
  }
}

/** The spies in a city one by one, as the searcher names them, until it has enough. */
function* searchCity(act, power, city) {
  act.points(power, 1);
  act.change({stage: SEARCH_STAGE, searched: [...act.state.searched, city]});
  const done = new Set();
  for (;;) {
    const left = enemiesIn(act.state, power, city).filter((spy) => !done.has(spy));
    if (left.length === 0) {
      return;
    }
    const answer = yield* act.chosen(power, new Set([...left.map(spyCode), ...(done.size > 0 ? ['end'] : [])]));
    if (answer === null || answer === 'end') {
      return;
    }
    done.add(spyCoded(answer));
    yield* searchSpy(act, power, spyCoded(answer));
  }
}

function* moveSpy(act, spy, city) {
  spendSpaces(act, spy, 1);
  yield* arrive(act, spy, cityNamed(city));
}

/** A spy puts out to sea, rolls, and lands or stays. */
function* sailSpy(act, spy, name) {
  const sea = ALL_SEAS.findIndex((candidate) => candidate.name === name);
  const {power} = act.state.spies[spy];
  const numbers = [];
  let [answer, reach] = ['again', new Map()];
  while (answer === 'again') {
    spendSpaces(act, spy, 1);
    numbers.push(SPIES_DATA.die[yield askToRoll(SPIES_DATA.die.length)]);
    reach = landingsOf(act.state, spy, sea, numbers.at(-1));
    const options = [...[...reach.keys()].map((port) => `land ${CITY_NAMES[port]}`), 'stay'];
    answer = yield* act.chosen(power, new Set(canRoll(act.state, spy) ? [...options, 'again'] : options));
  }
  act.tell('sails', power, {spy, word: name, numbers});
  if (answer === null || answer === 'stay') {
    act.tell('stays', power, {spy});
    return;
  }
  const port = cityNamed(answer.slice('land '.length));
  spendSpaces(act, spy, reach.get(port));
  yield* arrive(act, spy, port);
}

/** By port that a spy at sea may reach: the points and spaces that it takes. */
function landingsOf(state, spy, sea, rolled) {
  const left = Math.min(state.ap, spacesLeft(state, spy), rolled - 1);
  const ports = ALL_PORTS.filter((port) => port !== state.spies[spy].city);
  return new Map(ports.map((port) => [port, voyageLength(sea, port) - 1]).filter(([, cost]) => cost <= left));
}

/** A spy uses points and spaces; the spy that moved before it has finished. */
function spendSpaces(act, spy, spaces) {
  const {mover, finished} = act.state;
  if (spy !== mover) {
    act.change({mover: spy, spent: 0, finished: mover < 0 ? finished : [...finished, mover]});
  }
  act.change({ap: act.state.ap - spaces, spent: act.state.spent + spaces});
}

/** A spy comes to a city with what it carries; police there may search it. */
function* arrive(act, spy, city) {
  const {power} = act.state.spies[spy];
  const secret = carriedBy(act.state, spy);
  if (secret !== null) {
    const {owner, away} = act.state.secrets[secret];
    if (owner === power && !away) {
      act.release(secret);
    } else {
      act.carry(secret, city);
    }
  }
  act.spy(spy, {city});
  act.tell('moves', power, {spy, city});
  const there = policePowerIn(act.state, city);
  if (there === null || isSameSeat(act.state, there, power) || isIdlePower(act.state, there)) {
    return;
  }
  if ((yield* act.chosen(there, new Set(['search', 'pass']))) === 'search') {
    yield* searchSpy(act, there, spy);
  }
}

function* takeSecret(act, spy, city) {
  const {power} = act.state.spies[spy];
  const secret = secretFrom(act.state, cityNamed(city));
  act.change({handled: act.state.handled + 1});
  act.control(secret, power, spy);
  act.tell('takes', power, {spy, secret});
}

function* giveSecret(act, spy) {
  const {power} = act.state.spies[spy];
  const secret = carriedBy(act.state, spy);
  act.change({handled: act.state.handled + 1});
  act.control(secret, power, UNDER_POLICE);
  act.tell('gives', power, {spy, secret});
}

function* leaveSecret(act, spy) {
  const secret = carriedBy(act.state, spy);
  act.change({handled: act.state.handled + 1});
  act.release(secret);
  act.tell('leaves', act.state.spies[spy].power, {spy, secret});
}

/** A foreign secret goes on the record. */
function* cashSecret(act, spy) {
  const {power} = act.state.spies[spy];
  const secret = carriedBy(act.state, spy);
  act.secret(secret, {where: 'cashed', by: power, on: NOTHING_ON_IT});
  act.tell('cashes', power, {spy, secret});
  act.gain(power, SPIES_DATA.cash);
  yield* drawChits(act, power, 1, undefined, 'secret');
}

const SPY_ACTIONS = new Map([
  ['move', moveSpy], ['sail', sailSpy], ['take', takeSecret], ['give', giveSecret], ['leave', leaveSecret],
  ['cash', cashSecret],
]);
