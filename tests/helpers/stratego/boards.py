"""Positions for tests, written as squares and names: open ones, and ones with hidden faces."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from p2p_stratego.core.game import Ask, Choose, Claim, Face, Move, Open, Seat, Slot
from p2p_stratego.core.rulebook import drive
from p2p_stratego.stratego.formats.diagram import PLACES, Setup
from p2p_stratego.stratego.formats.setups import EMPTY_LETTER, LETTERS
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.board import SIDE, SQUARE_NAMED, SQUARES, Square
from p2p_stratego.stratego.rules.cells import MOVED, OWNER, UNMOVED, Board, bare
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.movement import closed_reach, illegal, legal
from p2p_stratego.stratego.rules.pieces import FACE_NAMED, NAMES, RED, SEAT_NAMES
from p2p_stratego.stratego.rules.state import Report, State, open_position, slot, start
from p2p_stratego.stratego.rules.transitions import moved


def squares_of(board: Board, seat: Seat) -> tuple[Square, ...]:
    """Where the pieces of a side stand, ascending."""
    return tuple(square for square in SQUARES if OWNER[board[square]] == seat)


def write_line(setup: Setup) -> str:
    """The 40-letter line of a set-up: the front row first, each from left to right."""
    rows = [setup[first : first + SIDE] for first in range(PLACES - SIDE, -1, -SIDE)]
    return "".join(EMPTY_LETTER if face is None else LETTERS[face] for row in rows for face in row)


def position(red: str, blue: str, *, tournament: bool = False) -> State:
    """An open position, red to move: "a1 flag, b2 scout"."""
    pieces = {}
    for seat, written in enumerate((red, blue)):
        for word in written.split(","):
            square, name = word.split()
            pieces[SQUARE_NAMED[square]] = (seat, FACE_NAMED[name])
    return open_position(ARMIES["classic"], pieces, tournament=tournament)


def moves(state: State) -> set[Move]:
    """Every legal move in an open position."""
    return set(legal(state, closed_reach(state.seat, 0)))


def rule(state: State, move: Move) -> str | None:
    """Why a move is illegal in an open position, or None."""
    return illegal(state, move, closed_reach(state.seat, 0))


def after(state: State, *made: Move) -> State:
    """The open position after some legal moves."""
    for move in made:
        assert rule(state, move) is None
        state = moved(state, move)
    return state


def report(state: State) -> Report:
    """The report of the last move."""
    assert state.report is not None
    return state.report


def at(state: State, square: str) -> str | None:
    """The open piece on a square, "red scout"."""
    piece = state.at(SQUARE_NAMED[square])
    if piece is None:
        return None
    assert piece.face is not None
    return f"{SEAT_NAMES[piece.seat]} {NAMES[piece.face]}"


class Table:
    """A position with hidden faces, which only this table knows; it plays moves and logs the asks."""

    def __init__(
        self, red: str, blue: str, quiet: int = 0, should_be: Mapping[Seat, str] | None = None
    ) -> None:
        """Pieces as for `position`; "a4 scout*" has moved before.

        `should_be`: the closed faces of a side if it had not cheated, by default the real ones.
        """
        self.asked: list[Ask] = []
        self.faces: dict[Slot, Face] = {}
        board, unmoved, left = bytearray(bare()), [0, 0], []
        for seat, written in enumerate((red, blue)):
            names = []
            for k, word in enumerate(written.split(",")):
                square, name = word.split()
                names.append(name.rstrip("*"))
                self.faces[slot(seat, k)] = FACE_NAMED[names[-1]]
                board[SQUARE_NAMED[square]] = (MOVED if name.endswith("*") else UNMOVED) + slot(seat, k)
                unmoved[seat] += not name.endswith("*")
            names = should_be[seat].split() if should_be and seat in should_be else names
            left.append(bytes(map(names.count, NAMES)))
        self.state = start(ARMIES["classic"], RED, quiet)._replace(
            phase="play", board=bytes(board), left=(left[0], left[1]), unmoved=(unmoved[0], unmoved[1])
        )

    def play(self, *moves: Move) -> State:
        """The state after these moves, each of which must be offered."""
        for move in moves:
            self.asked.clear()
            self.state = drive(GAME.turn(self.state), partial(self._answer, move))
        return self.state

    @property
    def ask(self) -> Choose:
        """The choice with which the next turn begins."""
        ask = next(GAME.turn(self.state))
        assert isinstance(ask, Choose)
        return ask

    @property
    def options(self) -> set[Move]:
        """Its options."""
        ask = self.ask
        listed = list(ask.options)
        assert len(set(listed)) == len(listed) == len(ask.options)
        assert all(move in ask.options for move in listed)
        return set(listed)

    @property
    def claims(self) -> list[tuple[str, tuple[str, ...], frozenset[Face]]]:
        """The claims of the last turn: the rule, the pieces by name, the faces allowed."""
        return [
            (ask.rule, tuple(NAMES[self.faces[name]] for name in ask.slots), ask.faces)
            for ask in self.asked
            if isinstance(ask, Claim)
        ]

    @property
    def opened(self) -> list[str]:
        """The pieces that were opened in the last turn, in order."""
        return [NAMES[self.faces[ask.slot]] for ask in self.asked if isinstance(ask, Open)]

    def _answer(self, move: Move, ask: Ask) -> Any:
        self.asked.append(ask)
        if isinstance(ask, Choose):
            assert ask.seat == self.state.seat
            assert move in ask.options
            return move
        return self.faces[ask.slot] if isinstance(ask, Open) else None
