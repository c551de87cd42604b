"""Draws docs/*.svg: plays a game against a bot in a terminal of its own and copies its screen.

`make picture` runs it.  Nothing is touched up: the real program, its screen, the colours that it asks for.
Only what it would have from the operating system's randomness follows from a seed, so that the same program
always draws the same pictures.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

import pyte

CELL_WIDTH, CELL_HEIGHT, SIZE = 8.4, 18, 14
PAPER, INK = "#0f141b", "#d8d8d8"
FOLDER: Final = Path(__file__).parent
ROOT: Final = Path(__file__).parents[1]
STILL: Final = 1.5
"""Seconds without a change after which the screen counts as finished: longer than a bot waits."""
SEEDED: Final = """
import random, secrets, sys
chance = random.Random(int(sys.argv.pop(1)))
secrets.token_bytes = chance.randbytes
secrets.SystemRandom = random.SystemRandom = lambda: random.Random(chance.random())
from cli.__main__ import main
sys.exit(main())
"""
"""The program with keys, cards, chance and bots that follow from the first argument."""
DOWN: Final = "\x1b[B"
CLEAR: Final = "\x15"
"""Ctrl-U: the line is empty."""
ANSWERS: Final = 50
"""Questions answered before it is given up."""


class Terminal:
    """A terminal with the program in it."""

    def __init__(self, *arguments: str, home: str, seed: int, columns: int, rows: int) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self._end, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": str(ROOT)}
        environment["PYTHONHASHSEED"] = "0"
        self._process = subprocess.Popen(
            [sys.executable, "-c", SEEDED, str(seed), "--home", home, *arguments],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=os.environ | environment,
            start_new_session=True,
        )
        os.close(inner)

    def settle(self) -> str:
        """Wait until the screen changes no more; the screen as text."""
        shown = ""
        still = time.monotonic() + STILL
        while not shown.strip() or time.monotonic() < still:
            if not select.select([self._end], [], [], STILL / 10)[0]:
                continue
            try:
                data = os.read(self._end, 65536)
            except OSError:  # the program has ended
                break
            self._stream.feed(data)
            if b"\x1b[6n" in data:  # asked where the cursor is
                os.write(self._end, b"\x1b[1;1R")
            if (now := "\n".join(self.screen.display)) != shown:
                shown, still = now, time.monotonic() + STILL
        return shown

    def keys(self, text: str) -> str:
        """Press keys; the screen after them."""
        os.write(self._end, text.encode())
        return self.settle()

    def type(self, text: str) -> str:
        """Type a line in place of the input, or send what stands there; the screen after it."""
        return self.keys((CLEAR + text if text else "") + "\r")

    def close(self) -> None:
        """End the program: the game is saved, as always."""
        self._process.terminate()
        self._process.wait()
        os.close(self._end)


def answer(screen: str) -> str:
    """An honest answer to the question on the screen, in the fourth row from below."""
    question, choices = screen.splitlines()[-4], screen.splitlines()[-2]
    if "Enter goes on" in question:
        return ""
    if "which four soldiers" in question:
        ranks = re.findall(r"\d+(?= \w)", screen.partition("\n Hand ")[2].splitlines()[0])
        return " ".join(ranks[at] for at in (0, 3, 6, 8))
    if "which of your missions" in question:
        return choices.partition("(true)")[0].strip()
    if "Which soldier lies" in question:
        return max(
            re.findall(r"(\d+): +(\d+) %", screen), key=lambda guess: int(guess[1]), default=("7", "")
        )[0]
    return "no" if "token" in question else DOWN


def stratego(screen: str) -> str:
    """A template, then attacks where there are any, else the middle one of the offered moves."""
    question, choices = screen.splitlines()[-4], screen.splitlines()[-2]
    if "Enter goes on" in question:
        return ""
    if "Set up your army" in question:
        return "ready" if "undo" in choices else "load corner"
    attacks = re.findall(r"([a-j]\d+)×([a-j]\d+)", choices)
    steps = re.findall(r"\b[a-j]\d+[a-j]\d+\b", choices)
    if attacks:
        return "".join(attacks[0])
    return str(steps[len(steps) // 2]) if steps else DOWN


def proposed(_screen: str) -> str:
    """What Enter proposes, and then sends."""
    return ""


def colour(name: str, otherwise: str) -> str:
    return f"#{name}" if re.fullmatch(r"[0-9a-f]{6}", name) else otherwise


def drawn(screen: pyte.Screen, title: str) -> str:
    """The screen as SVG: runs of equal cells, each exactly as wide as its cells."""
    columns, rows = screen.columns, screen.lines
    width, height = columns * CELL_WIDTH, rows * CELL_HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 24:g} {height + 24:g}" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}">',
        f"<title>{escape(title)} against a bot, in a terminal of {columns} by {rows}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
        '<g transform="translate(12 12)">',
    ]
    for row in range(rows):
        column = 0
        cells = [screen.buffer[row][x] for x in range(columns)]
        for style, run in groupby(cells, key=lambda c: (c.fg, c.bg, c.bold, c.reverse)):
            text = "".join(cell.data for cell in run)
            parts += part(text, style, column * CELL_WIDTH, row * CELL_HEIGHT)
            column += len(text)
    return "\n".join([*parts, "</g>", "</svg>", ""])


def part(text: str, style: tuple[str, str, bool, bool], x: float, y: float) -> list[str]:
    """One run of cells of the same style, at `x`, `y`."""
    ink, paper = colour(style[0], INK), colour(style[1], PAPER)
    if style[3]:
        ink, paper = paper, ink
    width = len(text) * CELL_WIDTH
    parts = []
    if paper != PAPER:
        parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{CELL_HEIGHT}" fill="{paper}"/>')
    weight = ' font-weight="bold"' if style[2] else ""
    parts += [  # each word at its own place: not every viewer heeds textLength
        f'<text x="{x + word.start() * CELL_WIDTH:g}" y="{y + CELL_HEIGHT - 5:g}" fill="{ink}"{weight} '
        f'textLength="{len(word[0]) * CELL_WIDTH:g}">{escape(word[0], quote=False)}</text>'
        for word in re.finditer(r"\S+", text)
    ]
    return parts


class Picture(NamedTuple):
    """One picture: its file, its contents, the command that begins it, and the play up to its moment."""

    file: str
    title: str
    command: tuple[str, ...]
    answer: Callable[[str], str]
    until: Callable[[str], bool]
    seed: int
    last: str
    """The text of the input line."""
    columns: int = 100
    rows: int = 30


PICTURES: Final = (
    Picture(
        "screen.svg",
        "A game of Spies & Lies",
        ("play", "--level", "agent"),
        answer,
        lambda screen: "Which soldier lies under Agent bot's mission 3" in screen,
        1,
        "",
    ),
    Picture(
        "stratego.svg",
        "A game of Stratego",
        ("play", "--game", "stratego"),
        stratego,
        lambda screen: "Your move, the 21st" in screen,
        1,
        "i4",
    ),
    Picture(
        "spies.svg",
        "A game of SPIES!",
        ("play", "--game", "spies", "--level", "agent"),
        proposed,
        lambda screen: "12 points" in screen,
        1,
        "ge1",
        160,
        50,
    ),
)


def play(picture: Picture) -> str:
    """Play up to the wanted moment, and draw it; the screen as text."""
    with tempfile.TemporaryDirectory() as home:
        terminal = Terminal(
            *picture.command,
            "--name",
            "Anna",
            home=home,
            seed=picture.seed,
            columns=picture.columns,
            rows=picture.rows,
        )
        screen = terminal.settle()
        for _ in range(ANSWERS):
            if picture.until(screen):
                break
            screen = terminal.type(picture.answer(screen))
        if picture.last:
            screen = terminal.keys(picture.last)
        FOLDER.joinpath(picture.file).write_text(drawn(terminal.screen, picture.title), encoding="utf-8")
        terminal.close()
    return screen


def main() -> int:
    """Draw the pictures named on the command line, or all."""
    for picture in PICTURES:
        if picture.file in (sys.argv[1:] or [known.file for known in PICTURES]):
            sys.stdout.write(play(picture) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
