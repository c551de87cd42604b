"""The board of Stratego: squares, craters, neighbours and lines, all worked out once.

A square is a number: ten times its row, counted from red's back row, plus its column; so a1 is 0 and j10 is
99.  This module knows no pieces.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from p2p_stratego.stratego.rules.pieces import RED, SEATS

Square: TypeAlias = int
"""0 (a1) to 99 (j10)."""

SIDE: Final = 10
SQUARES: Final = tuple(range(SIDE * SIDE))
COLUMNS: Final = "abcdefghij"
NAMES: Final[tuple[str, ...]] = tuple(f"{column}{row}" for row in range(1, SIDE + 1) for column in COLUMNS)
SQUARE_NAMED: Final[dict[str, Square]] = {name: square for square, name in enumerate(NAMES)}
CRATERS: Final[frozenset[Square]] = frozenset(SQUARE_NAMED[column + row] for column in "cdgh" for row in "56")
"""Two of two by two, where the classic board has its lakes (house value: the picture is lost)."""

HOME_ROWS: Final = 4
HOME: Final[tuple[tuple[Square, ...], ...]] = tuple(
    tuple(place if seat == RED else SQUARES[-1] - place for place in range(HOME_ROWS * SIDE))
    for seat in SEATS
)
"""HOME[seat][i]: the i-th of a side's 40 squares, from its own back row on, left to right as it sees them."""
PLACE: Final[tuple[dict[Square, int], ...]] = tuple(
    {square: place for place, square in enumerate(home)} for home in HOME
)
"""The inverse of HOME, by seat."""


def row_of(square: Square) -> int:
    """0 (row 1) to 9 (row 10)."""
    return square // SIDE


def column_of(square: Square) -> int:
    """0 (column a) to 9 (column j)."""
    return square % SIDE


def apart(first: Square, other: Square) -> int:
    """Steps between two squares on an empty board without craters."""
    return abs(row_of(first) - row_of(other)) + abs(column_of(first) - column_of(other))


EAST, WEST, NORTH, SOUTH = range(4)
"""Directions as red sees the board: towards j, a, row 10, row 1."""
DIRECTIONS: Final = (EAST, WEST, NORTH, SOUTH)
_STEPS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))


def _line(square: Square, direction: int) -> tuple[Square, ...]:
    """The squares one after the other in this direction, up to a crater or the edge; none from a crater."""
    line: list[Square] = []
    row, column = row_of(square), column_of(square)
    while square not in CRATERS:
        column, row = column + _STEPS[direction][0], row + _STEPS[direction][1]
        square = row * SIDE + column
        if not (0 <= row < SIDE and 0 <= column < SIDE) or square in CRATERS:
            break
        line.append(square)
    return tuple(line)


LINES: Final[tuple[tuple[tuple[Square, ...], ...], ...]] = tuple(
    tuple(_line(square, direction) for direction in DIRECTIONS) for square in SQUARES
)
"""By square, then direction: the squares that a scout could reach on an empty board, nearest first."""
RAYS: Final[tuple[tuple[tuple[Square, ...], ...], ...]] = tuple(tuple(filter(None, lines)) for lines in LINES)
"""The same without the directions that lead nowhere."""
NEIGHBOURS: Final[tuple[tuple[Square, ...], ...]] = tuple(tuple(ray[0] for ray in rays) for rays in RAYS)
"""By square: the squares one step away; never a crater."""


def way(source: Square, target: Square) -> tuple[Square, ...] | None:
    """The squares strictly between two on one row or column, in order, craters included; else None."""
    if row_of(source) == row_of(target):
        step = 1
    elif column_of(source) == column_of(target):
        step = SIDE
    else:
        return None
    if target < source:
        step = -step
    return tuple(range(source + step, target, step))
