"""`doctor`: its findings, and its advice about obstacles."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
import time
from pathlib import Path

import pytest

from cli.commands import doctor
from cli.shell.exit_codes import Exit
from protocol.crypto import keys
from protocol.failures import UnsafeLibrary
from tests.golden.dialogues import assert_told
from tests.helpers.machine.disk import nobody
from tests.helpers.program.commands import Call


def finding(call: Call, name: str, *arguments: str | Path) -> tuple[int, dict[str, str]]:
    run = call("doctor", "--json", *arguments)
    (row,) = [check for check in json.loads(run.out)["checks"] if check["name"] == name]
    return run.code, row


def test_a_usable_machine_is_ok_and_nothing_is_left_behind(call: Call, home: Path) -> None:
    run = call("doctor")
    assert run.code == 0
    assert_told("doctor", "all is well", run.out, "Everything")
    assert not home.exists()
    assert os.listdir(home.parent) == []
    assert json.loads(call("doctor", "--json").out)["ok"] is True


def test_a_library_that_takes_bad_keys_is_found(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsafe() -> None:
        raise UnsafeLibrary

    monkeypatch.setattr(keys, "check_library", unsafe)
    keys.check_key.cache_clear()
    code, check = finding(call, "libraries")
    assert (code, check["status"]) == (Exit.CONFIG, "failure")
    assert "1.6.2" in check["advice"]


def test_a_library_for_decks_that_cannot_be_loaded_is_found(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert finding(call, "decks")[1]["status"] == "ok"
    monkeypatch.setitem(sys.modules, "rbcl", None)
    code, check = finding(call, "decks")
    assert (code, check["status"]) == (Exit.CONFIG, "failure")
    assert "TMPDIR" in check["advice"]


def test_the_openssl_of_connections_is_told(call: Call) -> None:
    code, check = finding(call, "tls")
    assert check["found"].startswith("OpenSSL ")
    assert (code, check["status"]) == (0, "ok")


def test_a_port_in_use_is_found(call: Call) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, check = finding(call, "port", "--port", str(taken.getsockname()[1]))
    assert (code, check["status"]) == (Exit.UNREACHABLE, "failure")
    assert "--port" in check["advice"]


def test_a_home_that_is_a_file_is_found(call: Call, home: Path) -> None:
    home.write_text("not a folder")
    code, check = finding(call, "home")
    assert (code, check["status"]) == (Exit.IO, "failure")
    assert home.read_text() == "not a folder"


def test_a_home_that_may_not_be_written_is_found(call: Call, home: Path) -> None:
    home.mkdir(mode=0o500)
    with nobody():
        code, check = finding(call, "home")
    assert (code, check["status"]) == (Exit.IO, "failure")
    assert "--home" in check["advice"]


def test_keys_that_others_can_read_are_found(call: Call, home: Path) -> None:
    home.mkdir(mode=0o700)
    (home / "identity.key").write_text("secret")
    (home / "identity.key").chmod(0o644)
    code, check = finding(call, "permissions")
    assert (code, check["status"]) == (Exit.IO, "failure")
    assert str(home / "identity.key") in check["advice"]


def test_a_full_disk_is_found(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "ROOM", 1 << 62)
    assert finding(call, "space")[0] == Exit.IO


def test_a_clock_before_the_program_was_written_is_found(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 0.0)
    code, check = finding(call, "clock")
    assert (code, check["status"]) == (Exit.OK, "warning")


@pytest.mark.parametrize(
    ("environment", "size", "status", "words"),
    [
        ({"TERM": "xterm-256color"}, (80, 24), "ok", "80 x 24"),
        ({"TERM": "xterm"}, (79, 24), "warning", "at least 80 x 24"),
        ({"TERM": "dumb"}, (80, 24), "warning", "plain lines"),
        ({}, (80, 24), "warning", "Set TERM"),
    ],
    ids=str,
)
def test_the_terminal_is_measured(
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    size: tuple[int, int],
    status: str,
    words: str,
) -> None:
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(getattr(sys, stream), "isatty", lambda: True)
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size(size))
    check = doctor.of_terminal(environment)
    assert check.status == status
    assert words in f"{check.result} {check.advice}"


def test_colours_follow_the_users_wish() -> None:
    assert "NO_COLOR" in doctor.of_colours({"NO_COLOR": "1", "TERM": "xterm-256color"}).result
    assert doctor.of_colours({"TERM": "xterm", "COLORTERM": "truecolor"}).result == "16,777,216"
