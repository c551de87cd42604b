// The rulebook of SPIES! (spec/spies.md): the order of the steps, and the options; the counterpart of the Python package
// p2p_stratego/spies/rules.

import {askToOpen, eachAlone} from '../../verifier/record/asks.mjs';
import {SPIES_DATA} from '../../game_data.mjs';
import {playAct, withAt} from '../acts.mjs';
import {SpiesAct} from './act.mjs';
import {actionStep} from './actions.mjs';
import {layPolice, laySecrets, laySpies, setUpSpies} from './setup.mjs';
import {bidStep, finishTurn, talkStep, tileStep} from './turns.mjs';

const SPIES_STEPS = {
  secrets: laySecrets, bid: bidStep, police: layPolice, talk: talkStep, spies: laySpies, tile: tileStep, turn: actionStep,
};

/** All options, completed; null for options that the game does not offer. */
function spiesOptions(wanted) {
  const chosen = new Map(Object.entries(SPIES_DATA.options));
  for (const [name, value] of wanted) {
    if (!chosen.has(name)) {
      return null;
    }
    chosen.set(name, value);
  }
  const words = Object.entries(SPIES_DATA.words).every(([name, values]) => values.includes(chosen.get(name)));
  const times = Object.entries(SPIES_DATA.times).every(([name, [least, most]]) => {
    const value = chosen.get(name);
    return Number.isInteger(value) && least <= value && value <= most;
  });
  const allied = chosen.get('alliances') === 'yes' && ['lower', 'sum'].includes(chosen.get('handicap'));
  return words && times && !allied ? chosen : null;
}

/** Whether so many players can play by these options. */
function fitSpies(options, seats) {
  const allocation = options.get('allocation');
  const offered = SPIES_DATA.seats.some(([players, name]) => players === seats && name === allocation);
  return offered && !(options.get('alliances') === 'yes' && seats === 3 && allocation === 'alternate');
}

/** A seat is gone: everybody reads its spies, police and secrets, and its turn is over. */
function* leaveSpies(act, seat) {
  act.change({gone: [...act.state.gone, seat].sort((leaver, other) => leaver - other)});
  const powers = act.state.runs.flatMap((runner, power) => (runner === seat ? [power] : []));
  powers.forEach((power) => act.tell('left', power));
  for (const [spy, {power, face, where, slot}] of act.state.spies.entries()) {
    if (powers.includes(power) && face === null && where !== 'reserve' && where !== 'lost') {
      act.spy(spy, {face: yield askToOpen(slot)});
    }
  }
  for (const [secret, {holder, face, where, slot}] of act.state.secrets.entries()) {
    if (holder === seat && face === null && where !== 'removed') {
      act.secret(secret, {face: yield askToOpen(slot)});
    }
  }
  for (const power of powers) {
    const units = [];
    for (const {slot, city} of act.state.police[power]) {
      units.push({slot, city, face: yield askToOpen(slot)});
    }
    act.change({police: withAt(act.state.police, power, units)});
  }
  if (['tile', 'turn'].includes(act.state.phase) && powers.includes(act.state.power)) {
    yield* finishTurn(act);
  }
}

/** @type {Rulebook} */
export const SPIES = Object.freeze({
  name: SPIES_DATA.name,
  version: SPIES_DATA.version,
  seatCounts: SPIES_DATA.seatCounts,
  mostRolls: SPIES_DATA.mostRolls,
  mostShuffles: SPIES_DATA.mostShuffles,
  needsProofs: true,
  privateTalk: true,
  options: spiesOptions,
  fit: fitSpies,
  sides: eachAlone,
  setup: setUpSpies,
  turn: (state) => playAct(new SpiesAct(state), SPIES_STEPS[state.phase]),
  gone: (state, seat) => playAct(new SpiesAct(state), (act) => leaveSpies(act, seat)),
});

/**
 * What may be drawn of a state.
 * @param {object} state @param {number|'all'|'nobody'} viewer A seat reads what its powers hold, and what it was shown;
 *   `all` reads every face there is.
 * @param {Object<number, number>} [faces] By slot: the faces that the record tells at its end.
 */
export function observeSpies(state, viewer, faces = {}) {
  const isOwn = (power) => viewer === 'all' || (typeof viewer === 'number' && state.runs[power] === viewer);
  const read = (slot, readable) => (readable ? faces[slot] ?? null : null);
  const wasShown = (seen) => seen.some(([seat]) => seat === viewer);
  const spy = (piece) => ({
    ...piece, open: piece.face !== null, face: piece.face ?? read(piece.slot, isOwn(piece.power) || wasShown(piece.seen)),
  });
  const secret = (lying) => ({
    ...lying, open: lying.face !== null,
    face: lying.face ?? read(lying.slot, viewer === 'all' || (viewer !== 'nobody' && lying.holder === viewer) || wasShown(lying.seen)),
  });
  const cards = (slots, power) => slots.map((slot) => ({slot, face: read(slot, isOwn(power))}));
  return {
    ...state, game: SPIES_DATA.name, spies: state.spies.map(spy), secrets: state.secrets.map(secret),
    police: state.police.map((units, power) => units.map((unit) => ({...unit, face: unit.face ?? read(unit.slot, isOwn(power))}))),
    hands: state.hands.map(cards), tiles: state.tiles.map(cards),
  };
}
