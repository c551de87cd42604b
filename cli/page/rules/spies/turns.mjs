// Turns and years of SPIES! (spec/spies.md, sections 4, 6, 8 and 11): the tile, whose step is next, talk, and the end.

import {askTogether, askToChoose, askToClaim, askToOpen, gameOver} from '../../verifier/record/asks.mjs';
import {SPIES_DATA} from '../../game_data.mjs';
import {withAt} from '../acts.mjs';
import {secretValue} from './chits.mjs';
import {ALL_POWERS, BRITAIN, FRANCE, GERMANY, ITALY, RUSSIA} from './map.mjs';
import {drawChits, PURSE_BASE} from './purse.mjs';
import {bidForRussia, handOverRussia} from './russia.mjs';
import {isBorrowed, isBoundByPact, isIdlePower, powersBySeat, spiesOnMap, TILE_STAGE} from './state.mjs';

const [FIRST_YEAR, LAST_YEAR] = SPIES_DATA.years;
const [CRISIS_TILE, CRISIS_YEAR] = SPIES_DATA.crisis;
const ALL_TILES = SPIES_DATA.tiles.map((_, at) => at + 1);

/** The tiles that can be played or discarded in a year. */
function fittingTiles(year) {
  return ALL_TILES.filter((face) => {
    const [from, to] = SPIES_DATA.tiles[face - 1].years;
    return from <= year && year <= to;
  });
}

// The tile

/** The first step of a turn: a tile is played with its awards, or discarded, or none fits. */
export function* tileStep(act) {
  const {power, year, tiles, runs} = act.state;
  act.change({phase: 'turn', stage: TILE_STAGE});
  const words = tiles[power].flatMap((slot) => [`tile ${slot}`, `discard ${slot}`]);
  const answer = yield* act.chosen(power, new Set([...words, 'no tile']));
  if (answer === null) {
    return;
  }
  const fitting = fittingTiles(year);
  if (answer === 'no tile') {
    if (tiles[power].length > 0) {
      const others = ALL_TILES.filter((face) => !fitting.includes(face));
      yield askToClaim(runs[power], SPIES_DATA.falseNoTileRule, tiles[power], others);
    }
    act.tell('no tile', power);
    return;
  }
  const [word, name] = answer.split(' ');
  const slot = Number(name);
  const left = withAt(tiles, power, tiles[power].filter((held) => held !== slot));
  if (word === 'discard') {
    yield askToClaim(runs[power], SPIES_DATA.falseDiscardRule, [slot], fitting);
    act.change({tiles: left});
    act.tell('discards', power);
    return;
  }
  const face = yield askToOpen(slot);
  if (!fitting.includes(face)) {
    throw act.breached(power, SPIES_DATA.wrongYearRule);
  }
  act.change({tiles: left});
  act.points(power, 1);
  act.change({played: [...act.state.played, {tile: face, power, year}]});
  act.tell('plays tile', power, {face});
  tileEffect(act, power, face);
  for (const award of SPIES_DATA.tiles[face - 1].awards) {
    yield* awardAll(act, award);
  }
}

/** The effect of a tile before its awards. */
function tileEffect(act, power, face) {
  const annexed = SPIES_DATA.annexed.find(([tile]) => tile === face);
  if (annexed !== undefined) {
    const [, city, owner] = annexed;
    act.change({territory: withAt(act.state.territory, city, owner)});
  } else if (face === CRISIS_TILE && act.state.year === CRISIS_YEAR) {
    act.change({crisis: true});
  } else if (face === SPIES_DATA.pact && power === RUSSIA && act.state.allocation === 'bid') {
    act.change({pact: true});
  }
}

/** The gain of each power with a spy in a city, unless the city is its own. */
function* awardAll(act, [city, chits, pounds]) {
  for (const power of ALL_POWERS) {
    const isThere = spiesOnMap(act.state, power).some((spy) => act.state.spies[spy].city === city);
    if (act.state.territory[city] !== power && isThere) {
      if (pounds > 0) {
        act.gain(power, pounds);
        act.tell('gains', power, {city, numbers: [pounds]});
      } else {
        yield* drawChits(act, power, chits, city);
      }
    }
  }
}

// Whose step is next

/** The turn of `power` begins, or of the next one whose player is there; throws at the end of the game. */
export function* beginTurn(act, first) {
  for (let power = first; ; power = (power + 1) % ALL_POWERS.length) {
    freshTurn(act, power);
    const {allocation, year} = act.state;
    const isIdle = isIdlePower(act.state, power);
    if (power === RUSSIA && allocation === 'bid' && year > FIRST_YEAR && !isIdle) {
      act.change({phase: 'bid'});
      return;
    }
    if (!isIdle) {
      act.change({phase: isBoundByPact(act.state, power) ? 'turn' : 'tile'});
      return;
    }
    if (power === BRITAIN && (yield* beginYear(act))) {
      return;
    }
  }
}

/** The turn is over; throws at the end of the game. */
export function* finishTurn(act) {
  const {power} = act.state;
  if (power === BRITAIN && (yield* beginYear(act))) {
    return;
  }
  yield* beginTurn(act, (power + 1) % ALL_POWERS.length);
}

/** All bid for russia, whose turn follows; in 1933 its secrets are laid first. */
export function* bidStep(act) {
  yield* bidForRussia(act);
  if (act.state.secrets.some((lying) => lying.origin < 0)) {
    act.change({phase: 'secrets'});
  } else {
    act.change({phase: isBoundByPact(act.state, RUSSIA) ? 'turn' : 'tile'});
  }
}

function freshTurn(act, power) {
  act.change({
    phase: 'tile', power, ap: SPIES_DATA.actionPoints, stage: TILE_STAGE, searched: [], mover: -1, spent: 0, finished: [],
    talks: [], proposals: 0, handled: 0,
  });
}

/** All talk until each player is ready; then spies are laid, or the year begins. */
export function* talkStep(act) {
  const there = powersBySeat(act.state).map((_, seat) => seat).filter((seat) => !act.state.gone.includes(seat));
  yield askTogether(there.map((seat) => askToChoose(seat, new Set(['ready']))));
  act.tell('talked');
  if (act.state.spies.some((piece) => piece.where === 'reserve')) {
    act.change({phase: 'spies', power: GERMANY});
  } else {
    yield* beginTurn(act, GERMANY);
  }
}

/** The next year begins; whether with talk.  Russia goes to the other of two players; throws behind the last year. */
function* beginYear(act) {
  const {year, crisis, seats, allocation} = act.state;
  if (year === LAST_YEAR || crisis) {
    yield* endOfGame(act);
  }
  act.change({year: year + 1});
  if (seats === 2 && allocation === 'standard') {
    act.change({power: GERMANY});
    yield* handOverRussia(act, (year + 1 - FIRST_YEAR) % 2);
  }
  freshTurn(act, GERMANY);
  if (act.state.talk > 0) {
    act.change({phase: 'talk'});
  }
  return act.state.talk > 0;
}

// The end

/** Scoring secrets and secret purses are opened, and the game is over: throws. */
function* endOfGame(act) {
  for (const secret of act.state.secrets.keys()) {
    const lying = act.state.secrets[secret];
    if (lying.face === null && (lying.where === 'cashed' || isAtHome(lying))) {
      act.secret(secret, {face: yield askToOpen(lying.slot)});
    }
  }
  const points = alliedPoints(act.state, ALL_POWERS.map((power) => pointsOfPower(act.state, power)));
  act.change({points});
  const money = yield* openedMoney(act);
  const ranks = powersBySeat(act.state).map((own) => rankOfSeat(act.state, own, points, money));
  act.change({scores: ranks.map(([score]) => score)});
  throw act.over(bestOf(ranks, act.state.gone));
}

/** Whether an original secret lies where it began, under nobody else's control. */
function isAtHome({where, owner, city, origin, by}) {
  return where === 'map' && owner !== null && city === origin && (by === null || by === owner);
}

function multipleOf(power, year) {
  return SPIES_DATA.powers[power].multiples[year - FIRST_YEAR];
}

/** The points of a secret where a value counts so many times: a counterspy counts half of that. */
function worthOf(face, times) {
  return secretValue(face) * (SPIES_DATA.counterspies.includes(face) ? Math.floor(times / 2) : times);
}

/** The points of a power, by the faces that are open. */
function pointsOfPower(state, power) {
  const {strengths, aTile, marker, randomTiles} = SPIES_DATA;
  const sum = (parts) => parts.reduce((all, part) => all + part, 0);
  const tiles = state.played.filter((play) => play.power === power && !randomTiles.includes(play.tile));
  const kills = state.markers.filter((marker) => marker.power === power);
  const captives = state.spies.filter((spy) => (
    spy.where === 'captured' && spy.captor === power && spy.face !== null && !isBorrowed(state, spy.power)));
  const secrets = state.secrets.filter((lying) => lying.face !== null).map((lying) => {
    if (lying.where === 'cashed' && lying.by === power) {
      return worthOf(lying.face, multipleOf(power, lying.lost));
    }
    return lying.owner === power && isAtHome(lying) ? worthOf(lying.face, multipleOf(power, state.year)) : 0;
  });
  return aTile * tiles.length + sum(kills.map((kill) => marker * multipleOf(power, kill.year)))
    + sum(captives.map((spy) => strengths[spy.face] * multipleOf(power, spy.year))) + sum(secrets);
}

/** The points behind the alliances, if they are played: all losses at once. */
function alliedPoints({alliances}, points) {
  if (!alliances) {
    return points;
  }
  const [axis, west] = [[GERMANY, ITALY], [FRANCE, BRITAIN]];
  return points.map((own, power) => {
    const side = [axis, west].find((pair) => pair.includes(power));
    const ally = side?.find((other) => other !== power);
    const enemies = side === axis ? west : axis;
    return side && enemies.every((enemy) => points[ally] < points[enemy]) ? own - SPIES_DATA.disgrace : own;
  });
}

/** The pounds of each power; secret purses are opened, as they may decide a tie. */
function* openedMoney(act) {
  const money = [...act.state.money];
  for (const [power, purse] of act.state.purses.entries()) {
    for (const [place, slot] of purse.entries()) {
      money[power] += ((yield askToOpen(slot)) ?? 0) * PURSE_BASE ** place;
    }
  }
  act.change({money, least: money, purses: ALL_POWERS.map(() => [])});
  return money;
}

/** The score of a seat, and the money that counts for it in a tie. */
function rankOfSeat({handicap, seats, allocation}, own, points, money) {
  const sum = (values) => own.reduce((all, power) => all + values[power], 0);
  if (own.length === 1) {
    return [points[own[0]], money[own[0]]];
  }
  if (handicap === 'sum') {
    return [sum(points), sum(money)];
  }
  if (handicap === 'lower') {
    return [Math.min(...own.map((power) => points[power])), sum(money)];
  }
  const best = Math.max(...own.map((power) => points[power]));
  const purse = Math.max(...own.filter((power) => points[power] === best).map((power) => money[power]));
  const [, , less = 0] = SPIES_DATA.even.find(([players, name]) => players === seats && name === allocation) ?? [];
  return [handicap === 'even' ? best - less : best, purse];
}

/** The end by these ranks; a seat that has left cannot win. */
function bestOf(ranks, gone) {
  const there = ranks.map((_, seat) => seat).filter((seat) => !gone.includes(seat));
  const best = (seats, part) => {
    const most = Math.max(...seats.map((seat) => ranks[seat][part]));
    return seats.filter((seat) => ranks[seat][part] === most);
  };
  const tied = best(there, 0);
  if (tied.length === 1) {
    return gameOver(tied, 'points');
  }
  const rich = best(tied, 1);
  return gameOver(rich, rich.length === 1 ? 'money' : 'draw');
}
