// The chits that are played in one's own turn (spec/spies.md, section 4): Discovery, Sanction, Drop, Escape, Recruit.

import {askToClaim, askToOpen} from '../../verifier/record/asks.mjs';
import {SPIES_DATA} from '../../game_data.mjs';
import {askForAnswer, playChit, spyCaptured, spyEscaped, spyKilled} from './answers.mjs';
import {ALL_CITIES, ALL_POWERS, cityNamed} from './map.mjs';
import {
  carriedBy, freePoliceIn, IN_DROP, isSameSeat, mayGuard, NOTHING_ON_IT, secretFrom, secretNameOf, secretsInCity, spiesInCity,
  spiesOf, spiesOnMap, spyCode, spyCoded, UNDER_POLICE,
} from './state.mjs';

const BY_POLICE = 'police';
const NO_COUSINS = SPIES_DATA.strengths.flatMap((_, face) => (face === SPIES_DATA.cousin ? [] : [face]));

function isHaven(city) {
  return SPIES_DATA.havens.includes(city);
}

/** The value of a secret; of a counterspy that is its strength. */
export function secretValue(face) {
  return face % 10;
}

// What each can be played on: the words behind its slot

/** The secrets that a spy may discover. */
function discoverable(state, spy) {
  const {power, city} = state.spies[spy];
  if (isHaven(city) || carriedBy(state, spy) !== null) {
    return [];
  }
  const land = state.territory[city];
  return secretsInCity(state, city).filter((secret) => {
    const lying = state.secrets[secret];
    const ownAtHome = lying.owner === power && lying.by === null && land === power;
    const friendAtHome = lying.owner !== null && lying.owner !== power && land === lying.owner
      && isSameSeat(state, lying.owner, power);
    return lying.on !== IN_DROP && lying.by !== power && !ownAtHome && !friendAtHome && !isFromFriend(state, power, lying);
  });
}

/** Whether another power of the same seat controls a secret, or was the last to take a foreign one. */
function isFromFriend(state, power, {taken, by, owner}) {
  if (taken === null || taken[0] === power) {
    return false;
  }
  const [taker, seat] = taken;
  return (by !== null && isSameSeat(state, by, power)) || (owner !== taker && seat === state.runs[power]);
}

/** The spies that a spy may sanction. */
function victimsOf(state, spy) {
  const {city, power} = state.spies[spy];
  return isHaven(city) ? [] : spiesInCity(state, city).filter((other) => !isSameSeat(state, state.spies[other].power, power));
}

/** Whether a spy controls a foreign secret that it may hide. */
function canDrop(state, spy) {
  const secret = carriedBy(state, spy);
  const {city, power} = state.spies[spy];
  return secret !== null && !isHaven(city) && state.secrets[secret].owner !== power;
}

function spiesWhere(state, power, ...places) {
  return spiesOf(power).filter((spy) => places.includes(state.spies[spy].where));
}

/** By chit: the words that name what it can be played on. */
export const CHIT_TARGETS = new Map([
  ['discovery', (state, power) => spiesOnMap(state, power).flatMap((spy) => (
    discoverable(state, spy).map((secret) => `${spyCode(spy)} ${secretNameOf(state, secret)}`)))],
  ['sanction', (state, power) => spiesOnMap(state, power).flatMap((spy) => (
    victimsOf(state, spy).map((victim) => `${spyCode(spy)} ${spyCode(victim)}`)))],
  ['drop', (state, power) => spiesOnMap(state, power).filter((spy) => canDrop(state, spy)).map(spyCode)],
  ['escape', (state, power) => spiesWhere(state, power, 'captured', 'box').flatMap((spy) => (
    SPIES_DATA.havens.map((haven) => `${spyCode(spy)} ${SPIES_DATA.cities[haven]}`)))],
  ['recruit', (state, power) => spiesWhere(state, power, 'killed').flatMap((spy) => (
    ALL_CITIES.filter((city) => state.territory[city] === power).map((city) => `${spyCode(spy)} ${SPIES_DATA.cities[city]}`)))],
]);

// Discovery

function* discover(act, slot, spy, city) {
  const secret = secretFrom(act.state, cityNamed(city));
  const {power} = act.state.spies[spy];
  const lying = act.state.secrets[secret];
  yield* playChit(act, power, 'discovery', slot);
  act.tell('discovers', power, {spy, secret});
  const keeper = lying.by ?? lying.owner;
  if (keeper !== null && keeper !== power) {
    const answer = yield* askForAnswer(act, keeper, power, ['cover', 'double-cross']);
    if (answer !== null && answer.stands) {
      act.tell('discovery fails', power, {spy, secret});
      return;
    }
  }
  const copy = yield* act.showSecret(secret, power);
  const kind = yield* act.chosen(power, new Set(['genuine', 'counterspy']));
  if (kind === null) {
    return;
  }
  let {face} = act.state.secrets[secret];
  if (kind === 'counterspy') {
    if (face === null && copy !== null) {
      face = yield askToOpen(copy);
    }
    if (!SPIES_DATA.counterspies.includes(face)) {
      throw act.breached(power, SPIES_DATA.falseSecretRule);
    }
    yield* meetCounterspy(act, spy, secret, face);
    return;
  }
  if (copy !== null) {
    yield askToClaim(act.state.runs[power], SPIES_DATA.falseSecretRule, [copy], SPIES_DATA.genuine);
  } else if (!SPIES_DATA.genuine.includes(face)) {
    throw act.breached(power, SPIES_DATA.falseSecretRule);
  }
  act.control(secret, power, spy);
  act.tell('controls', power, {spy, secret});
}

/** A counterspy leaves the game; the player says whether it captures the spy. */
function* meetCounterspy(act, spy, secret, face) {
  const {by, owner} = act.state.secrets[secret];
  const {power} = act.state.spies[spy];
  act.secret(secret, {where: 'removed', by: null, on: NOTHING_ON_IT, face});
  act.tell('counterspy', power, {secret, face, numbers: [secretValue(face)]});
  if (by === null && owner !== null) {
    return;
  }
  const answer = yield* act.chosen(power, new Set(['survives', 'captured']));
  if (answer === null) {
    return;
  }
  const strong = SPIES_DATA.strengths.flatMap((strength, spyFace) => (
    spyFace === SPIES_DATA.cousin || strength >= secretValue(face) ? [spyFace] : []));
  if (answer === 'survives') {
    const piece = act.state.spies[spy];
    if (piece.face === null) {
      yield askToClaim(act.state.runs[power], SPIES_DATA.falseSurvivalRule, [piece.slot], strong);
    } else if (!strong.includes(piece.face)) {
      throw act.breached(power, SPIES_DATA.falseSurvivalRule);
    }
    act.tell('survives', power, {spy});
    return;
  }
  if (strong.includes(yield* act.openSpy(spy))) {
    throw act.breached(power, SPIES_DATA.falseSurvivalRule);
  }
  yield* spyCaptured(act, spy, by);
}

// Sanction

function* sanction(act, slot, spy, code) {
  const victim = spyCoded(code);
  const [power, other] = [act.state.spies[spy].power, act.state.spies[victim].power];
  yield* playChit(act, power, 'sanction', slot);
  act.tell('sanctions', power, {spy, other: victim});
  const cousin = yield* saysCousin(act, victim);
  if (cousin && !(yield* saysCousin(act, spy))) {
    yield* spyKilled(act, spy, other);
    return;
  }
  const answer = yield* askForAnswer(act, other, power, ['cover', 'escape', 'double-cross']);
  if (answer === null || !answer.stands) {
    yield* killVictim(act, spy, victim);
  } else if (answer.name === 'escape') {
    spyEscaped(act, victim, answer.parts[0]);
  } else if (answer.name === 'cover') {
    act.tell('sanction fails', power, {spy});
  } else {
    yield* turnOnAssassin(act, spy, victim, cousin);
  }
}

/** Whether a spy is the cousin: its owner says so, and it is opened; or it proves that it is none. */
function* saysCousin(act, spy) {
  const {power} = act.state.spies[spy];
  const answer = yield* act.chosen(power, new Set(['cousin', 'not cousin']));
  const piece = act.state.spies[spy];
  if (answer === 'not cousin' && piece.face === null) {
    yield askToClaim(act.state.runs[power], SPIES_DATA.falseCousinRule, [piece.slot], NO_COUSINS);
    return false;
  }
  const isCousin = (yield* act.openSpy(spy)) === SPIES_DATA.cousin;
  if (answer !== null && (answer === 'cousin') !== isCousin) {
    throw act.breached(power, SPIES_DATA.falseCousinRule);
  }
  if (isCousin) {
    act.tell('is the cousin', power, {spy});
  }
  return isCousin;
}

/** A Double Cross turns the Sanction on the assassin, unless it is a cousin and the victim is none. */
function* turnOnAssassin(act, spy, victim, victimIsCousin) {
  const face = yield* act.openSpy(spy);
  if (face === SPIES_DATA.cousin && !victimIsCousin) {
    act.tell('is the cousin', act.state.spies[spy].power, {spy});
  } else {
    yield* spyKilled(act, spy, act.state.spies[victim].power);
  }
}

/** The victim is killed, and the assassin may take the secret that it controlled, unless that is from a friend. */
function* killVictim(act, spy, victim) {
  const {power} = act.state.spies[spy];
  const secret = carriedBy(act.state, victim);
  const before = act.state.secrets[secret];
  yield* spyKilled(act, victim, power);
  if (secret === null || carriedBy(act.state, spy) !== null || isFromFriend(act.state, power, before)) {
    return;
  }
  if ((yield* act.chosen(power, new Set(['seize', 'pass']))) === 'seize') {
    act.secret(secret, {lost: before.lost, away: before.away});
    act.control(secret, power, spy);
    act.tell('controls', power, {spy, secret});
    yield* act.showSecret(secret, power);
  }
}

// Drop, Escape, Recruit

/** The pieces of a power in a secret's city that could control it: spies by code, "police". */
export function freePieces(state, power, secret) {
  const {city} = state.secrets[secret];
  const spies = spiesOnMap(state, power).filter((spy) => state.spies[spy].city === city && carriedBy(state, spy) === null);
  const police = mayGuard(state, power, secret) && freePoliceIn(state, power, city) > 0;
  return [...spies.map(spyCode), ...(police ? [BY_POLICE] : [])];
}

/** The piece on a secret, by its name. */
export function pieceNamed(piece) {
  return piece === BY_POLICE ? UNDER_POLICE : spyCoded(piece);
}

function* drop(act, slot, spy) {
  const {power} = act.state.spies[spy];
  const secret = carriedBy(act.state, spy);
  yield* playChit(act, power, 'drop', slot);
  act.tell('drops', power, {spy, secret});
  for (let step = 1; step < ALL_POWERS.length; step += 1) {
    const other = (power + step) % ALL_POWERS.length;
    const pieces = isSameSeat(act.state, other, power) ? [] : freePieces(act.state, other, secret);
    const answer = pieces.length > 0 ? yield* askForAnswer(act, other, power, ['intercept'], pieces) : null;
    if (answer !== null && answer.stands) {
      act.control(secret, other, pieceNamed(answer.parts[0]));
      act.tell('intercepts', other, {secret});
      yield* act.showSecret(secret, other);
      return;
    }
    if (answer !== null) {
      break;
    }
  }
  act.control(secret, power, IN_DROP);
  act.tell('drop stands', power, {secret});
}

function* escapeFromPrison(act, slot, spy, haven) {
  const {power, captor} = act.state.spies[spy];
  yield* playChit(act, power, 'escape', slot);
  act.tell('tries to escape', power, {spy});
  const answer = captor === null ? null : yield* askForAnswer(act, captor, power, ['double-cross']);
  if (answer !== null && answer.stands) {
    act.tell('escape fails', power, {spy});
  } else {
    spyEscaped(act, spy, haven);
  }
}

function* recruit(act, slot, spy, city) {
  const {power} = act.state.spies[spy];
  yield* playChit(act, power, 'recruit', slot);
  act.spy(spy, {where: 'map', city: cityNamed(city), year: 0});
  act.tell('recruited', power, {spy, city: cityNamed(city)});
}

/** By chit: what follows when it is played; of an act, a slot, a spy, and one more name. */
export const CHIT_PLAYS = new Map([
  ['discovery', discover], ['sanction', sanction], ['drop', drop], ['escape', escapeFromPrison], ['recruit', recruit],
]);
