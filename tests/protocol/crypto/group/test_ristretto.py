"""How libsodium is loaded: late, without a trace in the temporary folder, and with words when it fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from protocol.crypto.group import ristretto
from protocol.crypto.group.ristretto import load
from protocol.failures import NoGroup


def run(script: str, folder: Path) -> str:
    command = [sys.executable, "-c", script]
    process = subprocess.run(command, env={"TMPDIR": str(folder)}, check=True, capture_output=True, text=True)
    return process.stdout.strip()


def test_loading_leaves_nothing_in_the_temporary_folder(tmp_path: Path) -> None:
    script = "from protocol.crypto.group.backend import group; print(group().base(1).hex()[:8])"
    assert run(script, tmp_path) == "e2f2ae0a"
    assert list(tmp_path.iterdir()) == []


def test_a_library_that_cannot_be_loaded_is_told_and_leaves_nothing_either(tmp_path: Path) -> None:
    """As from a file system mounted noexec, where the loader refuses to map it."""
    script = """
import ctypes
from protocol.failures import NoGroup
from protocol.crypto.group.backend import group
def refuse(name):
    raise OSError(f"{name}: failed to map segment from shared object: Operation not permitted")
ctypes.cdll.LoadLibrary = refuse
try:
    group()
except NoGroup as error:
    print("failed to map" in error.reason)
"""
    assert run(script, tmp_path) == "True"
    assert list(tmp_path.iterdir()) == []


def test_it_is_not_imported_before_a_deck_is_used(tmp_path: Path) -> None:
    script = (
        "import sys, protocol.crypto.proofs.shuffle, protocol.crypto.workers; print('rbcl' in sys.modules)"
    )
    assert run(script, tmp_path) == "False"


def test_a_package_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rbcl", None)
    with pytest.raises(NoGroup, match="rbcl"):
        load()


def test_a_library_that_computes_wrongly_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: Any) -> int:
        return 0

    names = (
        "core_ristretto255_is_valid_point core_ristretto255_add core_ristretto255_sub scalarmult_ristretto255"
        " scalarmult_ristretto255_base core_ristretto255_from_hash"
    )
    library = SimpleNamespace(**{f"crypto_{name}": wrong for name in names.split()})
    monkeypatch.setattr(ristretto, "library", lambda: library)
    with pytest.raises(NoGroup, match="wrongly"):
        load()
