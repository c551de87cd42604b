"""The program itself in a terminal of its own: a pseudo-terminal and an emulator behind it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pyte
import pytest

from tests.helpers.commands import HANGING, ending_within

ROOT = Path(__file__).parents[3]
PATIENCE = 30.0
"""Seconds after which missing output is a failure; no test waits for them."""


class Window:
    """A terminal window with the program in it."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.columns, self.rows = 80, 24
        self._clear()
        self.end, self.inner = pty.openpty()
        self._open = ExitStack()
        for descriptor in (self.inner, self.end):
            self._open.callback(os.close, descriptor)
        self.resize(80, 24)
        self.before = termios.tcgetattr(self.inner)
        environment = {"TERM": "xterm-256color", "PYTHONPATH": str(ROOT), "P2P_STRATEGO_HOME": str(home)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli", *arguments],
            stdin=self.inner,
            stdout=self.inner,
            stderr=self.inner,
            env=os.environ | environment,
            preexec_fn=self._be_its_terminal,  # noqa: PLW1509  # there are no other threads here
        )

    def _be_its_terminal(self) -> None:
        """In the child: its controlling terminal is this window, so that closing that hangs up."""
        os.setsid()
        fcntl.ioctl(self.inner, termios.TIOCSCTTY, 0)

    def _clear(self) -> None:
        self.screen = pyte.Screen(self.columns, self.rows)
        self._stream = pyte.ByteStream(self.screen)

    def resize(self, columns: int, rows: int) -> None:
        """As if its edge was dragged; the kernel tells the program (SIGWINCH)."""
        self.columns, self.rows = columns, rows
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def until(self, *parts: str) -> str:
        """Read until all of `parts` are on the screen at once."""
        with ending_within(HANGING):  # since a screen goes on being drawn
            while True:
                shown = "\n".join(self.screen.display)
                if all(part in shown for part in parts):
                    return shown
                if not select.select([self.end], [], [], PATIENCE)[0]:
                    raise AssertionError(f"{parts} never came:\n{shown}")
                self._stream.feed(os.read(self.end, 65536))

    def type(self, text: str) -> None:
        os.write(self.end, text.encode())

    def code(self) -> int:
        """The exit code; reads the remaining output, so that the program can end."""
        while self.process.poll() is None:
            if select.select([self.end], [], [], 0.01)[0]:
                self._stream.feed(os.read(self.end, 65536))
        while select.select([self.end], [], [], 0)[0]:
            self._stream.feed(os.read(self.end, 65536))
        return self.process.wait(PATIENCE)

    def hang_up(self) -> None:
        """Close both ends, once: their numbers may be somebody else's by the second time."""
        self._open.close()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.hang_up()


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Window]:
    """A game against a bot, waiting for four soldiers."""
    opened = Window(tmp_path / "home", "play", "--name", "Anna", "--level", "recruit")
    opened.until("which four soldiers lie under your missions", "RED Anna (you)")
    yield opened
    opened.close()


def test_the_program_plays_resizes_and_leaves_the_terminal_as_it_was(window: Window) -> None:
    assert termios.tcgetattr(window.inner) != window.before  # every key is its own, nothing is echoed
    window.type("rubbish \x01\x02\x1b[99~\r")
    window.until("⚠")
    window.resize(120, 40)
    window.until("Anna (you)", "─ History", "─ Soldiers")
    window.resize(60, 10)
    window.until("at least 80 x 24", "which four soldiers lie under your missions")
    window.resize(50, 2)
    window.until("which four soldiers lie under", "❯")
    window.resize(80, 24)
    window.until("RED Anna (you)")
    window.type("\x15leave\r")  # over the refused line, which came back for editing
    window.until("Leave? The game is saved")
    window.type("yes\r")
    assert window.code() == 0
    assert "The game is saved. Go on with it: p2p-stratego resume" in "\n".join(window.screen.display)
    assert termios.tcgetattr(window.inner) == window.before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_restores_the_terminal(window: Window, number: signal.Signals) -> None:
    window.process.send_signal(number)
    assert window.code() == 130
    assert "Nothing that was saved is lost" in " ".join(" ".join(window.screen.display).split())
    assert termios.tcgetattr(window.inner) == window.before


def test_a_closed_window_ends_the_program_and_the_game_can_go_on(window: Window, tmp_path: Path) -> None:
    window.hang_up()  # and so does the kernel
    assert window.process.wait(PATIENCE) == 130
    again = Window(tmp_path / "home", "resume")
    again.until("which four soldiers lie under your missions", "RED Anna (you)")
    again.type("\x11")
    again.until("Leave?")
    again.type("y\r")
    assert again.code() == 0
    again.close()


def test_an_interrupted_game_in_lines_says_below_the_prompt_how_it_goes_on(tmp_path: Path) -> None:
    window = Window(tmp_path / "home", "play", "--plain", "--name", "Anna", "--level", "recruit")
    window.until("soldiers lie under your missions", "\n> ")
    window.type("\x03")
    assert window.code() == 130
    told = [line.rstrip() for line in window.screen.display]
    assert any(line.startswith("The game is saved. Go on with it: p2p-stratego resume") for line in told)
    assert any(line.startswith("p2p-stratego: Interrupted.") for line in told)
    window.close()
