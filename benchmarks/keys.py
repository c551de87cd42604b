"""A key to the screen: from its byte on the terminal to the last byte of what the program draws for it.

The installed program plays in a pseudo-terminal; its floor is a program there that answers each byte at once.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from time import perf_counter
from typing import Final

from benchmarks.measure import Sampler, rounds
from benchmarks.report import Figure, at_most
from p2p_stratego.registry import ENTRIES

SIZES: Final = ((80, 24), (200, 60))
ROUNDS, PRESSES = 3, 200
MOST: Final = 0.030
"""Seconds at the 99th percentile."""
KEYS: Final = (b"4", b"\x7f", b"\x1b[B", b"\x1b[A")
"""A letter and back, and two steps through the answers or over the board: the whole screen is made anew."""
SHOWN: Final = b"\x1b[?25h"
"""The last bytes of a drawing: the cursor is shown again."""
UNCHANGED: Final = b"\x1b[?25l\x1b[0m\x1b[?12l" + SHOWN
"""A drawing in which nothing changed, as there is one each second: it is no answer to a key."""
SETTLED: Final = 0.6
"""Seconds without a byte after which the program counts as waiting for a key; it draws once a second."""
_ECHO: Final = """
import os, tty
tty.setraw(0)
os.write(1, b".")
while data := os.read(0, 64):
    os.write(1, data)
"""


class Terminal:
    """A pseudo-terminal with a command in it."""

    def __init__(self, columns: int, rows: int, *command: str, ends: bytes = b"") -> None:
        """`ends`: how all that it writes for one key ends."""
        self._ends = ends
        self._end, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = os.environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        self._process = subprocess.Popen(
            command, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True
        )
        os.close(inner)

    def read(self, quiet: float, patience: float = 60.0, most: float = 20.0) -> float | None:
        """When the last byte came before `quiet` seconds without one, or once `most` seconds were over.

        None if none came in `patience`.
        """
        last, until = None, perf_counter() + most
        while select.select([self._end], [], [], patience if last is None else quiet)[0]:
            os.read(self._end, 65536)
            last = perf_counter()
            if last >= until:
                break
        return last

    def press(self, key: bytes) -> float | None:
        """Seconds from a key to the last byte of the first drawing that it changes; None if there is none."""
        self.read(0.0, 0.0, 0.1)
        drawn = b""
        began = perf_counter()
        os.write(self._end, key)
        while select.select([self._end], [], [], 0.5)[0]:
            drawn += os.read(self._end, 65536)
            if drawn.endswith(self._ends) and drawn.replace(UNCHANGED, b""):
                return perf_counter() - began
        return None

    def close(self) -> None:
        """End the command.  Its terminal goes first: a program's last screen would wait for a reader."""
        os.close(self._end)
        self._process.terminate()
        self._process.wait()


@contextmanager
def pressed(columns: int, rows: int, *command: str, ends: bytes = b"") -> Iterator[Sampler]:
    """The 99th percentile of PRESSES keys in a terminal of this size."""
    terminal, keys = Terminal(columns, rows, *command, ends=ends), cycle(KEYS)
    try:
        terminal.read(SETTLED)

        def sample() -> float:
            took = [seconds for _ in range(PRESSES) if (seconds := terminal.press(next(keys))) is not None]
            return statistics.quantiles(took, n=100, method="inclusive")[98]

        yield sample
    finally:
        terminal.close()


def _milli(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms"


def _figure(game: str, columns: int, rows: int) -> Figure:
    with tempfile.TemporaryDirectory() as home:
        program = (sys.executable, "-m", "cli", "--home", home, "play", "--game", game, "--name", "Anna")
        with (
            pressed(columns, rows, *program, "--no-animation", ends=SHOWN) as ours,
            pressed(columns, rows, sys.executable, "-c", _ECHO) as echo,
        ):
            value, floor = rounds(ROUNDS, ours, echo)
    ratio = value.over(floor)
    return Figure(
        f"key to screen, {ENTRIES[game].title}, {columns} x {rows}: 99th of {PRESSES}",
        value,
        _milli,
        f"echo by a program {_milli(floor.median)}: {ratio.median:.0f} x",
        at_most(value, MOST, f"< {MOST * 1e3:.0f} ms"),
    )


def figures() -> list[Figure]:
    """All figures of this room."""
    return [_figure(game, columns, rows) for game in ENTRIES for columns, rows in SIZES]


if __name__ == "__main__":
    from benchmarks.report import show

    sys.exit(0 if show(figures()) else 1)
