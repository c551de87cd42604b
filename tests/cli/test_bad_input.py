"""Every command, given what it cannot use: one clear sentence, a documented exit code, nothing damaged.

Nothing stands on standard output, so that a program that reads it is never told half the truth.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.exits import MEANINGS, Exit
from tests.cli.conftest import Call, Called

NOISE = 10_000_000
Make = Callable[[Path, Path], str]


def told_clearly(told: Called) -> str:
    """The sentence, after checking that it is one and that it is all there is."""
    assert told.code in MEANINGS
    assert told.code not in (Exit.OK, Exit.BUG)
    assert "Traceback" not in told.out + told.err
    text = told.err
    assert told.out == ""
    assert text.count("\n") == 1
    assert text.endswith(".\n")
    assert not set(text) & set("\x1b\x07\x00")
    return text


# Files


def missing(folder: Path, _: Path) -> str:
    return str(folder / "missing.p2ps")


def in_nothing(folder: Path, _: Path) -> str:
    (folder / "file").write_text("")
    return str(folder / "file" / "below.p2ps")


def a_folder(folder: Path, _: Path) -> str:
    return str(folder)


def empty(folder: Path, _: Path) -> str:
    (folder / "empty.p2ps").touch()
    return str(folder / "empty.p2ps")


def noise(folder: Path, _: Path) -> str:
    (folder / "noise.p2ps").write_bytes(random.Random(5).randbytes(NOISE))
    return str(folder / "noise.p2ps")


def noise_after_the_first_line(folder: Path, records: Path) -> str:
    magic = (records / "complete.p2ps").read_bytes().partition(b"\n")[0]
    (folder / "noise.p2ps").write_bytes(magic + b"\n" + random.Random(6).randbytes(1000))
    return str(folder / "noise.p2ps")


def cut_within_the_genesis(folder: Path, records: Path) -> str:
    (folder / "cut.p2ps").write_bytes((records / "complete.p2ps").read_bytes()[:60])
    return str(folder / "cut.p2ps")


def future(_: Path, records: Path) -> str:
    return str(records / "future.p2ps")


def too_long_a_name(folder: Path, _: Path) -> str:
    return str(folder / ("x" * 300))


def a_loop(folder: Path, _: Path) -> str:
    (folder / "loop.p2ps").symlink_to(folder / "loop.p2ps")
    return str(folder / "loop.p2ps")


FILES: list[tuple[Make, Exit, Exit]] = [
    # what is given, the exit code for a transcript, the exit code for a scenario
    (missing, Exit.IO, Exit.IO),
    (in_nothing, Exit.IO, Exit.IO),
    (a_folder, Exit.DATA, Exit.DATA),
    (empty, Exit.DATA, Exit.DATA),
    (noise, Exit.DATA, Exit.DATA),
    (noise_after_the_first_line, Exit.DATA, Exit.DATA),
    (cut_within_the_genesis, Exit.DATA, Exit.DATA),
    (future, Exit.UNSUPPORTED, Exit.DATA),
    (too_long_a_name, Exit.IO, Exit.IO),
    (a_loop, Exit.IO, Exit.IO),
]


@pytest.mark.parametrize(("make", "code", "_"), FILES, ids=lambda value: getattr(value, "__name__", ""))
def test_audit(call: Call, tmp_path: Path, records: Path, make: Make, code: Exit, _: Exit) -> None:
    told = call("audit", make(tmp_path, records))
    assert told.code == code
    told_clearly(told)


@pytest.mark.parametrize("command", ["export", "replay"])
@pytest.mark.parametrize(("make", "code", "_"), FILES, ids=lambda value: getattr(value, "__name__", ""))
def test_export_and_replay(
    call: Call, tmp_path: Path, records: Path, command: str, make: Make, code: Exit, _: Exit
) -> None:
    told = call(command, make(tmp_path, records))
    assert told.code == (Exit.IO if make is a_folder else code)
    told_clearly(told)


@pytest.mark.parametrize(("make", "_", "code"), FILES, ids=lambda value: getattr(value, "__name__", ""))
def test_referee(call: Call, tmp_path: Path, records: Path, make: Make, _: Exit, code: Exit) -> None:
    told = call("referee", make(tmp_path, records))
    assert told.code == code
    told_clearly(told)


@pytest.mark.parametrize("command", ["audit", "export", "replay", "referee"])
def test_an_empty_standard_input(call: Call, command: str) -> None:
    told = call(command, "-")
    assert told.code == Exit.DATA
    told_clearly(told)


@contextmanager
def nobody() -> Iterator[None]:
    """As a user without rights: root may read and write everything, so it steps down for the moment."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("command", ["audit", "export", "replay", "referee"])
def test_a_file_that_may_not_be_read(call: Call, tmp_path: Path, command: str) -> None:
    path = tmp_path / "mine.p2ps"
    path.write_text("mine")
    path.chmod(0)
    with nobody():
        told = call(command, path)
    assert told.code == Exit.IO
    told_clearly(told)
