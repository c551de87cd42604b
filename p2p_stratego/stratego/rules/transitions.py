"""The effects of openings, moves and "none" on the state: pure functions of public things.

The callers have checked that a move is legal; this module checks that an opened face is possible.  Every
game, audit and replay spends most of its time here.
"""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Breach, Face, Move, Outcome, Seat
from p2p_stratego.stratego.rules.board import Square
from p2p_stratego.stratego.rules.cells import EMPTY, FACE, MOVED, OWNER, UNMOVED, opened
from p2p_stratego.stratego.rules.movement import WALKED, WRONG_ARMY, surely_can_move
from p2p_stratego.stratego.rules.notation import NONE, STEPS
from p2p_stratego.stratego.rules.pieces import FIGHTS, IMMOBILE, SEATS
from p2p_stratego.stratego.rules.repetition import after, recoded
from p2p_stratego.stratego.rules.state import Report, State

_FLAG_TAKEN: Final = tuple(Outcome(frozenset((seat,)), "flag") for seat in SEATS)
_OTHER_STUCK: Final = tuple(Outcome(frozenset((seat,)), "no-moves") for seat in SEATS)
"""By the winner."""
_BOTH_STUCK: Final = Outcome(frozenset(), "draw")
_QUIET: Final = Outcome(frozenset(), "quiet-draw")
_LONG: Final = Outcome(frozenset(), "long-draw")
LONGEST: Final = 100_000
"""Moves of both sides after which any game is a draw: a longer record might be too long to read."""
_ATTACKER_FALLS: Final = frozenset(("lost", "both"))


def _one_less(pair: tuple[int, int], seat: Seat) -> tuple[int, int]:
    return (pair[0], pair[1] - 1) if seat else (pair[0] - 1, pair[1])


def _changed(pair: tuple[bytes, bytes], seat: Seat, new: bytes) -> tuple[bytes, bytes]:
    return (pair[0], new) if seat else (new, pair[1])


def over(state: State, outcome: Outcome) -> State:
    """The state in which the game has ended like this."""
    return state._replace(phase="over", ended=outcome)


def breached(state: State, seat: Seat, rule: str) -> State:
    """The state in which a seat has lost by breaking a rule."""
    return over(state, Outcome(frozenset((1 - seat,)), "cheated", Breach(seat, rule)))


def revealed(state: State, square: Square, face: Face) -> State:
    """The closed piece on `square` is opened; its owner has lost if the face is impossible."""
    cell = state.board[square]
    seat = OWNER[cell]
    now = opened(seat, face)
    left = bytearray(state.left[seat])
    if not left[face]:
        return breached(state, seat, WRONG_ARMY)
    left[face] -= 1
    shown = state._replace(
        board=_with(state.board, square, now),
        left=_changed(state.left, seat, bytes(left)),
        unmoved=state.unmoved if cell >= MOVED else _one_less(state.unmoved, seat),
        memory=recoded(state.memory, cell, now),
    )
    if cell >= MOVED and face in IMMOBILE:
        return breached(shown, seat, WALKED)
    return shown


def _fallen(lost: tuple[bytes, bytes], seat: Seat, face: Face) -> tuple[bytes, bytes]:
    return _changed(lost, seat, lost[seat] + bytes((face,)))


def _with(board: bytes, square: Square, cell: int) -> bytes:
    return b"%b%c%b" % (board[:square], cell, board[square + 1 :])


def moved(state: State, move: Move) -> State:
    """A legal move from square to square; in an attack both pieces are open by now."""
    source, target, _ = STEPS[move]
    seat, board, memory = state.seat, state.board, state.memory
    unmoved, lost = state.unmoved, state.lost
    cell, foe = board[source], board[target]
    if cell < MOVED:  # from now on it is one that moves, also where it stood before
        memory = recoded(memory, cell, cell + (MOVED - UNMOVED))
        cell += MOVED - UNMOVED
        board = _with(board, source, cell)
        unmoved = _one_less(unmoved, seat)
    squares = bytearray(board)
    squares[source] = EMPTY
    ended = _OTHER_STUCK[seat] if state.stuck else None
    if foe == EMPTY:
        squares[target] = cell
        report = Report(seat, move, "moved", None, None)
        calm = state.calm + 1
        if calm == state.quiet and ended is None:
            ended = _QUIET
    else:
        attacker, defender = FACE[cell], FACE[foe]
        result = FIGHTS[attacker][defender]
        report = Report(seat, move, result, attacker, defender)
        calm = 0
        if result != "lost":
            squares[target] = EMPTY if result == "both" else cell
            lost = _fallen(lost, 1 - seat, defender)
        if result in _ATTACKER_FALLS:
            lost = _fallen(lost, seat, attacker)
        if result == "flag":
            ended = _FLAG_TAKEN[seat]
    if state.plies + 1 == LONGEST and ended is None:
        ended = _LONG
    then = bytes(squares)
    return State(
        state.army,
        state.first,
        state.quiet,
        state.tournament,
        "over" if ended else "play",
        1 - seat,
        state.plies + 1,
        calm,
        then,
        state.left,
        unmoved,
        lost,
        after(memory, seat, (source, target), (board, then)),
        False,
        report,
        ended,
    )


def said_none(state: State) -> State:
    """The seat whose turn it is says that it cannot move, and may."""
    winner = 1 - state.seat
    report = Report(state.seat, NONE, "none", None, None)
    asked = state._replace(seat=winner, stuck=True, report=report)
    if state.stuck:
        return over(asked, _BOTH_STUCK)
    return over(asked, _OTHER_STUCK[winner]) if surely_can_move(asked) else asked
