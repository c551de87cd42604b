// The rulebook of Spies & Lies for two seats (spec/spies-and-lies.md); the counterpart of the Python package
// p2p_stratego/spies_and_lies/rules.

import {askTogether, askToChoose, askToCommit, askToRoll} from '../verifier/asks.mjs';
import {SPIES_AND_LIES_DATA} from '../game_data.mjs';
import {playMission} from './spies_and_lies_mission.mjs';
import {
  cardSlot,
  dayBegins,
  gameBegins,
  guesserNow,
  missionNow,
  openRanks,
  stepDone,
} from './spies_and_lies_state.mjs';

const SOLDIER_RANKS = SPIES_AND_LIES_DATA.soldiers.map(({rank}) => rank);
/** The missions of each way to mark, by its move: "mark none", "mark 1", … "mark 1234". */
const MARKED_MISSIONS = new Map(
  subsetsOf(SPIES_AND_LIES_DATA.missions).map((missions) => [`mark ${missions.join('') || 'none'}`, missions]),
);
const MARK_MOVES = new Set(MARKED_MISSIONS.keys());
const DAY_STEPS = {deploy: playDeployment, intel: playIntel, mission: playMission, night: playNight};

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
function* prepareGame(options) {
  const {seatNames, intelDeck} = SPIES_AND_LIES_DATA;
  const named = seatNames.indexOf(options.get('starter'));
  const starters = named < 0 ? [0, 1] : [named];
  const ranks = SOLDIER_RANKS.length;
  const [first, old, red, blue] = yield* rollDice([starters.length, intelDeck.length, ranks, ranks]);
  return gameBegins({
    wall: options.get('wall'),
    starter: starters[first],
    intel: intelDeck[old],
    exhausted: [[SOLDIER_RANKS[red]], [SOLDIER_RANKS[blue]]],
  });
}

/** Each side lays four cards face down; any rank can be laid. */
function* playDeployment(state) {
  const lay = (seat) => {
    const slots = SPIES_AND_LIES_DATA.missions.map((mission) => cardSlot(state.day, seat, mission));
    return askToCommit(seat, slots, SOLDIER_RANKS);
  };
  yield askTogether([lay(0), lay(1)]);
  return stepDone(state, {phase: 'intel'});
}

/** An intel card is turned up, and both mark their missions. */
function* playIntel(state) {
  const left = intelLeft(state.intel);
  const card = left[yield askToRoll(left.length)];
  const moves = yield askTogether([askToChoose(0, MARK_MOVES), askToChoose(1, MARK_MOVES)]);
  return stepDone(state, {
    phase: 'mission',
    intel: [...state.intel, card],
    marks: moves.map((move) => MARKED_MISSIONS.get(move)),
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
  const ways = [0, 1].map((seat) => choicesOf(openRanks(state.cards[seat]), state.double[seat] ? 2 : 1));
  const rolled = yield* rollDice(ways.map((way) => way.length));
  return dayBegins({
    ...state,
    day: state.day + 1,
    starter: 1 - state.starter,
    exhausted: ways.map((way, seat) => [...way[rolled[seat]]].sort((left, right) => left - right)),
  });
}

/** The whole game; `show` gets the state after each step. */
function* playSpiesAndLies(options, _seats, show) {
  let state = yield* prepareGame(options);
  show(state);
  while (state.ended === null) {
    state = yield* DAY_STEPS[state.phase](state);
    show(state);
  }
  return state.ended;
}

/** @type {Rulebook} */
export const SPIES_AND_LIES = Object.freeze({
  name: SPIES_AND_LIES_DATA.name,
  version: SPIES_AND_LIES_DATA.version,
  seatCounts: SPIES_AND_LIES_DATA.seatCounts,
  checkedHere: [2],
  mostRolls: SPIES_AND_LIES_DATA.mostRolls,
  options: spiesAndLiesOptions,
  play: playSpiesAndLies,
});

/**
 * What may be drawn of a state.
 * @param {SpiesAndLiesState} state
 * @param {0|1|'all'|'nobody'} viewer A seat reads its own cards; `all` reads every face there is.
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
    cards: state.cards.map((line, seat) => line.map((card, place) => seenCard(state, card, seat, place, viewer, faces))),
  };
}

/** A card as the viewer sees it. */
function seenCard(state, card, seat, place, viewer, faces) {
  const {day, report, phase} = state;
  const mission = place + 1;
  const slot = cardSlot(day, seat, mission);
  const laid = phase !== 'deploy';
  const readable = laid && (viewer === 'all' || viewer === seat);
  return {
    slot,
    laid,
    rank: card?.rank ?? (readable ? faces[slot] ?? null : null),
    open: card !== null,
    result: card?.result ?? null,
    marked: state.marks[seat].includes(mission),
    out: report !== null && report.guesser === 1 - seat && report.mission === mission,
  };
}
