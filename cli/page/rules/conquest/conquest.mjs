// The rulebook of Conquest (spec/conquest.md): what comes before the first turn, the order of the acts, the options; the
// counterpart of the Python package p2p_stratego/conquest/rules.

import {askTogether, askToChoose, askToCommit, askToRoll, eachAlone} from '../../verifier/record/asks.mjs';
import {CONQUEST_DATA} from '../../game_data.mjs';
import {playAct, withAt} from '../acts.mjs';
import {playACard} from './cards.mjs';
import {ALL_ZONES, TERRITORY_AT} from './map.mjs';
import {makeMove} from './moves.mjs';
import {
  ARMY_SIZE,
  closedPiece,
  ConquestAct,
  conquestEvent,
  conquestOpening,
  ON_BOARD,
  ownersOf,
} from './state.mjs';
import {
  captivesOf,
  drawCards,
  endTurn,
  flagLost,
  isTurnFresh,
  nextSeatIn,
  putFlagBack,
  turnBegun,
  turnFixed,
} from './turns.mjs';

const ACTS = {draft: pickTerritory, army: layTheArmies, zones: fillTheZones, cards: drawCards, play: playACard, move: makeMove};

/** All options, completed; null for options that the game does not offer. */
function conquestOptions(wanted) {
  const chosen = new Map(Object.entries(CONQUEST_DATA.options));
  for (const [name, value] of wanted) {
    if (!chosen.has(name)) {
      return null;
    }
    chosen.set(name, value);
  }
  const rounds = chosen.get('rounds');
  const [least, most] = CONQUEST_DATA.choices.rounds;
  const offered = Number.isInteger(rounds) && least <= rounds && rounds <= most;
  const words = ['garrison', 'scout'].every((name) => CONQUEST_DATA.choices[name].includes(chosen.get(name)));
  return offered && words ? chosen : null;
}

/** Each seat draws a piece; the highest face starts; of several highest ones, chance picks one. */
function* setupConquest(options, seats) {
  let rolled = yield askToRoll(ARMY_SIZE ** seats);
  const drawn = [];
  for (let seat = 0; seat < seats; seat += 1) {
    drawn.unshift(CONQUEST_DATA.army[rolled % ARMY_SIZE]);
    rolled = Math.floor(rolled / ARMY_SIZE);
  }
  const highest = drawn.flatMap((face, seat) => (face === Math.max(...drawn) ? [seat] : []));
  const first = highest.length > 1 ? highest[yield askToRoll(highest.length)] : highest[0];
  return Object.freeze({
    ...conquestOpening(seats, options, first), report: [conquestEvent('starts', first, {faces: drawn})],
  });
}

/** A seat takes a territory. */
function* pickTerritory(act) {
  const {state} = act;
  const left = CONQUEST_DATA.territories.filter((_, place) => state.taken[place] === null).map(({letter}) => `take ${letter}`);
  const answer = yield* act.chosen(new Set(left));
  const place = CONQUEST_DATA.territories.findIndex(({letter}) => answer === `take ${letter}`);
  act.change({taken: withAt(state.taken, place, state.seat), picks: state.picks + 1});
  act.tell('took', state.seat, {zones: CONQUEST_DATA.territories[place].zones});
  passThePick(act);
}

/** The seat to pick: clockwise from the starter, back from the last, again from the starter, … */
function pickerOf({seats, first}, pick) {
  const [row, place] = [Math.floor(pick / seats), pick % seats];
  return (first + (row % 2 === 1 ? seats - 1 - place : place)) % seats;
}

/** The next player still in has the pick; after the last one the armies follow. */
function passThePick(act) {
  const {state} = act;
  let {picks} = state;
  while (picks < CONQUEST_DATA.territories.length && state.status[pickerOf(state, picks)] !== 'in') {
    picks += 1;
  }
  const over = picks >= CONQUEST_DATA.territories.length;
  act.change({picks, seat: over ? state.first : pickerOf(state, picks), phase: over ? 'army' : 'draft'});
}

function seatsIn({status}) {
  return status.flatMap((fate, seat) => (fate === 'in' ? [seat] : []));
}

function armySlots(seat) {
  return CONQUEST_DATA.army.map((_, at) => seat * ARMY_SIZE + at);
}

/** Everybody lays the whole CONQUEST_DATA.army face down, before anybody's zones are known. */
function* layTheArmies(act) {
  const {state} = act;
  yield askTogether(seatsIn(state).map((seat) => askToCommit(seat, armySlots(seat), CONQUEST_DATA.army, true)));
  act.change({phase: 'zones'});
  act.tell('laid', state.first);
  if (state.seats * ARMY_SIZE === ALL_ZONES.length) { // four players fill all they have, unasked
    arrayArmies(act, new Map(seatsIn(state).map((seat) => [seat, CONQUEST_DATA.army.map((_, place) => place)])));
  }
}

/** The zones of the CONQUEST_DATA.territories that a seat took, ascending: its places to fill. */
function placesOf({taken}, seat) {
  return ALL_ZONES.filter((zone) => taken[TERRITORY_AT[zone]] === seat);
}

/** The places that a choice of zones fills, ascending; null if it is none. */
function filledPlacesIn(move, digits) {
  const written = /^zones ([0-9a-f]+)$/.exec(move)?.[1];
  if (written?.length !== digits) {
    return null;
  }
  const bits = [...written].reverse().flatMap((digit) => [0, 1, 2, 3].map((bit) => (parseInt(digit, 16) >> bit) & 1));
  return bits.flatMap((bit, place) => (bit === 1 ? [place] : []));
}

/** The ways in which a seat can fill its zones. */
function fillingsOf(state, seat) {
  const zones = placesOf(state, seat);
  const own = [...new Set(zones.map((zone) => TERRITORY_AT[zone]))];
  return {
    has: (move) => {
      const places = filledPlacesIn(move, Math.floor(zones.length / 4));
      const filled = new Set(places?.map((place) => TERRITORY_AT[zones[place]]));
      return places?.length === ARMY_SIZE && (!state.garrison || own.every((territory) => filled.has(territory)));
    },
  };
}

/** Everybody says which of its own zones are filled, before it knows another's. */
function* fillTheZones(act) {
  const {state} = act;
  const seats = seatsIn(state);
  const answers = yield askTogether(seats.map((seat) => askToChoose(seat, fillingsOf(state, seat))));
  const places = seats.flatMap((seat, at) => (
    answers[at] === null ? [] : [[seat, filledPlacesIn(answers[at], answers[at].length - 'zones '.length)]]));
  arrayArmies(act, new Map(places));
}

/** A side's k-th slot comes to its k-th filled place; the first turn begins. */
function arrayArmies(act, places) {
  const {state} = act;
  const board = [...state.board];
  for (const [seat, filled] of places) {
    const own = placesOf(state, seat);
    armySlots(seat).forEach((slot, at) => {
      board[own[filled[at]]] = closedPiece(slot, seat);
    });
  }
  act.change({board, territories: ownersOf(board), round: 1});
  act.tell('arrayed', state.first);
  act.state = turnBegun(act.state, state.status[state.first] === 'in' ? state.first : nextSeatIn(act.state, state.first));
}

/** A seat is gone for good: its pieces go, captured flags come back, and its turn ends if it was its turn. */
function* leaveConquest(act, seat) {
  act.tell('left', seat);
  const {state} = act;
  act.change({status: withAt(state.status, seat, 'gone')});
  if (['draft', 'army', 'zones'].includes(state.phase)) {
    act.change({flags: flagLost(act.state.flags, seat)});
    if (state.phase === 'draft') {
      passThePick(act);
    }
    return;
  }
  act.change({
    board: state.board.map((piece) => (piece?.seat === seat ? null : piece)),
    bags: withAt(state.bags, seat, []),
    hand: state.hand?.seat === seat ? null : state.hand,
    flags: state.flags[seat] === ON_BOARD ? flagLost(state.flags, seat) : state.flags,
  });
  for (const owner of captivesOf(act.state, seat)) {
    if (act.state.status[owner] === 'in') {
      yield* putFlagBack(act, owner);
    } else {
      act.change({flags: flagLost(act.state.flags, owner)});
    }
  }
  act.change({territories: ownersOf(act.state.board)});
  act.checkFlags();
  if (state.seat === seat) {
    if (isTurnFresh(state)) { // the next player's turn gets this one's number
      act.change({turn: act.state.turn - 1});
    }
    endTurn(act);
  } else if (isTurnFresh(state)) {
    act.state = turnFixed(act.state, state.seat);
  }
}

/** @type {Rulebook} */
export const CONQUEST = Object.freeze({
  name: CONQUEST_DATA.name,
  version: CONQUEST_DATA.version,
  seatCounts: CONQUEST_DATA.seatCounts,
  mostRolls: CONQUEST_DATA.mostRolls,
  options: conquestOptions,
  sides: eachAlone,
  setup: setupConquest,
  turn: (state) => playAct(new ConquestAct(state), ACTS[state.phase]),
  gone: (state, seat) => playAct(new ConquestAct(state), (act) => leaveConquest(act, seat)),
});

/**
 * What may be drawn of a state.
 * @param {object} state @param {number|'all'|'nobody'} viewer A seat reads its own pieces, and those that it has looked
 *   at; `all` reads every face there is.
 * @param {Object<number, number>} [faces] By slot: the faces that the record tells at its end.
 */
export function observeConquest(state, viewer, faces = {}) {
  const seen = (piece) => piece && seenConquestPiece(piece, viewer, faces);
  return {
    ...state, game: CONQUEST_DATA.name, board: state.board.map(seen), bags: state.bags.map((bag) => bag.map(seen)),
    hand: seen(state.hand),
  };
}

function seenConquestPiece({slot, seat, face, stepped, seen}, viewer, faces) {
  const looked = typeof viewer === 'number' && ((seen >> viewer) & 1) === 1;
  const readable = viewer === 'all' || viewer === seat || looked;
  return {slot, seat, face: face ?? (readable ? faces[slot] ?? null : null), shown: face !== null, moved: stepped};
}
