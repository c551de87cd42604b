// The rules of Stratego against repetition: two squares, its tournament form, and pursuit (spec/stratego.md, section 3).  The names a,
// b, c, d and n are those of the specification.

import {EMPTY_CELL, NEIGHBOURS_OF, cellAt, columnOf, ownerOf, rowOf, withCell} from './board.mjs';

/** So many squares of a piece the two-squares rule looks back upon. */
const TRAIL_LENGTH = 4;

/**
 * The boards that the pursuit rule may still ask for.  No operation changes a value that was made before: values that
 * grew out of one another share one list, and each knows how far it goes in it.
 */
class BoardHistory {
  #boards;
  #places;
  #end;
  #length;

  /** `boards` oldest first; of those before `end`, the last `length` count; `places`: by board, its own, ascending. */
  constructor(boards, places, end, length) {
    this.#boards = boards;
    this.#places = places;
    this.#end = end;
    this.#length = length;
  }

  /** All of `boards`, oldest first, in a list of their own. */
  static of(boards) {
    const none = new BoardHistory([], new Map(), 0, 0);
    return boards.reduce((history, board) => history.#grown(board, Infinity), none);
  }

  /** This and one more board, as far as the last `most` of them. */
  then(board, most) {
    if (most <= 0) {
      return NO_HISTORY;
    }
    const isNewest = this.#length > 0 && this.#end === this.#boards.length;
    return (isNewest ? this : BoardHistory.of(this.list())).#grown(board, most);
  }

  #grown(board, most) {
    const places = this.#places.get(board);
    if (places === undefined) {
      this.#places.set(board, [this.#end]);
    } else {
      places.push(this.#end);
    }
    this.#boards.push(board);
    return new BoardHistory(this.#boards, this.#places, this.#end + 1, Math.min(this.#length + 1, most));
  }

  /** Whether `board` is among the last `last` boards. */
  holds(board, last) {
    const first = this.#end - Math.min(last, this.#length);
    const place = this.#places.get(board)?.findLast((moment) => moment < this.#end);
    return place !== undefined && place >= first;
  }

  /** The boards, oldest first. @returns {string[]} */
  list() {
    return this.#boards.slice(this.#end - this.#length, this.#end);
  }
}

const NO_HISTORY = new BoardHistory([], new Map(), 0, 0);

/**
 * @typedef {object} Memory The part of the past that the two rules ask for; pairs are by seat.
 * @property {number[][]} trails Squares that one piece came by in its side's last moves without a move of another.
 * @property {number[]} threats The counters of the pursuit rule.
 * @property {BoardHistory} history The boards that the pursuit rule may still ask for.
 */

/** Nothing has been moved yet. @type {Memory} */
export const NO_MEMORY = Object.freeze({trails: [[], []], threats: [0, 0], history: NO_HISTORY});

function isNextToEnemy(board, seat, square) {
  return NEIGHBOURS_OF[square].some((neighbour) => ownerOf(cellAt(board, neighbour)) === 1 - seat);
}

/** The memory after a move; `before` and `then` are the boards before and after it. @returns {Memory} */
export function remembered(memory, seat, {source, target}, before, then) {
  const enemy = 1 - seat;
  const trails = [...memory.trails];
  const trail = memory.trails[seat];
  trails[seat] = trail.at(-1) === source ? [...trail.slice(1 - TRAIL_LENGTH), target] : [source, target];
  const attacked = cellAt(before, target) !== EMPTY_CELL;
  const theirs = memory.trails[enemy].at(-1);
  const flees = theirs !== undefined && NEIGHBOURS_OF[theirs].includes(source);
  const threats = [0, 0];
  threats[enemy] = !attacked && flees ? memory.threats[enemy] + 1 : 0;
  threats[seat] = isNextToEnemy(then, seat, target) ? (attacked ? 0 : memory.threats[seat]) + 1 : 0;
  return {trails, threats, history: memory.history.then(before, Math.max(...threats) - 1)};
}

/** The same past with the new cell of a piece that has moved or was opened: nothing is new because it is known. */
export function recoded(memory, before, now) {
  const old = String.fromCharCode(before);
  const boards = memory.history.list().map((board) => board.replaceAll(old, () => String.fromCharCode(now)));
  return boards.length > 0 ? {...memory, history: BoardHistory.of(boards)} : memory;
}

/** Whether one of the rules forbids a move that is legal otherwise; `tournament`: scouts are held to their line. */
export function isRepetition({memory, seat, board, tournament}, {source, target}) {
  return (
    isBackAndForth(memory.trails[seat], source, target, tournament) ||
    (cellAt(board, target) === EMPTY_CELL && isPursuit(memory, seat, board, source, target))
  );
}

function isBackAndForth(trail, source, n, tournament) {
  if (trail.length < TRAIL_LENGTH || trail.at(-1) !== source) {
    return false;
  }
  const [d, c, b, a] = trail;
  if (!tournament) {
    return d === b && c === a && n === b;
  }
  const isOneLine = [rowOf, columnOf].some((line) => trail.every((square) => line(square) === line(n)));
  const forth = d < c && c > b && b < a && d < a;
  const back = d > c && c < b && b > a && d > a;
  return isOneLine && ((forth && n < Math.min(a, c)) || (back && n > Math.max(a, c)));
}

function isPursuit(memory, seat, board, source, target) {
  const trail = memory.trails[seat];
  const reverses = trail.at(-1) === source && trail.at(-2) === target;
  if (memory.threats[seat] < 2 || reverses || !isNextToEnemy(board, seat, target)) {
    return false;
  }
  const then = withCell(withCell(board, source, EMPTY_CELL), target, cellAt(board, source));
  return memory.history.holds(then, memory.threats[seat] - 1);
}
