"""Matches in which one call of the system fails: each call, in turn, with each error that it can have.

A match without any misfortune shows which calls each process makes.  Then it is played again for each of
them: the call fails, or the process dies before or after it, or its machine loses its power.  Afterwards
nothing is lost, nobody is blamed, no place has two signatures, and the match comes to its end.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Final

from tests.campaigns.chaos.campaign import Result
from tests.campaigns.simulate.campaign import prepare
from tests.campaigns.simulate.life import ERRORS, Misfortune
from tests.campaigns.simulate.net import Weather
from tests.campaigns.simulate.plan import Plan
from tests.campaigns.simulate.world import World
from tests.campaigns.tables.plan import Kind

MATCHES: Final = {
    "two": (Kind("toy", 2, {"looks": "yes"}, 40), ()),
    "three": (Kind("toy", 3, {}, 40), ("Cleo",)),
    "cards": (Kind("cups", 2, {}, 45, cards=True), ()),
}
"""By name: what is played, and who is behind a relay."""
_DISK: Final = frozenset(ERRORS) - {"listen", "accept", "connect", "send", "receive"}


@dataclass(frozen=True, slots=True)
class Quiet(Plan):
    """A world in which nothing happens but one misfortune.  `meets`: the player, or the relay."""

    meets: str = ""
    how: Misfortune | None = None

    def misfortune(self, name: str, start: int) -> Misfortune | None:
        """What happens to a process."""
        return self.how if (name, start) == (self.meets, 1) else None

    def weather(self, number: int) -> Weather:
        """Every connection is a good one."""
        return Weather(random.Random(number))


@dataclass(frozen=True, slots=True)
class Case:
    """One failure: in the match with this name; `call`: the kind of call."""

    match: str
    name: str
    call: str
    how: Misfortune

    def __str__(self) -> str:
        power = " with its machine" if self.how.power else ""
        return f"{self.match}: {self.name}, call {self.how.at}, {self.call}: {self.how.what}{power}"

    def world(self, notes: list[str] | None = None) -> World:
        """The match with this failure."""
        return World(_quiet(self.match, self.name, self.how), notes)


def cases(match: str) -> Iterator[Case]:
    """Every failure of a match."""
    world = World(_quiet(match))
    result = world.run()
    assert not result.broken, result.broken
    for life in world.lives:
        for at, call in enumerate(life.calls, 1):
            for error in ERRORS[call]:
                yield Case(match, life.name, call, Misfortune(error, at))
            if call in _DISK:
                for moment in ("kill before", "kill after"):
                    yield Case(match, life.name, call, Misfortune(moment, at))
                    yield Case(match, life.name, call, Misfortune(moment, at, power=True))


def _quiet(match: str, meets: str = "", how: Misfortune | None = None) -> Quiet:
    kind, behind = MATCHES[match]
    return Quiet(1, kind, behind, (), (), None, (), None, None, 0.0, 20.0, meets, how)


def main(arguments: Sequence[str]) -> int:
    """Play the matches; 1 if one has broken a promise."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.simulate.failures", description=__doc__)
    parser.add_argument("--match", choices=MATCHES, action="append", help="only this one")
    parser.add_argument("--every", type=int, default=1, help="takes every so manieth failure")
    parser.add_argument("--first", type=int, default=0, help="begins with this one")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    given = parser.parse_args(arguments)
    began = time.monotonic()
    every = [case for match in given.match or MATCHES for case in cases(match)][given.first :: given.every]
    fell, done, met = 0, Counter[str](), Counter[str]()
    with ProcessPoolExecutor(given.jobs, get_context("forkserver"), prepare) as pool:
        for case, result in zip(every, pool.map(_run, every, chunksize=8), strict=True):
            met[f"{case.call} {case.how.what}"] += 1
            done += result.done
            fell += bool(result.broken)
            for broken in result.broken:
                print(f"{case}: {broken}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in sorted(met.items())))
    print(", ".join(f"{count} {what}" for what, count in sorted(done.items())))
    print(f"{len(every)} failures, {fell} broke a promise, {time.monotonic() - began:.0f} s")
    return int(fell > 0)


def _run(case: Case) -> Result:
    return case.world().run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
