// The moves of pieces (spec/stratego.md, sections 2 and 3).  How far a closed piece goes is not public, so each
// question takes a ClosedReach: what closed pieces that have moved, and those that have not, are taken to be.

import {STRATEGO_DATA} from '../../game_data.mjs';
import {
  ALL_SQUARES,
  EMPTY_CELL,
  MOVED_CELL,
  OPEN_CELL,
  RAYS_FROM,
  cellAt,
  faceIn,
  ownerOf,
  slotIn,
  squareName,
  squaresOf,
} from './board.mjs';
import {isRepetition} from './repetition.mjs';
import {stillHidden} from './state.mjs';

const STANDS = 0;
const STEPS_ONE = 1;
const RUNS_FAR = 2;
/** "I cannot move". */
export const NO_MOVE = 'none';

/** @typedef {{unmoved: number, moved: number}} ClosedReach 0: stands; 1: one square a move; 2: any number. */

/** The farthest that closed pieces could go, by public knowledge. @returns {ClosedReach} */
function possibleReach(state) {
  const {seat} = state;
  const moved = state.left[seat][STRATEGO_DATA.scout] > 0 ? RUNS_FAR : STEPS_ONE;
  return {unmoved: state.unmoved[seat] > stillHidden(state, seat) ? moved : STANDS, moved};
}

/** The farthest that closed pieces can certainly go, if their owner is honest. @returns {ClosedReach} */
function certainReach(state) {
  return {unmoved: stillHidden(state, state.seat) > 0 ? STANDS : STEPS_ONE, moved: STEPS_ONE};
}

function reachOfCell(cell, closed) {
  if (cell >= OPEN_CELL) {
    return STRATEGO_DATA.pieces[faceIn(cell)].reach;
  }
  return cell >= MOVED_CELL ? closed.moved : closed.unmoved;
}

/** The targets of the piece on `source`, if it is of the seat to move. @returns {number[]} */
function targetsFrom(state, source, closed) {
  const {board, seat} = state;
  const cell = cellAt(board, source);
  const targets = [];
  if (ownerOf(cell) !== seat) {
    return targets;
  }
  const reach = reachOfCell(cell, closed);
  for (const ray of RAYS_FROM[source]) {
    for (const target of reach === RUNS_FAR ? ray : ray.slice(0, reach)) {
      const met = cellAt(board, target);
      if (met === EMPTY_CELL || ownerOf(met) === 1 - seat) {
        targets.push(target);
      }
      if (met !== EMPTY_CELL) {
        break;
      }
    }
  }
  return targets.filter((target) => !isRepetition(state, {source, target}));
}

/** The closed pieces of the seat to move that could move, if all of them went so far; their squares. */
function closedMovers(state, far) {
  const closed = {unmoved: far, moved: far};
  const isClosed = (square) => cellAt(state.board, square) < OPEN_CELL;
  return ALL_SQUARES.filter((square) => isClosed(square) && targetsFrom(state, square, closed).length > 0);
}

/** Whether everybody can see that the seat to move has a legal move, if it is honest. */
export function surelyCanMove(state) {
  const certain = certainReach(state);
  return (
    ALL_SQUARES.some((square) => targetsFrom(state, square, certain).length > 0) ||
    closedMovers(state, STEPS_ONE).length > stillHidden(state, state.seat)
  );
}

/** The closed pieces of which "none" says something: those with a free step, and those that could only run. */
export function slotsOfNoMove(state) {
  const near = closedMovers(state, STEPS_ONE);
  const far = closedMovers(state, RUNS_FAR).filter((square) => !near.includes(square));
  const [steppers, runners] = [near, far].map((squares) =>
    squares.map((square) => slotIn(cellAt(state.board, square))),
  );
  return {steppers, runners};
}

/** The options of a move: every move that could be legal by public knowledge; "none" where that could be true. */
export class PossibleMoves {
  #state;

  /** @param {StrategoState} state */
  constructor(state) {
    this.#state = state;
  }

  has(move) {
    if (move === NO_MOVE) {
      return !surelyCanMove(this.#state);
    }
    const squares = squaresOf(move);
    return (
      squares !== null &&
      targetsFrom(this.#state, squares.source, possibleReach(this.#state)).includes(squares.target)
    );
  }

  *[Symbol.iterator]() {
    const reach = possibleReach(this.#state);
    for (const source of ALL_SQUARES) {
      for (const target of targetsFrom(this.#state, source, reach)) {
        yield squareName(source) + squareName(target);
      }
    }
    if (this.has(NO_MOVE)) {
      yield NO_MOVE;
    }
  }
}
