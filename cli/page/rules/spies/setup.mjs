// The set-up of SPIES! (spec/spies.md, section 3): decks, and what the powers lay one after the other.

import {
  askForDeck, askToCommit, askToDraw, askToLay, askToShuffle,
} from '../../verifier/record/asks.mjs';
import {SPIES_DATA} from '../../game_data.mjs';
import {SpiesAct} from './act.mjs';
import {ALL_CITIES, ALL_POWERS, BRITAIN, cityNamed, RUSSIA} from './map.mjs';
import {layFirstPolice} from './police.mjs';
import {newChits, slotsFrom} from './purse.mjs';
import {mixTiles} from './russia.mjs';
import {isIdlePower, spiesOf, spiesOnMap, spiesOpening} from './state.mjs';
import {beginTurn} from './turns.mjs';

const LESSON = 'lesson';
const ALL_CHITS = SPIES_DATA.chits.flatMap(({copies}, chit) => Array(copies).fill(chit));

/** All cards of a deck, `first` on its top. */
function stacked(first, all) {
  const left = [...all];
  first.forEach((face) => left.splice(left.indexOf(face), 1));
  return [...first, ...left];
}

/** The decks are laid, secrets and tiles are dealt. */
export function* setUpSpies(options, seats) {
  const {decks, inOrder: [firstSecrets, firstChits], randomTiles, random, coloured} = SPIES_DATA;
  const act = new SpiesAct(spiesOpening(seats, options));
  const known = act.state.allocation === LESSON;
  const dealt = (power, deck, slots) => {
    const seat = act.state.runs[power];
    return seat === null ? askToLay(deck, slots) : askToDraw(deck, [[seat, slots]]);
  };
  yield* newDeck(decks.secrets, SPIES_DATA.secrets, known ? firstSecrets : null);
  let next = 0;
  for (const power of ALL_POWERS) {
    const slots = slotsFrom(next, SPIES_DATA.powers[power].secrets);
    next += slots.length;
    yield dealt(power, decks.secrets, slots);
    slots.forEach((slot) => act.secret(slot, {owner: power, holder: act.state.runs[power]}));
  }
  yield askToLay(decks.secrets, slotsFrom(next, act.state.secrets.length - next));
  yield* newDeck(decks.tiles, randomTiles, known ? [] : null);
  for (const power of ALL_POWERS) {
    yield dealt(power, decks.tiles, act.state.tiles[power].slice(0, random));
  }
  yield askForDeck(decks.colours, slotsFrom(1, coloured * ALL_POWERS.length));
  for (const power of ALL_POWERS) {
    yield dealt(power, decks.colours, act.state.tiles[power].slice(random));
  }
  for (const power of ALL_POWERS.filter((candidate) => act.state.runs[candidate] !== null)) {
    yield* mixTiles(act, power);
  }
  yield askForDeck(decks.cup, known ? stacked(firstChits, ALL_CHITS) : ALL_CHITS);
  return Object.freeze(act.state);
}

/** A deck, shuffled, or with the cards `first` on its top. */
function* newDeck(deck, faces, first) {
  yield askForDeck(deck, stacked(first ?? [], faces));
  if (first === null) {
    yield askToShuffle(deck);
  }
}

/** A power lays its secrets one by one; behind it comes the next power, or the police. */
export function* laySecrets(act) {
  const {power, runs, allocation} = act.state;
  for (const secret of act.state.secrets.keys()) {
    if (act.state.secrets[secret].owner === power) {
      const cities = citiesForSecrets(act.state, power);
      const answer = runs[power] === null ? null : yield* act.chosen(power, new Set(cities.map(placeNamed)));
      const city = answer === null ? cities[0] : cityNamed(answer.slice('at '.length));
      act.secret(secret, {where: 'map', origin: city, city});
    }
  }
  act.tell('secrets', power);
  if (power === BRITAIN) {
    act.change({phase: 'police', power: 0});
  } else {
    const bids = power + 1 === RUSSIA && runs[RUSSIA] === null && allocation === 'bid';
    act.change({power: power + 1, phase: bids ? 'bid' : 'secrets'});
  }
}

function placeNamed(city) {
  return `at ${SPIES_DATA.cities[city]}`;
}

/** A power's cities without a secret of its own, as the map was at the start. */
function citiesForSecrets({secrets}, power) {
  const taken = secrets.filter((lying) => lying.owner === power).map((lying) => lying.origin);
  return ALL_CITIES.filter((city) => SPIES_DATA.territory[city] === power && !taken.includes(city));
}

/** A power lays its police; behind the last one all draw their chits. */
export function* layPolice(act) {
  const {power, runs} = act.state;
  if (runs[power] !== null) {
    yield* layFirstPolice(act);
    act.tell('police', power);
  }
  if (power < BRITAIN) {
    act.change({power: power + 1});
    return;
  }
  if (act.state.allocation !== LESSON) {
    yield askToShuffle(SPIES_DATA.decks.cup);
  }
  act.change({stirred: false});
  const hands = ALL_POWERS.filter((member) => !isIdlePower(act.state, member)).map((member) => (
    [act.state.runs[member], newChits(act, member, SPIES_DATA.powers[member].chits)]));
  yield askToDraw(SPIES_DATA.decks.cup, hands);
  act.change({phase: act.state.talk > 0 ? 'talk' : 'spies', power: 0});
}

/** A power lays its spies; behind the last one the first turn begins. */
export function* laySpies(act) {
  const {power, runs} = act.state;
  if (runs[power] === null) {
    spiesOf(power).forEach((spy) => act.spy(spy, {where: 'lost'}));
  } else {
    yield* layOwnSpies(act, power);
  }
  if (power < BRITAIN) {
    act.change({power: power + 1});
  } else {
    yield* beginTurn(act, 0);
  }
}

/** The names in secret, then a city for each, until four are abroad. */
function* layOwnSpies(act, power) {
  const spies = spiesOf(power);
  const faces = SPIES_DATA.strengths.map((_, face) => face);
  yield askToCommit(act.state.runs[power], spies.map((spy) => act.state.spies[spy].slot), faces, true);
  for (const spy of spies) {
    const isHome = (city) => SPIES_DATA.territory[city] === power;
    const abroad = spiesOnMap(act.state, power).filter((other) => !isHome(act.state.spies[other].city)).length;
    const cities = ALL_CITIES.filter((city) => isHome(city) || abroad < SPIES_DATA.abroad);
    const answer = yield* act.chosen(power, new Set(cities.map(placeNamed)));
    act.spy(spy, answer === null ? {where: 'lost'} : {where: 'map', city: cityNamed(answer.slice('at '.length))});
  }
  act.tell('spies', power);
}
