"""The board at one moment of Stratego, as one seat sees it.

A state is frozen between moves; in the middle of one a move may already be said and a piece turned up.
Before play there is only the player's draft, outside every state.  Derived here once, for the board, the
questions and the notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cli.games.interface import ViewContext
from cli.games.stratego.names import named_squares
from p2p_stratego.core.game import Choose, Face, Seat
from p2p_stratego.core.view import View
from p2p_stratego.stratego.rules.board import HOME, SQUARE_NAMED, Square
from p2p_stratego.stratego.rules.movement import movers
from p2p_stratego.stratego.rules.notation import NONE, STEPS
from p2p_stratego.stratego.rules.observation import reach
from p2p_stratego.stratego.rules.state import State


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A piece as this seat sees it."""

    seat: Seat
    face: Face | None
    """None: this seat cannot read it."""
    shown: bool
    """Whether everybody has seen it."""
    moved: bool
    """Of a piece that nobody else has seen: whether it ever moved."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The moment, as one seat sees it."""

    state: State
    seat: Seat
    pieces: Mapping[Square, SeenPiece]
    trail: tuple[Square, Square] | None
    """The ends of the last move, or of the move under way."""
    fallen: bool
    """Whether both pieces fell in the last move, so that nothing stands where it ended."""
    picked: Square | None
    """The square of the seat's own piece that is being pointed at or typed."""
    goals: frozenset[Square]
    """Where the picked piece can go."""
    aim: Square | None
    """The target of the picked piece, by the typed text."""
    cursor: Square | None

    def of(self, seat: Seat) -> list[tuple[Square, SeenPiece]]:
        """A side's pieces, by square."""
        return [(at, seen) for at, seen in self.pieces.items() if seen.seat == seat]


def snapshot(context: ViewContext) -> Snapshot:
    """Read a context."""
    view: View[State] = context.view
    state, seat = view.state, view.seat
    pieces = drafted(context) if is_setting_up(state) else standing(view)
    named = named_squares(context.typed)
    picked = named[0] if named and named[0] in pieces and pieces[named[0]].seat == seat else None
    goals: frozenset[Square] = frozenset()
    if picked is not None and state.phase == "play" and state.seat == seat:
        goals = frozenset(STEPS[move][1] for move in movers(state, reach(view)).get(picked, ()))
    aim = named[1] if picked is not None and len(named) > 1 else None
    report = state.report
    both = report is not None and report.result == "both" and not view.since
    cursor = SQUARE_NAMED.get(context.cursor)
    return Snapshot(state, seat, pieces, _trail(view), both, picked, goals, aim, cursor)


def is_setting_up(state: State) -> bool:
    """Whether the armies do not stand on the board yet."""
    return state.phase in ("army", "squares")


def standing(view: View[State]) -> dict[Square, SeenPiece]:
    """The pieces on the board, by square, ascending."""
    pieces = {}
    for square, piece in view.state.pieces():
        shown = piece.face is not None
        # A piece that is turned up in the middle of a move is known before the state holds it.
        face = piece.face if piece.slot is None else view.known.get(piece.slot)
        pieces[square] = SeenPiece(
            piece.seat, face, shown or (piece.seat != view.seat and face is not None), piece.moved
        )
    return pieces


def drafted(context: ViewContext) -> dict[Square, SeenPiece]:
    """The pieces of the player's draft, by square."""
    seat = context.view.seat
    setup = context.draft.setup if context.draft is not None else ()
    return {
        HOME[seat][place]: SeenPiece(seat, face, shown=False, moved=False)
        for place, face in enumerate(setup)
        if face is not None
    }


def _trail(view: View[State]) -> tuple[Square, Square] | None:
    answers = [answer for ask, answer in view.since if isinstance(ask, Choose)]
    if not answers and view.state.report is not None:
        answers = [view.state.report.move]
    if not answers or answers[-1] == NONE or answers[-1] not in STEPS:
        return None
    source, target, _ = STEPS[answers[-1]]
    return source, target
