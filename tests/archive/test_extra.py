"""The program without the extras."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from cli.shell import extras
from cli.shell.exit_codes import Exit, Sorry


def test_a_command_without_its_extra_says_which_line_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _module: None)
    with pytest.raises(
        Sorry, match=r"p2p-stratego archive needs.*pip install 'p2p-stratego\[archive\]'"
    ) as refusal:
        extras.need("archive", by="p2p-stratego archive")
    assert refusal.value.code is Exit.CONFIG


def test_the_help_of_every_command_loads_no_engine() -> None:
    script = "import sys; from cli.shell.parser import parser; parser(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    assert not {"pyarrow", "deltalake", "duckdb", "ray", "cli.archive.store"} & set(loaded.split())


def test_the_archive_is_tested() -> None:
    if not os.environ.get("ARCHIVE"):
        pytest.skip("`make archive` runs the tests of the archive, with what it needs")
    extras.need("archive", by="the tests")
    extras.need("cluster", by="the tests")
    assert True
