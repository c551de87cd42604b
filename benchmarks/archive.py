"""`make archive-bench RECORDS=…`: an archive of records by bots, filled and judged, beside the audit alone.

Not a part of `make bench`: it needs the extra `archive`.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

from cli.archive import auditing, intake, local, schema, store
from cli.archive.judging import Wanted
from cli.archive.work import Limits
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import audit
from tests.helpers.archives.records import match

CHILDREN, SELF = resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF


def records(count: int, game: str) -> Iterator[intake.Incoming]:
    """So many different records: the copies of matches between bots."""
    seed = 0
    while count > 0:
        for data in dict.fromkeys(match(seed, game)[:count]):
            count -= 1
            yield intake.Incoming(str(seed), None, data)
        match.cache_clear()
        seed += 1


def cpu(whose: int) -> float:
    """Processor seconds of this process, or of those that it waited for."""
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--game", choices=GAMES, default="spies-and-lies")
    parser.add_argument("--shards", type=int, choices=schema.SHARDS, default=schema.USUAL_SHARDS)
    given = parser.parse_args()
    made = [*records(given.records, given.game)]
    size = sum(len(one.data) for one in made)
    began = process_time()
    for one in made:
        audit(one.data, GAMES)
    floor = process_time() - began
    print(f"floor   {len(made)} records, {size / 1e6:.1f} MB: audited alone in {floor:.2f} CPU s")
    with tempfile.TemporaryDirectory() as folder:
        archive = store.made(str(Path(folder) / "club"), given.shards)
        began = cpu(SELF)
        intake.add(archive, made, lambda _taken: None)
        stored = sum(path.stat().st_size for path in Path(archive.place).rglob("*.parquet"))
        print(f"add     {cpu(SELF) - began:.2f} CPU s, {stored / 1e6:.1f} MB in Parquet")
        for workers in (1, 2):
            plan = auditing.Plan(archive, Wanted(f"{workers}"), Limits())
            mine, theirs, wall = cpu(SELF), cpu(CHILDREN), perf_counter()
            plan.run(partial(local.spread, workers=workers), lambda _done: None)
            wall = perf_counter() - wall
            mine, theirs = cpu(SELF) - mine, cpu(CHILDREN) - theirs
            print(
                f"audit   {workers} workers: {wall:.1f} s, CPU s {theirs:.2f} in them, {mine:.2f} beside them"
            )
        print(f"memory  at most {resource.getrusage(CHILDREN).ru_maxrss / 1024:.0f} MB a worker")


if __name__ == "__main__":
    main()
