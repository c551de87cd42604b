"""The visible events between two moments of a game: a card that turns, points, a walk, a duel, dice.

Plain values.  Each game names the events of a step; `cli.screen.match.frames` draws an event at any time of
it.  Nothing here is a rule: words tell all of it as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from p2p_stratego.core.game import Seat


@dataclass(frozen=True, slots=True)
class Figure:
    """A piece or card: the seat whose colours it has, the sign on it, its name, and whose it is."""

    seat: Seat
    sign: str
    """At most three cells: "4", "M", "Spy"."""
    name: str
    owner: str


@dataclass(frozen=True, slots=True)
class Duel:
    """Two figures meet; `why`: who wins and by which rule, as a sentence."""

    title: str
    left: Figure
    right: Figure
    stands: Literal["left", "right", "neither"]
    why: str


@dataclass(frozen=True, slots=True)
class CardTurn:
    """A closed card is turned up; `sentence`: the result."""

    title: str
    card: Figure
    sentence: str
    good: bool = True
    """Whether the card is the one that its owner or guesser named."""


@dataclass(frozen=True, slots=True)
class PointsChange:
    """A number grows or falls from `start` to `end`; `most`: the length of its track, at least 1."""

    title: str
    seat: Seat
    name: str
    start: int
    end: int
    most: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Walk:
    """A figure walks along a track from `low` to `high`, with a seat's flag at each end."""

    title: str
    start: int
    end: int
    low: int
    high: int
    seats: tuple[Seat, Seat]
    """At the low and the high end."""
    sentence: str


@dataclass(frozen=True, slots=True)
class DiceRoll:
    """Dice fall one after the other."""

    title: str
    rolls: tuple[int, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Capture:
    """A flag, a city or a secret changes hands: `seat` has it now."""

    title: str
    seat: Seat
    sign: str
    sentence: str


DramaEvent: TypeAlias = Duel | CardTurn | PointsChange | Walk | DiceRoll | Capture


@dataclass(frozen=True, slots=True)
class Closing:
    """The end of a day, a year or a round: its title, and who gained what in it, by what."""

    title: str
    gains: tuple[tuple[Seat, str, str], ...] = ()
    """Seat for the colour, who and how much, by what; in order."""


Result: TypeAlias = Literal["won", "lost", "drawn"]
"""How a match ended for one player."""
Finale: TypeAlias = Mapping[Result, tuple[str, ...]]
"""By result, a small picture for the end: at most 5 lines of 16 cells, of signs that ASCII has in
`cli.text.layout`.  Full blocks get the colour of the player's side.
"""
CUP: Final[Finale] = MappingProxyType(
    {
        "won": (r"  \█████/", r"   \███/", "     █", "   ▀▀▀▀▀"),
        "lost": ("", "", "     ░", "   ▀▀▀▀▀"),
        "drawn": (r" \███/ \███/", r"  \█/   \█/", "   █     █", "  ▀▀▀   ▀▀▀"),
    }
)
"""For a game that has no pictures of its own: a cup, its foot alone, two cups."""
