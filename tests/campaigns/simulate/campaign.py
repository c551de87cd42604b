"""Worlds one after the other, and what is told of them.

World n has the seed SEED + n.  A world that breaks a promise is named, and `SEEDS=1` with its seed plays it
again, step by step the same, with a log: a line for each thing that happens.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path

from tests.campaigns.chaos.campaign import Result
from tests.campaigns.simulate.plan import plan
from tests.campaigns.simulate.world import World
from tests.helpers.crypto.computed_once import computed_once

_UNTIL_THE_PROCESS_ENDS = ExitStack()  # a context that nobody holds ends at once, with all that it keeps


def main(arguments: Sequence[str]) -> int:
    """Play the worlds; 1 if one has broken a promise."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.simulate", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first world; the next has the next one")
    parser.add_argument("--seeds", type=int, default=200, help="worlds")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--log", type=Path, help="takes all that happens, if SEEDS is 1")
    given = parser.parse_args(arguments)
    if given.seeds == 1:
        return _told(given.seed, given.log or Path(tempfile.gettempdir()) / f"simulate-{given.seed}.log")
    began = time.monotonic()
    results: list[tuple[Result, float]] = []
    with ProcessPoolExecutor(given.jobs, get_context("forkserver"), prepare) as pool:
        for result, seconds in pool.map(_timed, range(given.seed, given.seed + given.seeds)):
            results.append((result, seconds))
            for broken in result.broken:
                print(f"seed {given.seed + len(results) - 1}: {broken}", flush=True)
    print(_summary(results, time.monotonic() - began))
    return int(any(result.broken for result, _ in results))


def prepare() -> None:
    """What is computed in one world is not computed again in it."""
    _UNTIL_THE_PROCESS_ENDS.enter_context(computed_once())


def _timed(seed: int) -> tuple[Result, float]:
    began = time.process_time()
    result = World(plan(seed)).run()
    return result, time.process_time() - began


def _told(seed: int, log: Path) -> int:
    notes: list[str] = []
    with computed_once():
        world = World(plan(seed), notes)
        try:
            result = world.run()
        finally:
            log.write_text("".join(f"{line}\n" for line in notes))
    print(result.plan, *result.broken, f"{log}: {len(notes)} lines, {world.log.hexdigest()}", sep="\n")
    return int(bool(result.broken))


def _summary(results: Sequence[tuple[Result, float]], seconds: float) -> str:
    done: Counter[str] = sum((result.done for result, _ in results), Counter())
    text = ", ".join(f"{count} {what}" for what, count in sorted(done.items()))
    used = sum(seconds for _, seconds in results)
    fell = sum(bool(result.broken) for result, _ in results)
    entries = sum(result.entries for result, _ in results)
    return (
        f"{text}\n{len(results)} worlds, {fell} broke a promise, {entries} entries, "
        f"{len(results) / used:.1f} worlds a second of CPU, {seconds:.0f} s"
    )
