"""Commands as a user calls them: arguments in, exit code and two streams out, in this very process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli.__main__ import main


@dataclass(frozen=True)
class Called:
    """What a command left behind."""

    code: int
    out: str
    err: str


Call = Callable[..., Called]


class Input(io.TextIOWrapper):
    """Standard input from bytes."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of the test's own, not made yet."""
    path = tmp_path / "home"
    monkeypatch.setenv("P2P_STRATEGO_HOME", str(path))
    return path


@pytest.fixture
def call(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """`call("audit", path, stdin=b"")`; no test touches the user's own home folder."""

    def run(*arguments: str | Path, stdin: bytes = b"") -> Called:
        monkeypatch.setattr(sys, "stdin", Input(stdin))
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        told = capsys.readouterr()
        return Called(code, told.out, told.err)

    return run
