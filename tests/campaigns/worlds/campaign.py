"""Arenas one after the other, each for its share of the time, and what is told of each.

Each line says how many worlds there are, of how many copies, how deep, and whether these are all within the
bounds of the arena.  Of what fell it prints the property and the events that lead there.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from tests.campaigns.worlds.plan import ALL, DRAWS, ENDS, LEAVING, SILENCE, Arena, Bounds, length
from tests.campaigns.worlds.search import Found, Search
from tests.helpers.crypto.computed_once import computed_once

CLAIMS: Final = (("claims", "yes"),)
LOOKS: Final = (("claims", "yes"), ("looks", "yes"))
BUDGET: Final = 60.0


def small() -> Iterator[Arena]:
    """The searches of a test run: each whole, in a fraction of a second."""
    yield Arena("two liars", 9, frozenset({1, 2}), bounds=Bounds(1, 1, 1))
    yield Arena("nobody lies", 12, kinds=SILENCE, bounds=Bounds(1, 0, 1))
    yield Arena(
        "the end, two liars", -1, frozenset({0, 1}), kinds=ENDS, options=CLAIMS, bounds=Bounds(1, 1, 1)
    )


def places(arena: Arena, every: int = 1) -> range:
    """The places of a match, from its end on."""
    return range(length(arena), -1, -every)


def arenas(seats: int, every: int = 1) -> Iterator[Arena]:
    """All arenas of tables with so many seats: who lies, what is signed, and where."""
    toy = Arena("toy", 0, seats=seats, options=LOOKS)
    liars = [frozenset(some) for number in (1, 2) for some in combinations(range(seats), number)]
    for place in places(toy, every):
        for some in [frozenset[int](), *liars]:
            forged = len(some)
            for name, kinds in (("silence", LEAVING), ("draws", DRAWS), ("ends", ENDS), ("all", ALL)):
                if name == "all" and forged < seats - 1:
                    continue
                yield Arena(f"toy {name}", place, some, seats, toy.game, kinds, Bounds(2, forged, 1), LOOKS)
            yield Arena("toy crash", place, some, seats, toy.game, SILENCE, Bounds(1, forged, 1, 1), LOOKS)
    cups = Arena("cups", 0, seats=seats, game="cups", proofs=True)
    for place in places(cups, every):
        for some in [frozenset[int](), *liars]:
            yield Arena("cups", place, some, seats, cups.game, LEAVING, Bounds(1, len(some), 1), proofs=True)


def told(found: Found) -> str:
    """A search in one line."""
    arena, bounds = found.arena, found.arena.bounds
    liars = ", ".join(map(str, sorted(arena.liars))) or "none"
    how = "all" if found.whole else f"cut, all to depth {max(0, found.depth - 1)}"
    return (
        f"{arena.name} of {arena.seats} at place {arena.place}, liars {liars}, bounds {bounds.entries} "
        f"{bounds.forged} {bounds.acts} {bounds.crashes}: {found.worlds} worlds, {found.copies} copies, "
        f"{found.events} events, depth {found.depth}, {found.quiet} at rest, {found.seconds:.1f} s, {how}"
    )


def main(arguments: Sequence[str]) -> int:
    """Search; 1 if a property has fallen."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.worlds", description=__doc__)
    parser.add_argument("--budget", type=float, default=BUDGET, help="CPU seconds of all searches together")
    parser.add_argument("--seats", type=int, default=3, help="of a table")
    parser.add_argument("--every", type=int, default=1, help="of so many places of a match one is searched")
    parser.add_argument("--only", default="", help="arenas whose name has these words alone")
    given = parser.parse_args(arguments)
    chosen = [arena for arena in arenas(given.seats, given.every) if given.only in arena.name]
    results = list[Found]()
    began = time.process_time()
    with computed_once():
        for number, arena in enumerate(chosen):
            left = given.budget - (time.process_time() - began)
            found = Search(arena).run(left / (len(chosen) - number))
            results.append(found)
            print(told(found), flush=True)
            if found.fell is not None:
                print(f"  FELL {found.fell}", *found.way, sep="\n    ", flush=True)
    _sum(results)
    return int(any(found.fell for found in results))


def _sum(results: Sequence[Found]) -> None:
    ends: dict[str, int] = {}
    for found in results:
        for end, times in found.ends.items():
            ends[end] = ends.get(end, 0) + times
    for end, times in sorted(ends.items(), key=lambda one: -one[1]):
        print(f"{times:8} at rest: {end}")
    fell = [found.fell.number for found in results if found.fell is not None]
    whole = sum(found.whole for found in results)
    seconds = sum(found.seconds for found in results)
    print(
        f"{len(results)} searches, {whole} of them whole: {sum(found.worlds for found in results)} worlds, "
        f"{sum(found.copies for found in results)} copies, "
        f"depth up to {max(found.depth for found in results)}, {seconds:.0f} s of CPU, "
        f"properties that fell: {', '.join(map(str, fell)) or 'none'}"
    )
