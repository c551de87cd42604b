"""`make archive-bench RECORDS=…`: an archive of different records by bots, filled, judged and asked.

Each beside the audit of the same bytes in memory; and what a hundred million would take.  Not a part of
`make bench`: it needs the extras `archive` and `cluster`.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import sys
import tempfile
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple
from unittest import mock

import ray

from cli.archive import (
    audit_run,
    intake,
    judging_task,
    local_workers,
    ray_workers,
    reports,
    schema,
    sql_questions,
    store,
)
from cli.archive.judging_task import Limits
from cli.archive.verdict_rows import Wanted
from cli.shell.workers import cores
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import audit
from protocol.record.genesis import Genesis
from tests.helpers.archives.records import compressed, match, tar
from tests.helpers.seats.pair import Table

PACK: Final = 1000
"""Records of a pack, which is deleted as soon as it is added."""
SAMPLE: Final = 2000
"""Records that are audited alone, in memory."""
LOOK: Final = 2.0
"""Seconds between two looks at all processes."""
STORE: Final = 80_000_000
"""Bytes that Ray keeps for results: each is taken as it comes."""
MANY, NODES, CORES = 10**8, 100, 16
"""Of how many records the time is worked out, and on what."""
_TICK: Final = os.sysconf("SC_CLK_TCK")


def made(seeds: range, game: str) -> dict[str, bytes]:
    """By name, the different copies of matches between bots, with real keys and signatures.

    The two bots believe each other's signatures, as both play here: whoever audits does not.  They sign no
    receipts, which stand in a record only if somebody is called away.
    """
    with (
        mock.patch.object(Genesis, "signed", _believed),
        mock.patch.object(Table, "acknowledge", _unreceipted),
    ):
        copies = {seed: dict.fromkeys(match.__wrapped__(seed, game)) for seed in seeds}
    return {f"{seed}-{at}": data for seed, of in copies.items() for at, data in enumerate(of)}


def _believed(*_signature: object) -> bool:
    """What each signature is; a Mock would take a twentieth of the time."""
    return True


def _unreceipted(*_seat: object) -> None:
    """Nothing is handed over."""


def packed(seeds: range, game: str, path: Path) -> tuple[Path, float]:
    """Make a pack of them; its path, and the processor seconds that it took."""
    began = process_time()
    path.write_bytes(compressed(tar(made(seeds, game)), "zstd"))
    return path, process_time() - began


class Below(NamedTuple):
    """This process and all below it: processor seconds; the most bytes that a worker ever had in memory."""

    seconds: float
    memory: int


def below() -> Below:
    """What they took so far, those that have ended and were waited for among them."""
    stats: dict[int, tuple[int, float]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        stats[int(folder.name)] = int(fields[1]), sum(map(int, fields[11:15])) / _TICK
    ours = {os.getpid()}
    while more := {pid for pid, (parent, _used) in stats.items() if parent in ours} - ours:
        ours |= more
    memory = max(map(_peak, ours), default=0)
    return Below(sum(stats[pid][1] for pid in ours if pid in stats), memory)


def _peak(pid: int) -> int:
    """The most bytes that a process had in memory, if it is a worker; of others 0."""
    try:
        if b"cli.archive.worker_process" not in Path(f"/proc/{pid}/cmdline").read_bytes():
            return 0
        status = Path(f"/proc/{pid}/status").read_text("ascii", "replace").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM:")), 0)


def tell(step: str, line: str) -> None:
    """A line of the result."""
    print(f"{step:8}{line}", flush=True)


def progress(step: str, done: int, total: int, began: float) -> None:
    """How far it is, on standard error."""
    spent = perf_counter() - began
    left = spent * (total - done) / max(done, 1)
    print(
        f"  {step}: {done:,} of {total:,} in {spent:.0f} s, still {left:.0f} s", file=sys.stderr, flush=True
    )


def packs(count: int, game: str, folder: Path) -> Iterator[tuple[Path, float]]:
    """So many records at least, in packs that all processors make; few of them are on the disk at a time."""
    copies = len(made(range(1), game))
    starts = iter(range(0, -(-count // copies), PACK // copies))
    waiting: deque[Future[tuple[Path, float]]] = deque()
    with ProcessPoolExecutor(cores(), mp_context=get_context("spawn")) as pool:
        while True:
            for start in islice(starts, cores() + 1 - len(waiting)):
                seeds = range(start, min(start + PACK // copies, -(-count // copies)))
                waiting.append(pool.submit(packed, seeds, game, folder / f"{start}.tar.zst"))
            if not waiting:
                return
            yield waiting.popleft().result()


def fill(archive: store.Archive, count: int, game: str, folder: Path) -> None:
    """Make records, and add each pack as it comes."""
    making, adding, records, size = 0.0, 0.0, 0, 0
    began = perf_counter()
    for path, seconds in packs(count, game, folder):
        making += seconds
        mine = process_time()
        taken = intake.add(archive, intake.read([str(path)], sys.stdin.buffer), lambda _taken: None)
        adding += process_time() - mine
        path.unlink()
        records, size = records + taken.added, size + taken.bytes
        progress("made and added", records, count, began)
    wall = perf_counter() - began
    stored = sum(path.stat().st_size for path in Path(archive.place, "records").rglob("*.parquet"))
    tell("make", f"{records:,} records, {making / records * 1e3:.2f} CPU ms each, {wall:.0f} s in all")
    tell("add", f"{adding / records * 1e3:.3f} CPU ms each, {records / adding:,.0f} a second")
    tell(
        "bytes", f"{size / records:,.0f} a record, {stored / records:,.0f} in Parquet, {stored / 1e6:,.0f} MB"
    )
    tell("memory", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB to add, at most")


def floor(archive: store.Archive) -> float:
    """Processor seconds that `audit` takes for a record that is in memory already."""
    rows = archive.table(schema.RECORDS).to_pyarrow_dataset().head(SAMPLE, columns=["bytes"])
    records = rows["bytes"].to_pylist()
    for every in (True, False):
        began = process_time()
        for data in records:
            audit(data, GAMES, every_signature=every)
        seconds = (process_time() - began) / len(records)
        tell("floor", f"{seconds * 1e3:.3f} CPU ms a record audited alone{', every signature' * every}")
    return seconds


class Judged(NamedTuple):
    """What an audit took: processor seconds a record, of all processes and of this one; and by the clock."""

    seconds: float
    own: float
    wall: float


def judged(name: str, archive: store.Archive, engine: audit_run.Engine, alone: float) -> Judged:
    """Audit an archive of which nothing is judged: to replace rows takes longer than to write the first."""
    for table in judging_task.MADE:
        shutil.rmtree(Path(archive.place, table.name))
    store.made(archive.place, None)
    began, mine, before = perf_counter(), process_time(), below()
    peak, looked = 0, began

    def step(done: audit_run.Done) -> None:
        nonlocal peak, looked
        if perf_counter() > looked + LOOK or done.records == done.total:
            peak, looked = max(peak, below().memory), perf_counter()
            progress(name, done.records, done.total, began)

    done = audit_run.Plan(archive, Wanted(name), Limits()).run(engine, step)
    wall, own = perf_counter() - began, (process_time() - mine) / done.records
    seconds = (below().seconds - before.seconds) / done.records
    tell(
        "audit",
        f"{name}: {wall:.1f} s, {done.records / wall:,.0f} records a second; {seconds * 1e3:.3f} CPU ms "
        f"each, {seconds / alone:.2f} x alone, {own / seconds:.1%} of it beside the workers; a worker at "
        f"most {peak / 1e6:.0f} MB",
    )
    return Judged(seconds, own, wall)


def on_ray(archive: store.Archive, alone: float) -> Judged:
    """The same on a cluster of Ray's that this process starts."""
    quiet: dict[str, Any] = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    ray.init("local", num_cpus=cores(), object_store_memory=STORE, **quiet)
    try:
        return judged("ray", archive, partial(ray_workers.spread, address="auto"), alone)
    finally:
        ray.shutdown()


def asked(archive: store.Archive, game: str) -> None:
    """How long a report takes."""
    began, mine = perf_counter(), process_time()
    with sql_questions.asking(archive) as open_for_questions:
        rows = sum(len(chart.rows) for chart in reports.report(open_for_questions, game))
    tell("report", f"{rows} rows in {perf_counter() - began:.2f} s, {process_time() - mine:.2f} CPU s")


def reckoned(seconds: float, own: float) -> None:
    """What the audit of very many takes on very many processors."""
    spread, serial = MANY * (seconds - own) / (NODES * CORES), MANY * own
    tell(
        "10^8",
        f"{MANY:,} x {(seconds - own) * 1e3:.3f} ms / ({NODES} x {CORES} cores) = {spread / 60:.1f} minutes "
        f"of judging; x {own * 1e3:.3f} ms on the one that commits = {serial / 3600:.1f} hours",
    )


def main() -> None:
    """Measure, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--game", choices=GAMES, default="spies-and-lies")
    parser.add_argument("--shards", type=int, choices=schema.SHARDS, default=schema.USUAL_SHARDS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        archive = store.made(str(Path(folder, "club")), given.shards)
        fill(archive, given.records, given.game, Path(folder))
        alone = floor(archive)
        by_one = judged("1 worker", archive, partial(local_workers.spread, workers=1), alone)
        by_two = judged("2 workers", archive, partial(local_workers.spread, workers=2), alone)
        by_ray = on_ray(archive, alone)
        tell("speed", f"2 workers {by_one.wall / by_two.wall:.2f} x as quick as 1")
        tell(
            "ray",
            f"{by_ray.seconds / by_two.seconds:.2f} x the CPU time of 2 local processes, "
            f"{by_ray.wall / by_two.wall:.2f} x by the clock",
        )
        asked(archive, given.game)
        reckoned(by_one.seconds, by_one.own)


if __name__ == "__main__":
    main()
