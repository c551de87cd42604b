// The small game with decks of tests/helpers/games/cups.py, of which the vectors have whole matches.

import {
  askForDeck, askToChoose, askToClaim, askToClaimOneOf, askToCommit, askToDraw, askToGive, askToLay, askToMix, askToOpen,
  askToPutBack, askToRoll, askToShow, askToShowCards, askToShuffle, askTogether, eachAlone, gameOver,
} from '../../../cli/page/verifier/record/asks.mjs';

const CUP = 0;
const CUP_CARDS = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7];
const POUNDS = [0, 1, 2, 3];
const TOKENS = [20, 21, 21];
const HALVES = ['first', 'second'];
const HIGH = new Map([['high', [5, 6, 7]], ['low', [1, 2, 3, 4]]]);

function cupsOptions(wanted) {
  const rounds = wanted.get('rounds') ?? 1;
  return [...wanted.keys()].every((name) => name === 'rounds') && [1, 2, 3].includes(rounds) ? new Map([['rounds', rounds]]) : null;
}

function* setupCups(options, seats) {
  yield askForDeck(CUP, CUP_CARDS);
  return {
    seats, rounds: options.get('rounds'), phase: 'deal', round: 0, hands: [], middle: -1, points: Array(seats).fill(0), gone: [],
    ended: null,
  };
}

function slotIn({round}, seat, which) {
  return round * 100 + seat * 10 + which;
}

function tokensOf({round}, seat) {
  return [0, 1, 2].map((at) => 10_000 + round * 100 + seat * 10 + at);
}

function presentIn({seats, gone}) {
  return Array.from({length: seats}, (_, seat) => seat).filter((seat) => !gone.includes(seat));
}

const STEPS = {
  * deal(state) {
    yield askToShuffle(CUP);
    const hands = Array.from({length: state.seats}, (_, seat) => (
      state.gone.includes(seat) ? [] : [slotIn(state, seat, 0), slotIn(state, seat, 1)]));
    yield askToDraw(CUP, hands.map((hand, seat) => [seat, hand]).filter(([, hand]) => hand.length > 0));
    const middle = slotIn(state, 9, 9);
    yield askToLay(CUP, [middle]);
    return {...state, phase: 'lay', hands, middle};
  },

  * lay(state) {
    const present = presentIn(state);
    yield askTogether(present.map((seat) => askToCommit(seat, [slotIn(state, seat, 2)], POUNDS)));
    if (state.round === 0) {
      yield askTogether(present.map((seat) => askToCommit(seat, tokensOf(state, seat), TOKENS, true)));
    }
    return {...state, phase: 'look'};
  },

  * look(state) {
    const present = presentIn(state);
    for (const [at, seat] of present.entries()) {
      const viewer = present[(at + 1) % present.length];
      const [first, second] = state.hands[seat];
      const [copy, own] = [slotIn(state, viewer, 3), state.hands[viewer][0]];
      yield askToShowCards([first], viewer, [copy]);
      const word = yield askToChoose(viewer, new Set(['higher', 'not higher']));
      if (word !== null) {
        const faces = [...new Set(CUP_CARDS)];
        const pairs = faces.flatMap((face) => faces.map((other) => [face, other]));
        yield askToClaimOneOf(viewer, 'false-word', [own, copy], pairs.filter(([face, other]) => (face > other) === (word === 'higher')));
      }
      yield askToShow(second, viewer);
    }
    return {...state, phase: 'middle'};
  },

  * middle(state) {
    const {middle, round, seats} = state;
    const seat = yield askToRoll(seats);
    if (round % 2 === 1) {
      yield askToOpen(middle);
    } else {
      yield askToShowCards([middle], seat, [slotIn(state, seat, 4)]);
    }
    const holder = (seat + 1) % seats;
    yield askToGive([middle], holder);
    const word = round % 2 === 1 ? yield askToChoose(holder, new Set(HIGH.keys())) : null;
    if (word !== null) {
      yield askToClaim(holder, 'false-size', [middle], HIGH.get(word));
    }
    return {...state, phase: 'mix'};
  },

  * mix(state) {
    const after = {...state, round: state.round + 1};
    for (const seat of presentIn(state)) {
      yield askToMix(seat, tokensOf(state, seat), tokensOf(after, seat), 'swapped', seat % 2 === 0);
    }
    return {...state, phase: 'bid'};
  },

  * bid(state) {
    yield askTogether(presentIn(state).map((seat) => askToChoose(seat, new Set(HALVES))));
    return {...state, phase: 'call'};
  },

  * call(state) {
    const present = presentIn(state);
    const caller = present[state.round % present.length];
    const word = yield askToChoose(caller, new Set(HALVES));
    yield askToClaim(caller, 'no-pounds', [slotIn(state, caller, 2)], POUNDS);
    const shown = [];
    for (const seat of present) {
      shown.push(yield askToOpen(state.hands[seat][word === 'second' ? 1 : 0]));
    }
    for (const seat of present) {
      yield askToPutBack(state.hands[seat], CUP);
    }
    yield askToPutBack([state.middle], CUP);
    const best = Math.max(...shown);
    const points = state.points.map((had, seat) => had + (shown[present.indexOf(seat)] === best ? 1 : 0));
    const next = {...state, points, hands: state.hands.map(() => [])};
    if (state.round + 1 < state.rounds) {
      return {...next, phase: 'deal', round: state.round + 1};
    }
    const most = Math.max(...present.map((seat) => points[seat]));
    const winners = present.filter((seat) => points[seat] === most);
    const ended = winners.length === present.length ? gameOver([], 'draw') : gameOver(winners, 'points');
    return {...next, phase: 'over', ended};
  },
};

export const CUPS = Object.freeze({
  name: 'cups',
  version: 1,
  seatCounts: [2, 3, 4, 5],
  mostRolls: 8,
  mostShuffles: 3,
  needsProofs: true,
  options: cupsOptions,
  sides: eachAlone,
  setup: setupCups,
  turn: (state) => STEPS[state.phase](state),
  * gone(state, seat) {
    const hand = state.hands[seat] ?? [];
    for (const slot of hand) {
      yield askToOpen(slot);
    }
    if (hand.length > 0) {
      yield askToPutBack(hand, CUP);
    }
    return {...state, hands: state.hands.map((own, holder) => (holder === seat ? [] : own)), gone: [...state.gone, seat]};
  },
});
