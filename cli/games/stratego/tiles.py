"""The drawing of one square of the board: a piece, an empty square, a crater; in every size.

Shape tells sides apart before colour does: one's own pieces stand on plain blocks, the enemy's between two
walls.  Closed pieces, moved ones and pieces that everybody has seen have signs of their own.  Shape also
tells a piece from the one below it: a block has a floor, and a solid piece ends above the next row.
"""

from __future__ import annotations

from typing import Final

from cli.games.stratego.names import LETTERS, short
from cli.games.stratego.snapshot import SeenPiece
from cli.text.layout import Line, styled
from p2p_stratego.core.game import Seat

MOVED: Final = "•"
SHOWN: Final = "!"
UNREAD: Final = "?"
WALLS: Final = ("▐", "█", "▌")
"""An enemy's piece: its left wall, the filling of a closed one, its right wall."""
FEET: Final = ("▝", "▀", "▘")
"""The same where a solid piece ends, half a row above the next one."""
CLOSED: Final = "".join(FEET)
"""A closed piece that has never moved, in one row of three cells."""
FLOOR: Final = "floor"
"""The style of a block's last row."""
EMPTY_SQUARE: Final = "·"
GOAL: Final = "○"
BOTH_FELL: Final = "✗"
CRATER: Final = "░"
SHADE: Final = ".alt"
"""The other shade of a side's colour."""


def own(seen: SeenPiece, wide: int, high: int, shade: str, *extra: str) -> list[Line]:
    """A piece of the seat at the bottom, in `high` lines of `wide` cells, at least 3.

    `shade`: "" or SHADE, so that neighbours can be told apart; `extra`: more styles.
    """
    letter = UNREAD if seen.face is None else LETTERS[seen.face]
    mark = SHOWN if seen.shown else MOVED if seen.moved else " "
    name = "" if seen.face is None else short(seen.face)
    texts = _rows(_with_mark(letter, mark, wide), name, wide, high)
    tile = f"tile{seen.seat}{shade}"
    return [*(styled(text, tile, *extra) for text in texts[:-1]), styled(texts[-1], tile, FLOOR, *extra)]


def enemy(seen: SeenPiece, wide: int, high: int, shade: str, *extra: str) -> list[Line]:
    """A piece of the other seat, likewise."""
    inner = wide - 2
    wall = f"back{seen.seat}{shade}"
    closed = seen.face is None and not seen.moved
    rows = [WALLS] * (high - 1) + [FEET if closed or high > 1 else WALLS]
    if closed:
        middle = [styled(filling * inner, wall, *extra) for _, filling, _ in rows]
    else:
        sign = MOVED if seen.face is None else LETTERS[seen.face]
        name = "" if seen.face is None or inner < 3 else short(seen.face)
        texts = _rows(sign.center(inner), name, inner, high)
        middle = [styled(text, f"face{seen.seat}{shade}", *extra) for text in texts]
    return [
        (*styled(left, wall), *line, *styled(right, wall))
        for (left, _, right), line in zip(rows, middle, strict=True)
    ]


def bare(sign: str, wide: int, high: int, *styles: str) -> list[Line]:
    """A square without a piece, a sign in its middle."""
    return [styled(text, *styles) for text in _rows(sign.center(wide), "", wide, high)]


def filled(sign: str, wide: int, high: int, style: str) -> list[Line]:
    """A square full of one sign."""
    return [styled(sign * wide, style)] * high


def tile(seen: SeenPiece, seat: Seat, wide: int, high: int, shade: str, *extra: str) -> list[Line]:
    """A piece as it looks to `seat`, at the bottom of the board."""
    return (own if seen.seat == seat else enemy)(seen, wide, high, shade, *extra)


def middle(high: int) -> int:
    """The line of a square, counted from 0, with its sign."""
    return (high - 1) // 2


def _with_mark(letter: str, mark: str, wide: int) -> str:
    """The letter in the middle, the mark right behind it."""
    left = (wide - 1) // 2
    return f"{' ' * left}{letter}{mark}".ljust(wide)


def _rows(sign: str, name: str, wide: int, high: int) -> list[str]:
    """`sign` on the middle line; below it, if there is room, a name."""
    rows = [" " * wide] * high
    rows[middle(high)] = sign
    if high > middle(high) + 1:
        rows[middle(high) + 1] = name.center(wide)
    return rows
