"""The drawing of one zone of the map: a piece or an empty zone, in every size.

Own pieces stand on plain blocks, the others' between two walls, with the letter of their owner: so shape and
letter tell sides apart before colour does.
"""

from __future__ import annotations

from typing import Final

from cli.games.conquest.names import LETTERS, SIGNS, short
from cli.games.conquest.snapshot import SeenPiece
from cli.text.layout import Line, styled

MOVED: Final = "•"
SHOWN: Final = "!"
UNREAD: Final = "?"
WALLS: Final = ("▐", "▌")
NOTHING: Final = "·"
GOAL: Final = "○"
FELL: Final = "✗"


def own(seen: SeenPiece, wide: int, high: int, *extra: str) -> list[Line]:
    """A piece of the seat's own in `high` lines of `wide` cells, at least 1 by 4."""
    letter = UNREAD if seen.face is None else LETTERS[seen.face]
    mark = SHOWN if seen.shown else MOVED if seen.moved else " "
    name = "" if seen.face is None else short(seen.face)
    return [styled(text, f"tile{seen.seat}", *extra) for text in _rows(letter + mark, name, wide, high)]


def other(seen: SeenPiece, wide: int, high: int, *extra: str) -> list[Line]:
    """A piece of somebody else's, likewise: its owner's letter, small if only this seat can read it."""
    if seen.face is None:
        sign, name = SIGNS[seen.seat] + (MOVED if seen.moved else " "), ""
    else:
        owner = SIGNS[seen.seat] if seen.shown else SIGNS[seen.seat].lower()
        sign, name = owner + LETTERS[seen.face], short(seen.face)
    inner = wide - 2
    wall = f"back{seen.seat}"
    return [
        (*styled(WALLS[0], wall), *styled(text, f"face{seen.seat}", *extra), *styled(WALLS[1], wall))
        for text in _rows(sign, name if inner > len(name) else "", inner, high)
    ]


def bare(sign: str, wide: int, high: int, *styles: str) -> list[Line]:
    """A zone without a piece, a sign in its middle."""
    return [styled(text, *styles) for text in _rows(sign, "", wide, high)]


def middle(high: int) -> int:
    """The line of a zone, counted from 0, with its sign."""
    return (high - 1) // 2


def _rows(sign: str, name: str, wide: int, high: int) -> list[str]:
    """`sign` on the middle line, its first character in the middle; below it, if there is room, a name."""
    rows = [" " * wide] * high
    rows[middle(high)] = (" " * ((wide - 1) // 2) + sign).ljust(wide) if len(sign) < wide else sign
    if high > middle(high) + 1:
        rows[middle(high) + 1] = name.center(wide)
    return rows
