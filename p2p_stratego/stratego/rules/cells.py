"""Cells: the public content of a square in one byte, so that a board is 100 bytes.

| cell | meaning |
|---|---|
| 0 | empty |
| 1 to 80 | the piece of slot cell − 1: never opened, never moved |
| 81 to 160 | the piece of slot cell − 81: never opened, has moved |
| 161 to 184 | an open piece: 161 + 12 × seat + face |
| 255 | crater |

Open pieces of one side and rank are alike, as they are on a real table; closed ones are told apart by slot.
Whole boards are asked by `bytes.translate` with the tables below.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.stratego.rules.board import CRATERS, SQUARES
from p2p_stratego.stratego.rules.pieces import FACES, PIECES, SEATS

Cell: TypeAlias = int
Board: TypeAlias = bytes
"""100 cells, by square."""

SLOTS: Final = 40
"""A side's slots: seat × 40 to seat × 40 + 39."""
EMPTY: Final[Cell] = 0
UNMOVED: Final[Cell] = 1
MOVED: Final[Cell] = UNMOVED + len(SEATS) * SLOTS
OPEN: Final[Cell] = MOVED + len(SEATS) * SLOTS
CRATER: Final[Cell] = 255

STEPS: Final = 0x0F
RUNS: Final = 0x1F
"""Reach: one square a move; any number along a line.  Both hold four bits, one for each side to go to."""


class PlacedPiece(NamedTuple):
    """The public facts about a piece on the board."""

    seat: Seat
    slot: Slot | None
    """Of a piece that was never opened."""
    face: Face | None
    """Of an open piece."""
    moved: bool
    """Of a closed piece: whether it ever moved.  An open one needs no such mark."""


def standing(cell: Cell) -> PlacedPiece | None:
    """The piece in a cell; None for an empty square or a crater."""
    if cell in (EMPTY, CRATER):
        return None
    if cell >= OPEN:
        seat, face = divmod(cell - OPEN, len(FACES))
        return PlacedPiece(seat, None, face, moved=False)
    moved = cell >= MOVED
    slot = cell - (MOVED if moved else UNMOVED)
    return PlacedPiece(slot // SLOTS, slot, None, moved=moved)


def opened(seat: Seat, face: Face) -> Cell:
    """The cell of an open piece."""
    return OPEN + len(FACES) * seat + face


_STANDING: Final = tuple(standing(cell) if cell < OPEN + 2 * len(FACES) else None for cell in range(256))

OWNER: Final[bytes] = bytes(len(SEATS) if piece is None else piece.seat for piece in _STANDING)
"""By cell: the seat, or 2 for an empty square, a crater, and cells that do not exist."""
FACE: Final[bytes] = bytes(0 if piece is None or piece.face is None else piece.face for piece in _STANDING)
"""By cell: the face of an open piece; meaningless for other cells."""
SLOT: Final[bytes] = bytes(0 if piece is None or piece.slot is None else piece.slot for piece in _STANDING)
"""By cell: the slot of a closed piece; meaningless for other cells."""

TARGETS: Final[tuple[bytes, ...]] = tuple(
    bytes(cell == EMPTY or OWNER[cell] == 1 - seat for cell in range(256)) for seat in SEATS
)
"""TARGETS[seat][cell]: 1 if a piece of `seat` may go there, else 0."""
_REACH: Final = (0, STEPS, RUNS)


def reach_of(face: Face) -> int:
    """How far a piece may go: 0, STEPS or RUNS."""
    return _REACH[PIECES[face].reach]


def reach_table(seat: Seat, unmoved: int, moved: int) -> bytes:
    """By cell, how far pieces of `seat` may go: closed ones as given, open ones by their face."""
    reach = bytearray(256)
    for cell, piece in enumerate(_STANDING):
        if piece is not None and piece.seat == seat:
            closed = moved if piece.moved else unmoved
            reach[cell] = closed if piece.face is None else reach_of(piece.face)
    return bytes(reach)


def bare() -> Board:
    """A board without pieces."""
    return bytes(CRATER if square in CRATERS else EMPTY for square in SQUARES)
