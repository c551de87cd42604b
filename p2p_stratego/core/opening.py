"""How matches begin: lines of choices that an explorer of openings counts, and follows choice by choice.

Pure, and of the record alone.  A game brings one `Openings`; each match has a line of each of its kinds, or
one for each seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from p2p_stratego.core.analysis import MadeDecision
from p2p_stratego.core.game import Seat

DEPTH: Final = 8
"""Choices of a line, at most."""


class OpeningChoice(NamedTuple):
    """A choice of a seat in the game's own notation: ASCII, at most 64 characters."""

    seat: Seat
    word: str


class Opening(NamedTuple):
    """A line: its kind, the variant in which alone it can be compared, at most DEPTH choices in order."""

    kind: str
    variant: str
    choices: tuple[OpeningChoice, ...]


class OpeningKind(NamedTuple):
    """A kind of line; `words`: a message of the catalogue."""

    name: str
    words: str


class Openings(NamedTuple):
    """The openings of one game."""

    of: Callable[[Iterator[MadeDecision], int], Iterable[Opening]]
    """The lines of a match, from its decisions in order (read only as far as needed) and its seats."""
    kinds: tuple[OpeningKind, ...]
    shown: Callable[[str], str]
    """A choice as people read it.  Raises ValueError, KeyError or IndexError if it is none."""


def line(kind: str, variant: str, choices: Iterable[OpeningChoice]) -> Iterator[Opening]:
    """A line, cut at DEPTH; none without a choice."""
    begun = tuple(choices)[:DEPTH]
    if begun:
        yield Opening(kind, variant, begun)


def own_line(kind: str, variant: str, seat: Seat, words: Iterable[str]) -> Iterator[Opening]:
    """A line of which all choices are one seat's."""
    return line(kind, variant, (OpeningChoice(seat, word) for word in words))


def played_by(seats: int) -> str:
    """The variant of a game that differs by its number of players alone."""
    return str(seats)
