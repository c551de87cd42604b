"""Ways between cities by rail, air and sea, in action points; a voyage costs what its dice may cost.

A spy that puts out needs a roll as high as its voyage is long, and five spaces allow few new rolls.
"""

from __future__ import annotations

from functools import cache
from heapq import heappop, heappush
from typing import Final, NamedTuple

from p2p_stratego.spies.rules.atlas import LINKS, NAMES, SEA_NAMES, SEAS_AT, City, voyage

FAR: Final = 99.0
"""The cost of a way that does not exist."""
LUCK: Final = {2: 1.0, 3: 0.97, 4: 0.65}
"""By the length of a voyage: how likely the dice allow it within a turn; longer ones are not tried."""
COST: Final = {2: 2.0, 3: 3.3, 4: 6.5}
"""By the length of a voyage: the points that it takes on average, with new rolls and turns lost."""


class Leg(NamedTuple):
    """One link, or one voyage."""

    to: City
    spaces: int
    luck: float
    """How likely it succeeds."""
    cost: float
    """The points that it takes on average."""
    words: tuple[str, str]
    """The choice that begins it, but for the spy: "move" and a city, "sail" and a sea."""


def _voyages(port: City) -> list[Leg]:
    legs: dict[City, Leg] = {}
    for sea in SEAS_AT[port]:
        for other in range(len(NAMES)):
            length = voyage(sea, other)
            if other == port or length not in LUCK:
                continue
            if other not in legs or length < legs[other].spaces:
                legs[other] = Leg(other, length, LUCK[length], COST[length], ("sail", SEA_NAMES[sea]))
    return list(legs.values())


def _legs(city: City) -> tuple[Leg, ...]:
    by_link = [Leg(other, 1, 1.0, 1.0, ("move", NAMES[other])) for other in LINKS[city]]
    return (*by_link, *_voyages(city))


LEGS: Final[tuple[tuple[Leg, ...], ...]] = tuple(_legs(city) for city in range(len(NAMES)))
"""By city: where a spy can go next."""


@cache
def costs(start: City) -> tuple[float, ...]:
    """By city: the points that the best way from `start` takes on average; FAR where none leads."""
    least = [FAR] * len(NAMES)
    least[start] = 0.0
    frontier = [(0.0, start)]
    while frontier:
        so_far, city = heappop(frontier)
        if so_far > least[city]:
            continue
        for leg in LEGS[city]:
            cost = so_far + leg.cost
            if cost < least[leg.to]:
                least[leg.to] = cost
                heappush(frontier, (cost, leg.to))
    return tuple(least)


def cost(start: City, goal: City) -> float:
    """The points that the best way between two cities takes on average."""
    return costs(start)[goal]
