"""Where a spy of SPIES! can go in this turn: by link, in several moves, and with luck by sea."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from p2p_stratego.core.game import Choose, Move
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.atlas import LINKS, NAMES, PORTS, SEA_NAMES, City, voyage
from p2p_stratego.spies.rules.map_data import DIE
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import SpyId, State, spy_code
from p2p_stratego.spies.rules.turn.trade import Proposals
from p2p_stratego.spies.rules.underway import now


def ways(view: View[State], spy: SpyId) -> Mapping[City, tuple[City, ...]]:
    """By city that a spy can reach by link, the cities to go through, that one the last: a point for each.

    The shortest way, and of several the one past the fewest police of others.  Empty unless the spy may move
    now.
    """
    if not any(_moves(view, spy, "move")):
        return {}
    state = now(view)
    start, most = state.spies[spy].city, _most(state, spy)
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


def harbours(view: View[State], spy: SpyId) -> Iterator[City]:
    """The ports where a spy can land now, if the die allows it."""
    state = now(view)
    most = min(_most(state, spy), max(DIE))
    for option in _moves(view, spy, "sail"):
        sea = SEA_NAMES.index(option.split(" ")[2])
        for port in sorted({port for ports in PORTS for port in ports} - {state.spies[spy].city}):
            length = voyage(sea, port)
            if length is not None and length <= most:
                yield port


def moves(view: View[State], spy: SpyId, way: tuple[City, ...]) -> tuple[Move, ...]:
    """The decisions that take a spy along a way of several cities; none if it is no way for it now."""
    known = ways(view, spy)
    if not way or len(way) > _most(now(view), spy) or way[0] not in known or len(known[way[0]]) > 1:
        return ()
    if any(city not in LINKS[before] for before, city in pairwise(way)):
        return ()
    return tuple(f"move {spy_code(spy)} {NAMES[city]}" for city in way)


def _moves(view: View[State], spy: SpyId, verb: str) -> Iterator[Move]:
    """The options by which a spy moves so."""
    decision = view.decision
    if isinstance(decision, Choose) and not isinstance(decision.options, Layings | Proposals):
        beginning = f"{verb} {spy_code(spy)} "
        yield from (option for option in decision.options if option.startswith(beginning))


def _most(state: State, spy: SpyId) -> int:
    return min(state.ap, state.spaces(spy))


def _watched(state: State, spy: SpyId, way: tuple[City, ...]) -> int:
    """How many cities on a way have police of another player."""
    power = state.spies[spy].power
    guards = [state.police_of(city) for city in way]
    return sum(guard is not None and not state.same_seat(guard, power) for guard in guards)
