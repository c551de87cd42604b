"""Whatever command comes first, the home folder and all above it that it makes are its owner's alone."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from cli.shell.exit_codes import Exit
from protocol.storage.home import IDENTITY, Home
from tests.helpers.program.commands import Call

ROOT = Path(__file__).parents[3]
PROCESSES = {
    "demo": ["demo", "stratego", "--army", "duel", "--quiet", "10", "--level", "recruit", "--json"],
    "host": ["--plain", "host", "--name", "Ann", "--address", "127.0.0.1", "--players-only", "--no-upnp"],
}
HERE = {
    "play": ["--plain", "play", "--name", "Ann"],
    "learn": ["learn", "stratego"],
    "settings": ["tournament", "key", "--name", "Ann"],
}


def assert_private(above: Path, home: Path) -> None:
    """All from the folder `above` on is its owner's alone, made by whoever keeps nothing back by itself."""
    made = [above, *above.rglob("*")]
    folders = {path: stat.S_IMODE(path.stat().st_mode) for path in made if path.is_dir()}
    assert home in folders
    assert {path: oct(mode) for path, mode in folders.items() if mode != 0o700} == {}
    files = {path: stat.S_IMODE(path.stat().st_mode) for path in made if path.is_file()}
    assert {path: oct(mode) for path, mode in files.items() if mode & 0o077} == {}


@pytest.mark.parametrize("name", PROCESSES)
def test_row_36_a_first_command_of_processes_makes_private_folders(name: str, tmp_path: Path) -> None:
    home = tmp_path / "share" / "program" / "home"
    with subprocess.Popen(
        [sys.executable, "-m", "cli", "--home", str(home), *PROCESSES[name]],
        cwd=ROOT,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        umask=0,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        if name == "host":  # which would wait for a guest
            process.terminate()
        process.communicate(timeout=120)
    assert_private(tmp_path / "share", home)


@pytest.mark.parametrize("name", HERE)
def test_row_36_the_first_command_makes_private_folders(name: str, call: Call, tmp_path: Path) -> None:
    home, before = tmp_path / "share" / "program" / "home", os.umask(0)
    try:
        call("--home", home, *HERE[name])
    finally:
        os.umask(before)
    assert_private(tmp_path / "share", home)


def test_row_36_a_key_behind_a_link_is_not_told_as_that_of_a_player(
    call: Call, home: Path, tmp_path: Path
) -> None:
    with Home(tmp_path / "other") as other:
        other.identity()
    home.mkdir(mode=0o700)
    (home / IDENTITY).symlink_to(tmp_path / "other" / IDENTITY)
    run = call("tournament", "key", "--name", "Ann")
    assert (run.code, run.out) == (Exit.IO, "")
    assert "symbolic link" in run.err
