"""Where a power hides its secrets: how well a city shelters them, and what such a place tells of a secret."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from math import comb
from typing import Final

from p2p_stratego.core.game import Face
from p2p_stratego.spies.bots.ways import cost
from p2p_stratego.spies.rules.atlas import CAPITALS, NAMES, SIGN, TERRITORY, City, Power
from p2p_stratego.spies.rules.counters import ALL_SECRETS, COUNTERSPIES, value

STRAYS: Final = 0.2
"""How often a secret lies one place further, and how often one place nearer, than its value wants it."""


@cache
def shelter(city: City, power: Power) -> float:
    """How well a city hides a secret: deep in the country, far from the others, with police."""
    abroad = min(cost(city, other) for other in range(len(NAMES)) if TERRITORY[other] != power)
    foes = [cost(CAPITALS[other], city) for other in range(5) if other != power]
    return abroad + 0.25 * sum(foes) / len(foes) + 0.8 * (city in SIGN)


def rank(face: Face) -> int:
    """Secrets of high value are hidden best; counterspies lie where enemies come first."""
    return -value(face) if face in COUNTERSPIES else value(face)


@cache
def odds(number: int) -> Sequence[Mapping[Face, float]]:
    """By place, the least sheltered first: how likely each face is there, if a power hid so many secrets.

    The chances of order statistics: of `number` cards of the list, laid in the order of their ranks, the one
    at each place; and some lie at the place beside theirs.
    """
    ordered = [_at(place, number) for place in range(number)]
    weights = {-1: STRAYS, 0: 1 - 2 * STRAYS, 1: STRAYS}
    return [
        {
            face: sum(
                weight * ordered[min(number - 1, max(0, place + step))][face]
                for step, weight in weights.items()
            )
            for face in ordered[place]
        }
        for place in range(number)
    ]


def _at(place: int, number: int) -> Mapping[Face, float]:
    """How likely each face is the one of this place among so many in order."""
    odds_at: dict[Face, float] = {}
    below, before = 0, 0.0
    copies = Counter(ALL_SECRETS)
    for face in sorted(copies, key=rank):
        below += copies[face]
        share = below / len(ALL_SECRETS)
        at_most = sum(
            comb(number, low) * share**low * (1 - share) ** (number - low)
            for low in range(place + 1, number + 1)
        )
        odds_at[face], before = at_most - before, at_most
    return odds_at
