// The tiny game of tests/helpers/games/toy.py: an unknown game for the referee, which uses every Ask.

import {
  askToChoose, askToClaim, askToCommit, askToMix, askToOpen, askToRoll, askToShow, askTogether, eachAlone, gameOver,
} from '../../../cli/page/verifier/record/asks.mjs';
import {winnersWithout} from '../../../cli/page/verifier/record/sides.mjs';

const FACES = [1, 2, 3, 4, 5, 6];
const HAND = [1, 2, 3];
const BIDS = new Set(['high', 'low', 'out of it']);
const SIDES = ['left', 'right'];

function slotOf(round, seat, side) {
  return round * 16 + seat * 2 + side;
}

function mixedSlot(round, seat, side) {
  return 500 + slotOf(round, seat, side);
}

function handSlots(round, seat) {
  return HAND.map((_, at) => 1000 + 100 * round + 3 * seat + at);
}

function toyOptions(wanted) {
  const chosen = new Map([['rounds', 1], ['claims', 'no'], ['looks', 'no']]);
  for (const [name, value] of wanted) {
    if (!chosen.has(name)) {
      return null;
    }
    chosen.set(name, value);
  }
  const yesOrNo = (name) => ['yes', 'no'].includes(chosen.get(name));
  return [1, 2, 3].includes(chosen.get('rounds')) && yesOrNo('claims') && yesOrNo('looks') ? chosen : null;
}

function* setupToy(options, seats) {
  const taboo = FACES[yield askToRoll(FACES.length)];
  const claims = options.get('claims') === 'yes';
  return {
    seats, rounds: options.get('rounds'), claims, looks: options.get('looks') === 'yes', phase: claims ? 'hand' : 'lay',
    round: 0, taboo, bids: [], points: Array(seats).fill(0), ended: null,
  };
}

function cleanFaces({taboo}) {
  return FACES.filter((face) => face !== taboo);
}

const STEPS = {
  * hand(state, seats) {
    yield askTogether(seats.map((seat) => askToCommit(seat, handSlots(0, seat), HAND, true)));
    return {...state, phase: 'lay'};
  },

  * lay(state, seats) {
    const {round} = state;
    yield askTogether(seats.map((seat) => askToCommit(seat, [slotOf(round, seat, 0), slotOf(round, seat, 1)], FACES)));
    return {...state, phase: state.looks ? 'look' : 'bid'};
  },

  * look(state, seats) {
    for (const seat of seats) {
      const shown = slotOf(state.round, seat, 0);
      if (state.claims) {
        yield askToClaim(seat, 'showed a taboo card', [shown], cleanFaces(state));
      }
      yield askToShow(shown, (seat + 1) % state.seats);
    }
    return {...state, phase: 'mix'};
  },

  * mix(state, seats) {
    const {round} = state;
    for (const seat of seats) {
      const [old, mixed] = [slotOf, mixedSlot].map((name) => [0, 1].map((side) => name(round, seat, side)));
      yield askToMix(seat, old, mixed, 'swapped a card', seat % 2 === 0);
      if (state.claims) {
        yield askToMix(seat, handSlots(round, seat), handSlots(round + 1, seat), 'swapped a card of its hand');
      }
    }
    return {...state, phase: 'bid'};
  },

  * bid(state, seats) {
    return {...state, phase: 'show', bids: yield askTogether(seats.map((seat) => askToChoose(seat, BIDS)))};
  },

  * show(state, seats) {
    const card = (seat, side) => (state.looks ? mixedSlot : slotOf)(state.round, seat, side);
    const caller = yield askToRoll(state.seats);
    const called = yield askToChoose(caller, new Set(SIDES));
    const side = called === null ? 0 : SIDES.indexOf(called);
    if (state.claims) {
      yield askToClaim(caller, 'called a taboo card clean', [card(caller, 1 - side)], cleanFaces(state));
    }
    const shown = [];
    for (const seat of seats) {
      shown.push(yield askToOpen(card(seat, side)));
      if (shown[seat] === state.taboo) {
        const winners = winnersWithout(eachAlone(state.seats), seat);
        const ended = gameOver(winners, 'cheated', {seat, rule: 'laid the taboo face'});
        return {...state, phase: 'over', ended};
      }
    }
    const there = shown.filter((face) => face !== null);
    const wanted = {high: Math.max(...there), low: Math.min(...there)};
    const points = seats.map((seat) => (
      state.points[seat] + (shown[seat] !== null && wanted[state.bids[seat]] === shown[seat] ? 1 : 0)));
    if (state.round + 1 < state.rounds) {
      const taboo = FACES[yield askToRoll(FACES.length)];
      return {...state, phase: 'lay', round: state.round + 1, taboo, points};
    }
    const left = seats.filter((seat) => shown[seat] !== null);
    const best = left.filter((seat) => points[seat] === Math.max(...left.map((other) => points[other])));
    const ended = best.length === left.length ? gameOver([], 'draw') : gameOver(best, 'points');
    return {...state, phase: 'over', points, ended};
  },
};

export const TOY = Object.freeze({
  name: 'toy',
  version: 4,
  seatCounts: [2, 3, 4, 5],
  mostRolls: 8,
  options: toyOptions,
  sides: eachAlone,
  setup: setupToy,
  turn: (state) => STEPS[state.phase](state, Array.from({length: state.seats}, (_, seat) => seat)),
  * gone(state) {
    return state;
  },
});
