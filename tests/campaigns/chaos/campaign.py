"""Matches one after the other: prints a line for each that broke a promise, and what was done to all of them.

Match n of a campaign has the seed SEED + n, and `--matches 1` with it repeats that match as far as timing
allows.  The folder of a match that failed is kept.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import trio

from tests.campaigns.chaos.process import preload


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

    `module`: the name under which Python runs it; its players import `module`.player.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}")
    parser.add_argument("--seed", type=int, default=1, help="of the first match; the next has the next one")
    parser.add_argument("--matches", type=int, default=3, help="how many")
    parser.add_argument("--jobs", type=int, default=1, help="matches at one time")
    given = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix=f"{module.rpartition('.')[2]}-"))
    preload([f"{module}.player"])
    seeds = range(given.seed, given.seed + given.matches)
    results = trio.run(_all, match, seeds, folder, given.jobs)
    with suppress(OSError):  # what a match left behind is kept
        folder.rmdir()
    if not any(result.broken for result in results) and folder.exists():
        print(f"{folder} is not empty: {[*folder.iterdir()]}")
        return 1
    print(_summary(given.seed, results))
    return int(any(result.broken for result in results))


async def _all(
    match: Callable[[int, Path], Awaitable[Result]], seeds: Iterable[int], folder: Path, jobs: int
) -> list[Result]:
    """Play the matches, `jobs` at a time."""
    results: list[Result] = []
    free = trio.Semaphore(jobs)

    async def play(seed: int) -> None:
        try:
            place = folder / str(seed)
            place.mkdir()
            result = await match(seed, place)
            results.append(result)
            if result.broken:
                print(f"match {seed}, see {place}: {result.plan}")
                print("\n".join(f"  match {seed}: {broken}" for broken in result.broken), flush=True)
            else:
                shutil.rmtree(place)
        finally:
            free.release()

    async with trio.open_nursery() as nursery:
        for seed in seeds:
            await free.acquire()
            nursery.start_soon(play, seed)
    return results


def _summary(first: int, results: list[Result]) -> str:
    done: Counter[str] = sum((result.done for result in results), Counter())
    seconds = [result.seconds for result in results]
    failed = sum(bool(result.broken) for result in results)
    text = ", ".join(f"{count} {what}" for what, count in sorted(done.items()))
    return (
        f"{len(results)} matches from seed {first}: {failed} broke a promise. "
        f"{sum(result.entries for result in results)} entries, {median(seconds):.1f} s a match "
        f"(at most {max(seconds):.1f}): {text}"
    )
