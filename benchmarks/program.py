"""Figures of the installed program as a person meets it: how soon it answers, draws, and obeys a key.

The screen is measured in a pseudo-terminal, beside a program there that answers each byte at once.
"""

from __future__ import annotations

import fcntl
import os
import pty
import random
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
from pathlib import Path
from time import perf_counter
from typing import Final

from benchmarks.measure import Floor, Sampler, Taken, rounds, slowest, timed
from p2p_stratego.core.game import Seat
from p2p_stratego.registry import ENTRIES, GAMES
from protocol.crypto.keys import Identity
from protocol.record import endings, genesis, statements
from protocol.record.genesis import Player
from protocol.record.statements import Content, Kind
from protocol.storage.home import ID_DIGITS, Home
from protocol.wire import labels, transcript
from protocol.wire.encoding import STATEMENT, Frame

PROGRAM: Final = (sys.executable, "-m", "cli")
ANSWERS: Final = 9
SAVED: Final = 2000
FRAMES: Final = 5
KEYED, PRESSES = 3, 200
KEYS: Final = (b"4", b"\x7f", b"\x1b[B", b"\x1b[A")
"""A letter and back, and two steps through the answers or over the board: the whole screen is made anew."""
COLUMNS, ROWS = 200, 60
SHOWN: Final = b"\x1b[?25h"
"""The last bytes of a drawing: the cursor is shown again."""
FULL: Final = b"\x1b[?1049h"
"""The first bytes of a full screen; before them a program asks the terminal for its colours."""
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


def _asking(*command: str) -> Sampler:
    """The wall-clock time of a command that nobody answers."""
    environment = os.environ | {"TERM": "dumb"}
    return timed(
        lambda: subprocess.run(
            command, check=False, capture_output=True, stdin=subprocess.DEVNULL, env=environment
        )
    )


def answer() -> Taken:
    """`--help`."""
    value, floor = rounds(ANSWERS, _asking(*PROGRAM, "--help"), _asking(sys.executable, "-c", "pass"))
    return Taken(value, Floor("python -c pass", floor))


def menu() -> Taken:
    """The first menu of a player with thousands of games, beside that of a new player."""
    with tempfile.TemporaryDirectory() as folder:
        home, new = Path(folder, "home"), Path(folder, "new")
        _fill(home, SAVED)
        value, floor = rounds(ANSWERS, *(_asking(*PROGRAM, "--home", str(path)) for path in (home, new)))
    return Taken(value, Floor("no games", floor))


def _fill(path: Path, count: int) -> None:
    """A home folder with `count` finished games."""
    rng = random.Random(1)
    with Home(path) as home:
        own = home.identity()
    other = Identity(rng.randbytes(32))
    for _ in range(count):
        id_, data = _resigned(own, other, rng)
        folder = path / "games" / id_
        folder.mkdir(mode=0o700, parents=True)
        (folder / "transcript.p2ps").write_bytes(data)


def _resigned(own: Identity, other: Identity, rng: random.Random) -> tuple[str, bytes]:
    """The id and the transcript of a match that `own` resigned before anything else."""
    identities = (own, other)
    players = tuple(
        Player(identity.key, name, rng.randbytes(32), rng.randbytes(32))
        for identity, name in zip(identities, ("Ada", "Ben"), strict=True)
    )
    begun = genesis.make(GAMES["spies-and-lies"], {}, players)
    end = statements.end_content(endings.resignation_outcome(len(players), 0))
    made: list[tuple[Seat, Kind, Content]] = [
        *((seat, Kind.AGREE, ()) for seat in range(len(players))),
        (0, Kind.RESIGN, ()),
        *((seat, Kind.END, end) for seat in range(len(players))),
    ]
    log, last = [], [(0, begun.id), (0, begun.id)]
    for seat, kind, content in made:
        body = statements.body(seat, last[seat], (0, begun.id), kind, content)
        signature = identities[seat].sign(labels.SIGN_STATEMENT, begun.id + body)
        log.append(Frame(STATEMENT, body + signature))
        last[seat] = last[seat][0] + 1, statements.statement_hash(body)
    return begun.id.hex()[:ID_DIGITS], transcript.write(begun.body, log)


def is_drawing(written: bytes, ends: bytes = SHOWN, holding: bytes = b"") -> bool:
    """Whether a program has drawn something new to its end, and has written `holding` before or in it."""
    return written.endswith(ends) and holding in written and bool(written.replace(UNCHANGED, b""))


class Terminal:
    """A pseudo-terminal with a command in it."""

    def __init__(self, *command: str, ends: bytes = b"") -> None:
        """`ends`: how all that it writes for one key ends."""
        self._ends = ends
        self._end, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        environment = os.environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        self._process = subprocess.Popen(
            command, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True
        )
        os.close(inner)

    def settle(self, quiet: float, patience: float = 60.0, most: float = 20.0) -> None:
        """Read until nothing came for `quiet` seconds, or at all for `patience`, or until `most` are over."""
        until = perf_counter() + most
        while select.select([self._end], [], [], patience)[0] and perf_counter() < until:
            os.read(self._end, 65536)
            patience = quiet

    def drawn(self, patience: float, holding: bytes = b"") -> bool:
        """Read to the end of the first drawing (is_drawing); False if nothing came for `patience`."""
        drawing = b""
        while select.select([self._end], [], [], patience)[0]:
            drawing += os.read(self._end, 65536)
            if is_drawing(drawing, self._ends, holding):
                return True
        return False

    def press(self, key: bytes) -> float | None:
        """Seconds from a key to the last byte of the drawing that it changes; None if there is none."""
        self.settle(0.0, 0.0, 0.1)
        began = perf_counter()
        os.write(self._end, key)
        return perf_counter() - began if self.drawn(0.5) else None

    def close(self) -> None:
        """End the command.  Its terminal goes first: a program's last screen would wait for a reader."""
        os.close(self._end)
        self._process.terminate()
        self._process.wait()


def _playing(home: str, game: str) -> tuple[str, ...]:
    return (*PROGRAM, "--home", home, "play", "--game", game, "--name", "Anna", "--no-animation")


def first_frame() -> Taken:
    """From the command to the first screen of a match against a bot, beside a program's first byte."""

    def shown(*command: str, ends: bytes = b"", holding: bytes = b"") -> float:
        began = perf_counter()
        terminal = Terminal(*command, ends=ends)
        try:
            if not terminal.drawn(60.0, holding):
                raise RuntimeError("the program drew nothing")
            return perf_counter() - began
        finally:
            terminal.close()

    def screen() -> float:
        with tempfile.TemporaryDirectory() as home:
            return shown(*_playing(home, "stratego"), ends=SHOWN, holding=FULL)

    value, floor = rounds(FRAMES, screen, lambda: shown(sys.executable, "-c", _ECHO))
    return Taken(value, Floor("python in a terminal", floor))


def key() -> Taken:
    """The 99th of a hundred keys of the slowest game, beside an echo."""
    return slowest({game: _key(game) for game in ENTRIES})


def _key(game: str) -> Taken:
    with (
        tempfile.TemporaryDirectory() as home,
        _pressed(*_playing(home, game), ends=SHOWN) as screen,
        _pressed(sys.executable, "-c", _ECHO) as echo,
    ):
        value, floor = rounds(KEYED, screen, echo)
    return Taken(value, Floor("echo", floor))


@contextmanager
def _pressed(*command: str, ends: bytes = b"") -> Iterator[Sampler]:
    """The 99th percentile of PRESSES keys."""
    terminal, keys = Terminal(*command, ends=ends), cycle(KEYS)
    try:
        terminal.settle(SETTLED)

        def sample() -> float:
            took = [seconds for _ in range(PRESSES) if (seconds := terminal.press(next(keys))) is not None]
            return statistics.quantiles(took, n=100, method="inclusive")[98]

        yield sample
    finally:
        terminal.close()
