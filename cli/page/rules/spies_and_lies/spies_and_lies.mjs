// The rulebook of Spies & Lies (spec/spies-and-lies.md); the counterpart of the Python package
// p2p_stratego/spies_and_lies/rules.

import {askTogether, askToChoose, askToCommit, askToRoll, askToShow} from '../../verifier/record/asks.mjs';
import {SPIES_AND_LIES_DATA} from '../../game_data.mjs';
import {playMission} from './mission.mjs';
import {
  FIRST_MISSIONS,
  holderOf,
  isTeam,
  mateOf,
  missionsOf,
  playerOf,
  SECOND_MISSIONS,
  sideOfSeat,
  spiesAndLiesSides,
} from './seating.mjs';
import {
  cardSlot,
  dayBegins,
  gameBegins,
  guesserNow,
  missionNow,
  openRanks,
  stepDone,
} from './state.mjs';

const SOLDIER_RANKS = SPIES_AND_LIES_DATA.soldiers.map(({rank}) => rank);
/** The missions of each way to mark, by its move: "mark none", "mark 1", … "mark 1234". */
const MARKED_MISSIONS = new Map(
  subsetsOf(SPIES_AND_LIES_DATA.missions).map((missions) => [`mark ${missions.join('') || 'none'}`, missions]),
);
const ALL_MISSIONS = SPIES_AND_LIES_DATA.missions;
const BOTH_SIDES = [0, 1];
const DAY_STEPS = {deploy: playDeployment, look: playLook, intel: playIntel, mission: playMission, night: playNight};

/** Every subset of a list, each in the list's order. */
function subsetsOf(list) {
  return list.reduce((sets, item) => [...sets, ...sets.map((some) => [...some, item])], [[]]);
}

/** Every choice of `count` items out of a list, in the order of their places. */
function choicesOf(list, count) {
  if (count === 0) {
    return [[]];
  }
  return list.flatMap((item, place) => choicesOf(list.slice(place + 1), count - 1).map((rest) => [item, ...rest]));
}

/** The several dice that one roll stands for; the first one is the most significant. */
function splitRoll(number, dice) {
  const digits = [];
  let rest = number;
  for (const sides of [...dice].reverse()) {
    digits.unshift(rest % sides);
    rest = Math.floor(rest / sides);
  }
  return digits;
}

function* rollDice(dice) {
  return splitRoll(yield askToRoll(dice.reduce((product, sides) => product * sides, 1)), dice);
}

/** `wall` and `starter`, completed; null for options that the game does not offer. */
function spiesAndLiesOptions(wanted) {
  const chosen = new Map(Object.entries(SPIES_AND_LIES_DATA.options));
  for (const [name, value] of wanted) {
    if (!chosen.has(name)) {
      return null;
    }
    chosen.set(name, value);
  }
  const wall = chosen.get('wall');
  const {fewestWall, mostWall, starters} = SPIES_AND_LIES_DATA;
  const offered = Number.isInteger(wall) && fewestWall <= wall && wall <= mostWall;
  return offered && starters.includes(chosen.get('starter')) ? chosen : null;
}

/** The first side, the old intel, one exhausted soldier a side: one roll. */
function* setupSpiesAndLies(options, seats) {
  const {seatNames, intelDeck} = SPIES_AND_LIES_DATA;
  const named = seatNames.indexOf(options.get('starter'));
  const starters = named < 0 ? [0, 1] : [named];
  const ranks = SOLDIER_RANKS.length;
  const [first, old, red, blue] = yield* rollDice([starters.length, intelDeck.length, ranks, ranks]);
  return gameBegins({
    seats,
    wall: options.get('wall'),
    starter: starters[first],
    intel: intelDeck[old],
    exhausted: [[SOLDIER_RANKS[red]], [SOLDIER_RANKS[blue]]],
  });
}

/** A seat lays soldiers of its side; any rank can be laid. */
function layAsk({day}, side, missions, seat) {
  return askToCommit(seat, missions.map((mission) => cardSlot(day, side, mission)), SOLDIER_RANKS);
}

/** Asks of several seats, seats ascending. */
function bySeat(asks) {
  return asks.sort((left, right) => left.seat - right.seat);
}

/** A seat alone lays four cards face down; of two mates the first lays two. */
function* playDeployment(state) {
  const {seating} = state;
  const lay = (side) => {
    const missions = isTeam(seating, side) ? FIRST_MISSIONS : ALL_MISSIONS;
    return layAsk(state, side, missions, playerOf(seating, side, FIRST_MISSIONS[0]));
  };
  yield askTogether(bySeat(BOTH_SIDES.map(lay)));
  return stepDone(state, {phase: seating.seats > 2 ? 'look' : 'intel'});
}

/** The second of two mates looks at the first one's cards, and lays the other two. */
function* playLook(state) {
  const {seating} = state;
  const teams = BOTH_SIDES.filter((side) => isTeam(seating, side));
  for (const side of teams) {
    const second = playerOf(seating, side, SECOND_MISSIONS[0]);
    for (const mission of FIRST_MISSIONS) {
      if (playerOf(seating, side, mission) !== second) {
        yield askToShow(cardSlot(state.day, side, mission), second);
      }
    }
  }
  const asks = bySeat(teams.map((side) => (
    layAsk(state, side, SECOND_MISSIONS, playerOf(seating, side, SECOND_MISSIONS[0])))));
  yield asks.length > 1 ? askTogether(asks) : asks[0];
  return stepDone(state, {phase: 'intel'});
}

/** The seats that mark, ascending, with the missions that each acts for, except cards closed for good. */
function markersOf({seating, closed}) {
  const own = new Map();
  for (const side of BOTH_SIDES) {
    for (const mission of ALL_MISSIONS.filter((number) => !closed[side].includes(number))) {
      const seat = playerOf(seating, side, mission);
      own.set(seat, [...(own.get(seat) ?? []), mission]);
    }
  }
  return [...own].sort(([left], [right]) => left - right);
}

/** The moves that mark some of these missions. */
function markMoves(missions) {
  const marked = [...MARKED_MISSIONS].filter(([, some]) => some.every((mission) => missions.includes(mission)));
  return new Set(marked.map(([move]) => move));
}

/** An intel card is turned up, and all mark their missions. */
function* playIntel(state) {
  const left = intelLeft(state.intel);
  const card = left[yield askToRoll(left.length)];
  const seats = markersOf(state);
  const moves = yield askTogether(seats.map(([seat, missions]) => askToChoose(seat, markMoves(missions))));
  const marks = BOTH_SIDES.map((side) => seats.flatMap(([seat], at) => (
    sideOfSeat(seat) === side ? MARKED_MISSIONS.get(moves[at]) ?? [] : [])));
  return stepDone(state, {
    phase: 'mission',
    intel: [...state.intel, card],
    marks: marks.map((missions) => missions.sort((mission, other) => mission - other)),
  });
}

/** The intel cards still face down, ascending. */
function intelLeft(turnedUp) {
  const left = [...SPIES_AND_LIES_DATA.intelDeck];
  for (const [lowest] of turnedUp) {
    left.splice(left.findIndex((card) => card[0] === lowest), 1);
  }
  return left;
}

/** Chance exhausts one of each side's soldiers of today, two after double damage; a new day begins. */
function* playNight(state) {
  const ways = BOTH_SIDES.map((side) => {
    const open = openRanks(state.cards[side]);
    return choicesOf(open, Math.min(state.double[side] ? 2 : 1, open.length));
  });
  const rolled = yield* rollDice(ways.map((way) => way.length));
  return dayBegins({
    ...state,
    day: state.day + 1,
    starter: 1 - state.starter,
    exhausted: ways.map((way, side) => [...way[rolled[side]]].sort((left, right) => left - right)),
  });
}

/** The phase that follows on the step in which a seat's missions are laid, and those before which they were laid. */
const LAID_BY = new Map([
  [FIRST_MISSIONS[0], {next: 'look', laid: ['intel', 'mission', 'night']}],
  [SECOND_MISSIONS[0], {next: 'intel', laid: ['mission', 'night']}],
]);

/** A seat has gone during the step that led to `state`; its mate lays what it should have laid in it. */
function* spiesAndLiesGone(state, seat) {
  const {seats, gone} = state.seating;
  const seating = {seats, gone: [...gone, seat].sort((leaver, other) => leaver - other)};
  const [side, missions, mate] = [sideOfSeat(seat), missionsOf(seating, seat), mateOf(seating, seat)];
  let {closed} = state;
  if (mate !== null) {
    const {next, laid} = LAID_BY.get(missions[0]);
    if (state.phase === next) {
      yield layAsk(state, side, missions, mate);
    } else if (laid.includes(state.phase)) {
      const lost = missions.filter((mission) => state.cards[side][mission - 1] === null);
      const whole = [...new Set([...closed[side], ...lost])].sort((mission, other) => mission - other);
      closed = closed.map((before, at) => (at === side ? whole : before));
    }
  }
  return stepDone(state, {seating, closed});
}

/** @type {Rulebook} */
export const SPIES_AND_LIES = Object.freeze({
  name: SPIES_AND_LIES_DATA.name,
  version: SPIES_AND_LIES_DATA.version,
  seatCounts: SPIES_AND_LIES_DATA.seatCounts,
  mostRolls: SPIES_AND_LIES_DATA.mostRolls,
  options: spiesAndLiesOptions,
  sides: spiesAndLiesSides,
  setup: setupSpiesAndLies,
  turn: (state) => DAY_STEPS[state.phase](state),
  gone: spiesAndLiesGone,
});

/**
 * What may be drawn of a state.
 * @param {SpiesAndLiesState} state
 * @param {number|'all'|'nobody'} viewer A seat reads its own cards; `all` reads every face there is.
 * @param {Object<number, number>} [faces] By slot: the faces that the record tells at its end.
 */
export function observeSpiesAndLies(state, viewer, faces = {}) {
  const playing = state.phase === 'mission';
  return {
    ...state,
    game: SPIES_AND_LIES_DATA.name,
    guesser: playing ? guesserNow(state) : null,
    mission: playing ? missionNow(state) : null,
    today: state.intel[state.day] ?? null,
    intelLeft: SPIES_AND_LIES_DATA.intelDeck.length - state.intel.length,
    cards: state.cards.map((line, side) => line.map((card, place) => seenCard(state, card, side, place + 1, viewer, faces))),
  };
}

/** A card as the viewer sees it. */
function seenCard(state, card, side, mission, viewer, faces) {
  const {day, report, phase, seating} = state;
  const slot = cardSlot(day, side, mission);
  const awaited = phase === 'look' && isTeam(seating, side) && SECOND_MISSIONS.includes(mission);
  const laid = phase !== 'deploy' && !awaited;
  const readable = laid && (viewer === 'all' || viewer === holderOf(seating, side, mission));
  return {
    slot,
    laid,
    rank: card?.rank ?? (readable ? faces[slot] ?? null : null),
    open: card !== null,
    result: card?.result ?? null,
    marked: state.marks[side].includes(mission),
    out: report !== null && report.guesser === 1 - side && report.mission === mission,
  };
}
