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
from tests.helpers.commands import Call

ROOT = Path(__file__).parents[3]
FIRST = {
    "demo": ["demo", "--game", "stratego", "--json"],
    "play": ["play", "--lines"],
    "host": ["host", "--lines", "--port", "0"],
    "learn": ["learn"],
    "settings": ["tournament", "key", "--name", "Ann"],
}


@pytest.mark.parametrize("umask", [0o022, 0o002, 0o077], ids=oct)
@pytest.mark.parametrize("name", FIRST)
def test_row_36_the_first_command_makes_private_folders(name: str, umask: int, tmp_path: Path) -> None:
    home = tmp_path / "share" / "program" / "home"
    subprocess.run(
        [sys.executable, "-m", "cli", "--home", str(home), *FIRST[name]],
        cwd=ROOT,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
        preexec_fn=lambda: os.umask(umask),
    )
    made = [tmp_path / "share", *(tmp_path / "share").rglob("*")]
    folders = {path: stat.S_IMODE(path.stat().st_mode) for path in made if path.is_dir()}
    assert home in folders
    assert {path: oct(mode) for path, mode in folders.items() if mode != 0o700} == {}
    files = {path: stat.S_IMODE(path.stat().st_mode) for path in made if path.is_file()}
    assert {path: oct(mode) for path, mode in files.items() if mode & 0o077} == {}


def test_row_36_a_key_behind_a_link_is_not_told_as_that_of_a_player(
    call: Call, home: Path, tmp_path: Path
) -> None:
    with Home(tmp_path / "other") as other:
        other.identity()
    home.mkdir(mode=0o700)
    (home / IDENTITY).symlink_to(tmp_path / "other" / IDENTITY)
    told = call("tournament", "key", "--name", "Ann")
    assert (told.code, told.out) == (Exit.IO, "")
    assert "symbolic link" in told.err
