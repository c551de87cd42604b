"""The seats of two, three and four players: which side each belongs to, and which missions it plays.

All other rules speak of sides and missions; this module names the seat that acts for them.  A side of two
splits its missions: the first mate plays 1 and 2, the second 3 and 4.  Once a seat is gone, its mate acts for
it (spec/spies-and-lies.md, section 5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Final

from p2p_stratego.core.game import Outcome, Seat, Sides
from p2p_stratego.spies_and_lies.rules.components import BLUE, MISSIONS, RED, SIDES, Mission, Side

SEAT_NAMES: Final[Mapping[int, tuple[str, ...]]] = MappingProxyType(
    {
        2: ("red", "blue"),
        3: ("red-a", "blue", "red-b"),
        4: ("red-a", "blue-a", "red-b", "blue-b"),
    }
)
"""By the number of players: the name of each seat."""
FIRST: Final[tuple[Mission, ...]] = (1, 2)
"""The missions of the first of two mates."""
SECOND: Final[tuple[Mission, ...]] = (3, 4)
"""The missions of the second of two mates."""

_MATES: Final[Mapping[int, tuple[tuple[Seat, ...], tuple[Seat, ...]]]] = MappingProxyType(
    {
        2: ((0,), (1,)),
        3: ((0, 2), (1,)),
        4: ((0, 2), (1, 3)),
    }
)
"""By the number of players: the seats of each side, the one with missions 1 and 2 first."""
_HOLDERS: Final[dict[int, tuple[tuple[Seat, ...], ...]]] = {
    seats: tuple((-1, mates[0], mates[0], mates[-1], mates[-1]) for mates in sides)
    for seats, sides in _MATES.items()
}
"""By the number of players, the side and the mission from 1: the seat that the mission belongs to."""


@dataclass(frozen=True)
class Seating:
    """The seats at the table, of which some may be gone.

    All states share one Seating until a seat goes: so `players` is worked out once, and not at every guess.
    """

    seats: int
    """2, 3 or 4."""
    gone: frozenset[Seat] = frozenset()

    @cached_property
    def players(self) -> tuple[tuple[Seat, ...], ...]:
        """By side and mission from 1, as `player` names them."""
        return tuple(tuple(map(self._acting, holders)) for holders in _HOLDERS[self.seats])

    def mates(self, side: Side) -> tuple[Seat, ...]:
        """The seats of a side, gone or not, the one with missions 1 and 2 first."""
        return _MATES[self.seats][side]

    def is_team(self, side: Side) -> bool:
        """Whether two seats share this side, gone or not."""
        return len(_MATES[self.seats][side]) > 1

    @property
    def teams(self) -> bool:
        """Whether any side is shared by two."""
        return self.seats > len(SIDES)

    def side(self, seat: Seat) -> Side:
        """The side that a seat plays for."""
        return RED if seat in _MATES[self.seats][RED] else BLUE

    def holder(self, side: Side, mission: Mission) -> Seat:
        """The seat that a mission belongs to, gone or not."""
        return _HOLDERS[self.seats][side][mission]

    def missions(self, seat: Seat) -> tuple[Mission, ...]:
        """The missions that belong to a seat, gone or not."""
        side = self.side(seat)
        return tuple(mission for mission in MISSIONS if self.holder(side, mission) == seat)

    def mate(self, seat: Seat) -> Seat | None:
        """The other seat of its side, unless that is gone or there is none."""
        for other in self.mates(self.side(seat)):
            if other != seat and other not in self.gone:
                return other
        return None

    def player(self, side: Side, mission: Mission) -> Seat:
        """The seat that acts for a mission: its holder, or the mate of a holder that is gone.

        The holder if nobody of the side is left; then no answer of the side matters any more.
        """
        return self.players[side][mission]

    def _acting(self, holder: Seat) -> Seat:
        mate = self.mate(holder) if holder in self.gone else None
        return holder if mate is None else mate

    def without(self, seat: Seat) -> Seating:
        """The same table once `seat` is gone."""
        return replace(self, gone=self.gone | {seat})


ALL_THERE: Final = {seats: Seating(seats) for seats in SEAT_NAMES}
"""By the number of players: the table at which every game begins."""


def sides(seats: int) -> Sides:
    """The seats that win and lose together at a table of 2, 3 or 4."""
    red, blue = _MATES[seats]
    return frozenset(red), frozenset(blue)


def winner(outcome: Outcome) -> Side | None:
    """The side that has won; None for a draw."""
    # The first mate of each side has the side's number for its seat, at every table.
    return next((side for side in SIDES if side in outcome.winners), None)
