// The board of Stratego and the cells on it.  A square is ten times its row, counted from red's back row, plus its
// column: a1 is 0, j10 is 99.  A board is a string of 100 cells, so that boards can be compared and looked up:
//
//     0           empty
//     1 to 80     the piece of slot cell − 1: never opened, never moved
//     81 to 160   the piece of slot cell − 81: never opened, has moved
//     161 to 184  an open piece: 161 + 12 × seat + face
//     255         crater

import {STRATEGO_DATA} from '../../game_data.mjs';

const SQUARE_COUNT = STRATEGO_DATA.side ** 2;
const CRATER_SQUARES = new Set(STRATEGO_DATA.craters);
const CRATER_CELL = 255;
const FACE_COUNT = STRATEGO_DATA.pieces.length;

export const ALL_SQUARES = Array.from({length: SQUARE_COUNT}, (_, square) => square);
export const EMPTY_CELL = 0;
export const UNMOVED_CELL = 1;
export const MOVED_CELL = UNMOVED_CELL + 2 * STRATEGO_DATA.slots;
export const OPEN_CELL = MOVED_CELL + 2 * STRATEGO_DATA.slots;
/** The board without pieces. */
export const BARE_BOARD = String.fromCharCode(
  ...ALL_SQUARES.map((square) => (CRATER_SQUARES.has(square) ? CRATER_CELL : EMPTY_CELL)),
);

/** 0 (row 1) to 9 (row 10). */
export function rowOf(square) {
  return Math.floor(square / STRATEGO_DATA.side);
}

/** 0 (column a) to 9 (column j). */
export function columnOf(square) {
  return square % STRATEGO_DATA.side;
}

/** "a1" to "j10". */
export function squareName(square) {
  return STRATEGO_DATA.columns[columnOf(square)] + (rowOf(square) + 1);
}

const SQUARE_NAMED = new Map(ALL_SQUARES.map((square) => [squareName(square), square]));
const MOVE_PATTERN = /^([a-j](?:10|[1-9]))([a-j](?:10|[1-9]))$/;

/** Source and target of a move such as "a4a5"; null if it is none. @returns {?{source: number, target: number}} */
export function squaresOf(move) {
  const match = MOVE_PATTERN.exec(move);
  return match && {source: SQUARE_NAMED.get(match[1]), target: SQUARE_NAMED.get(match[2])};
}

/** The squares one after the other in a direction, up to a crater or the edge; none from a crater. */
function lineFrom(square, columns, rows) {
  const line = [];
  let column = columnOf(square) + columns;
  let row = rowOf(square) + rows;
  const isFree = () =>
    [column, row].every((place) => 0 <= place && place < STRATEGO_DATA.side) &&
    !CRATER_SQUARES.has(row * STRATEGO_DATA.side + column);
  while (!CRATER_SQUARES.has(square) && isFree()) {
    line.push(row * STRATEGO_DATA.side + column);
    column += columns;
    row += rows;
  }
  return line;
}

/** By square: the lines on which a scout could go, each nearest first; none is empty. */
export const RAYS_FROM = ALL_SQUARES.map((square) =>
  [[1, 0], [-1, 0], [0, 1], [0, -1]]
    .map(([columns, rows]) => lineFrom(square, columns, rows))
    .filter((line) => line.length > 0),
);
/** By square: the squares one step away; never a crater. */
export const NEIGHBOURS_OF = RAYS_FROM.map((rays) => rays.map((ray) => ray[0]));

/** The squares strictly between two on one row or column, in order. */
export function squaresBetween(source, target) {
  const away = rowOf(source) === rowOf(target) ? 1 : STRATEGO_DATA.side;
  const step = source < target ? away : -away;
  const between = [];
  for (let square = source + step; square !== target; square += step) {
    between.push(square);
  }
  return between;
}

/** A side's own square number `place`, from its back row on, left to right as it sees them. */
export function homeSquare(seat, place) {
  return seat === 0 ? place : SQUARE_COUNT - 1 - place;
}

/** The cell of a square. */
export function cellAt(board, square) {
  return board.charCodeAt(square);
}

/** The same board with another cell on a square. */
export function withCell(board, square, cell) {
  return board.slice(0, square) + String.fromCharCode(cell) + board.slice(square + 1);
}

/** The cell of an open piece. */
export function openedCell(seat, face) {
  return OPEN_CELL + FACE_COUNT * seat + face;
}

/** The seat whose piece it is; null for an empty square or a crater. @returns {?number} */
export function ownerOf(cell) {
  if (cell === EMPTY_CELL || cell === CRATER_CELL) {
    return null;
  }
  return cell >= OPEN_CELL ? Math.floor((cell - OPEN_CELL) / FACE_COUNT) : Math.floor(slotIn(cell) / STRATEGO_DATA.slots);
}

/** The slot of a closed piece. */
export function slotIn(cell) {
  return cell - (cell >= MOVED_CELL ? MOVED_CELL : UNMOVED_CELL);
}

/** The face of an open piece. */
export function faceIn(cell) {
  return (cell - OPEN_CELL) % FACE_COUNT;
}
