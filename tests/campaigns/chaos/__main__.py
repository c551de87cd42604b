"""`python -m tests.campaigns.chaos --seed 1 --matches 100`: prints a line a match that broke a promise.

Match n of a campaign has the seed SEED + n, and `--matches 1` with it repeats that match as far as timing
allows.  The folder of a match that failed is kept.  Exits with 1 if there was one.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from statistics import median

import trio

from tests.campaigns.chaos.match import Match, Result
from tests.campaigns.chaos.plan import plan


def played(seed: int, folder: Path) -> Result:
    """One match; its folder stays if it broke a promise."""
    place = folder / str(seed)
    place.mkdir()
    result = trio.run(_run, seed, place)
    if not result.broken:
        shutil.rmtree(place)
    return result


async def _run(seed: int, place: Path) -> Result:
    return await Match(plan(seed), place).run()


def main(arguments: list[str]) -> int:
    """Play them all; 1 if one broke a promise."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.chaos")
    parser.add_argument("--seed", type=int, default=1, help="of the first match; the next has the next one")
    parser.add_argument("--matches", type=int, default=3, help="how many")
    given = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    results = []
    for seed in range(given.seed, given.seed + given.matches):
        result = played(seed, folder)
        results.append(result)
        for broken in result.broken:
            print(f"match {seed} ({plan(seed)}): {broken}; see {folder / str(seed)}", flush=True)
    if not any(result.broken for result in results):
        folder.rmdir()
    print(summary(given.seed, results))
    return int(any(result.broken for result in results))


def summary(first: int, results: list[Result]) -> str:
    """What was done to the matches, and how long they took."""
    done: Counter[str] = sum((result.done for result in results), Counter())
    seconds = [result.seconds for result in results]
    failed = sum(bool(result.broken) for result in results)
    told = ", ".join(f"{count} {what}" for what, count in sorted(done.items()))
    return (
        f"{len(results)} matches from seed {first}: {failed} broke a promise. "
        f"{sum(result.entries for result in results)} entries, {median(seconds):.1f} s a match "
        f"(at most {max(seconds):.1f}): {told}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
