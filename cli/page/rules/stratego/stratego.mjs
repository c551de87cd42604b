// The rulebook of Stratego (spec/stratego.md); the counterpart of the Python package p2p_stratego/stratego/rules.

import {askTogether, askToChoose, askToClaim, askToCommit, askToOpen, eachAlone} from '../../verifier/record/asks.mjs';
import {STRATEGO_DATA} from '../../game_data.mjs';
import {armyFaces, armyFrom, armySize} from './armies.mjs';
import {
  ALL_SQUARES,
  EMPTY_CELL,
  MOVED_CELL,
  OPEN_CELL,
  cellAt,
  faceIn,
  ownerOf,
  slotIn,
  squaresBetween,
  squaresOf,
} from './board.mjs';
import {NO_MOVE, PossibleMoves, slotsOfNoMove} from './movement.mjs';
import {
  IMMOBILE_FACES,
  MOBILE_FACES,
  armiesArrayed,
  armiesAwaited,
  facesPossible,
  pieceSlot,
  strategoState,
} from './state.mjs';
import {moveMade, noMoveSaid, pieceRevealed, ruleBroken} from './transitions.mjs';

const FILLING_PATTERN = /^squares ([0-9a-f]{10})$/;
const NO_SCOUT_FACES = STRATEGO_DATA.pieces.flatMap((_, face) => (face === STRATEGO_DATA.scout ? [] : [face]));
const MOVE_STEPS = {army: layArmies, squares: fillSquares, play: playMove};

/** The places that a choice of squares fills, ascending; null if it is none. @returns {?number[]} */
function filledPlaces(move) {
  const digits = FILLING_PATTERN.exec(move)?.[1];
  if (digits === undefined) {
    return null;
  }
  const bits = [...digits].reverse().flatMap((digit) => [0, 1, 2, 3].map((bit) => (parseInt(digit, 16) >> bit) & 1));
  return bits.flatMap((bit, place) => (bit === 1 ? [place] : []));
}

/** All options, completed; null for options that the game does not offer. */
function strategoOptions(wanted) {
  const chosen = new Map(Object.entries(STRATEGO_DATA.options));
  for (const [name, value] of wanted) {
    if (!chosen.has(name)) {
      return null;
    }
    chosen.set(name, value);
  }
  const army = armyFrom(chosen.get('army'));
  const quiet = chosen.get('quiet');
  const offered = Number.isInteger(quiet) && 0 <= quiet && quiet <= STRATEGO_DATA.mostQuiet;
  if (army === null || !offered || !STRATEGO_DATA.seatNames.includes(chosen.get('first'))) {
    return null;
  }
  if (!STRATEGO_DATA.shuttles.includes(chosen.get('shuttle'))) {
    return null;
  }
  return chosen.set('army', army.text);
}

/** Both lay their whole army face down, before either chooses squares. */
function* layArmies(state) {
  const faces = armyFaces(state.army);
  const lay = (seat) => askToCommit(seat, faces.map((_, k) => pieceSlot(seat, k)), faces, true);
  yield askTogether([lay(0), lay(1)]);
  if (faces.length < STRATEGO_DATA.mostPieces) {
    return strategoState(state, {phase: 'squares'});
  }
  const everywhere = faces.map((_, place) => place);
  return armiesArrayed(state, [everywhere, everywhere]);
}

/** Both say which of their squares they fill; the ranks are already fixed. */
function* fillSquares(state) {
  const size = armySize(state.army);
  const fillings = {has: (move) => filledPlaces(move)?.length === size};
  const moves = yield askTogether([askToChoose(0, fillings), askToChoose(1, fillings)]);
  return armiesArrayed(state, moves.map(filledPlaces));
}

/** A move, with its openings and claims. */
function* playMove(before) {
  const move = yield askToChoose(before.seat, new PossibleMoves(before));
  if (move === NO_MOVE) {
    yield* claimNoMove(before);
    return noMoveSaid(before);
  }
  const {source, target} = squaresOf(move);
  const ran = squaresBetween(source, target).length > 0;
  const attack = cellAt(before.board, target) !== EMPTY_CELL;
  const cell = cellAt(before.board, source);
  let state = before;
  if (cell < OPEN_CELL && (attack || ran)) {
    state = yield* openMover(state, source, ran);
  } else if (cell < MOVED_CELL) {
    yield askToClaim(state.seat, STRATEGO_DATA.walkedRule, [slotIn(cell)], MOBILE_FACES);
  }
  const met = cellAt(state.board, target);
  if (state.ended === null && attack && met < OPEN_CELL) {
    state = pieceRevealed(state, target, yield askToOpen(slotIn(met)));
  }
  return state.ended === null ? moveMade(state, move) : state;
}

/** The moving piece is opened first: if it cannot move like this, no other piece is opened. */
function* openMover(state, source, ran) {
  const face = yield askToOpen(slotIn(cellAt(state.board, source)));
  const shown = pieceRevealed(state, source, face);
  if (shown.ended === null && IMMOBILE_FACES.includes(face)) {
    return ruleBroken(shown, state.seat, STRATEGO_DATA.walkedRule);
  }
  if (shown.ended === null && ran && face !== STRATEGO_DATA.scout) {
    return ruleBroken(shown, state.seat, STRATEGO_DATA.ranRule);
  }
  return shown;
}

/** "I cannot move" claims what the closed pieces in question are. */
function* claimNoMove(state) {
  const {steppers, runners} = slotsOfNoMove(state);
  if (steppers.length > 0) {
    yield askToClaim(state.seat, STRATEGO_DATA.falseNoneRule, steppers, IMMOBILE_FACES);
  }
  if (runners.length > 0) {
    yield askToClaim(state.seat, STRATEGO_DATA.falseNoneRule, runners, NO_SCOUT_FACES);
  }
}

/** The state before the armies are laid. */
function* setupStratego(options) {
  const first = STRATEGO_DATA.seatNames.indexOf(options.get('first'));
  const tournament = options.get('shuttle') === STRATEGO_DATA.tournament;
  return armiesAwaited(armyFrom(options.get('army')), first, options.get('quiet'), tournament);
}

/** @type {Rulebook} */
export const STRATEGO = Object.freeze({
  name: STRATEGO_DATA.name,
  version: STRATEGO_DATA.version,
  seatCounts: STRATEGO_DATA.seatCounts,
  mostRolls: STRATEGO_DATA.mostRolls,
  options: strategoOptions,
  sides: eachAlone,
  setup: setupStratego,
  turn: (state) => MOVE_STEPS[state.phase](state),
});

/**
 * What may be drawn of a state.
 * @param {StrategoState} state
 * @param {0|1|'all'|'nobody'} viewer A seat reads its own pieces; `all` reads every face there is.
 * @param {Object<number, number>} [faces] By slot: the faces that the record tells at its end.
 */
export function observeStratego(state, viewer, faces = {}) {
  const {board: _board, memory: _memory, army, report, ...rest} = state;
  return {
    ...rest,
    game: STRATEGO_DATA.name,
    army: army.text,
    counts: army.counts,
    size: armySize(army),
    craters: STRATEGO_DATA.craters,
    squares: ALL_SQUARES.map((square) => seenPiece(state, square, viewer, faces)),
    report: report && {...report, ...wayOf(report.move)},
  };
}

/** The squares of a move, for drawing. */
function wayOf(move) {
  const squares = squaresOf(move);
  if (squares === null) {
    return {from: null, to: null, between: []};
  }
  const {source, target} = squares;
  return {from: source, to: target, between: squaresBetween(source, target)};
}

/** The piece on a square as the viewer sees it; null if there is none. */
function seenPiece(state, square, viewer, faces) {
  const cell = cellAt(state.board, square);
  const seat = ownerOf(cell);
  if (seat === null) {
    return null;
  }
  const shown = cell >= OPEN_CELL;
  const slot = shown ? null : slotIn(cell);
  const readable = viewer === 'all' || viewer === seat;
  return {
    seat,
    slot,
    face: shown ? faceIn(cell) : readable ? faces[slot] ?? null : null,
    shown,
    moved: !shown && cell >= MOVED_CELL,
    couldBe: facesPossible(state, cell),
  };
}
