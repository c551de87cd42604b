"""Schedules one after the other, and what is told of them.

Schedule n has the seed SEED + n.  Of each invariant that breaks, the shortest schedules are shrunk, and the
command is printed that plays what is left of them again and tells all that happens.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from multiprocessing import get_context

from tests.campaigns.explore.plan import ARENAS
from tests.campaigns.explore.running import Result, run
from tests.campaigns.explore.shrinking import SECONDS, ranges, read_ranges, shrunk
from tests.helpers.crypto.computed_once import computed_once

_UNTIL_THE_PROCESS_ENDS = ExitStack()  # a context that nobody holds ends at once, with all that it keeps
SHRUNK = 2
"""Findings that are shrunk of each invariant."""


def main(arguments: Sequence[str]) -> int:
    """Play the schedules; 1 if one has broken an invariant."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.explore", description=__doc__)
    parser.add_argument(
        "--seed", type=int, default=1, help="of the first schedule; the next has the next one"
    )
    parser.add_argument("--count", type=int, default=200, help="schedules")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--arena", choices=ARENAS, default="", help="this game, profile and way alone")
    parser.add_argument("--steps", type=read_ranges, help="play only these steps of the seed, and tell all")
    parser.add_argument("--shrink", type=float, default=SECONDS, help="seconds of CPU for a finding; 0: none")
    given = parser.parse_args(arguments)
    if given.steps is not None:
        return _again(given.seed, given.arena, given.steps)
    began = time.monotonic()
    with ProcessPoolExecutor(given.jobs, get_context("forkserver"), _prepare) as pool:
        seeds = range(given.seed, given.seed + given.count)
        results: list[Result] = []
        for result, seconds in pool.map(partial(_timed, given.arena), seeds):
            results.append(result)
            result.done["hundredths"] = round(seconds * 100)
            if result.broken:
                print(
                    f"seed {result.plan.seed}, {result.plan.arena}: {result.broken}: {result.text}",
                    flush=True,
                )
        _tell(results, time.monotonic() - began)
        few = (
            [result for broken in _broken(results) for result in _first(results, broken)]
            if given.shrink
            else []
        )
        for result, report in zip(
            few, pool.map(partial(_shrunk, given.arena, given.shrink), few), strict=True
        ):
            print(f"{result.broken}\n    {report}", flush=True)
    return int(bool(_broken(results)))


def _broken(results: Sequence[Result]) -> Counter[str]:
    """How often each invariant has broken."""
    return Counter(result.broken for result in results if result.broken)


def _first(results: Sequence[Result], broken: str) -> list[Result]:
    """Schedules that have broken an invariant: those that took the fewest steps."""
    return sorted((result for result in results if result.broken == broken), key=lambda result: result.taken)[
        :SHRUNK
    ]


def _prepare() -> None:
    _UNTIL_THE_PROCESS_ENDS.enter_context(computed_once())


def _timed(arena: str, seed: int) -> tuple[Result, float]:
    began = time.process_time()
    result = run(seed, arena)
    return result, time.process_time() - began


def _shrunk(arena: str, seconds: float, result: Result) -> str:
    """The command that plays a shrunken schedule again."""
    seed, broken, steps = result.plan.seed, result.broken, result.steps[: result.taken]
    kept = shrunk(steps, lambda fewer: run(seed, arena, fewer).broken == broken, seconds)
    chosen = f" ARENA={arena}" if arena else ""
    return f"{len(kept)} of {len(result.steps)} steps: make explore SEED={seed}{chosen} STEPS={ranges(kept)}"


def _again(seed: int, arena: str, steps: Sequence[int]) -> int:
    notes: list[str] = []
    with computed_once():
        result = run(seed, arena, steps, notes)
    print(result.plan, *notes, *result.ends, sep="\n")
    return int(bool(result.broken))


def _tell(results: Sequence[Result], seconds: float) -> None:
    for arena in ARENAS:
        of = [result for result in results if result.plan.arena == arena]
        if of:
            used = sum(result.done["hundredths"] for result in of) / 100
            steps = sum(len(result.steps) for result in of)
            print(f"{len(of):6} {arena}: {len(of) / used:.2f} schedules a second of CPU, {steps} steps")
    ends = Counter(" / ".join(result.ends) for result in results if not result.broken)
    for end, times in ends.most_common():
        print(f"{times:6} {end}")
    done: Counter[str] = sum((result.done for result in results), Counter())
    del done["hundredths"]
    print(", ".join(f"{times} {what}" for what, times in sorted(done.items())))
    broken = _broken(results)
    for invariant, times in broken.most_common():
        print(f"{times:6} broke: {invariant}")
    print(f"{len(results)} schedules, {sum(broken.values())} broke an invariant, {seconds:.0f} s")
