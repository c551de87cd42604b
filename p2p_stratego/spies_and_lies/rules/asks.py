"""Every Ask of Spies & Lies, made once: a game asks some 55 times, and most asks are always the same.

This module defines the asks only; the rules decide when to yield them.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from p2p_stratego.core.game import Choose, Commit, Open, Roll, Together
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
from p2p_stratego.spies_and_lies.rules.soldiers import (
    BLUE,
    DAYS,
    INTEL_DECK,
    MISSIONS,
    RANKS,
    RED,
    SEATS,
    Rank,
)
from p2p_stratego.spies_and_lies.rules.state import slot


def _commit(day: int, seat: int) -> Commit:
    return Commit(seat, tuple(slot(day, seat, mission) for mission in MISSIONS), RANKS)


def _captain(seat: int, exhausted: tuple[Rank, ...]) -> Choose:
    return Choose(seat, (CAPTAIN_POINTS, *(copy(rank) for rank in exhausted)))


DEPLOY_ASKS: Final = {day: Together((_commit(day, RED), _commit(day, BLUE))) for day in range(1, DAYS + 1)}
"""By day.  The asks allow every rank, impossible ones too: the rules punish those when they are opened."""
MARK_ASK: Final = Together((Choose(RED, tuple(MARKS)), Choose(BLUE, tuple(MARKS))))
TOKEN_ASKS: Final = tuple(Choose(seat, (LAY, KEEP)) for seat in SEATS)
GUESS_ASKS: Final = tuple(Choose(seat, tuple(GUESSES)) for seat in SEATS)
MARSHAL_ASKS: Final = tuple(Choose(seat, (MARSHAL_TEN, MARSHAL_FIVE)) for seat in SEATS)
CAPTAIN_ASKS: Final = tuple(
    {tired: _captain(seat, tired) for count in (1, 2) for tired in combinations(RANKS, count)}
    for seat in SEATS
)
"""By seat and by the soldiers that are exhausted, ranks ascending."""
OPEN_ASKS: Final = tuple(Open(name) for name in range(slot(DAYS, BLUE, MISSIONS[-1]) + 1))
"""By slot."""
INTEL_ASKS: Final = tuple(Roll(sides) for sides in range(len(INTEL_DECK) + 1))
"""By the number of intel cards still face down."""
