"""What a finished match tells about the way each seat played: counts, and things it likes to do.

Pure, and of the record alone: every face that is used was opened in it.  A game brings one `Tallying`; its
counts of several matches are added up, and shown as the rates and favourites that it names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from p2p_stratego.core.game import Face, Seat, Slot

Counts: TypeAlias = Mapping[str, float]
"""By name, finite numbers from 0 on; those that are expectations need not be whole."""
LikedChoices: TypeAlias = Mapping[str, tuple[str, ...]]
"""By name, the choices made in one match, in the game's own notation: ASCII, at most 64 characters each."""


class Tally(NamedTuple):
    """One match."""

    began: frozenset[Seat]
    """The seats of the side that began; empty where nobody did."""
    counts: tuple[Counts, ...]
    """By seat."""
    liked: tuple[LikedChoices, ...]
    """By seat."""


class Rate(NamedTuple):
    """A share: `hits` out of `of`, both names of counts; and further counts to compare it with."""

    words: str
    """A message of the catalogue: what was counted."""
    hits: str
    of: str
    beside: tuple[tuple[str, str], ...] = ()
    """Further counts out of the same number, each with the message that names it: "by chance"."""


class Favourite(NamedTuple):
    """A kind of choice of which the most frequent ones are shown."""

    words: str
    """A message of the catalogue."""
    name: str
    shown: Callable[[str], str]
    """A choice in notation as people read it; raises ValueError or KeyError if it is none."""


class Tallying(NamedTuple):
    """How one game is tallied."""

    version: int
    """Grows when a count changes its meaning."""
    of: Callable[[Sequence[Any], Mapping[Slot, Face], int], Tally]
    """The tally of a match: its frozen states in order, all faces opened by its end, the number of seats."""
    rates: tuple[Rate, ...]
    favourites: tuple[Favourite, ...]


def counters(seats: int, names: Sequence[str]) -> list[dict[str, float]]:
    """By seat, a count of 0 for each of `names`."""
    return [dict.fromkeys(names, 0) for _ in range(seats)]
