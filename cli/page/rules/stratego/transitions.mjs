// Openings, moves and "none" on a state of Stratego (spec/stratego.md, sections 2 to 4).  The referee has
// checked that a move is among the options; this module checks that an opened face is possible.

import {gameOver} from '../../verifier/record/asks.mjs';
import {STRATEGO_DATA} from '../../game_data.mjs';
import {
  EMPTY_CELL,
  MOVED_CELL,
  UNMOVED_CELL,
  cellAt,
  faceIn,
  openedCell,
  ownerOf,
  squaresOf,
  withCell,
} from './board.mjs';
import {NO_MOVE, surelyCanMove} from './movement.mjs';
import {recoded, remembered} from './repetition.mjs';
import {IMMOBILE_FACES, strategoState} from './state.mjs';

/** The result of an attack: the attacker takes the square; it falls; both fall; it takes the flag. */
function fightResult(attacker, defender) {
  const {flag, spy, miner, marshal, bomb} = STRATEGO_DATA;
  if (defender === flag) {
    return 'flag';
  }
  if (attacker === defender) {
    return 'both';
  }
  if (defender === bomb) {
    return attacker === miner ? 'won' : 'lost';
  }
  return attacker > defender || (attacker === spy && defender === marshal) ? 'won' : 'lost';
}

function withPart(pair, seat, part) {
  return pair.map((old, at) => (at === seat ? part : old));
}

function strategoOver(state, ended) {
  return strategoState(state, {phase: 'over', ended});
}

/** The state in which a seat has lost by breaking a rule. */
export function ruleBroken(state, seat, rule) {
  return strategoOver(state, gameOver([1 - seat], 'cheated', {seat, rule}));
}

/** The closed piece on `square` is opened; its owner has lost if it cannot be this face. */
export function pieceRevealed(state, square, face) {
  const cell = cellAt(state.board, square);
  const seat = ownerOf(cell);
  const left = state.left[seat];
  if (left[face] === 0) {
    return ruleBroken(state, seat, STRATEGO_DATA.wrongArmyRule);
  }
  const now = openedCell(seat, face);
  const shown = strategoState(state, {
    board: withCell(state.board, square, now),
    left: withPart(state.left, seat, left.map((count, at) => (at === face ? count - 1 : count))),
    unmoved: cell >= MOVED_CELL ? state.unmoved : withPart(state.unmoved, seat, state.unmoved[seat] - 1),
    memory: recoded(state.memory, cell, now),
  });
  const walked = cell >= MOVED_CELL && IMMOBILE_FACES.includes(face);
  return walked ? ruleBroken(shown, seat, STRATEGO_DATA.walkedRule) : shown;
}

/** A closed piece that makes its first move is one that moves, also where it stood before. */
function setOut(state, source) {
  const {seat, board, unmoved, memory} = state;
  const cell = cellAt(board, source);
  if (cell >= MOVED_CELL) {
    return state;
  }
  const now = cell + (MOVED_CELL - UNMOVED_CELL);
  return strategoState(state, {
    board: withCell(board, source, now),
    unmoved: withPart(unmoved, seat, unmoved[seat] - 1),
    memory: recoded(memory, cell, now),
  });
}

/** The results of an attack on the board and on the fallen; both pieces are open by now. */
function attackCarriedOut({board, seat, lost}, {source, target}) {
  const cell = cellAt(board, source);
  const [attacker, defender] = [source, target].map((square) => faceIn(cellAt(board, square)));
  const result = fightResult(attacker, defender);
  const defends = result === 'lost';
  const falls = defends || result === 'both';
  const left = withCell(board, source, EMPTY_CELL);
  const fallen = defends ? lost : withPart(lost, 1 - seat, [...lost[1 - seat], defender]);
  return {
    board: defends ? left : withCell(left, target, falls ? EMPTY_CELL : cell),
    lost: falls ? withPart(fallen, seat, [...fallen[seat], attacker]) : fallen,
    fight: {result, attacker, defender},
  };
}

/** A legal move from square to square. */
export function moveMade(before, move) {
  const squares = squaresOf(move);
  const state = setOut(before, squares.source);
  const {seat, board} = state;
  const attack = cellAt(board, squares.target) !== EMPTY_CELL;
  const stepped = {
    board: withCell(withCell(board, squares.source, EMPTY_CELL), squares.target, cellAt(board, squares.source)),
    lost: state.lost,
    fight: {result: 'moved', attacker: null, defender: null},
  };
  const {fight, ...after} = attack ? attackCarriedOut(state, squares) : stepped;
  const calm = attack ? 0 : state.calm + 1;
  const ended = endAfterMove(state, fight.result, calm);
  return strategoState(state, {
    ...after,
    phase: ended === null ? 'play' : 'over',
    seat: 1 - seat,
    plies: state.plies + 1,
    calm,
    memory: remembered(state.memory, seat, squares, board, after.board),
    stuck: false,
    report: {seat, move, ...fight},
    ended,
  });
}

/** The end of the game by a move, or null; `state`: before the move. */
function endAfterMove(state, result, calm) {
  if (result === 'flag') {
    return gameOver([state.seat], 'flag');
  }
  if (state.stuck) {
    return gameOver([state.seat], 'no-moves');
  }
  if (result === 'moved' && calm === state.quiet) {
    return gameOver([], 'quiet-draw');
  }
  return state.plies + 1 === STRATEGO_DATA.longest ? gameOver([], 'long-draw') : null;
}

/** The seat to move says that it cannot, and may. */
export function noMoveSaid(state) {
  const winner = 1 - state.seat;
  const report = {seat: state.seat, move: NO_MOVE, result: 'none', attacker: null, defender: null};
  const asked = strategoState(state, {seat: winner, stuck: true, report});
  if (state.stuck) {
    return strategoOver(asked, gameOver([], 'draw'));
  }
  return surelyCanMove(asked) ? strategoOver(asked, gameOver([winner], 'no-moves')) : asked;
}
