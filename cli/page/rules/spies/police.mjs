// Police of SPIES!: where they stand and what they guard, at the start and laid anew in a turn.

import {askToCommit, askToMix} from '../../verifier/record/asks.mjs';
import {SPIES_DATA} from '../../game_data.mjs';
import {withAt} from '../acts.mjs';
import {ALL_CITIES, cityNamed} from './map.mjs';
import {slotsFrom} from './purse.mjs';
import {policeIn, POLICE_STAGE, UNDER_POLICE} from './state.mjs';

const ALL_SIGNED = SPIES_DATA.signed.flat();

/** Where each unit stands by a laying, such as "lay 21001010 prague"; null if it is none. */
function citiesOfLaying(state, power, move) {
  const signed = SPIES_DATA.signed[power];
  const [, digits, unsigned] = /^lay ([0-9]+)(?: ([a-z]+))?$/.exec(move) ?? [];
  if (digits?.length !== signed.length || [...digits].some((digit) => Number(digit) > SPIES_DATA.aCity)) {
    return null;
  }
  const others = ALL_CITIES.filter((city) => state.territory[city] === power && !ALL_SIGNED.includes(city));
  const behind = unsigned === undefined ? [] : [cityNamed(unsigned)];
  const cities = [...signed.flatMap((city, at) => Array(Number(digits[at])).fill(city)), ...behind];
  const fits = cities.length === state.police[power].length && behind.every((city) => others.includes(city));
  return fits ? cities : null;
}

/** Every way to spread a power's police: two in a city with a sign, one in all in its other cities. */
function layingsOf(state, power) {
  return {has: (move) => citiesOfLaying(state, power, move) !== null};
}

function isGuarded({by, on}, power) {
  return by === power && on === UNDER_POLICE;
}

/** The secrets that police of a power, as they stand, may stand on. */
function secretsToGuard(state, power) {
  return state.secrets.flatMap((lying, secret) => {
    const free = isGuarded(lying, power) || (lying.owner === power && lying.by === null);
    return lying.where === 'map' && free && policeIn(state, power, lying.city).length > 0 ? [secret] : [];
  });
}

/** Every set of secrets that the police may stand on: of the units in a city each on one. */
function standingsOf(state, power) {
  let sets = [[]];
  for (const secret of secretsToGuard(state, power)) {
    const {city} = state.secrets[secret];
    const room = policeIn(state, power, city).length;
    const fits = (chosen) => chosen.filter((other) => state.secrets[other].city === city).length < room;
    sets = [...sets, ...sets.filter(fits).map((chosen) => [...chosen, secret])];
  }
  return new Set(sets.map((chosen) => ['stand', ...chosen].join(' ')));
}

/** The power whose step it is lays its police for the first time. */
export function* layFirstPolice(act) {
  const {power, runs} = act.state;
  const strengths = SPIES_DATA.powers[power].police;
  const slots = newPolice(act, strengths.length);
  yield askToCommit(runs[power], slots, [...strengths].sort((strength, other) => strength - other), true);
  yield* spreadPolice(act, power, slots, Array(SPIES_DATA.aCity).fill(SPIES_DATA.signed[power]).flat());
}

/** All police of a power are mixed and laid anew. */
export function* layPoliceAnew(act, power) {
  const old = act.state.police[power];
  const slots = newPolice(act, old.length);
  yield askToMix(act.state.runs[power], old.map((unit) => unit.slot), slots, SPIES_DATA.wrongPoliceRule, true);
  act.change({stage: POLICE_STAGE});
  yield* spreadPolice(act, power, slots, old.map((unit) => unit.city));
  act.tell('police', power);
}

function newPolice(act, count) {
  const first = act.state.nextPolice;
  act.change({nextPolice: first + count});
  return slotsFrom(first, count);
}

function standPolice(act, power, slots, cities) {
  const units = slots.map((slot, at) => ({slot, city: cities[at], face: null}));
  act.change({police: withAt(act.state.police, power, units)});
}

/** The cities, and the secrets stood on; `otherwise`: where the units stand if the player has left. */
function* spreadPolice(act, power, slots, otherwise) {
  standPolice(act, power, slots, otherwise);
  const answer = yield* act.chosen(power, layingsOf(act.state, power));
  if (answer !== null) {
    standPolice(act, power, slots, citiesOfLaying(act.state, power, answer));
  }
  const before = act.state.secrets.flatMap((lying, secret) => (isGuarded(lying, power) ? [secret] : []));
  const options = standingsOf(act.state, power);
  const standing = options.size > 1 ? yield* act.chosen(power, options) : 'stand';
  const after = (standing ?? 'stand').split(' ').slice(1).map(Number);
  before.filter((secret) => !after.includes(secret)).forEach((secret) => act.release(secret));
  after.filter((secret) => !before.includes(secret)).forEach((secret) => act.control(secret, power, UNDER_POLICE));
}
