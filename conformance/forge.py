"""Forge fresh matches with all keys, and write them with the right answers, for the runner.

`python -m conformance.forge --seed 1 --count 300 build/forged`: so many cases, the same for the same seed;
then `python -m conformance.run --cases build/forged -- ./my-auditor`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Final

from conformance import draws, plans, withheld
from conformance.plans import Forged, NotThisTime, Plain
from conformance.run import FILE
from tests.helpers.crypto.computed_once import computed_once

_UNTIL_THE_PROCESS_ENDS = ExitStack()  # a context that nobody holds ends at once, with all that it keeps
PLANS: Final[dict[Callable[[Random], Forged], int]] = {
    plans.played: 12,
    plans.departed: 10,
    plans.taken_back: 2,
    plans.resigned: 2,
    plans.drawn: 2,
    plans.silent: 2,
    plans.stopped: 4,
    plans.spoilt: 6,
    plans.unread: 2,
    plans.lied: 12,
    plans.twice: 4,
    plans.agreeing: 4,
    plans.crossed: 2,
    plans.dealt: 1,
    draws.stands: 6,
    draws.refused: 6,
    draws.signed_both: 2,
    draws.lapsed: 2,
    withheld.hidden: 12,
}
"""With how often each is made, beside the others."""


def forged(label: str) -> Forged:
    """The case of this label, always the same."""
    for attempt in range(1000):
        random = Random(f"{label} {attempt}")
        (plan,) = random.choices([*PLANS], [*PLANS.values()])
        try:
            return plan(random)
        except NotThisTime:
            continue
    raise RuntimeError("no plan comes to its place")


def cases(
    seed: str, count: int, mapped: Callable[[Callable[[str], Forged], list[str]], Iterable[Forged]] = map
) -> Iterator[tuple[str, Forged]]:
    """So many cases, by name.  `mapped`: as `map`, perhaps that of a pool of processes."""
    labels = [f"{seed}/{number}" for number in range(count)]
    for number, made in enumerate(mapped(forged, labels)):
        yield f"{number:04}-{made.plan}", made


def _prepare() -> None:
    """What one seat of a match computes, the others, all in this process, compute alike."""
    _UNTIL_THE_PROCESS_ENDS.enter_context(computed_once())


def write(folder: Path, forged: Iterable[tuple[str, Forged]]) -> Counter[str]:
    """Write cases, given by name; how many there are of each plan and source."""
    folder.mkdir(parents=True, exist_ok=True)
    expected: dict[str, Plain] = {}
    made: Counter[str] = Counter()
    for name, case in forged:
        files = {f"{name}{end}": data for end, data in case.files.items()}
        for file, data in files.items():
            (folder / file).write_bytes(data)
        expected[name] = {"files": sorted(files), **case.expected}
        made[f"{case.plan}: {case.expected['verdict']}, by {case.expected['source']}"] += 1
    (folder / FILE).write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")
    return made


def main(arguments: Sequence[str]) -> int:
    """The program."""
    parser = argparse.ArgumentParser(prog="python -m conformance.forge", description="Forge matches.")
    parser.add_argument("--seed", default="1", help="the same seed, the same matches (1)")
    parser.add_argument("--count", type=int, default=300, help="cases (300)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (one a processor)")
    parser.add_argument("folder", type=Path, help="an empty or a new folder")
    asked = parser.parse_args(arguments)
    if asked.folder.exists() and any(asked.folder.iterdir()):
        parser.error(f"{asked.folder} is not empty")
    if asked.jobs == 1:
        counts = write(asked.folder, cases(asked.seed, asked.count))
    else:
        with ProcessPoolExecutor(asked.jobs, get_context("forkserver"), _prepare) as pool:
            counts = write(asked.folder, cases(asked.seed, asked.count, pool.map))
    for what, number in sorted(counts.items()):
        print(f"{number:6} {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
