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


def few() -> Iterator[Arena]:
    """Searches that are whole after a few seconds together: each kind of thing that can happen."""
    yield Arena("two liars", 9, frozenset({1, 2}), bounds=Bounds(1, 1, 1))
    yield Arena(
        "the end, two liars", -1, frozenset({0, 1}), kinds=ENDS, options=CLAIMS, bounds=Bounds(1, 1, 1)
    )
    for liar in range(3):
        yield Arena("silence", 12, frozenset({liar}), kinds=SILENCE, bounds=Bounds(2, 1, 1))
    yield Arena("the end", -1, frozenset({1}), kinds=ENDS, options=CLAIMS, bounds=Bounds(1, 1, 1))
    yield Arena("draws", 15, frozenset({1}), kinds=DRAWS, bounds=Bounds(1, 1, 1))
    yield Arena("a crash", 13, frozenset({0}), kinds=SILENCE, bounds=Bounds(1, 0, 1, 1))


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


def summary(result: Found) -> str:
    """A search in one line."""
    arena, bounds = result.arena, result.arena.bounds
    liars = ", ".join(map(str, sorted(arena.liars))) or "none"
    how = "all" if result.whole else f"cut, all to depth {max(0, result.depth - 1)}"
    return (
        f"{arena.name} of {arena.seats} at place {arena.place}, liars {liars}, bounds {bounds.entries} "
        f"{bounds.forged} {bounds.acts} {bounds.crashes}: {result.worlds} worlds, {result.copies} copies, "
        f"{result.events} events, depth {result.depth}, {result.quiet} at rest, {result.seconds:.1f} s, {how}"
    )


def main(arguments: Sequence[str]) -> int:
    """Search; 1 if a property has fallen."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.worlds", description=__doc__)
    parser.add_argument("--budget", type=float, default=BUDGET, help="CPU seconds of all searches together")
    parser.add_argument("--seats", type=int, default=3, help="of a table")
    parser.add_argument("--every", type=int, default=1, help="of so many places of a match one is searched")
    parser.add_argument("--only", default="", help="arenas whose name has these words alone")
    parser.add_argument("--few", action="store_true", help="a few arenas of each kind, whole in seconds")
    given = parser.parse_args(arguments)
    every = few() if given.few else arenas(given.seats, given.every)
    chosen = [arena for arena in every if given.only in arena.name]
    results = list[Found]()
    began = time.process_time()
    with computed_once():
        for number, arena in enumerate(chosen):
            left = given.budget - (time.process_time() - began)
            result = Search(arena).run(left / (len(chosen) - number))
            results.append(result)
            print(summary(result), flush=True)
            if result.fell is not None:
                print(f"  FELL {result.fell}", *result.way, sep="\n    ", flush=True)
    _sum(results)
    return int(any(result.fell for result in results))


def _sum(results: Sequence[Found]) -> None:
    ends: dict[str, int] = {}
    for result in results:
        for end, times in result.ends.items():
            ends[end] = ends.get(end, 0) + times
    for end, times in sorted(ends.items(), key=lambda pair: -pair[1]):
        print(f"{times:8} at rest: {end}")
    fell = [result.fell.number for result in results if result.fell is not None]
    whole = sum(result.whole for result in results)
    seconds = sum(result.seconds for result in results)
    print(
        f"{len(results)} searches, {whole} of them whole: {sum(result.worlds for result in results)} worlds, "
        f"{sum(result.copies for result in results)} copies, "
        f"depth up to {max(result.depth for result in results)}, {seconds:.0f} s of CPU, "
        f"properties that fell: {', '.join(map(str, fell)) or 'none'}"
    )
