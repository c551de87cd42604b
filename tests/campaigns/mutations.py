"""Mutated transcripts by the hundred thousand: `python -m tests.campaigns.mutations --seed 1 --count 100000`.

Uses all cores.  Prints each mutant that breaks a promise, with the number that makes it again, and exits
with 1 if there was one.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from multiprocessing import Pool
from typing import Final

from tests.helpers.mutate import broken_promise, mutant

CHUNK: Final = 500


def tried(chunk: range) -> list[tuple[int, str, str]]:
    """Number, making, and broken promise of each mutant in `chunk` that should not be."""
    found = []
    for seed in chunk:
        made = mutant(seed)
        broken = broken_promise(made)
        if broken is not None:
            found.append((seed, made.how, broken))
    return found


def chunks(first: int, count: int) -> Iterator[range]:
    for start in range(first, first + count, CHUNK):
        yield range(start, min(start + CHUNK, first + count))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.mutations")
    parser.add_argument(
        "--seed", type=int, default=1, help="number of the campaign; each has its own mutants"
    )
    parser.add_argument("--count", type=int, default=20_000, help="mutants to try")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    wanted = parser.parse_args(arguments)
    failures, done = 0, 0
    work = list(chunks(wanted.seed * 10_000_000, wanted.count))
    with Pool(wanted.jobs) as pool:
        for part, found in zip(work, pool.imap(tried, work), strict=True):
            done += len(part)
            for seed, how, broken in found:
                failures += 1
                print(f"\nmutant {seed} ({how}): {broken}")
            if sys.stderr.isatty():
                print(f"\r{done:,} of {wanted.count:,} mutants", end="", file=sys.stderr, flush=True)
    print(f"{done:,} mutants, {failures} with a changed meaning or an innocent blamed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
