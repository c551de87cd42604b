"""Forked workers run every test once, whoever dies."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tests.helpers.machine.workers import NONE, Shares

ROOT = Path(__file__).parents[1]
SOURCE = """
import os, signal, sys
from pathlib import Path
import pytest

@pytest.fixture(scope="module")
def once():
    yield
    with open("ended", "a") as file:
        file.write("x")

@pytest.mark.parametrize("number", range(12))
def test_it(number, once, tmp_path):
    print("number", number)
    (tmp_path / "a").touch()
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    assert number != 7
    with open(f"run-{number}", "a") as file:
        file.write("x")
"""


@pytest.mark.parametrize("workers", [2, 3, 5])
@pytest.mark.parametrize("starts", [range(31), (0, 4, 5, 20, 30)], ids=["anywhere", "at modules"])
def test_every_test_runs_once_and_shares_are_cut_where_they_may(
    workers: int, starts: range | tuple[int, ...]
) -> None:
    shares, rng, ran = Shares(30, workers, starts), Random(workers), list[tuple[int, int]]()
    at_work = {*range(workers)}
    announced = dict[int, int]()
    while at_work:
        worker = rng.choice(sorted(at_work))
        running, following = shares.next(worker)
        assert running == announced.get(worker, running)
        assert shares.running(worker) == running
        announced[worker] = following
        if running == NONE:
            at_work.remove(worker)
            del announced[worker]
        else:
            ran.append((running, worker))
    assert sorted(test for test, _ in ran) == [*range(30)]
    if len(starts) < 30:
        by_test = dict(ran)
        assert all(len({by_test[test] for test in range(*module)}) == 1 for module in pairwise(starts))


def test_nothing_is_left_to_anybody_once_shares_are_cleared() -> None:
    shares = Shares(30, 2, range(31))
    assert shares.next(0) == (0, 1)
    shares.clear()
    assert shares.next(0) == shares.next(1) == (NONE, NONE)


def run_in(folder: Path, *words: str) -> str:
    """What pytest says of the tests in a folder, which two workers run."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_some.py").write_text(SOURCE)
    command = [sys.executable, "-m", "pytest", "-p", "tests.helpers.machine.workers", "--workers", "2", "-q"]
    paths = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    )
    plugins = [f"-pno:{name}" for name in ("trio", "hypothesispytest", "cacheprovider", "cov")]
    run = subprocess.run(
        [sys.executable, "-c", paths, *command[3:], *plugins, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1, run.stdout + run.stderr
    return run.stdout


def test_a_test_that_kills_its_process_fails_and_all_others_run(tmp_path: Path) -> None:
    printed = run_in(tmp_path)
    assert re.search(r"2 failed, \d+ passed", printed)
    assert {path.name: path.read_text() for path in tmp_path.glob("run-*")} == {
        f"run-{number}": "x" for number in range(12) if number not in (3, 7)
    }
    assert "ended with code -9" in printed
    assert "number 7" in printed
    assert "number 5" not in printed
    assert (tmp_path / "ended").read_text() in ("x", "xx", "xxx")


def test_after_a_failure_no_more_begin_if_that_is_asked(tmp_path: Path) -> None:
    assert "stopping after 1 failures" in run_in(tmp_path, "-x", "-k", "7 or 8 or 9 or 10 or 11")
