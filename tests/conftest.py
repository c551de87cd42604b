"""What holds for every test: it closes what it opens; property tests always take the same examples."""

from __future__ import annotations

import gc
import os
import re
import sys
import tempfile
from collections.abc import Generator, Iterator
from itertools import chain, count
from pathlib import Path
from typing import Final
from unittest.mock import patch

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import given, settings
from hypothesis.strategies import none

from protocol import limits
from tests.helpers.crypto.computed_once import computed_once
from tests.helpers.machine import kinds
from tests.helpers.machine.examples import examples
from tests.helpers.machine.homes import MEMORY, TEST

DESCRIPTORS = next((path for path in ("/proc/self/fd", "/dev/fd") if os.path.isdir(path)), None)
Making = Generator[None, pytest.TestReport, pytest.TestReport]
FOLDERS = count()
PASSED = pytest.StashKey[bool]()
OBJECTS: Final = 50_000
"""New objects after which Python looks for cycles; 700 by itself."""

# What tests send stays on this machine.
os.environ["LANGUAGE"] = "en"  # goes before LC_ALL and LANG of the machine
os.environ["P2P_STRATEGO_NO_UPNP"] = os.environ["P2P_STRATEGO_HIDDEN"] = "1"
# Where it is set, each worker rewrites all assertions, 15 s, and each process compiles all its modules.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
if MEMORY and "TMPDIR" not in os.environ:
    os.environ["TMPDIR"] = tempfile.tempdir = MEMORY
gc.disable()  # until all tests are loaded, which makes objects and hardly a cycle
# No deadline: a busy machine is no fault.  No database: a run depends on nothing that an earlier one left.
settings.register_profile("house", examples(40, 400), deadline=None, derandomize=True, database=None)
settings.load_profile("house")


def pytest_collection_finish() -> None:
    """What was loaded stays to the end: to look through it for cycles again and again costs 7 % of a run."""
    gc.freeze()
    first_example()
    gc.enable()
    gc.set_threshold(OBJECTS)


@settings(max_examples=1)
@given(none())
def first_example(_: None) -> None:
    """At its first example Hypothesis looks through all objects, a second where tests have left many."""


def pytest_sessionfinish() -> None:
    """One search finds the cycles that tests left; pytest makes five more, half a second each."""
    gc.collect()
    gc.freeze()


def open_now() -> set[str]:
    """The descriptors of this process, without the one that reads them: it takes the lowest free number."""
    if DESCRIPTORS is None:
        return set()
    free = os.open(os.devnull, os.O_RDONLY)
    os.close(free)
    return {*os.listdir(DESCRIPTORS)} - {str(free)}


def described(number: str) -> str:
    """A descriptor, and what it is as far as the system tells."""
    try:
        return f"{number}: {os.readlink(f'/proc/self/fd/{number}')}"
    except OSError:
        return number


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """One message a test from its worker, not three, each of which takes both ends 0.2 ms.

    The report of the call has the seconds of set-up and end, too.  These report for themselves if they fail,
    or skip the test.
    """
    if not hasattr(item.config, "workerinput"):
        return None  # no worker of xdist: pytest's own way
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    whole = sum(report.duration for report in reports if report.passed)
    for report in reports:
        if report.when == "call" and report.passed:
            report.duration = whole
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Making:
    report = yield
    if call.when == "call":
        item.stash[PASSED] = report.passed
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what was skipped, and how long each kind of tests took: in all workers together, so more than has
    passed.
    """
    reports = [
        report for report in chain(*terminalreporter.stats.values()) if isinstance(report, pytest.TestReport)
    ]
    if left_out := kinds.not_tested(reports):
        terminalreporter.section("not tested here")
        for line in left_out:
            terminalreporter.line(line)
    if len(reports) > 1:
        terminalreporter.section("seconds by kind, of all workers together")
        for line in kinds.by_kind(reports):
            terminalreporter.line(line)
    kinds.keep(config, reports)


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the test's own.  Pytest makes links to the newest ones, too, which takes twice as long."""
    name = re.sub(r"\W", "_", request.node.name)[:26]
    path = tmp_path_factory.getbasetemp() / f"{name}{next(FOLDERS)}"
    path.mkdir(mode=0o700)
    return path


@pytest.fixture(scope="session", autouse=True)
def cryptography_once() -> Iterator[None]:
    """The same bytes give the same result in every test; only those that look at the work compute it anew."""
    with computed_once():
        yield


@pytest.fixture(scope="session", autouse=True)
def no_syncs() -> Iterator[None]:
    """Syncs cost a test a quarter of a millisecond to a tenth of a second each and show it nothing.

    The tests that are about syncs put their own in their place.
    """
    with patch.object(os, "fsync", lambda _: None), patch.object(os, "fdatasync", lambda _: None):
        yield


@pytest.fixture(scope="session", autouse=True)
def no_pace() -> Iterator[None]:
    """Strangers wait for no turns, which took each caller a tenth of a second of a clock on the wall."""
    with patch.object(limits, "STRANGERS_BYTES_EVERY", 0.0):
        yield


@pytest.fixture(autouse=True)
def nothing_left_open(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves descriptors behind: a process has 256 of them, or 1024, for thousands of tests.

    One that failed already has said what is wrong, and its traceback keeps alive what it had open.
    """
    before = open_now()
    yield
    TEST.close()
    if not open_now() <= before and request.node.stash.get(PASSED, False):
        gc.collect()
        left = sorted(open_now() - before, key=int)
        assert not left, f"left open: {', '.join(map(described, left))}"
