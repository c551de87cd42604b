// The tiny game of tests/helpers/games/toy.py for two seats without looks: an unknown game for the referee.

import {
  askToChoose, askToClaim, askToCommit, askToOpen, askToRoll, askTogether, gameOver,
} from '../../../cli/page/verifier/asks.mjs';
import {NotCheckedHere} from '../../../cli/page/verifier/genesis.mjs';

const FACES = [1, 2, 3, 4, 5, 6];
const HAND = [1, 2, 3];
const BIDS = new Set(['high', 'low', 'out of it']);
const SIDES = ['left', 'right'];
const SEATS = [0, 1];

function slotOf(round, seat, side) {
  return round * 16 + seat * 2 + side;
}

function toyOptions(wanted) {
  const chosen = new Map([['rounds', 1], ['claims', 'no'], ['looks', 'no']]);
  for (const [name, value] of wanted) {
    if (!chosen.has(name)) {
      return null;
    }
    chosen.set(name, value);
  }
  if (chosen.get('looks') === 'yes') {
    throw new NotCheckedHere('Private looks are not checked here.');
  }
  const yesOrNo = (name) => ['yes', 'no'].includes(chosen.get(name));
  return [1, 2, 3].includes(chosen.get('rounds')) && yesOrNo('claims') && yesOrNo('looks') ? chosen : null;
}

function* playToy(options, seats, show) {
  const claims = options.get('claims') === 'yes';
  const points = [0, 0];
  let taboo = FACES[yield askToRoll(FACES.length)];
  show({taboo, points: [...points]});
  if (claims) {
    yield askTogether(SEATS.map((seat) => (
      askToCommit(seat, HAND.map((_, at) => 1000 + 3 * seat + at), HAND, true)
    )));
  }
  for (let round = 0; round < options.get('rounds'); round += 1) {
    yield askTogether(SEATS.map((seat) => (
      askToCommit(seat, [0, 1].map((side) => slotOf(round, seat, side)), FACES)
    )));
    const bids = yield askTogether(SEATS.map((seat) => askToChoose(seat, BIDS)));
    const caller = yield askToRoll(2);
    const side = SIDES.indexOf(yield askToChoose(caller, new Set(SIDES)));
    if (claims) {
      const clean = FACES.filter((face) => face !== taboo);
      yield askToClaim(caller, 'called a taboo card clean', [slotOf(round, caller, 1 - side)], clean);
    }
    const shown = [];
    for (const seat of SEATS) {
      shown.push(yield askToOpen(slotOf(round, seat, side)));
      if (shown[seat] === taboo) {
        return gameOver([1 - seat], 'cheated', {seat, rule: 'laid the taboo face'});
      }
    }
    const wanted = {high: Math.max(...shown), low: Math.min(...shown)};
    SEATS.forEach((seat) => {
      points[seat] += wanted[bids[seat]] === shown[seat] ? 1 : 0;
    });
    show({taboo, points: [...points]});
    if (round + 1 < options.get('rounds')) {
      taboo = FACES[yield askToRoll(FACES.length)];
    }
  }
  const best = SEATS.filter((seat) => points[seat] === Math.max(...points));
  return best.length === 2 ? gameOver([], 'draw') : gameOver(best, 'points');
}

export const TOY = Object.freeze({
  name: 'toy',
  version: 4,
  seatCounts: [2, 3, 4, 5],
  checkedHere: [2],
  mostRolls: 8,
  options: toyOptions,
  play: playToy,
});
