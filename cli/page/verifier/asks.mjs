// The Asks of a game: the whole vocabulary between a rulebook and the referee, for two seats and the profile of
// salted hashes.  The counterpart of p2p_stratego/core/game.py, which says what each Ask means.
//
// How a rulebook is written.  A rulebook is a frozen object (typedef Rulebook below).  Its `play` is a generator: it
// yields one Ask at a time and is sent the answer, and it returns the Outcome.
//
//     function* play(options, seats, show) {
//       const start = yield askToRoll(2);                    // an integer from 0 to 1
//       yield askTogether([askToCommit(0, [0], [1, 2]), askToCommit(1, [1], [1, 2])]);
//       show({phase: 'guess', ...});                         // a frozen state: once a step (SPEC 6.3) is complete
//       const guess = yield askToChoose(start, new Set(['one', 'two']));
//       const face = yield askToOpen(1 - start);             // the face in that slot
//       return gameOver(guess === 'one' ? [0] : [1], 'guessed');
//     }
//
// The referee checks every answer before it is sent: a move is one of the options, a face one of those that the Commit
// of its slot allowed.  So a rulebook never meets an illegal answer, and it throws only if it has a bug itself.
// A breach that the rules find is the end: return gameOver(winners, 'cheated', {seat, rule}).
// A rulebook sees public things only, and must stay free of clocks, randomness, input, output and cryptography.

/**
 * @typedef {number} Seat 0 or 1.
 * @typedef {number} Slot A name for a hidden thing, 0 to 65,535; never used twice within a match.
 * @typedef {number} Face The value in a slot, 0 to 127.
 * @typedef {{has: (move: string) => boolean}} Moves All options: a Set, or an object that computes them.
 * @typedef {{seat: Seat, rule: string}} Breach A seat broke a rule, as the rules themselves can see.
 * @typedef {{winners: Seat[], reason: string, breach: ?Breach}} Outcome Winners ascending; empty: a draw.
 * @typedef {{kind: 'Choose', seat: Seat, options: Moves}} Choose
 * @typedef {{kind: 'Commit', seat: Seat, slots: Slot[], faces: Face[], exactly: boolean}} Commit
 * @typedef {{kind: 'Open', slot: Slot}} Open
 * @typedef {{kind: 'Claim', seat: Seat, rule: string, slots: Slot[], faces: Face[]}} Claim
 * @typedef {{kind: 'Roll', sides: number}} Roll
 * @typedef {{kind: 'Together', asks: (Choose[]|Commit[])}} Together
 * @typedef {Choose|Commit|Open|Claim|Roll|Together} Ask
 * @typedef {Map<string, number|string>} Options Every option by name, in the game's order.
 *
 * @typedef {object} Rulebook
 * @property {string} name The game's name in a genesis.
 * @property {number} version The version of its rules.
 * @property {number[]} seatCounts The numbers of players that can play, ascending.
 * @property {number[]} checkedHere Of these, the numbers for which `play` has the rules; the others are "not checked
 *   here".
 * @property {number} mostRolls An upper bound for the Rolls of one match.
 * @property {(wanted: Options) => ?Options} options Completes `wanted` with defaults, in the game's order; null if the
 *   game does not offer one of them.
 * @property {(options: Options, seats: number, show: (state: object) => void) => Generator<Ask, Outcome, *>} play
 */

/** `seat` says one of `options` aloud.  Answer: the move, a string. @returns {Choose} */
export function askToChoose(seat, options) {
  return {kind: 'Choose', seat, options};
}

/**
 * `seat` lays faces of its own choice, each one of `faces`, under `slots`.  Answer: null.
 * `exactly`: together they are exactly `faces`, as many of each as it holds; claimed now, settled at the end.
 * @returns {Commit}
 */
export function askToCommit(seat, slots, faces, exactly = false) {
  return {kind: 'Commit', seat, slots, faces, exactly};
}

/** The owner of `slot` turns it up for everybody.  Answer: the face. @returns {Open} */
export function askToOpen(slot) {
  return {kind: 'Open', slot};
}

/**
 * `seat` claims that each of its own hidden `slots` shows one of `faces`; `rule`: the broken rule if not.
 * Answer: null. @returns {Claim}
 */
export function askToClaim(seat, rule, slots, faces) {
  return {kind: 'Claim', seat, rule, slots, faces};
}

/** A fair roll that no player can steer.  Answer: an integer, 0 ≤ answer < sides ≤ 2^32. @returns {Roll} */
export function askToRoll(sides) {
  return {kind: 'Roll', sides};
}

/**
 * Decisions that both seats make at the same time: all Choose or all Commit, one a seat, seats ascending.
 * Answer: the array of their answers, in order. @returns {Together}
 */
export function askTogether(asks) {
  return {kind: 'Together', asks};
}

/** The end of a game: the winning seats (none: a draw), the reason, and the breach, if any. @returns {Outcome} */
export function gameOver(winners, reason, breach = null) {
  return {winners: [...winners].sort((left, right) => left - right), reason, breach};
}
