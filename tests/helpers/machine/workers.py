"""Tests in several processes: `pytest -p tests.helpers.machine.workers --workers 3`.

They are forked from one that has loaded all tests, which takes 6 s.  So they begin at once, share the memory
of what was loaded, and take the next test from a table in shared memory: nobody hands tests out.
"""

from __future__ import annotations

import os
import signal
import traceback
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from mmap import mmap
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any, Final

import pytest

NONE: Final = -1
NUMBER_BYTES: Final = 8
LATEST: Final = 0.3
"""Seconds after which reports of passed tests go out: each message wakes the process that counts them."""


class Shares:
    """What is left of `count` tests, by worker: neighbours, which share the fixtures of their module.

    `starts`: the tests, ascending, before which a share may be cut in two, and `count` behind them.
    """

    def __init__(self, count: int, workers: int, starts: Sequence[int]) -> None:
        self._starts = starts
        self._table = memoryview(mmap(-1, 4 * workers * NUMBER_BYTES)).cast("q")
        """Four numbers a worker: where its share begins and ends, what it runs, and what it runs next."""
        self._lock = get_context("fork").Lock()
        cuts = [self._cut(count * worker // workers) for worker in range(workers + 1)]
        for worker, (begin, end) in enumerate(pairwise(cuts)):
            for at, number in enumerate((begin, end, NONE, NONE), 4 * worker):
                self._table[at] = number

    def _cut(self, number: int) -> int:
        return self._starts[min(bisect_left(self._starts, number), len(self._starts) - 1)]

    def next(self, worker: int) -> tuple[int, int]:
        """The test to run now, and the one after it, which nobody else runs; NONE behind the last."""
        with self._lock:
            table, at = self._table, 4 * worker
            running = table[at + 3] if table[at + 3] != NONE else self._taken(worker)
            following = NONE if running == NONE else self._taken(worker)
            table[at + 2], table[at + 3] = running, following
            return running, following

    def _taken(self, worker: int) -> int:
        table, at = self._table, 4 * worker
        if table[at] == table[at + 1]:
            self._steal(at)
        if table[at] == table[at + 1]:
            return NONE
        table[at] += 1
        return int(table[at]) - 1

    def _steal(self, at: int) -> None:
        """Take the further half of what another one has left, of whom has most."""
        table = self._table
        most = max(range(0, len(table), 4), key=lambda other: table[other + 1] - table[other])
        begin, end = table[most], table[most + 1]
        cut = self._cut((begin + end) // 2)
        if cut >= end:
            cut = self._cut(begin)
        if cut < end:
            table[most + 1] = cut
            table[at], table[at + 1] = cut, end

    def running(self, worker: int) -> int:
        """The test that a worker is at; NONE if it has none."""
        return int(self._table[4 * worker + 2])

    def clear(self) -> None:
        """Leave nothing to anybody."""
        with self._lock:
            for at in range(0, len(self._table), 4):
                self._table[at] = self._table[at + 1]
                self._table[at + 3] = NONE


@dataclass
class Worker:
    """A process at work, and the end of its line here."""

    number: int
    pid: int
    line: Connection


class Reports:
    """In a worker: what is reported there goes to the process that counts."""

    def __init__(self, config: pytest.Config, line: Connection) -> None:
        self._config, self._line = config, line
        self._kept: list[Any] = []
        self._sent = monotonic()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep it, and send what is kept if it tells of more than success, or has waited."""
        hook = self._config.hook
        self._kept.append(hook.pytest_report_to_serializable(config=self._config, report=report))
        if report.failed or monotonic() - self._sent > LATEST:
            self.send()

    def send(self) -> None:
        """Send what is kept."""
        self._line.send(self._kept)
        self._kept, self._sent = [], monotonic()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of this plugin."""
    group = parser.getgroup("workers")
    group.addoption("--workers", type=int, default=1, help="so many processes run the tests")
    group.addoption("--whole-modules", action="store_true", help="one process runs all tests of a module")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run all tests in workers, if there are several of both."""
    config, items = session.config, session.items
    workers = min(config.getoption("workers"), len(items))
    if workers < 2 or config.getoption("collectonly") or session.testsfailed:
        return None
    whole = config.getoption("whole_modules")
    starts = [at for at in range(len(items)) if not whole or not at or items[at].path != items[at - 1].path]
    shares = Shares(len(items), workers, [*starts, len(items)])
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    reporter.showfspath = False  # else a line for each change of module, and they change all the time
    at_work: list[Worker] = []
    try:
        for number in range(workers):
            at_work.append(_forked(session, shares, number, at_work))
        _count(session, shares, at_work)
    finally:
        for worker in at_work:
            os.kill(worker.pid, signal.SIGTERM)
            os.waitpid(worker.pid, 0)
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)
    return True


def _count(session: pytest.Session, shares: Shares, at_work: list[Worker]) -> None:
    """Hand the reports of all workers on; where one dies, its test has failed, and another one goes on."""
    while at_work:
        lines = {worker.line: worker for worker in at_work}
        for line in wait([*lines]):
            worker = lines[line]  # type: ignore[index]  # only lines were waited for
            try:
                reports = worker.line.recv()
            except EOFError:
                at_work.remove(worker)
                at_work.extend(_after_its_end(session, shares, worker, at_work))
                continue
            for report in _read(session.config, reports):
                _tell(session, report)
        if session.shouldfail or session.shouldstop:
            shares.clear()


def _read(config: pytest.Config, reports: Sequence[Any]) -> Iterator[pytest.TestReport]:
    for data in reports:
        yield config.hook.pytest_report_from_serializable(config=config, data=data)


def _tell(session: pytest.Session, report: pytest.TestReport) -> None:
    hook = session.config.hook
    if report.when == "setup":
        hook.pytest_runtest_logstart(nodeid=report.nodeid, location=report.location)
    hook.pytest_runtest_logreport(report=report)
    if report.when == "teardown":
        hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)


def _after_its_end(
    session: pytest.Session, shares: Shares, worker: Worker, others: Sequence[Worker]
) -> Iterator[Worker]:
    """The worker that goes on where `worker` died, if it did not come to its end."""
    worker.line.close()
    _pid, ended = os.waitpid(worker.pid, 0)
    code, at = os.waitstatus_to_exitcode(ended), shares.running(worker.number)
    if at == NONE:
        if code:
            session.shouldfail = f"a worker ended with code {code} behind its last test"
        return
    item = session.items[at]
    why = f"The process that ran this test ended with code {code}; reports of tests before it may be missing."
    _tell(session, pytest.TestReport(item.nodeid, item.location, {}, "failed", why, "call"))
    yield _forked(session, shares, worker.number, others)


def _forked(session: pytest.Session, shares: Shares, number: int, others: Sequence[Worker]) -> Worker:
    here, there = Pipe(duplex=False)
    pid = os.fork()
    if pid:
        there.close()
        return Worker(number, pid, here)
    code = 1
    try:
        here.close()
        for other in others:
            other.line.close()
        _work(session, shares, number, there)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _work(session: pytest.Session, shares: Shares, number: int, line: Connection) -> None:
    """In a worker: run tests until none is left."""
    config = session.config
    manager, capture = config.pluginmanager, config.pluginmanager.get_plugin("capturemanager")
    manager.unregister(name="terminalreporter")
    if capture is not None:  # the files into which it captures would be those of all workers
        capture.stop_global_capturing()
        capture.start_global_capturing()
        capture.suspend_global_capture()
    reports = Reports(config, line)
    manager.register(reports)
    running, following = shares.next(number)
    while running != NONE:
        after = None if following == NONE else session.items[following]
        config.hook.pytest_runtest_protocol(item=session.items[running], nextitem=after)
        running, following = shares.next(number)
    reports.send()
