"""The moves of Stratego: every string that a Choose of this game can offer, and its meaning.

A move is said aloud and ends up in transcripts, so each has exactly one spelling; `parse` is for what people
type and understands more.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final, TypeAlias, TypeVar

from p2p_stratego.core.game import Move
from p2p_stratego.core.language import _
from p2p_stratego.stratego.rules.board import (
    DIRECTIONS,
    LINES,
    NAMES,
    SIDE,
    SQUARE_NAMED,
    SQUARES,
    Square,
    way,
)

T = TypeVar("T")

NONE: Final = "none"
"""The player to move says that it cannot."""

Step: TypeAlias = tuple[Square, Square, tuple[Square, ...]]
"""Source, target, and the squares between."""


def move(source: Square, target: Square) -> Move:
    """The move from one square to another, "a4a5"."""
    return NAMES[source] + NAMES[target]


def _lines(square: Square) -> Iterator[Square]:
    """The other squares of the same row, then of the same column."""
    row, column = divmod(square, SIDE)
    yield from (other for other in range(row * SIDE, row * SIDE + SIDE) if other != square)
    yield from (other for other in range(column, len(SQUARES), SIDE) if other != square)


STEPS: Final[dict[Move, Step]] = {
    move(source, target): (source, target, way(source, target) or ())
    for source in SQUARES
    for target in _lines(source)
}
"""Every move along one row or column, craters or not."""

_MOVE: Final = re.compile(r"([a-j](?:10|[1-9]))([a-j](?:10|[1-9]))")


def squares(move: Move) -> tuple[Square, Square] | None:
    """Source and target of a move between any two squares, not only along a line; None for any other text."""
    match = _MOVE.fullmatch(move)
    return (SQUARE_NAMED[match[1]], SQUARE_NAMED[match[2]]) if match else None


Sides: TypeAlias = int
"""A set of directions: bit d stands for direction d of `board.DIRECTIONS`."""


def _by_sides(by_direction: Iterable[tuple[T, ...]]) -> tuple[tuple[T, ...], ...]:
    """By Sides: the items of these sides, one after the other."""
    combinations: list[tuple[T, ...]] = [()]
    for some in by_direction:
        combinations += [others + some for others in combinations]
    return tuple(combinations)


def _near(square: Square, direction: int) -> tuple[Move, ...]:
    return tuple(move(square, target) for target in LINES[square][direction][:1])


def _far(square: Square, direction: int) -> tuple[tuple[Square, tuple[tuple[Square, Move], ...]], ...]:
    first, *beyond = LINES[square][direction] or (square,)
    return ((first, tuple((target, move(square, target)) for target in beyond)),) if beyond else ()


NEAR: Final = tuple(_by_sides(_near(square, d) for d in DIRECTIONS) for square in SQUARES)
"""By square, then Sides: the moves to the squares next to it on these sides."""
FAR: Final = tuple(_by_sides(_far(square, d) for d in DIRECTIONS) for square in SQUARES)
"""By square, then Sides: the square next to it, and the targets of a scout beyond that, the nearest first."""

_FILLED: Final = "squares "
_DIGITS: Final = 10
PLACES: Final = 4 * _DIGITS


def fill(places: Iterable[int]) -> Move:
    """The choice of filled places among a side's own 40, see `board.HOME`: "squares 00000fffff".

    Ten hexadecimal digits, so that all are equally long; place i counts 2^i.
    """
    return f"{_FILLED}{sum(1 << place for place in set(places)):0{_DIGITS}x}"


def filled(move: Move) -> tuple[int, ...]:
    """The places that `fill` was given, ascending.  `move` must come from `fill`."""
    bits = int(move.removeprefix(_FILLED), 16)
    return tuple(place for place in range(PLACES) if bits >> place & 1)


_FILL: Final = re.compile(f"{_FILLED}[0-9a-f]{{{_DIGITS}}}")


def is_fill(move: object, count: int) -> bool:
    """Whether this is a choice of exactly `count` places."""
    # By pattern, and in small letters: `int` also reads signs, spaces, "_" and the digits of other scripts.
    return isinstance(move, str) and bool(_FILL.fullmatch(move)) and len(filled(move)) == count


class MoveError(Exception):
    """The typed text is none of the moves possible now, or more than one; the message gives the reason."""

    def __init__(self, text: str, why: str, *, several: bool = False) -> None:
        """`several`: whether more than one move could be meant."""
        self.text, self.why, self.several = text, why, several
        super().__init__(f"{text[:40]!a} {why}")


class NotAMove(MoveError):
    """The typed text has not the form of a move, whatever can move now."""


_SQUARE: Final = r"([a-j](?:10|[1-9]))(?![0-9])"  # "a11" is no square, and not a1 either
_LINK: Final = r"[\s\-,>×]*"
_TYPED: Final = re.compile(f"{_LINK}(?:{_SQUARE}{_LINK})?(?:(?:to|x){_LINK})?{_SQUARE}{_LINK}")
"""A target, and the square of a piece before it.  Letters before or behind may be a slip: "xd3d4"."""


def parse(text: str, options: Collection[Move]) -> Move:
    """The move out of `options` that a person means by `text`.

    Understood besides the exact spelling: any case, and two squares with anything harmless between, "A4-a5",
    "a4 x a5", "a4 to a5"; the target alone, if only one piece can go there.  Raises MoveError, and NotAMove.
    """
    typed = text.strip().lower()
    if typed in options:
        return typed
    if typed == NONE:
        raise MoveError(text, _("is not possible now: one of your pieces can surely move"))
    fitting = _TYPED.fullmatch(typed)
    if fitting is None:
        raise NotAMove(
            text, _('is no move: name two squares, such as "a4a5", or say "{none}" if you cannot', none=NONE)
        )
    named = [square for square in fitting.groups() if square]
    if len(named) == 2:
        if "".join(named) not in options:
            raise MoveError(text, _("is not possible now"))
        return "".join(named)
    matches = [option for option in options if option != NONE and option.endswith(named[0])]
    if len(matches) == 1:
        return matches[0]
    if not matches:
        raise MoveError(text, _("is a square where none of your pieces can go now"))
    raise MoveError(text, _("can be reached by several: {moves}", moves=", ".join(matches[:4])), several=True)
