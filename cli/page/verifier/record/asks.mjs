// The Asks of a game: the whole vocabulary between a rulebook and the referee.  The counterpart of
// p2p_stratego/core/game.py, which says what each Ask means.
//
// How a rulebook is written.  A rulebook is a frozen object (typedef Rulebook below).  Each of its steps (SPEC 6.3) is a
// generator: it yields one Ask at a time, is sent the answer, and returns the frozen state behind the step.
//
//     function* setup(options, seats) {
//       const start = yield askToRoll(2);                    // an integer from 0 to 1
//       yield askTogether([askToCommit(0, [0], [1, 2]), askToCommit(1, [1], [1, 2])]);
//       return Object.freeze({start, ended: null});
//     }
//     function* turn(state) {
//       const guess = yield askToChoose(state.start, new Set(['one', 'two']));
//       const face = yield askToOpen(1 - state.start);       // the face in that slot
//       return Object.freeze({...state, ended: gameOver(guess === 'one' ? [0] : [1], 'guessed')});
//     }
//
// The referee checks every answer before it is sent: a move is one of the options, a face one of those that the Commit
// of its slot allowed.  Null is the answer of a seat that has left (SPEC 7.9).  So a rulebook never meets an illegal
// answer, and it throws only if it has a bug itself.
// A breach that the rules find is the end: gameOver(winners, 'cheated', {seat, rule}).
// A rulebook sees public things only, and must stay free of clocks, randomness, input, output and cryptography.

/**
 * @typedef {number} Seat Counted from 0.
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
 * @typedef {{kind: 'OpenTo', slot: Slot, seat: Seat}} OpenTo
 * @typedef {{kind: 'Mix', seat: Seat, old: Slot[], new: Slot[], rule: string, chosen: boolean}} Mix
 * @typedef {{kind: 'NewDeck', deck: number, faces: Face[]}} NewDeck
 * @typedef {{kind: 'Shuffle', deck: number}} Shuffle
 * @typedef {{kind: 'Draw', deck: number, hands: [Seat, Slot[]][]}} Draw
 * @typedef {{kind: 'Lay', deck: number, slots: Slot[]}} Lay
 * @typedef {{kind: 'Show', slots: Slot[], seat: Seat, copies: Slot[]}} Show
 * @typedef {{kind: 'Give', slots: Slot[], seat: Seat}} Give
 * @typedef {{kind: 'Back', slots: Slot[], deck: number}} Back
 * @typedef {{kind: 'ClaimOneOf', seat: Seat, rule: string, slots: Slot[], tuples: Face[][]}} ClaimOneOf
 * @typedef {NewDeck|Shuffle|Draw|Lay|Show|Give|Back|ClaimOneOf} DeckAsk Of games that need proofs.
 * @typedef {Choose|Commit|Open|Claim|Roll|Together|OpenTo|Mix|DeckAsk} Ask
 * @typedef {Map<string, number|string>} Options Every option by name, in the game's order.
 *
 * @typedef {object} Rulebook
 * @property {string} name The game's name in a genesis.
 * @property {number} version The version of its rules.
 * @property {number[]} seatCounts The numbers of players that can play, ascending.
 * @property {number} mostRolls An upper bound for the Rolls of one match.
 * @property {number} [mostShuffles] An upper bound for the Shuffles of one match, of a game with decks.
 * @property {boolean} [needsProofs] Whether the game has decks or claims over tuples.
 * @property {boolean} [privateTalk] Whether a player may talk to one other alone.
 * @property {(wanted: Options) => ?Options} options Completes `wanted` with defaults, in the game's order; null if the
 *   game does not offer one of them.
 * @property {(seats: number) => Seat[][]} sides The seats that win and lose together.
 * @property {(options: Options, seats: number) => Generator<Ask, object, *>} setup The state before the first turn.
 * @property {(state: object) => Generator<Ask, object, *>} turn The state behind the next step.  A state has an `ended`:
 *   the Outcome, or null while the game goes on.
 * @property {(state: object, seat: Seat) => Generator<Ask, object, *>} gone The state once the rules know that a seat
 *   has left; not asked for where that ends the match.
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

/** The owner of `slot` shows it to `seat` alone.  Answer: null. @returns {OpenTo} */
export function askToShow(slot, seat) {
  return {kind: 'OpenTo', slot, seat};
}

/**
 * `seat` lays what is under its slots `old` again under new ones; `rule`: broken if it lays anything else; `chosen`: in
 * an order that its player decides.  Answer: null. @returns {Mix}
 */
export function askToMix(seat, old, renewed, rule, chosen = false) {
  return {kind: 'Mix', seat, old, new: renewed, rule, chosen};
}

/** A fair roll that no player can steer.  Answer: an integer, 0 ≤ answer < sides ≤ 2^32. @returns {Roll} */
export function askToRoll(sides) {
  return {kind: 'Roll', sides};
}

/**
 * Decisions that several seats make at the same time: all Choose or all Commit, one a seat, seats ascending.
 * Answer: the array of their answers, in order. @returns {Together}
 */
export function askTogether(asks) {
  return {kind: 'Together', asks};
}

/** A new deck of public cards, the top one first; it is not shuffled. @returns {NewDeck} */
export function askForDeck(deck, faces) {
  return {kind: 'NewDeck', deck, faces};
}

/** All seats shuffle a deck, one after the other. @returns {Shuffle} */
export function askToShuffle(deck) {
  return {kind: 'Shuffle', deck};
}

/** The top cards go into the hands: pairs of a seat and its new slots. @returns {Draw} */
export function askToDraw(deck, hands) {
  return {kind: 'Draw', deck, hands};
}

/** The top cards lie under new slots, and nobody holds them. @returns {Lay} */
export function askToLay(deck, slots) {
  return {kind: 'Lay', deck, slots};
}

/** The holder of cards shows them to `seat`, which has the same under its new slots `copies`. @returns {Show} */
export function askToShowCards(slots, seat, copies) {
  return {kind: 'Show', slots, seat, copies};
}

/** `seat` holds these cards from now on. @returns {Give} */
export function askToGive(slots, seat) {
  return {kind: 'Give', slots, seat};
}

/** Cards go to the bottom of a deck, in this order. @returns {Back} */
export function askToPutBack(slots, deck) {
  return {kind: 'Back', slots, deck};
}

/** `seat` claims that the faces under its own slots are, in this order, one of `tuples`. @returns {ClaimOneOf} */
export function askToClaimOneOf(seat, rule, slots, tuples) {
  return {kind: 'ClaimOneOf', seat, rule, slots, tuples};
}

/** The end of a game: the winning seats (none: a draw), the reason, and the breach, if any. @returns {Outcome} */
export function gameOver(winners, reason, breach = null) {
  return {winners: [...winners].sort((left, right) => left - right), reason, breach};
}

/** Every one of `seats` players is a side of its own. */
export function eachAlone(seats) {
  return Array.from({length: seats}, (_, seat) => [seat]);
}
