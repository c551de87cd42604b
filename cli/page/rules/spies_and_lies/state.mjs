// The public state of Spies & Lies between two steps; the counterpart of
// p2p_stratego/spies_and_lies/rules/state.py.  States are frozen and hold no hidden thing: a closed card is null.

import {SPIES_AND_LIES_DATA} from '../../game_data.mjs';

/**
 * @typedef {number} Rank 1 (Spy) to 10 (Marshal): a soldier, and the face of its card.
 * @typedef {number} Mission 1 to 4.
 * @typedef {number[]} IntelRange The lowest and the highest rank that an intel card asks to be marked.
 * @typedef {{rank: Rank, result: string}} ShownCard A card of today that is face up, and how it came to be.
 * @typedef {{kind: string, side: number, amount: number}} Effect What happened within a turn, as in the Python rules.
 * @typedef {object} MissionReport The results of one mission turn, with points, agent and tokens after it.
 * @property {number} day
 * @property {number} turn 1 to 8, within the day.
 * @property {number} guesser
 * @property {Mission} mission
 * @property {?Rank} guess Null: the card was counted, nobody had to guess.
 * @property {boolean} token
 * @property {boolean} marked
 * @property {?Rank} soldier Null: the card stays face down, since the seat that laid it is gone.
 * @property {string} result
 * @property {Effect[]} effects In order of play.
 * @property {number[]} points
 * @property {number} agent
 * @property {number[]} tokens
 * @property {number} guessing The seat that guessed, or would have.
 * @property {number} owning The seat that laid the card.
 *
 * @typedef {object} SpiesAndLiesState Pairs are by side.
 * @property {{seats: number, gone: number[]}} seating Who plays, and who is gone, ascending.
 * @property {number} wall Steps from the middle to either wall, 2 to 8.
 * @property {number} firstStarter Who guesses first on days 1 and 3.
 * @property {string} phase The next step: `deploy`, `look` (second mates), `intel`, `mission`, `night`; `over`: none.
 * @property {number} day 1 to 3.
 * @property {number} turn Mission turns played out today, 0 to 8.
 * @property {number} starter Who guesses first today.
 * @property {number} agent 0 in the middle, positive toward blue's fort.
 * @property {number[]} points 0 to 9.
 * @property {number[]} tokens 0 to 2.
 * @property {number} spare Tokens that a Spy can still win.
 * @property {IntelRange[]} intel Cards turned up so far: [0] is the old one, [day] today's.
 * @property {Rank[][]} exhausted Soldiers that each side cannot deploy today, ascending.
 * @property {Mission[][]} marks Ascending; none before today's intel.
 * @property {(?ShownCard)[][]} cards By seat, then mission − 1.
 * @property {Rank[][]} active Spy, Scout and Miner in force today, ascending.
 * @property {boolean[]} blast The next guess of this side today uses the blast up.
 * @property {boolean[]} caught This side was caught out of order today.
 * @property {boolean[]} double Two soldiers of this side are exhausted tonight.
 * @property {Mission[][]} closed Ascending: cards that stay face down, because the seat that laid them is gone.
 * @property {number[]} moved Steps that this side has pushed the agent today.
 * @property {?MissionReport} report Of the mission turn that led here.
 * @property {?object} ended The Outcome, in phase `over`.
 */

const NEW_DAY = Object.freeze({
  turn: 0,
  marks: [[], []],
  cards: [[null, null, null, null], [null, null, null, null]],
  active: [[], []],
  blast: [false, false],
  caught: [false, false],
  double: [false, false],
  closed: [[], []],
  moved: [0, 0],
  report: null,
  ended: null,
});

/** The state at the dawn of a day: these values, and no other that belongs to a day. @returns {SpiesAndLiesState} */
export function dayBegins(values) {
  return Object.freeze({...values, ...NEW_DAY, phase: 'deploy'});
}

/** The state before day 1. @returns {SpiesAndLiesState} */
export function gameBegins({seats, wall, starter, intel, exhausted}) {
  const {tokens, tokensAtStart} = SPIES_AND_LIES_DATA;
  return dayBegins({
    seating: {seats, gone: []},
    wall,
    firstStarter: starter,
    day: 1,
    starter,
    agent: 0,
    points: [0, 0],
    tokens: [tokensAtStart, tokensAtStart],
    spare: tokens - 2 * tokensAtStart,
    intel: [intel],
    exhausted,
  });
}

/** The state after a step with these changes; a report belongs to the one step that made it. */
export function stepDone(state, changes) {
  return Object.freeze({...state, report: null, ...changes});
}

/** The guesser of the coming mission turn. */
export function guesserNow(state) {
  return state.turn % 2 === 0 ? state.starter : 1 - state.starter;
}

/** The mission that is guessed in the coming mission turn. */
export function missionNow(state) {
  return Math.floor(state.turn / 2) + 1;
}

/** The slot of a card, 0 to 23 (spec/spies-and-lies.md, section 1). */
export function cardSlot(day, side, mission) {
  return (day - 1) * 8 + side * 4 + (mission - 1);
}

/** The ranks of a line's open cards, in mission order. @returns {Rank[]} */
export function openRanks(line) {
  return line.filter((card) => card !== null).map((card) => card.rank);
}

/** The chart's line of a soldier. */
export function soldierOf(rank) {
  return SPIES_AND_LIES_DATA.soldiers[rank - 1];
}

/** A copy of a list with another value at `place`. */
export function replacedAt(list, place, value) {
  return list.map((old, at) => (at === place ? value : old));
}
