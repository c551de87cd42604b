"""The rows that the audit of an archive writes: those of the records, whatever happens on the way."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from cli.archive import audit_run, judging_task, local_workers, schema, store, verdict_rows, worker_supervisor
from cli.archive.judging_task import Limits, Results, Task
from cli.archive.store import Archive, Part
from cli.archive.verdict_rows import LOST, MEMORY, TIME, UNJUDGED, OverLimit, Wanted
from cli.archive.worker_process import address_space, guarded, late, watched
from cli.archive.worker_supervisor import Supervisor
from cli.reports import describe, history, sources
from cli.shell.exit_codes import Sorry
from cli.studies.analysis import analysis_json
from cli.studies.analysis.analysing import Work, whole
from p2p_stratego.registry import GAMES
from protocol.audit.comparison import Copies
from protocol.audit.verdict import Replayed, audit, replay
from tests.helpers.archives.judged import (
    VERSION,
    WANTED,
    backwards,
    everything,
    filled,
    here,
    judge,
    killed,
    rows,
)
from tests.helpers.archives.records import match, samples


def named(archive: Archive, table: schema.Table) -> dict[str, dict[str, Any]]:
    """The rows of a table by the name of the sample; of `matches` by that of any copy."""
    names = {sha256(data).hexdigest(): name for name, data in samples().items()}
    if table is schema.MATCHES:
        of = {row["match"]: names[row["sha256"]] for row in rows(archive, schema.RECORDS)}
        return {of[row["match"]]: row for row in rows(archive, table)}
    return {names[row["sha256"]]: row for row in rows(archive, table)}


def test_a_verdict_is_that_of_the_audit(tmp_path: Path) -> None:
    archive = filled(tmp_path, samples())
    judge(archive)
    verdicts = named(archive, schema.VERDICTS)
    assert verdicts.keys() == samples().keys()
    for name, data in samples().items():
        row = verdicts[name]
        assert row["version"] == VERSION
        try:
            plain = describe.audited(audit(data, GAMES))
        except Exception:
            with pytest.raises(Sorry) as refused, sources.understood(name, data):
                audit(data, GAMES)
            assert (row["verdict"] in ("unreadable", "unsupported"), row["code"]) == (
                True,
                refused.value.code,
            )
            continue
        assert {key: row[key] for key in ("verdict", "problem", "at_record", "torn", "checks")} == {
            key: plain[key] for key in ("verdict", "problem", "at_record", "torn", "checks")
        }


def test_a_match_has_one_row_made_of_all_copies(tmp_path: Path) -> None:
    archive = filled(tmp_path, samples(), 16)
    judge(archive)
    matches = rows(archive, schema.MATCHES)
    assert len(matches) == len({row["match"] for row in rows(archive, schema.RECORDS)})
    assert sum(row["copies"] for row in matches) == len(samples())
    whole = named(archive, schema.MATCHES)["stratego"]
    assert (whole["verdict"], whole["counted"], whole["seats"]) == ("complete", True, 2)
    assert sum(player["won"] for player in whole["players"]) == 1
    assert json.loads(whole["options"])["army"]


def test_the_rows_do_not_depend_on_order_tasks_shards_or_commits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One order, one task; then backwards, a task a match, a commit a task, records added the other way."""
    club = filled(tmp_path / "one", samples())
    judge(club)
    monkeypatch.setattr(audit_run, "TASK", 1)
    monkeypatch.setattr(audit_run, "COMMIT", 1)
    other = filled(tmp_path / "other", samples())
    judge(other, backwards)
    assert everything(club) == everything(other)


def test_what_is_judged_is_not_judged_again_by_this_version(tmp_path: Path) -> None:
    archive = filled(tmp_path, samples())
    first = judge(archive)
    before = everything(archive)
    assert (first.records, first.total) == (len(samples()), len(samples()))
    assert judge(archive).records == 0
    newer = judge(archive, wanted=Wanted("2.0"))
    after = everything(archive)
    assert newer.records == len(samples())
    assert len(after["verdicts"]) == len(before["verdicts"])
    assert {row["version"] for row in after["verdicts"] + after["matches"]} == {"2.0"}


def test_a_copy_that_comes_later_is_compared_with_those_before(tmp_path: Path) -> None:
    first, second = match(0)
    cut = first[: len(first) // 2]
    archive = filled(tmp_path, {"cut": cut})
    judge(archive)
    [before] = rows(archive, schema.MATCHES)
    filled(tmp_path, {"cut": cut, "first": first, "second": second})
    done = judge(archive)
    [after] = rows(archive, schema.MATCHES)
    assert (before["copies"], before["verdict"]) == (1, "incomplete")
    assert (after["copies"], after["verdict"], done.records) == (3, "complete", 3)
    assert len(rows(archive, schema.VERDICTS)) == 3


def test_where_nothing_is_left_no_worker_is_started(tmp_path: Path) -> None:
    archive = filled(tmp_path, {"match": match(0)[0]})
    judge(archive)
    keepers: list[Supervisor] = []

    def keeper() -> Supervisor:
        keepers.append(Supervisor())
        return keepers[-1]

    engine = partial(local_workers.spread, workers=2, supervisor=keeper)
    assert judge(archive, engine).records == 0
    assert not keepers
    assert judge(archive, engine, wanted=Wanted("2.0")).records == 1
    assert len(keepers) == 2


def test_events_are_the_steps_that_an_export_tells(tmp_path: Path) -> None:
    archive = filled(tmp_path, {"match": match(0)[0]})
    judge(archive)
    assert rows(archive, schema.EVENTS) == []
    judge(archive, wanted=Wanted(VERSION, events=True))
    events = sorted(rows(archive, schema.EVENTS), key=lambda row: int(row["step"]))
    plain = history.plain_steps(replay(match(0)[0], GAMES).referee)
    assert [{key: row[key] for key in plain[0]} for row in events] == plain
    assert judge(archive, wanted=Wanted(VERSION, events=True)).records == 0


def test_a_copy_that_is_not_judged_is_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its time is over just when its audit ends."""
    archive, held = filled(tmp_path, dict(zip("ab", match(0), strict=True))), list[str]()

    class Spy(Copies):
        def hold(self, copy: Replayed) -> None:
            held.append(copy.report.verdict.value)
            super().hold(copy)

    late_for = sha256(match(0)[0]).hexdigest()

    @contextmanager
    def guard(name: str) -> Iterator[None]:
        yield
        if name == late_for:
            raise OverLimit(TIME)

    monkeypatch.setattr(verdict_rows, "Copies", Spy)
    judge(archive, lambda tasks: ((task, judging_task.done(task, guard)) for task in tasks))
    [row] = rows(archive, schema.MATCHES)
    assert sorted(row["verdict"] for row in rows(archive, schema.VERDICTS)) == ["complete", UNJUDGED]
    assert (row["verdict"], row["comparison"], held) == ("complete", None, ["complete"])


def test_names_that_could_end_a_text_of_a_question_are_refused(tmp_path: Path) -> None:
    archive = filled(tmp_path, {"match": match(0)[0]})
    judge(archive)
    row = {**rows(archive, schema.MATCHES)[0], "match": "0' OR '' = '"}
    made = store.rows_of(schema.MATCHES, [row])
    archive.replace(schema.MATCHES, made, {row["match"]})
    with pytest.raises(Sorry, match="another program"):
        archive.replace(schema.MATCHES, made, {row["match"]})


def test_decisions_are_those_of_an_analysis(tmp_path: Path) -> None:
    data, other = match(0)
    archive = filled(tmp_path, {"match": data, "stopped": samples()["stopped"], "newer": samples()["newer"]})
    judge(archive)
    assert {row["analysed"] for row in rows(archive, schema.MATCHES)} == {None}
    decisions = Wanted(VERSION, decisions=True)
    judge(archive, wanted=decisions)
    assert {row["seats"] > 0: row["analysed"] for row in rows(archive, schema.MATCHES)} == {
        True: True,
        False: False,
    }
    assert judge(archive, wanted=decisions).records == 0
    replayed = replay(data, GAMES)
    analysed = whole(partial(Work, replayed, history.of_match(replayed)), 60.0)
    plain = analysis_json.plain(analysed, [0, 1])["decisions"]
    id_ = replayed.report.genesis.id.hex()
    made = [row for row in rows(archive, schema.DECISIONS) if row["match"] == id_]
    asked = [
        {key: row[key] if key not in ("decided", "knew") else json.loads(row[key]) for key in plain[0]}
        for row in made
    ]
    assert sorted(asked, key=repr) == sorted(plain, key=repr)
    # What a match had once, it keeps: an audit that wants less takes nothing away.
    filled(tmp_path, {"match": data, "other": other})
    judge(archive)
    judge(archive, wanted=Wanted("2.0", events=True))
    assert len([row for row in rows(archive, schema.DECISIONS) if row["match"] == id_]) == len(made)
    judge(archive, wanted=Wanted("3.0"))
    assert rows(archive, schema.EVENTS)


def test_an_analysis_over_a_limit_leaves_the_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = filled(tmp_path, {"match": match(0)[0]})

    def endless(_self: Work, _enough: object) -> Iterator[None]:
        raise OverLimit(TIME)

    monkeypatch.setattr(Work, "judge", endless)
    judge(archive, wanted=Wanted(VERSION, decisions=True))
    [row] = rows(archive, schema.MATCHES)
    assert (row["verdict"], row["analysed"], rows(archive, schema.DECISIONS)) == ("complete", False, [])


class Killed(BaseException):
    """Where a kill would end the process."""


@pytest.mark.parametrize("table", [table.name for table in judging_task.MADE])
def test_cut_short_between_two_tables_the_next_audit_finishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    archive, whole = filled(tmp_path / "cut", samples()), filled(tmp_path / "whole", samples())
    judge(whole)
    replace = Archive.replace

    def stopping(self: Archive, into: schema.Table, *arguments: Any) -> None:
        if into.name == table:
            raise Killed
        replace(self, into, *arguments)

    monkeypatch.setattr(Archive, "replace", stopping)
    with pytest.raises(Killed):
        judge(archive)
    monkeypatch.undo()
    judge(archive)
    assert everything(archive) == everything(whole)


def test_of_two_audits_at_once_the_one_that_knew_less_leaves_nothing_wrong(tmp_path: Path) -> None:
    """A copy comes, and is judged, while an audit that does not know it is under way."""
    first, second = match(0)
    archive = filled(tmp_path, {"first": first})

    def interrupted(tasks: Iterator[Task]) -> Iterator[tuple[Task, Results]]:
        results = [*here(tasks)]
        filled(tmp_path, {"first": first, "second": second})
        judge(archive)
        yield from results

    judge(archive, interrupted)
    judge(archive)
    [row] = rows(archive, schema.MATCHES)
    assert (row["copies"], len(rows(archive, schema.VERDICTS))) == (2, 2)
    assert judge(archive).records == 0


@pytest.mark.parametrize(("kept", "looks"), [(len(samples()), 1), (0, 2)])
def test_a_part_that_is_kept_from_counting_is_looked_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int, looks: int
) -> None:
    club, other = filled(tmp_path / "one", samples(), 16), filled(tmp_path / "other", samples(), 16)
    judge(club)
    left, looked_at = audit_run.Plan.left, Counter[Part]()

    def counting(self: audit_run.Plan, part: Part, standing: audit_run.Standing) -> audit_run.Left:
        looked_at[part] += 1
        return left(self, part, standing)

    monkeypatch.setattr(audit_run, "KEPT", kept)
    monkeypatch.setattr(audit_run.Plan, "left", counting)
    judge(other)
    assert looked_at == dict.fromkeys(other.parts(), looks)
    assert everything(club) == everything(other)


# Processes


def test_workers_write_the_rows_of_one_process(tmp_path: Path) -> None:
    club, other = filled(tmp_path / "one", samples(), 16), filled(tmp_path / "other", samples(), 16)
    judge(club)
    judge(other, partial(local_workers.spread, workers=2))
    assert everything(club) == everything(other)


SPOILT = """
import os, time, signal
from cli.archive import verdict_rows, worker_process
really = verdict_rows.replay
def replay(data, games):
    if verdict_rows.digest(data) == {record!r}:
        {deed}
    return really(data, games)
verdict_rows.replay = replay
verdict_rows.Copies.reordered = lambda *_copy: None  # an audit of each copy
worker_process.main()
"""
DEEDS = {
    # what a record does to its process, the verdict that says so
    "loops": ("while True: pass", TIME),
    "eats": ("b'x' * (1 << 30)", MEMORY),
    "sleeps": ("signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32)); time.sleep(600)", TIME),
    "dies": ("os._exit(9)", LOST),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_a_record_that_breaks_a_limit_gets_a_row_that_says_so_and_the_others_go_on(
    tmp_path: Path, deed: str
) -> None:
    archive, clean = filled(tmp_path / "spoilt", samples()), filled(tmp_path / "clean", samples())
    judge(clean)
    hostile = sha256(samples()["match-3-0"]).hexdigest()
    script = SPOILT.format(record=hostile, deed=DEEDS[deed][0])
    keeper = partial(Supervisor, (sys.executable, "-c", script), reading=1.0)
    limits = Limits(seconds=0.5, megabytes=256)
    judge(archive, partial(local_workers.spread, workers=1, supervisor=keeper), limits=limits)
    verdicts = {row["sha256"]: row for row in rows(archive, schema.VERDICTS)}
    row = verdicts.pop(hostile)
    assert (row["verdict"], row["problem"]) == (UNJUDGED, DEEDS[deed][1])
    assert [*verdicts.values()] == [row for row in rows(clean, schema.VERDICTS) if row["sha256"] != hostile]
    assert judge(archive).records == 0
    judge(archive, again=True)
    assert everything(archive) == everything(clean)


SLOW = """
import time
from cli.archive import judging_task, worker_process
really, left = judging_task.done, [1]
def done(*arguments):
    left[0] -= 1
    if left[0] < 0:
        time.sleep(600)
    return really(*arguments)
judging_task.done = done
worker_process.main()
"""
COMPARES = """
import os
from cli.archive import verdict_rows, worker_process
verdict_rows.Copies.compare = lambda _copies: os._exit(9)
worker_process.main()
"""


def test_a_comparison_that_ends_its_process_is_given_up_and_its_records_are_judged(tmp_path: Path) -> None:
    records = {name: data for name, data in samples().items() if name.startswith(("match-0", "match-1"))}
    records["cut"] = samples()["match-0-0"][:-100]
    archive, clean = filled(tmp_path / "spoilt", records), filled(tmp_path / "clean", records)
    judge(clean)
    keeper = partial(Supervisor, (sys.executable, "-c", COMPARES))
    judge(archive, partial(local_workers.spread, workers=1, supervisor=keeper))
    assert rows(archive, schema.VERDICTS) == rows(clean, schema.VERDICTS)
    came = [(row["verdict"], row["comparison"], row["problem"]) for row in rows(archive, schema.MATCHES)]
    assert came == [(UNJUDGED, UNJUDGED, LOST)] * 2
    assert judge(archive).records == 0
    judge(archive, again=True)
    assert everything(archive) == everything(clean)


def test_an_audit_that_ends_early_leaves_no_worker(tmp_path: Path) -> None:
    archive = filled(tmp_path, samples(), 16)
    keepers: list[Supervisor] = []

    def keeper() -> Supervisor:
        keepers.append(Supervisor((sys.executable, "-c", SLOW)))
        return keepers[-1]

    def cut_short(tasks: Iterator[Task]) -> Iterator[tuple[Task, Results]]:
        spreading = local_workers.spread(tasks, workers=2, supervisor=keeper)
        next(spreading)
        spreading.close()
        yield from ()

    before = threading.active_count()
    judge(archive, cut_short)
    assert (len(keepers), threading.active_count()) == (2, before)
    with pytest.raises(worker_supervisor.Broken):
        keepers[0].results(Task(archive, 0, Part("", ""), {}, WANTED, Limits()))


def test_a_killed_worker_costs_time_alone(tmp_path: Path) -> None:
    archive, clean = filled(tmp_path / "killed", samples()), filled(tmp_path / "clean", samples())
    judge(clean)
    mark, record = tmp_path / "killed-once", sha256(samples()["match-3-0"]).hexdigest()
    deed = f"p={str(mark)!r}; os.path.exists(p) or (open(p, 'w').close(), os.kill(os.getpid(), 9))"
    script = SPOILT.format(record=record, deed=deed)
    keeper = partial(Supervisor, (sys.executable, "-c", script))
    judge(archive, partial(local_workers.spread, workers=1, supervisor=keeper))
    assert mark.exists()
    assert everything(archive) == everything(clean)


@pytest.mark.parametrize("at", [1, 2])
def test_a_killed_audit_is_finished_by_the_next(tmp_path: Path, at: int) -> None:
    """Killed before the matches stand, and before the verdicts do."""
    archive, clean = filled(tmp_path / "club", samples()), filled(tmp_path / "clean", samples())
    ended = killed(tmp_path, at, "audit", archive.place, "--workers", "1")
    standing = (len(rows(archive, schema.MATCHES)), len(rows(archive, schema.VERDICTS)))
    assert ended == -signal.SIGKILL
    assert (standing[0] > 0, standing[1]) == (at > 1, 0)
    judge(archive)
    judge(clean)
    assert everything(archive) == everything(clean)


def endless() -> None:
    while True:
        pass


def test_limits_bind_what_is_done_inside_alone() -> None:
    before = signal.signal(signal.SIGPROF, late)
    with pytest.raises(OverLimit, match="time"), guarded(0.1, 1 << 40):
        endless()
    signal.signal(signal.SIGPROF, before)
    with pytest.raises(MemoryError), guarded(5.0, address_space() + (64 << 20)):
        bytearray(1 << 30)
    assert len(bytearray(1 << 28)) == 1 << 28


def test_the_copies_of_a_match_share_the_memory_of_a_task(tmp_path: Path) -> None:
    archive, reports, kept = filled(tmp_path, {}), list[str](), list[bytearray]()
    guard = watched(Task(archive, 0, Part("", ""), {}, WANTED, Limits(5.0, 96), {"c": LOST}), reports.append)
    with guard("a"):
        kept.append(bytearray(64 << 20))
    with pytest.raises(MemoryError), guard("b"):
        kept.append(bytearray(64 << 20))
    with pytest.raises(OverLimit, match=LOST), guard("c"):
        pass
    assert reports == ["a", "", "b", ""]


def test_a_limit_reached_as_its_guard_ends_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    before, really = resource.getrlimit(resource.RLIMIT_AS), signal.setitimer

    def setitimer(which: int, seconds: float, interval: float = 0.0) -> None:
        really(which, seconds, interval)
        if not seconds:
            os.kill(os.getpid(), signal.SIGPROF)

    handler = signal.signal(signal.SIGPROF, late)
    monkeypatch.setattr(signal, "setitimer", setitimer)
    with pytest.raises(OverLimit), guarded(5.0, 1 << 40):
        pass
    signal.signal(signal.SIGPROF, handler)
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_a_store_opens_what_it_made(tmp_path: Path) -> None:
    assert store.made(str(tmp_path), 256) == store.opened(str(tmp_path))
