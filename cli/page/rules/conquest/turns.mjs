// A turn of Conquest from count to end (spec/conquest.md, section 3), and captured flags (section 6).

import {askToChoose, askToRoll, gameOver} from '../../verifier/record/asks.mjs';
import {CONQUEST_DATA} from '../../game_data.mjs';
import {withAt} from '../acts.mjs';
import {ZONE_NAMES, zonesNamed} from './map.mjs';
import {
  FLAG_FACE,
  FLAG_LOST,
  freeZones,
  ON_BOARD,
  openPiece,
  ownedBy,
  ownersOf,
  zonesHeld,
} from './state.mjs';

const IN_ALL = CONQUEST_DATA.cards.map((card) => card.inAll);
const CARD_COUNT = IN_ALL.reduce((sum, count) => sum + count, 0);
const TRAITOR = CONQUEST_DATA.cards.findIndex((card) => card.name === 'traitor');

function pileSize({counts}) {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** For each of the next `number` CONQUEST_DATA.cards, how many can be it; known before any of them is drawn. */
function drawBases(pile, drawn, number) {
  let [size, last] = [pileSize(pile), pile.traitorLast];
  return Array.from({length: number}, (_, taken) => {
    if (size === 0) {
      [size, last] = [CARD_COUNT - drawn.length - taken, false];
    }
    const base = last && size > 1 ? size - 1 : size;
    size -= 1;
    return base;
  });
}

/** The pile and the CONQUEST_DATA.cards of this turn after the next card, which counts `digit` CONQUEST_DATA.cards in the order of their kinds. */
function drawOne({pile, drawn}, digit) {
  let {counts, traitorLast} = pile;
  if (pileSize(pile) === 0) { // the discards without the CONQUEST_DATA.cards of this turn
    counts = IN_ALL.map((count, card) => count - drawn.filter((kind) => kind === card).length);
    traitorLast = false;
  }
  const next = traitorLast && pileSize({counts}) > 1 ? withAt(counts, TRAITOR, 0) : counts;
  let card = 0;
  for (let place = digit; place >= next[card]; card += 1) {
    place -= next[card];
  }
  const left = {counts: withAt(counts, card, counts[card] - 1), traitorLast: traitorLast && card !== TRAITOR};
  return {pile: left, drawn: [...drawn, card]};
}

/** The CONQUEST_DATA.cards due are drawn, up to six with a Roll. */
export function* drawCards(act) {
  const {due} = act.state;
  for (const number of [Math.min(CONQUEST_DATA.cardsInARoll, due), due - CONQUEST_DATA.cardsInARoll].filter((count) => count > 0)) {
    const bases = drawBases(act.state.pile, act.state.drawn, number);
    let rolled = yield askToRoll(bases.reduce((product, base) => product * base, 1));
    const digits = [];
    for (const base of [...bases].reverse()) {
      digits.unshift(rolled % base);
      rolled = Math.floor(rolled / base);
    }
    act.change(digits.reduce(drawOne, {pile: act.state.pile, drawn: act.state.drawn}));
  }
  act.tell('drew', act.state.seat, {cards: act.state.drawn});
  act.change({phase: 'play'});
}

/** The CONQUEST_DATA.cards of this turn are put away: all 42 are mixed anew if the Traitor was among them. */
export function discardCards(act) {
  const {pile, drawn} = act.state;
  act.change({pile: drawn.includes(TRAITOR) ? {counts: IN_ALL, traitorLast: false} : pile, drawn: []});
}

/** The CONQUEST_DATA.cards and the moves of the turn that begins are fixed, by what the board shows. */
export function turnFixed(state, seat) {
  const owned = ownedBy(state, seat);
  const due = state.flags[seat] === ON_BOARD ? Math.floor(owned.length / 2) : 0;
  const moves = 1 + owned.filter((place) => CONQUEST_DATA.territories[place].city).length;
  return {...state, phase: due > 0 ? 'cards' : 'move', seat, due, drawn: [], moves, made: 0, hand: null};
}

/** The turn of a seat begins. */
export function turnBegun(state, seat) {
  return {...turnFixed(state, seat), turn: state.turn + 1};
}

/** Whether the player to move has neither drawn a card nor made a move. */
export function isTurnFresh({phase, due, made}) {
  return phase === 'cards' || (phase === 'move' && due === 0 && made === 0);
}

/** The next seat clockwise that is still in. */
export function nextSeatIn({seats, status}, seat) {
  const after = Array.from({length: seats}, (_, step) => (seat + step + 1) % seats);
  return after.find((other) => status[other] === 'in');
}

/** Territories change hands, who is beaten is out, and the next turn begins; or the game ends, by throwing. */
export function endTurn(act) {
  discardCards(act);
  const {board, flags, status} = act.state;
  const beaten = status.flatMap((fate, seat) => (
    fate === 'in' && flags[seat] !== ON_BOARD && !board.some((piece) => piece?.seat === seat) ? [seat] : []));
  act.change({
    territories: ownersOf(board), status: status.map((fate, seat) => (beaten.includes(seat) ? 'out' : fate)),
  });
  beaten.forEach((seat) => act.tell('out', seat));
  const {state} = act;
  const seat = nextSeatIn(state, state.seat);
  const place = (who) => (who - state.first + state.seats) % state.seats;
  if (place(seat) <= place(state.seat)) {
    if (state.round === state.rounds) {
      throw act.over(rankedOutcome(state));
    }
    act.change({round: state.round + 1});
  }
  act.state = turnBegun(act.state, seat);
}

/** After the last round: most captured flags, then CONQUEST_DATA.territories, then pieces on the board. */
function rankedOutcome(state) {
  const ranks = state.flags.flatMap((where, seat) => (where === ON_BOARD
    ? [{seat, rank: [captivesOf(state, seat).length, ownedBy(state, seat).length, zonesHeld(state, seat).length]}] : []));
  const compare = (row, other) => {
    const at = row.rank.findIndex((value, place) => value !== other.rank[place]);
    return at < 0 ? 0 : other.rank[at] - row.rank[at];
  };
  const [first] = [...ranks].sort(compare);
  const best = ranks.filter((row) => compare(row, first) === 0).map(({seat}) => seat);
  return best.length === state.seats ? gameOver([], 'draw') : gameOver(best, 'rounds');
}

/** The seats whose flags a seat holds, ascending. */
export function captivesOf({flags}, seat) {
  return flags.flatMap((where, owner) => (where === seat ? [owner] : []));
}

/** The flag of a seat is lost. */
export function flagLost(flags, owner) {
  return withAt(flags, owner, FLAG_LOST);
}

/** `taker` captures the flag of `victim`, which is off the board by now (section 6). */
export function* captureFlag(act, taker, victim, slot) {
  const {flags, flagSlots} = act.state;
  const home = flags[taker];
  const back = home === victim;
  const holder = home === ON_BOARD || back ? taker : home;
  act.change({
    flags: flags.map((where, seat) => {
      if (back && seat === taker) {
        return ON_BOARD; // counted as on the board, where it is about to be
      }
      return victim === seat || victim === where ? holder : where;
    }),
    flagSlots: withAt(flagSlots, victim, slot),
  });
  act.checkFlags();
  if (back) {
    act.change({flags: withAt(act.state.flags, taker, victim)});
    yield* putFlagBack(act, taker);
  }
}

/** The own flag comes back, open, to a free zone of its owner's choice; it is lost if the owner has left. */
export function* putFlagBack(act, owner) {
  const answer = yield askToChoose(owner, new Set(freeZones(act.state).map((zone) => `flag ${ZONE_NAMES[zone]}`)));
  const {flags, flagSlots} = act.state;
  const slot = flagSlots[owner];
  const where = answer === null ? FLAG_LOST : ON_BOARD;
  act.change({flags: withAt(flags, owner, where), flagSlots: withAt(flagSlots, owner, null)});
  if (answer !== null && slot !== null) {
    const [zone] = zonesNamed(answer.slice('flag '.length));
    act.put(zone, openPiece({slot, seat: owner}, FLAG_FACE));
    act.tell('flag-back', owner, {zones: [zone]});
  }
}
