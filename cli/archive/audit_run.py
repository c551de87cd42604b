"""The audit of an archive: what is left to judge, tasks for it, and commits of what comes back.

What is left follows from the tables alone, so a run that was cut short is finished by the next.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from cli.archive import judging_task, schema, store
from cli.archive.judging_task import Limits, Results, Task
from cli.archive.store import Archive, Part
from cli.archive.verdict_rows import UNJUDGED, Wanted

TASK: Final = 128
"""Records of a task, but for a match that has more."""
TASK_BYTES: Final = 8 << 20
COMMIT: Final = 16_384
"""Records whose rows are committed together: some megabytes of rows."""
COMMIT_SECONDS: Final = 120.0
"""After which what there is is committed: the most that a kill costs."""
KEPT: Final = 100_000
"""Records of which it is kept what is left, from counting to judging: some 30 MB."""
Engine: TypeAlias = Callable[[Iterator[Task]], Iterator[tuple[Task, Results]]]


@dataclass(slots=True)
class Done:
    """What was judged so far, of how many records."""

    total: int = 0
    records: int = 0
    matches: int = 0
    committed: int = 0
    """Records whose rows are in the archive."""
    verdicts: Counter[str] = field(default_factory=Counter)
    """Of matches."""
    worst: set[int] = field(default_factory=set)
    """Their exit codes."""


class Standing:
    """The tables from which it follows what is left, opened once: a part asks three of them, and there can be
    thousands of parts.
    """

    def __init__(self, archive: Archive, version: int) -> None:
        """`version`: of the records."""
        self._opened = {
            table: archive.table(table, version if table is schema.RECORDS else None)
            for table in (schema.RECORDS, schema.VERDICTS, schema.MATCHES)
        }

    def follow(self) -> None:
        """Take note of what was committed since, but for records."""
        for table in (schema.VERDICTS, schema.MATCHES):
            self._opened[table].update_incremental()

    def rows(self, part: Part, table: schema.Table, columns: list[str]) -> Any:
        """Some columns of a part."""
        dataset = self._opened[table].to_pyarrow_dataset(file_pruning_predicate=store.of_part(part))
        return dataset.to_table(columns=columns).combine_chunks()


@dataclass(frozen=True, slots=True)
class Left:
    """What is left to judge in a part: for each match, how many records it has, and their bytes."""

    part: Part
    matches: Mapping[str, tuple[int, int]]
    had: Mapping[str, tuple[bool, bool]]
    """Of matches whose events or decisions were asked for before: which of the two."""

    @property
    def count(self) -> int:
        """How many records are to be judged."""
        return sum(count for count, _size in self.matches.values())


@dataclass(frozen=True, slots=True)
class Plan:
    """The archive as it stood when the audit began."""

    archive: Archive
    wanted: Wanted
    limits: Limits
    again: bool = False
    """Whether records and comparisons over which a limit was broken are judged once more."""

    def run(self, engine: Engine, step: Callable[[Done], None]) -> Done:
        """Judge all that is left; `step` is called after each task."""
        records = self.archive.table(schema.RECORDS).version()
        parts = self.archive.parts()
        done = Done()
        waiting: list[tuple[Task, Results]] = []
        committed = time.monotonic()
        for task, results in engine(self._tasks(parts, records, done)):
            waiting.append((task, results))
            self._count(task, results, done)
            if done.records - done.committed >= COMMIT or time.monotonic() - committed > COMMIT_SECONDS:
                self._commit(waiting, done)
                waiting, committed = [], time.monotonic()
            step(done)
        self._commit(waiting, done)
        step(done)
        for table in judging_task.MADE if done.records else ():
            self.archive.compact(table)
        return done

    def left(self, part: Part, standing: Standing) -> Left:
        """What is left of a part, in the order of matches."""
        rows = partial(standing.rows, part)
        records = rows(schema.RECORDS, ["match", "sha256", "size"])
        verdicts = self._current(rows(schema.VERDICTS, ["sha256", "version", "verdict"]))
        judged = pc.is_in(records["sha256"], value_set=verdicts["sha256"].combine_chunks())
        open_matches = set(records.filter(pc.invert(judged))["match"].to_pylist())
        copies = records.group_by(["match"]).aggregate([("size", "count"), ("size", "sum")])
        sizes = zip(copies["match"], copies["size_count"], copies["size_sum"], strict=True)
        by_match = {match.as_py(): (count.as_py(), size.as_py()) for match, count, size in sizes}
        matches = rows(schema.MATCHES, ["match", "version", "verdict", "copies", "told", "analysed"])
        current_rows = self._whole(matches)
        left = {
            match: by_match[match]
            for match in sorted(by_match)
            if match in open_matches or current_rows.get(match) != by_match[match][0]
        }
        return Left(part, left, _had(matches))

    def _whole(self, matches: Any) -> dict[str, int]:
        """The matches whose row is of this version and has what is wanted, with the copies it was made of."""
        rows = self._current(matches)
        if self.wanted.events:
            rows = rows.filter(rows["told"])
        if self.wanted.decisions:
            rows = rows.filter(pc.is_valid(rows["analysed"]))
        return dict(zip(rows["match"].to_pylist(), rows["copies"].to_pylist(), strict=True))

    def _current(self, rows: Any) -> Any:
        """Those rows, of verdicts or matches, that need not be made again."""
        current = pc.equal(rows["version"], self.wanted.version)
        if self.again:
            current = pc.and_(current, pc.not_equal(rows["verdict"], UNJUDGED))
        return rows.filter(current)

    def _tasks(self, parts: list[Part], version: int, done: Done) -> Iterator[Task]:
        """The tasks of all parts, a part at a time.

        All is counted before the first task is made.  What is left of the first parts is kept from then;
        nothing of the others is in memory.
        """
        standing = Standing(self.archive, version)
        counted: dict[Part, Left] = {}
        for part in parts:
            left = self.left(part, standing)
            done.total += left.count
            if done.total <= KEPT:
                counted[part] = left
        for part in parts:
            left = counted.pop(part) if part in counted else self._later(part, standing)
            for wanted, matches in self._by_wanted(left):
                for group in _grouped(matches):
                    yield Task(self.archive, version, part, group, wanted, self.limits)

    def _later(self, part: Part, standing: Standing) -> Left:
        """What is left of a part, after what was committed since it was counted."""
        standing.follow()
        return self.left(part, standing)

    def _by_wanted(self, left: Left) -> Iterator[tuple[Wanted, dict[str, tuple[int, int]]]]:
        """What is left of a part, cut by what is filled for a match."""
        cut: dict[Wanted, dict[str, tuple[int, int]]] = {}
        for match, sizes in left.matches.items():
            wanted = self._wanted(*left.had.get(match, (False, False)))
            cut.setdefault(wanted, {})[match] = sizes
        yield from cut.items()

    def _wanted(self, narrated: bool, analysed: bool) -> Wanted:
        """What is filled for a match: what is wanted now, and what it had."""
        events, decisions = self.wanted.events or narrated, self.wanted.decisions or analysed
        return replace(self.wanted, events=events, decisions=decisions)

    def _count(self, task: Task, results: Results, done: Done) -> None:
        rows = judging_task.tables(results)[schema.MATCHES.name]
        done.records += task.count
        done.matches += len(rows)
        done.verdicts.update(rows["verdict"].to_pylist())
        done.worst.update(rows["code"].to_pylist())

    def _commit(self, waiting: list[tuple[Task, Results]], done: Done) -> None:
        """Write the rows of all these tasks, verdicts last: they say that a record is done."""
        matches = {match for task, _results in waiting for match in task.matches}
        if not matches:
            return
        made = [judging_task.tables(results) for _task, results in waiting]
        for table in judging_task.MADE:
            rows = pa.concat_tables([tables[table.name] for tables in made])
            self.archive.replace(table, rows, matches)
        done.committed += sum(task.count for task, _results in waiting)


def _grouped(matches: Mapping[str, tuple[int, int]]) -> Iterator[dict[str, int]]:
    """The matches of each task, with how many records they have."""
    group: dict[str, int] = {}
    size = 0
    for match, (count, of_match) in matches.items():
        if group and (sum(group.values()) + count > TASK or size + of_match > TASK_BYTES):
            yield group
            group, size = {}, 0
        group[match] = count
        size += of_match
    if group:
        yield group


def _had(matches: Any) -> dict[str, tuple[bool, bool]]:
    """Of rows of `matches`, those with events or decisions that were asked for, of any version."""
    analysed = pc.is_valid(matches["analysed"])
    rows = matches.append_column("asked", analysed).filter(pc.or_(matches["told"], analysed))
    columns = (rows[name].to_pylist() for name in ("match", "told", "asked"))
    return {match: (narrated, asked) for match, narrated, asked in zip(*columns, strict=True)}
