"""What the city of a secret says of its face: high values lie deep, counterspies where enemies come first."""

from __future__ import annotations

from functools import cache
from math import exp
from typing import Final

from p2p_stratego.core.game import Face
from p2p_stratego.spies.bots.ways import cost
from p2p_stratego.spies.rules.atlas import CAPITALS, NAMES, SIGN, TERRITORY, City, Power
from p2p_stratego.spies.rules.counters import ALL_SECRETS, COUNTERSPIES, value

SPREAD: Final = 0.2
"""How far, of all cities of a power, a secret lies from where its rank belongs."""


def shelter(city: City, power: Power) -> float:
    """How well a city hides a secret: deep in the country, far from the others, with police."""
    abroad = min(cost(city, other) for other in range(len(NAMES)) if TERRITORY[other] != power)
    foes = [cost(CAPITALS[other], city) for other in range(5) if other != power]
    return abroad + 0.25 * sum(foes) / len(foes) + 0.8 * (city in SIGN)


def rank(face: Face) -> int:
    """The higher, the better it is hidden."""
    return -value(face) if face in COUNTERSPIES else value(face)


@cache
def lean(city: City, face: Face) -> float:
    """How well a face fits a city of a power as its hiding place, 0 to 1."""
    power = TERRITORY[city]
    if power is None:
        return 1.0
    own = sorted(
        (other for other, owner in enumerate(TERRITORY) if owner == power),
        key=lambda other: shelter(other, power),
    )
    place = own.index(city) / (len(own) - 1)
    ranks = [rank(other) for other in ALL_SECRETS]
    below = sum(other < rank(face) for other in ranks) + ranks.count(rank(face)) / 2
    return exp(-(((place - below / len(ranks)) / SPREAD) ** 2) / 2)
