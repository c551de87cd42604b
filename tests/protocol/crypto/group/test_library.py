"""libsodium out of rbcl: no copy stays in the temporary folder, whenever the process is killed."""

from __future__ import annotations

import fcntl
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

_LOAD: Final = "from protocol.crypto.group.backend import group; print(group().base(1).hex()[:8])"
_KILLED: Final = """
import ctypes, os, signal
def killed(name):
    print(os.path.getsize(name), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
ctypes.cdll.LoadLibrary = killed
"""
"""The process ends when the copy is written, before it is loaded."""
_NO_MEMORY: Final = """
import os
def refused(*_):
    raise OSError("no memory files here")
os.memfd_create = refused
"""


def run(script: str, folder: Path) -> tuple[int, str]:
    command = [sys.executable, "-c", script]
    process = subprocess.run(
        command, env={"TMPDIR": str(folder)}, check=False, capture_output=True, text=True
    )
    return process.returncode, process.stdout.strip()


@pytest.mark.skipif(sys.platform != "linux", reason="files in memory are Linux's")
def test_a_process_killed_while_it_loads_leaves_nothing(tmp_path: Path) -> None:
    code, size = run(_KILLED + _LOAD, tmp_path)
    assert code == -signal.SIGKILL
    assert int(size) > 100_000
    assert list(tmp_path.iterdir()) == []


def test_elsewhere_the_next_start_removes_what_a_killed_one_left_and_nothing_that_is_in_use(
    tmp_path: Path,
) -> None:
    assert run(_NO_MEMORY + _KILLED + _LOAD, tmp_path)[0] == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    with (tmp_path / "p2p-stratego-libsodium-alive.so").open("wb") as used:
        fcntl.flock(used, fcntl.LOCK_EX)
        assert run(_NO_MEMORY + _LOAD, tmp_path) == (0, "e2f2ae0a")
        assert not left.exists()
        assert list(tmp_path.iterdir()) == [Path(used.name)]


def test_a_python_for_linux_without_memfd_create_takes_a_file_as_elsewhere(tmp_path: Path) -> None:
    assert run("import os; del os.memfd_create\n" * (sys.platform == "linux") + _LOAD, tmp_path) == (
        0,
        "e2f2ae0a",
    )
    assert list(tmp_path.iterdir()) == []


def test_a_system_that_runs_nothing_out_of_memory_takes_a_file_too(tmp_path: Path) -> None:
    """As under a policy that forbids to map it: dlopen fails, and the half import leaves nothing behind."""
    script = """
import ctypes
load = ctypes.cdll.LoadLibrary
def policy(name):
    if name.startswith("/proc/"):
        raise OSError("Permission denied")
    return load(name)
ctypes.cdll.LoadLibrary = policy
"""
    assert run(script + _LOAD, tmp_path) == (0, "e2f2ae0a")
    assert list(tmp_path.iterdir()) == []


def test_the_file_of_another_is_left_alone_behind_a_link(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    link = tmp_path / "p2p-stratego-libsodium-link.so"
    link.symlink_to(other)
    assert run(_NO_MEMORY + _LOAD, tmp_path) == (0, "e2f2ae0a")
    assert {*tmp_path.iterdir()} == {other, link}


def test_tempfile_is_the_same_for_everybody_else_all_along(tmp_path: Path) -> None:
    script = """
import builtins, ctypes, sys, tempfile
before = dict(vars(tempfile)), builtins.__import__, [*sys.meta_path]
load = ctypes.cdll.LoadLibrary
def seen(name):
    print(dict(vars(tempfile)) == before[0] and builtins.__import__ is before[1])
    return load(name)
ctypes.cdll.LoadLibrary = seen
"""
    after = "; print(dict(vars(tempfile)) == before[0], sys.meta_path == before[2])"
    assert run(script + _LOAD + after, tmp_path) == (0, "True\ne2f2ae0a\nTrue True")
