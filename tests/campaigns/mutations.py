"""Mutated transcripts by the hundred thousand: `python -m tests.campaigns.mutations --seed 1 --count 100000`.

Every number makes a mutant, and a pair of copies to be held together.  Uses all cores.  Prints each that
breaks a promise, with the number that makes it again, and exits with 1 if there was one.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from multiprocessing import Pool
from typing import Final

from tests.helpers.forgery.mutate import mutant, pair
from tests.helpers.forgery.promises import broken_pair, broken_promise

CHUNK: Final = 500


def tried(chunk: range) -> list[str]:
    """What to say of each number in `chunk` whose mutant, or pair, breaks a promise."""
    failures = []
    for number in chunk:
        first, second = mutant(number), pair(number)
        failures += [
            f"mutant {number} ({first.how}): {broken}" for broken in [broken_promise(first)] if broken
        ]
        failures += [f"pair {number} ({second.how}): {broken}" for broken in [broken_pair(second)] if broken]
    return failures


def chunks(first: int, count: int) -> Iterator[range]:
    for start in range(first, first + count, CHUNK):
        yield range(start, min(start + CHUNK, first + count))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.mutations")
    parser.add_argument(
        "--seed", type=int, default=1, help="number of the campaign; each has its own mutants"
    )
    parser.add_argument("--count", type=int, default=20_000, help="mutants to try, and as many pairs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    wanted = parser.parse_args(arguments)
    failures, done = 0, 0
    work = list(chunks(wanted.seed * 10_000_000, wanted.count))
    with Pool(wanted.jobs) as pool:
        for part, broken in zip(work, pool.imap(tried, work), strict=True):
            done += len(part)
            failures += len(broken)
            for line in broken:
                print(f"\n{line}")
            if sys.stderr.isatty():
                print(
                    f"\r{done:,} of {wanted.count:,} mutants and pairs", end="", file=sys.stderr, flush=True
                )
    print(f"{done:,} mutants and as many pairs, {failures} with a changed meaning or an innocent blamed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
