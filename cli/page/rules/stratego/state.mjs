// The public state of Stratego between two moves, and what everybody can conclude from it; the counterpart of
// p2p_stratego/stratego/rules/state.py.  States are frozen and hold no hidden thing.

import {STRATEGO_DATA} from '../../game_data.mjs';
import {armySize} from './armies.mjs';
import {BARE_BOARD, MOVED_CELL, OPEN_CELL, UNMOVED_CELL, faceIn, homeSquare, ownerOf, withCell} from './board.mjs';
import {NO_MEMORY} from './repetition.mjs';

const MOBILE_SET = new Set(STRATEGO_DATA.pieces.flatMap((piece, face) => (piece.reach > 0 ? [face] : [])));
/** The faces that move, ascending. */
export const MOBILE_FACES = [...MOBILE_SET];
/** Bomb and flag. */
export const IMMOBILE_FACES = STRATEGO_DATA.pieces.flatMap((_, face) => (MOBILE_SET.has(face) ? [] : [face]));

/**
 * @typedef {object} MoveReport The result of one move.
 * @property {number} seat
 * @property {string} move
 * @property {string} result `moved`, `none`, or that of an attack: `won`, `lost`, `both`, `flag`.
 * @property {?number} attacker The faces of an attack.
 * @property {?number} defender
 *
 * @typedef {object} StrategoState Pairs are by seat.
 * @property {Army} army
 * @property {number} first Who makes the first move.
 * @property {number} quiet So many moves in a row without an attack are a draw; 0: never.
 * @property {boolean} tournament Whether scouts are held to the line on which they go back and forth.
 * @property {string} phase The next step: `army`, `squares`, `play`; `over`: none.
 * @property {number} seat The seat to move.
 * @property {number} plies Moves made, of both sides together.
 * @property {number} calm Moves made since the last attack.
 * @property {string} board 100 cells.
 * @property {number[][]} left By face, how many of each side's pieces have never been opened.
 * @property {number[]} unmoved How many of each side's pieces were neither opened nor moved yet.
 * @property {number[][]} lost The faces of each side's fallen pieces, in the order in which they fell.
 * @property {Memory} memory
 * @property {boolean} stuck Whether the other side has just said that it cannot move.
 * @property {?MoveReport} report Of the last move.
 * @property {?object} ended The Outcome, in phase `over`.
 */

/** The state before the armies are laid. @returns {StrategoState} */
export function armiesAwaited(army, first, quiet, tournament) {
  const size = armySize(army);
  return Object.freeze({
    army,
    first,
    quiet,
    tournament,
    phase: 'army',
    seat: first,
    plies: 0,
    calm: 0,
    board: BARE_BOARD,
    left: [army.counts, army.counts],
    unmoved: [size, size],
    lost: [[], []],
    memory: NO_MEMORY,
    stuck: false,
    report: null,
    ended: null,
  });
}

/** The armies on the board: by seat, the k-th filled place holds the side's k-th slot. @returns {StrategoState} */
export function armiesArrayed(state, filled) {
  let {board} = state;
  filled.forEach((places, seat) =>
    places.forEach((place, k) => {
      board = withCell(board, homeSquare(seat, place), UNMOVED_CELL + pieceSlot(seat, k));
    }),
  );
  return strategoState(state, {phase: 'play', board});
}

/** The state with some changes. @returns {StrategoState} */
export function strategoState(state, changes) {
  return Object.freeze({...state, ...changes});
}

/** The slot of a side's k-th piece. */
export function pieceSlot(seat, k) {
  return seat * STRATEGO_DATA.slots + k;
}

/** The number of bombs and flags of a side that were never opened. */
export function stillHidden(state, seat) {
  return IMMOBILE_FACES.reduce((sum, face) => sum + state.left[seat][face], 0);
}

/** Every face that the piece in a cell can show, by public knowledge, if its owner is honest. @returns {number[]} */
export function facesPossible(state, cell) {
  if (cell >= OPEN_CELL) {
    return [faceIn(cell)];
  }
  const seat = ownerOf(cell);
  const there = (face) => state.left[seat][face] > 0;
  if (cell >= MOVED_CELL) {
    return MOBILE_FACES.filter(there);
  }
  const rooted = state.unmoved[seat] <= stillHidden(state, seat);
  return (rooted ? IMMOBILE_FACES : STRATEGO_DATA.pieces.map((_, face) => face)).filter(there);
}
