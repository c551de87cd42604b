"""How many spaces lie between cities by link, and by sea with a fair roll."""

from __future__ import annotations

from typing import Final

from p2p_stratego.spies.rules.atlas import LINKS, NAMES, City

FAR: Final = 99


def _from(start: City) -> tuple[int, ...]:
    found = {start: 0}
    frontier = [start]
    while frontier:
        reached = sorted({other for city in frontier for other in LINKS[city]} - set(found))
        found.update((city, found[frontier[0]] + 1) for city in reached)
        frontier = reached
    return tuple(found.get(city, FAR) for city in range(len(NAMES)))


_WAYS: Final = tuple(map(_from, range(len(NAMES))))


def distance(one: City, other: City) -> int:
    """The fewest links between two cities; FAR if there is no way by land and air."""
    return _WAYS[one][other]
