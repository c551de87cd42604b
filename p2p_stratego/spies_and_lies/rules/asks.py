"""Every Ask of Spies & Lies, made once: a game asks some 55 times, and most asks are always the same.

This module defines the asks only; the rules decide when to yield them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations
from typing import Final

from p2p_stratego.core.game import Choose, Commit, Open, Roll, Seat, Together
from p2p_stratego.spies_and_lies.rules.components import (
    BLUE,
    DAYS,
    INTEL_DECK,
    MISSIONS,
    RANKS,
    SIDES,
    Mission,
    Side,
)
from p2p_stratego.spies_and_lies.rules.notation import (
    CAPTAIN_POINTS,
    GUESSES,
    KEEP,
    LAY,
    MARKS,
    MARSHAL_FIVE,
    MARSHAL_TEN,
    copy,
)
from p2p_stratego.spies_and_lies.rules.seating import FIRST, SEAT_NAMES, SECOND, Seating
from p2p_stratego.spies_and_lies.rules.state import Closed, slot

_ALL_SEATS: Final = range(max(SEAT_NAMES))


@cache
def commit_ask(day: int, side: Side, missions: tuple[Mission, ...], seat: Seat) -> Commit:
    """`seat` lays soldiers of `side` under `missions`.

    The ask allows every rank, impossible ones too: the rules punish those when they are opened.
    """
    return Commit(seat, tuple(slot(day, side, mission) for mission in missions), RANKS)


@cache
def first_deploy_ask(day: int, seating: Seating) -> Together:
    """Both sides lay: a seat alone all four soldiers, of two mates the first its two."""
    return Together(
        _by_seat(
            commit_ask(
                day, side, FIRST if seating.is_team(side) else MISSIONS, seating.player(side, FIRST[0])
            )
            for side in SIDES
        )
    )


@cache
def second_deploy_ask(day: int, seating: Seating) -> Together | Commit:
    """The second of two mates lays, at the same time on both sides if both have one; not for two seats."""
    asks = _by_seat(
        commit_ask(day, side, SECOND, seating.player(side, SECOND[0]))
        for side in SIDES
        if seating.is_team(side)
    )
    return Together(asks) if len(asks) > 1 else asks[0]


def _by_seat(asks: Iterable[Commit]) -> tuple[Commit, ...]:
    return tuple(sorted(asks, key=lambda ask: ask.seat))


@cache
def markers(seating: Seating, closed: Closed) -> tuple[tuple[Seat, frozenset[Mission]], ...]:
    """The seats that mark, ascending, with the missions that they act for, except cards closed for good."""
    own: dict[Seat, set[Mission]] = {}
    for side in SIDES:
        for mission in MISSIONS:
            if mission not in closed[side]:
                own.setdefault(seating.player(side, mission), set()).add(mission)
    return tuple((seat, frozenset(own[seat])) for seat in sorted(own))


@cache
def mark_ask(seating: Seating, closed: Closed) -> Together:
    """Every seat marks its missions, at the same time."""
    return Together(
        tuple(
            Choose(seat, tuple(move for move, marked in MARKS.items() if marked <= missions))
            for seat, missions in markers(seating, closed)
        )
    )


TOKEN_ASKS: Final = tuple(Choose(seat, (LAY, KEEP)) for seat in _ALL_SEATS)
"""By seat, as all tuples of asks."""
GUESS_ASKS: Final = tuple(Choose(seat, tuple(GUESSES)) for seat in _ALL_SEATS)
MARSHAL_ASKS: Final = tuple(Choose(seat, (MARSHAL_TEN, MARSHAL_FIVE)) for seat in _ALL_SEATS)
CAPTAIN_ASKS: Final = {
    tired: tuple(Choose(seat, (CAPTAIN_POINTS, *map(copy, tired))) for seat in _ALL_SEATS)
    for count in (1, 2)
    for tired in combinations(RANKS, count)
}
"""By the soldiers that are exhausted, ranks ascending, then by seat."""
OPEN_ASKS: Final = tuple(Open(name) for name in range(slot(DAYS, BLUE, MISSIONS[-1]) + 1))
"""By slot."""
INTEL_ASKS: Final = tuple(Roll(sides) for sides in range(len(INTEL_DECK) + 1))
"""By the number of intel cards still face down."""
