"""How far a spy comes by link: the shortest ways from where it stands, by what everybody sees."""

from __future__ import annotations

from collections.abc import Mapping

from p2p_stratego.spies.rules.atlas import LINKS, City
from p2p_stratego.spies.rules.state import SpyId, State


def in_a_turn(state: State, spy: SpyId) -> int:
    """How many cities a spy can still move in this turn of its power: 0 to 5."""
    return min(state.ap, state.spaces(spy))


def ways(state: State, spy: SpyId, most: int) -> Mapping[City, tuple[City, ...]]:
    """By city, the cities to go through from where a spy stands, that one the last: at most so many.

    The shortest way, and of several the one past the fewest cities with police of another player.
    """
    start = state.spies[spy].city
    reached: dict[City, tuple[City, ...]] = {start: ()}
    frontier = [start]
    while frontier and len(reached[frontier[0]]) < most:
        nearest: dict[City, tuple[City, ...]] = {}
        for way in sorted((reached[city] for city in frontier), key=lambda way: _watched(state, spy, way)):
            for city in LINKS[way[-1] if way else start]:
                nearest.setdefault(city, (*way, city))
        frontier = [city for city in nearest if city not in reached]
        reached |= {city: nearest[city] for city in frontier}
    del reached[start]
    return reached


def _watched(state: State, spy: SpyId, way: tuple[City, ...]) -> int:
    """How many cities on a way have police of another player."""
    power = state.spies[spy].power
    guards = [state.police_of(city) for city in way]
    return sum(guard is not None and not state.same_seat(guard, power) for guard in guards)
