"""Archives as tests fill, judge and read them, in this process and in others."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

from cli.archive import audit_run, intake, judging_task, schema, store
from cli.archive.judging_task import Limits, Results, Task
from cli.archive.store import Archive
from cli.archive.verdict_rows import Wanted
from tests.helpers.archives.records import CHANGED, match

VERSION: Final = "1.0"
WANTED: Final = Wanted(VERSION)
LIMITS: Final = Limits(seconds=60.0, megabytes=1024)


def filled(place: Path, records: Mapping[str, bytes], shards: int = 1) -> Archive:
    """An archive with these records."""
    archive = store.made(str(place), shards)
    incoming = (intake.Incoming(name, CHANGED + at, data) for at, (name, data) in enumerate(records.items()))
    intake.add(archive, incoming, lambda _taken: None)
    return archive


def plan(archive: Archive, **changes: Any) -> audit_run.Plan:
    """The plan of an audit."""
    return audit_run.Plan(archive, **{"wanted": WANTED, "limits": LIMITS, **changes})


def here(tasks: Iterator[Task]) -> Iterator[tuple[Task, Results]]:
    """The engine of this process, without limits."""
    return ((task, judging_task.done(task, nullcontext)) for task in tasks)


def backwards(tasks: Iterator[Task]) -> Iterator[tuple[Task, Results]]:
    """The same, the last task first."""
    return here(reversed([*tasks]))


def judge(archive: Archive, engine: audit_run.Engine = here, **changes: Any) -> audit_run.Done:
    """Audit an archive."""
    return plan(archive, **changes).run(engine, lambda _done: None)


def rows(archive: Archive, table: schema.Table) -> list[dict[str, Any]]:
    """All rows of a table, in an order that follows from what they are."""
    read: list[dict[str, Any]] = archive.table(table).to_pyarrow_dataset().to_table().to_pylist()
    return sorted(read, key=repr)


def everything(archive: Archive) -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables."""
    return {table.name: rows(archive, table) for table in schema.TABLES}


def hashes(archive: Archive) -> list[str]:
    """The SHA-256 of each row of `records`, in order."""
    return sorted(row["sha256"] for row in rows(archive, schema.RECORDS))


def taken(names: list[str], given: bytes = b"") -> list[intake.Incoming | intake.Refused]:
    """What is read from files, folders and packs; `given`: on standard input."""
    return [*intake.read(names, io.BytesIO(given))]


def command(home: Path, *words: str, **options: Any) -> subprocess.Popen[bytes]:
    """The command `archive`, in a process of its own."""
    line = [sys.executable, "-m", "cli", "--home", str(home), "archive", *words]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(line, **{**pipes, **options})


_KILLED = """
import os, signal, sys
from cli.archive import store
really, left = store.write_deltalake, [{at}]
def write(*words, **options):
    left[0] -= 1
    if not left[0]:
        # The files are written, and their commit is lost: as if the kill came between the two.
        table = words[0].table_uri.removeprefix("file://")
        logs = set(os.listdir(table + "/_delta_log"))
        really(*words, **options)
        for name in set(os.listdir(table + "/_delta_log")) - logs:
            os.remove(table + "/_delta_log/" + name)
        os.kill(os.getpid(), signal.SIGKILL)
    really(*words, **options)
store.write_deltalake = write
from cli.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def killed(home: Path, at: int, *words: str) -> int:
    """What ends the command `archive` that is killed before its commit number `at` stands, counted from 1."""
    line = [sys.executable, "-c", _KILLED.format(at=at), "--home", str(home), "archive", *words]
    return subprocess.run(line, check=False, capture_output=True).returncode


def warm(place: Path) -> None:
    """Fill and judge an archive, so that the engines have opened what they keep."""
    judge(filled(place, {"first": match(0)[0]}))
