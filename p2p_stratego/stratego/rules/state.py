"""The public state of Stratego between two moves: one frozen value.

Pairs are indexed by seat: `[0]` is red's, `[1]` is blue's.  It holds no hidden thing.  This module only
names; it decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

from p2p_stratego.core.game import Face, Move, Outcome, Seat, Slot
from p2p_stratego.stratego.rules.armies import Army
from p2p_stratego.stratego.rules.board import HOME, Square
from p2p_stratego.stratego.rules.cells import SLOTS, UNMOVED, Board, PlacedPiece, bare, opened, standing
from p2p_stratego.stratego.rules.pieces import BOMB, FACES, FLAG, RED, SCOUT, SEATS, Fight
from p2p_stratego.stratego.rules.repetition import FRESH, Memory

Phase: TypeAlias = Literal["army", "squares", "play", "over"]
"""The next step of `turn()`: laying both armies; both choices of squares; one move; none."""

Result: TypeAlias = Literal["moved", Fight, "none"]
"""`none`: the player claimed to have no move."""


class Report(NamedTuple):
    """The results of one move."""

    seat: Seat
    move: Move
    result: Result
    attacker: Face | None
    """Both faces are set exactly in an attack."""
    defender: Face | None


class State(NamedTuple):
    """Everything public between two moves of the game."""

    army: Army
    first: Seat
    """Who makes the first move."""
    quiet: int
    """After so many moves in a row, of both sides together, without an attack it is a draw; 0: never."""
    tournament: bool
    """Whether scouts are held to the line on which they go back and forth."""
    phase: Phase
    seat: Seat
    """The seat to move."""
    plies: int
    """Moves made, of both sides together."""
    calm: int
    """Moves made since the last attack."""
    board: Board
    left: tuple[bytes, bytes]
    """By face, how many of each side's pieces have never been opened, 0 to 40."""
    unmoved: tuple[int, int]
    """How many of each side's pieces on the board were neither opened nor moved yet, 0 to 40."""
    lost: tuple[bytes, bytes] = (b"", b"")
    """The faces of each side's fallen pieces, in the order in which they fell."""
    memory: Memory = FRESH
    stuck: bool = False
    """Whether the other side has just claimed to have no move; any move now wins."""
    report: Report | None = None
    """The report of the last move; None before the first."""
    ended: Outcome | None = None
    """How the game ended; set exactly when the phase is "over"."""

    def at(self, square: Square) -> PlacedPiece | None:
        """The public facts about the piece on a square, or None."""
        return standing(self.board[square])

    def pieces(self) -> Iterator[tuple[Square, PlacedPiece]]:
        """All pieces on the board, by square, ascending."""
        for square, cell in enumerate(self.board):
            piece = standing(cell)
            if piece is not None:
                yield square, piece

    def still_hidden(self, seat: Seat) -> int:
        """How many bombs and flags of a side have never been opened."""
        left = self.left[seat]
        return left[BOMB] + left[FLAG]

    def could_be(self, piece: PlacedPiece) -> frozenset[Face]:
        """Every face that a piece can show, by public information, if its owner is honest."""
        if piece.face is not None:
            return frozenset((piece.face,))
        left, hidden = self.left[piece.seat], self.still_hidden(piece.seat)
        some = frozenset(face for face in FACES if left[face])
        rooted = some & {BOMB, FLAG}
        if piece.moved:
            return some - rooted
        return rooted if self.unmoved[piece.seat] <= hidden else some

    def has_scouts(self, seat: Seat) -> bool:
        """Whether a scout of this side has never been opened."""
        return self.left[seat][SCOUT] > 0


def start(army: Army, first: Seat, quiet: int, *, tournament: bool = False) -> State:
    """The state before the armies are laid."""
    return State(
        army=army,
        first=first,
        quiet=quiet,
        tournament=tournament,
        phase="army",
        seat=first,
        plies=0,
        calm=0,
        board=bare(),
        left=(army.counts, army.counts),
        unmoved=(army.size, army.size),
    )


def arrayed(state: State, filled: tuple[tuple[int, ...], tuple[int, ...]]) -> State:
    """The armies on the board: the k-th filled place, see `board.HOME`, holds the side's k-th slot."""
    board = bytearray(state.board)
    for seat in SEATS:
        for k, place in enumerate(filled[seat]):
            board[HOME[seat][place]] = UNMOVED + slot(seat, k)
    return state._replace(phase="play", board=bytes(board))


def open_position(
    army: Army, pieces: Mapping[Square, tuple[Seat, Face]], *, tournament: bool = False
) -> State:
    """A position in which everybody knows every piece, with red to move: for problems and scenarios."""
    board = bytearray(bare())
    for square, (seat, face) in pieces.items():
        board[square] = opened(seat, face)
    none_left = bytes(len(FACES))
    return start(army, RED, 0, tournament=tournament)._replace(
        phase="play", board=bytes(board), left=(none_left, none_left), unmoved=(0, 0)
    )


def slot(seat: Seat, k: int) -> Slot:
    """The name of a side's k-th piece, k from 0 in the order of its filled places."""
    return seat * SLOTS + k
