"""Every command with unusable input: one clear sentence, a documented exit code, nothing damaged.

Nothing stands on standard output, so that a program that reads it is never told half the truth.
"""

from __future__ import annotations

import errno
import os
import random
import re
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.shell.exit_codes import MEANINGS, Exit
from protocol.rendezvous import invite as invites
from protocol.wire.addresses import Endpoint
from tests.golden.dialogues import assert_said
from tests.helpers.machine.disk import nobody
from tests.helpers.program.commands import Call, Called
from tests.helpers.program.hosts import LOOPBACK, waiting_host, word_for

NOISE = 10_000_000
Make = Callable[[Path, Path], str]


def told_clearly(called: Called) -> str:
    """The sentence, after checking that it is one and that it is all there is."""
    assert called.code in MEANINGS
    assert called.code not in (Exit.OK, Exit.BUG)
    assert "Traceback" not in called.out + called.err
    text = called.err
    assert called.out == ""
    assert text.count("\n") == 1
    assert text.endswith(".\n")
    assert not set(text) & set("\x1b\x07\x00")
    return text


def test_what_is_typed_wrong_is_refused_in_one_sentence(call: Call) -> None:
    for run in assert_said("mistakes", call, LONG="x" * 10_000, NAME33="x" * 33, HOST300="a" * 300):
        told_clearly(run)


PLAYERS = re.compile(r"(?<=Players in them: ).*(?=\.)")
SECONDS = re.compile(r"(?<=in )[0-9.]+ s(?=:)")


def test_a_word_that_means_nothing_here_or_several_things_has_one_code(
    call: Call, home: Path, records: Path
) -> None:
    """By what it should be, as docs/exit-codes.md has it."""
    call("play", "--name", "Anna", stdin=b"leave\nyes\n")
    record = records / "complete.p2ps"
    for name in ("ab" * 16, "ab" * 8 + "cd" * 8):
        (home / "games" / name).mkdir()
        shutil.copy(record, home / "games" / name / "transcript.p2ps")
    for run in assert_said("unknown-words", call, RECORD=record, PLAYERS=PLAYERS):
        assert run.code == Exit.USAGE
        told_clearly(run)
    for run in assert_said("nothing-there", call, SECONDS=SECONDS):
        assert run.code == Exit.IO


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


@pytest.mark.parametrize("command", ["audit", "replay", "export"])
def test_a_record_of_another_version_is_said_to_be_older_or_newer(
    call: Call, tmp_path: Path, records: Path, command: str
) -> None:
    whole = (records / "complete.p2ps").read_bytes()
    for version, remedy in ((1, "Only the older program that wrote it"), (3, "Install the newest version")):
        path = tmp_path / f"version-{version}.p2ps"
        path.write_bytes(whole.replace(b"transcript 2\n", b"transcript %d\n" % version, 1))
        run = call(command, path)
        assert run.code == Exit.UNSUPPORTED
        sentence = told_clearly(run)
        assert f"version {version} of the transcript" in sentence
        assert remedy in sentence


@pytest.mark.parametrize(("make", "code", "_"), FILES, ids=lambda value: getattr(value, "__name__", ""))
def test_audit(call: Call, tmp_path: Path, records: Path, make: Make, code: Exit, _: Exit) -> None:
    run = call("audit", make(tmp_path, records))
    assert run.code == code
    told_clearly(run)


@pytest.mark.parametrize("command", ["export", "replay"])
@pytest.mark.parametrize(("make", "code", "_"), FILES, ids=lambda value: getattr(value, "__name__", ""))
def test_export_and_replay(
    call: Call, tmp_path: Path, records: Path, command: str, make: Make, code: Exit, _: Exit
) -> None:
    run = call(command, make(tmp_path, records))
    assert run.code == (Exit.IO if make is a_folder else code)
    told_clearly(run)


@pytest.mark.parametrize(("make", "_", "code"), FILES, ids=lambda value: getattr(value, "__name__", ""))
def test_referee(call: Call, tmp_path: Path, records: Path, make: Make, _: Exit, code: Exit) -> None:
    run = call("referee", make(tmp_path, records))
    assert run.code == code
    told_clearly(run)


@pytest.mark.parametrize("command", ["audit", "export", "replay", "referee"])
def test_an_empty_standard_input(call: Call, command: str) -> None:
    run = call(command, "-")
    assert run.code == Exit.DATA
    told_clearly(run)


@pytest.mark.parametrize("command", ["audit", "export", "replay", "referee"])
def test_a_file_that_may_not_be_read(call: Call, tmp_path: Path, command: str) -> None:
    path = tmp_path / "mine.p2ps"
    path.write_text("mine")
    path.chmod(0)
    with nobody():
        run = call(command, path)
    assert run.code == Exit.IO
    told_clearly(run)


# Invites, addresses, ports


@pytest.fixture
def closed_port() -> int:
    """A port on loopback at which nobody listens."""
    with socket.create_server((LOOPBACK, 0)) as server:
        return int(server.getsockname()[1])


def test_join_with_a_typo_at_any_place(call: Call) -> None:
    word = word_for(4000)
    for at in range(len("P2PS"), len(word), 7):
        wrong = word[:at] + ("3" if word[at] != "3" else "4") + word[at + 1 :]
        run = call("join", wrong, "--name", "Joe")
        assert run.code == Exit.DATA
        assert "invite" in told_clearly(run)


def test_join_when_nobody_waits_there(call: Call, closed_port: int, home: Path) -> None:
    run = call("join", word_for(closed_port), "--name", "Joe")
    assert run.code == Exit.UNREACHABLE
    assert run.err.count("\n") == 1
    assert LOOPBACK in run.err
    assert not (home / "games").exists()


@pytest.mark.parametrize(
    ("more", "words"),
    [({"lifetime": 0.0}, "expired"), ({"used": True}, "invite was used")],
    ids=["expired", "used"],
)
def test_join_with_an_invite_that_is_no_longer_good(
    call: Call, tmp_path: Path, home: Path, more: dict[str, Any], words: str
) -> None:
    with waiting_host(tmp_path, **more) as word:
        run = call("join", word, "--name", "Joe")
    assert run.code == Exit.UNREACHABLE
    assert run.err.count("\n") == 1
    assert words in run.err
    assert not (home / "games").exists()


def test_join_with_a_host_that_is_somebody_else(call: Call, tmp_path: Path) -> None:
    """Row 25: a program that took over the host's address has another certificate."""
    with waiting_host(tmp_path) as word:
        [address] = invites.read(word).addresses
        assert isinstance(address, Endpoint)
        run = call("join", word_for(address.port), "--name", "Joe")
    assert run.code == Exit.UNREACHABLE
    assert run.err.count("\n") == 1


def test_host_on_a_port_in_use(call: Call) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:  # noqa: S104 - where `host` listens too
        port = taken.getsockname()[1]
        run = call("host", "--port", str(port), "--name", "Joe")
    assert run.code == Exit.UNREACHABLE
    assert str(port) in told_clearly(run)
    assert "--port" in run.err


# Home folders

PLAYING = {
    "play": ["play", "--level", "recruit", "--name", "Joe"],
    "host": ["host", "--name", "Joe"],
    "join": ["join", word_for(4000), "--name", "Joe"],
    "resume": ["resume"],
    "games": ["games"],
    "demo": ["demo"],
}


@pytest.mark.parametrize("command", PLAYING)
def test_a_home_that_is_a_file(call: Call, home: Path, command: str) -> None:
    home.write_text("precious")
    run = call(*PLAYING[command])
    assert run.code == Exit.IO
    assert str(home) in told_clearly(run)
    assert home.read_text() == "precious"


@pytest.mark.parametrize("command", PLAYING)
def test_a_home_that_may_not_be_made(call: Call, home: Path, command: str) -> None:
    home.parent.chmod(0o500)
    with nobody():
        run = call(*PLAYING[command])
    home.parent.chmod(0o700)
    assert run.code == Exit.IO
    told_clearly(run)
    assert not home.exists()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="this system has no /proc")
@pytest.mark.parametrize("place", ["/proc/nowhere", "/proc/nowhere/deep", "/dev/null/home"])
@pytest.mark.parametrize("command", PLAYING)
def test_a_home_where_no_folder_can_be_made_even_by_root(call: Call, place: str, command: str) -> None:
    """Not even a list of no games passes for done."""
    run = call("--home", place, *PLAYING[command])
    assert run.code == Exit.IO
    told_clearly(run)


@pytest.mark.parametrize("command", ["play", "host"])
def test_a_full_home(call: Call, home: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    write = os.write

    def full(descriptor: int, data: bytes) -> int:
        if descriptor > 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", full)
    run = call(*PLAYING[command])
    assert run.code == Exit.IO
    assert "full" in told_clearly(run)


def test_a_key_that_is_none_is_never_replaced(call: Call, home: Path) -> None:
    home.mkdir(mode=0o700)
    (home / "identity.key").write_text("noise")
    (home / "identity.key").chmod(0o600)
    run = call(*PLAYING["play"])
    assert run.code == Exit.IO
    assert "identity.key" in told_clearly(run)
    assert (home / "identity.key").read_text() == "noise"
