"""A task of judging: some matches of one part of an archive, read, judged and made into Arrow tables.

It is a pure function of the task and of the version of the records that it names: so it can be done anywhere,
twice, or again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, Final

import msgpack
import pyarrow as pa

from cli.archive import schema, store
from cli.archive.store import Archive, Part
from cli.archive.verdict_rows import Copy, Guard, Match, Rows, Wanted, judge

MADE: Final = (schema.DECISIONS, schema.EVENTS, schema.MATCHES, schema.VERDICTS)
"""The tables that judging fills, in the order in which they are committed: verdicts, the sign that a record
is done, come last.
"""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of a processor, for each record and for what is done with all copies of a match; and megabytes,
    of all that a task holds at once.
    """

    seconds: float = 60.0
    megabytes: int = 1024


@dataclass(frozen=True, slots=True)
class Task:
    """Matches to be judged.

    `records`: the version of the table of records; `matches`: how many records each has there; `spoilt`: why
    some things are not done at all, by the name that a Guard has for each, since they ended a process before.
    """

    archive: Archive
    records: int
    part: Part
    matches: Mapping[str, int]
    wanted: Wanted
    limits: Limits
    spoilt: Mapping[str, str] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many records it judges."""
        return sum(self.matches.values())

    def packed(self) -> bytes:
        """The bytes from which `unpacked` makes it again."""
        return bytes(msgpack.packb(asdict(self)))


def unpacked(data: bytes) -> Task:
    """The task in its bytes, which come from this program."""
    value = msgpack.unpackb(data)
    return Task(
        Archive(**value["archive"]),
        value["records"],
        Part(*value["part"]),
        value["matches"],
        Wanted(**value["wanted"]),
        Limits(**value["limits"]),
        value["spoilt"],
    )


Results = Mapping[str, bytes]
"""By table, its new rows as a stream of Arrow."""


def done(task: Task, guard: Guard) -> Results:
    """The rows of all matches of a task."""
    rows = Rows()
    for match, copies in _matches(task):
        made = judge(Match(task.part, match, task.matches[match]), copies, task.wanted, guard)
        for table in MADE:
            rows.of(table).extend(made.of(table))
    return {table.name: _stream(store.rows_of(table, rows.of(table))) for table in MADE}


def tables(results: Results) -> dict[str, Any]:
    """By name, the tables (pyarrow.Table) in results."""
    return {name: pa.ipc.open_stream(data).read_all() for name, data in results.items()}


def _matches(task: Task) -> Iterator[tuple[str, Iterator[Copy]]]:
    """Each match with its records.  Those of one match alone are never all in memory: it can have many."""
    ids = sorted(task.matches)
    rows = _rows(task, ids)
    if len(ids) == 1:
        yield ids[0], (copy for batch in rows for _match, copy in _copies(batch))
        return
    by_match: dict[str, list[Copy]] = {match: [] for match in ids}
    for batch in rows:
        for match, copy in _copies(batch):
            by_match[match].append(copy)
    for match in ids:
        yield match, iter(by_match.pop(match))


def _rows(task: Task, ids: list[str]) -> Iterator[Any]:
    columns = ["match", "sha256", "changed", "bytes"]
    records = _records(task.archive, task.records, task.part)
    yield from store.batches(records, columns=columns, filter=store.within(ids), batch_size=64)


@lru_cache(maxsize=1)
def _records(archive: Archive, version: int, part: Part) -> Any:
    """Kept with what the ends of its files say: the tasks of a part come one after another."""
    return _table(archive, version).to_pyarrow_dataset(file_pruning_predicate=store.of_part(part))


@lru_cache(maxsize=1)
def _table(archive: Archive, version: int) -> Any:
    return archive.table(schema.RECORDS, version)


def _copies(batch: Any) -> Iterator[tuple[str, Copy]]:
    columns = (batch[name] for name in ("match", "sha256", "changed", "bytes"))
    for match, sha256, changed, data in zip(*columns, strict=True):
        yield match.as_py(), Copy(sha256.as_py(), changed.as_py(), data.as_py())


def _stream(table: Any) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())
