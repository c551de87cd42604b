"""Matches one after the other: prints a line for each that broke a promise, and what was done to all of them.

Match n of a campaign has the seed SEED + n, and `--matches 1` with it repeats that match as far as timing
allows.  The folder of a match that failed is kept.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import trio


@dataclass
class Result:
    """How a match went: what it was, the broken promises, the seconds, and what was done to it."""

    plan: object
    broken: list[str] = field(default_factory=list)
    seconds: float = 0.0
    done: Counter[str] = field(default_factory=Counter)
    entries: int = 0


def campaign(module: str, match: Callable[[int, Path], Awaitable[Result]], arguments: list[str]) -> int:
    """Play each `match`, which gets its seed and a folder; 1 if one broke a promise.

    `module`: the name under which Python runs it.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}")
    parser.add_argument("--seed", type=int, default=1, help="of the first match; the next has the next one")
    parser.add_argument("--matches", type=int, default=3, help="how many")
    given = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix=f"{module.rpartition('.')[2]}-"))
    results = []
    for seed in range(given.seed, given.seed + given.matches):
        place = folder / str(seed)
        place.mkdir()
        result = trio.run(match, seed, place)
        results.append(result)
        for broken in result.broken:
            print(f"match {seed} ({result.plan}): {broken}; see {place}", flush=True)
        if not result.broken:
            shutil.rmtree(place)
    if not any(result.broken for result in results):
        folder.rmdir()
    print(_summary(given.seed, results))
    return int(any(result.broken for result in results))


def _summary(first: int, results: list[Result]) -> str:
    done: Counter[str] = sum((result.done for result in results), Counter())
    seconds = [result.seconds for result in results]
    failed = sum(bool(result.broken) for result in results)
    told = ", ".join(f"{count} {what}" for what, count in sorted(done.items()))
    return (
        f"{len(results)} matches from seed {first}: {failed} broke a promise. "
        f"{sum(result.entries for result in results)} entries, {median(seconds):.1f} s a match "
        f"(at most {max(seconds):.1f}): {told}"
    )
