"""Work that takes a while is announced on a terminal, and nowhere else."""

from __future__ import annotations

import io
import sys
import threading

import pytest

from cli.shell.progress import announced


class Terminal(io.StringIO):
    """A terminal that tells when something is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def isatty(self) -> bool:
        return True

    def flush(self) -> None:
        self.written.set()


def test_long_work_is_said_and_the_words_go_when_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with announced("Checking ...", after=0.0):
        assert terminal.written.wait(30)
        assert terminal.getvalue() == "Checking ..."
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_short_work_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with announced("Checking ...", after=60.0):
        pass
    assert terminal.getvalue() == ""


def test_without_a_terminal_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    before = threading.active_count()
    with announced("Checking ...", after=0.0):
        assert threading.active_count() == before
    assert written.getvalue() == ""
