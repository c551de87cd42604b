"""The program itself in a terminal of its own: a pseudo-terminal and an emulator behind it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from contextlib import ExitStack
from pathlib import Path
from typing import ClassVar

import pyte

from tests.helpers.machine import forked
from tests.helpers.machine.forked import Forked
from tests.helpers.program.commands import HANGING, ending_within

ROOT = Path(__file__).parents[3]
PATIENCE = 30.0
"""Seconds after which missing output is a failure; no test waits for them."""


class Window:
    """A terminal window with the program in it.

    While one window is waited for, all open ones are read: a program whose terminal nobody reads stops in the
    middle of a write, and then answers no other program either.

    If there is a nursery, it starts the program.
    """

    _windows: ClassVar[list[Window]] = []

    def __init__(
        self,
        home: Path,
        *arguments: str,
        unbuffered: str = "1",
        prefix: tuple[str, ...] = (),
        owned: bool = True,
    ) -> None:
        """`unbuffered`: PYTHONUNBUFFERED; with it a signal may end a write in the middle.  `prefix`: of the
        command that starts the program.

        `owned`: the window is the program's controlling terminal, so that closing it hangs up (SIGHUP).
        Without it no signal tells the program that it is closed.
        """
        self.columns, self.rows = 80, 24
        self._clear()
        self.end, self.inner = pty.openpty()
        self._open = ExitStack()
        self._windows.append(self)
        self._open.callback(self._windows.remove, self)
        for descriptor in (self.inner, self.end):
            self._open.callback(os.close, descriptor)
        self.resize(80, 24)
        self.before = termios.tcgetattr(self.inner)
        environment = {
            "TERM": "xterm-256color",
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": unbuffered,
            "P2P_STRATEGO_HOME": str(home),
        }
        self.process: Forked | subprocess.Popen[bytes]
        if forked.ready() and unbuffered and not prefix:
            streams, at = [self.inner] * 3, os.environ | environment
            self.process = Forked(["cli", *arguments], streams, at, session=True, terminal=owned)
            return
        self.process = subprocess.Popen(
            [*prefix, sys.executable, "-m", "cli", *arguments],
            stdin=self.inner,
            stdout=self.inner,
            stderr=self.inner,
            env=os.environ | environment,
            preexec_fn=self._be_its_terminal if owned else os.setsid,  # noqa: PLW1509  # there are no other threads here
        )

    def _be_its_terminal(self) -> None:
        """In the child: its controlling terminal is this window, so that closing that hangs up."""
        os.setsid()
        fcntl.ioctl(self.inner, termios.TIOCSCTTY, 0)

    def _clear(self) -> None:
        self.screen = pyte.Screen(self.columns, self.rows)
        # An application below other lines asks where the cursor is (CPR), as real terminals tell.
        self.screen.write_process_input = self.type  # type: ignore[method-assign, assignment]
        self.stream = pyte.ByteStream(self.screen)

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
                if not self._read_all(PATIENCE):
                    raise AssertionError(f"{parts} never came:\n{shown}")

    def _read_all(self, patience: float) -> bool:
        """Read what any window has, after at most so many seconds; whether there was anything."""
        readable = {window.end: window for window in self._windows}
        ready = select.select([*readable], [], [], patience)[0]
        for end in ready:
            readable[end].stream.feed(os.read(end, 65536))
        return bool(ready)

    def type(self, text: str) -> None:
        os.write(self.end, text.encode())

    def code(self) -> int:
        """The exit code; reads the remaining output, so that the program can end."""
        while self.process.poll() is None:
            self._read_all(0.01)
        while select.select([self.end], [], [], 0)[0]:
            self.stream.feed(os.read(self.end, 65536))
        return self.process.wait(PATIENCE)

    def hang_up(self) -> None:
        """Close both ends, once: their numbers may be somebody else's by the second time."""
        self._open.close()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.hang_up()
