// The public state of SPIES! between two steps: the counterpart of p2p_stratego/spies/rules/state.py.  States are frozen
// values that share their parts.  A spy is power × 5 + 0 to 4, a secret its slot; lists are by spy, secret, power, city.

import {SPIES_DATA} from '../../game_data.mjs';
import {ALL_POWERS, GERMANY, RUSSIA} from './map.mjs';

/** What stands on a secret, if no spy does. */
export const NOTHING_ON_IT = -1;
export const UNDER_POLICE = -2;
export const IN_DROP = -3;
export const NO_CITY = -1;
/** How far a turn is: the tile was the last thing; police were laid; searches began; spies acted. */
export const TILE_STAGE = 0;
export const POLICE_STAGE = 1;
export const SEARCH_STAGE = 2;
export const SPY_STAGE = 3;
export const SPIES_EACH = SPIES_DATA.strengths.length;

/** The spies of a power, in the order of placing. */
export function spiesOf(power) {
  return Array.from({length: SPIES_EACH}, (_, number) => power * SPIES_EACH + number);
}

/** The name of a piece: "ge1". */
export function spyCode(spy) {
  return `${SPIES_DATA.powers[Math.floor(spy / SPIES_EACH)].code}${(spy % SPIES_EACH) + 1}`;
}

const SPIES_BY_CODE = new Map(ALL_POWERS.flatMap(spiesOf).map((spy) => [spyCode(spy), spy]));

export function spyCoded(code) {
  return SPIES_BY_CODE.get(code);
}

/** The powers of each seat, for good. */
export function powersBySeat({seats, allocation}) {
  return SPIES_DATA.seats.find(([players, name]) => players === seats && name === allocation)[2];
}

export function isSameSeat({runs}, power, other) {
  return runs[power] === runs[other];
}

/** Whether a power does nothing: its player has left, or nobody runs it. */
export function isIdlePower({runs, gone}, power) {
  return runs[power] === null || gone.includes(runs[power]);
}

/** Whether a power changes hands, and so counts for no seat. */
export function isBorrowed({seats, allocation}, power) {
  return power === RUSSIA && (seats === 2 || allocation === 'bid');
}

/** Whether a power is russia behind its pact, run by another seat than germany. */
export function isBoundByPact(state, power) {
  return power === RUSSIA && state.pact && !isSameSeat(state, RUSSIA, GERMANY);
}

/** The spies of a power on the map. */
export function spiesOnMap({spies}, power) {
  return spiesOf(power).filter((spy) => spies[spy].where === 'map');
}

/** All spies in a city. */
export function spiesInCity({spies}, city) {
  return spies.flatMap((piece, spy) => (piece.city === city && piece.where === 'map' ? [spy] : []));
}

/** All secrets in a city. */
export function secretsInCity({secrets}, city) {
  return secrets.flatMap((lying, secret) => (lying.city === city && lying.where === 'map' ? [secret] : []));
}

/** The secret that a spy controls, or null. */
export function carriedBy({secrets}, spy) {
  const secret = secrets.findIndex((lying) => lying.on === spy);
  return secret < 0 ? null : secret;
}

/** The police of a power in a city. */
export function policeIn({police}, power, city) {
  return police[power].filter((unit) => unit.city === city);
}

/** How many police of a power in a city have nothing to stand on. */
export function freePoliceIn(state, power, city) {
  const busy = state.secrets.filter((lying) => lying.on === UNDER_POLICE && lying.by === power && lying.city === city);
  return policeIn(state, power, city).length - busy.length;
}

/** The power whose police stand in a city, or null. */
export function policePowerIn(state, city) {
  const power = state.territory[city];
  return power !== null && policeIn(state, power, city).length > 0 ? power : null;
}

/** How far a spy may still move in this turn of its power. */
export function spacesLeft({finished, mover, spent}, spy) {
  if (finished.includes(spy)) {
    return 0;
  }
  return spy === mover ? SPIES_DATA.spaces - spent : SPIES_DATA.spaces;
}

/** The secret that began in a city. */
export function secretFrom({secrets}, city) {
  return secrets.findIndex((lying) => lying.origin === city);
}

/** A secret is called by the city where it began. */
export function secretNameOf({secrets}, secret) {
  return SPIES_DATA.cities[secrets[secret].origin];
}

/** Whether police of a power may be given a secret where it is: its own original only where it began. */
export function mayGuard({secrets}, power, secret) {
  const {owner, city, origin} = secrets[secret];
  return owner !== power || city === origin;
}

/** The state before the set-up. */
export function spiesOpening(seats, options) {
  const {powers, seats: tables, neutral, slots, random, coloured, years, actionPoints} = SPIES_DATA;
  const allocation = options.get('allocation');
  const perPower = () => powers.map(() => []);
  const money = powers.map((power) => power.money);
  const [, , bySeat] = tables.find(([players, name]) => players === seats && name === allocation);
  const runs = ALL_POWERS.map((power) => {
    const seat = bySeat.findIndex((own) => own.includes(power));
    return seat < 0 ? null : seat;
  });
  if (seats === 2 && allocation === 'standard') {
    runs[RUSSIA] = 0;
  }
  const dealt = powers.reduce((sum, power) => sum + power.secrets, 0);
  return {
    seats, allocation, alliances: options.get('alliances') === 'yes', handicap: options.get('handicap'),
    secret: options.get('purse') === 'secret', talk: options.get('talk'), answer: options.get('answer'),
    phase: 'secrets', year: years[0], power: 0, runs, gone: [], territory: SPIES_DATA.territory,
    spies: ALL_POWERS.flatMap((power) => spiesOf(power).map((_, number) => reserveSpy(slots.spies + 8 * power + number, power))),
    secrets: Array.from({length: dealt + neutral.length}, (_, slot) => secretAtStart(slot, neutral[slot - dealt])),
    police: perPower(), hands: perPower(),
    tiles: ALL_POWERS.map((power) => (
      Array.from({length: random + coloured}, (_, number) => slots.tiles + 16 * power + number))),
    money, least: money, purses: perPower(), cup: SPIES_DATA.chits.reduce((sum, chit) => sum + chit.copies, 0), stirred: true,
    played: [], markers: [], pact: false, crisis: false, ap: actionPoints, stage: TILE_STAGE, searched: [], mover: -1,
    spent: 0, finished: [], talks: [], proposals: 0, handled: 0, nextPolice: slots.police, nextChit: slots.chits,
    nextCopy: slots.copies, nextPurse: slots.purses, points: [], scores: [], report: [], ended: null,
  };
}

function reserveSpy(slot, power) {
  return {slot, power, where: 'reserve', city: NO_CITY, captor: null, year: 0, face: null, seen: []};
}

/** `neutral`: the city of a neutral secret. */
function secretAtStart(slot, neutral = NO_CITY) {
  return {
    slot, owner: null, where: neutral === NO_CITY ? 'reserve' : 'map', origin: neutral, city: neutral, by: null,
    on: NOTHING_ON_IT, taken: null, lost: 0, away: false, face: null, holder: null, seen: [],
  };
}
