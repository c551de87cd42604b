"""Where a spy of SPIES! can go in this turn: by link, in several moves, and with luck by sea."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from p2p_stratego.core.game import Choose, Move
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules import reach
from p2p_stratego.spies.rules.atlas import LINKS, NAMES, PORTS, SEA_NAMES, City, voyage
from p2p_stratego.spies.rules.map_data import DIE
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import SpyId, State, spy_code
from p2p_stratego.spies.rules.turn.trade import Proposals
from p2p_stratego.spies.rules.underway import now


def ways(view: View[State], spy: SpyId) -> Mapping[City, tuple[City, ...]]:
    """By city that a spy can reach by link, the cities to go through, that one the last: a point for each.

    Empty unless the spy may move now.
    """
    if not any(_moves(view, spy, "move")):
        return {}
    state = now(view)
    return reach.ways(state, spy, reach.in_a_turn(state, spy))


def harbours(view: View[State], spy: SpyId) -> Iterator[City]:
    """The ports where a spy can land now, if the die allows it."""
    state = now(view)
    most = min(reach.in_a_turn(state, spy), max(DIE))
    for option in _moves(view, spy, "sail"):
        sea = SEA_NAMES.index(option.split(" ")[2])
        for port in sorted({port for ports in PORTS for port in ports} - {state.spies[spy].city}):
            length = voyage(sea, port)
            if length is not None and length <= most:
                yield port


def moves(view: View[State], spy: SpyId, way: tuple[City, ...]) -> tuple[Move, ...]:
    """The decisions that take a spy along a way of several cities; none if it is no way for it now."""
    known = ways(view, spy)
    if not way or len(way) > reach.in_a_turn(now(view), spy) or way[0] not in known or len(known[way[0]]) > 1:
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
