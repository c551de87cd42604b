"""What comes after a match: a look at its record, files for a friend, and visits to other commands.

Each is a process of this program, so that neither the screen nor the match waits, and a table needs to know
nothing of studies and pages.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import trio

from cli.lines.console import Console
from cli.reports.rows import SHOWN_ID
from cli.shell.settings import Settings
from cli.table.pages import end_page
from cli.table.pages.end_page import Aftermath
from cli.table.seat.controller import TableController
from cli.text.sanitize import escape
from p2p_stratego.core import strict_json

COMMAND: Final = (sys.executable, "-P", "-m")
"""Runs a module of this program, which follows."""


class Sequel:
    """What comes after the match that the player plays now, and after its return matches."""

    def __init__(
        self,
        nursery: trio.Nursery,
        home: Path,
        path: Callable[[], Path],
        settings: Callable[[], Settings],
        ready: Callable[[], None],
    ) -> None:
        """`path`: of the record in question; `settings`: the player's; `ready`: called when more is known."""
        self.looks = True
        """Whether somebody is there who waits for what a look at the record finds."""
        self._nursery, self._home, self._path = nursery, home, path
        self._settings, self._ready = settings, ready
        self._of: Path | None = None
        self._known = Aftermath()

    def aftermath(self) -> Aftermath:
        """What is known so far about the match, which is over; the first call has its record looked at."""
        path = self._path()
        if path != self._of:
            self._of, self._known = path, Aftermath()
            if self.looks:
                self._nursery.start_soon(self._look, path)
        return self._known

    async def _look(self, path: Path) -> None:
        """Take in what the look at a record finds, a line of JSON at a time."""
        asked = {
            "home": str(self._home),
            "record": str(path),
            "language": self._settings().language,
            "ascii": self._settings().ascii,
        }
        async for line in _lines([*COMMAND, "cli.studies.aftermath"], json.dumps(asked).encode() + b"\n"):
            news = strict_json.read(line)
            if path != self._of:
                return
            if "standing" in news:
                news["standing"] = tuple(news["standing"])
            self._known = replace(self._known, **news)
            self._ready()

    def share(self) -> None:
        """Write the files for a friend, soon."""
        self._nursery.start_soon(self._share, self._path())

    async def _share(self, path: Path) -> None:
        name = _name(path)
        words = ["export", name, "--share", end_page.folder_for_friend(name), *self._options()]
        made = await trio.run_process(
            [*COMMAND, "cli", *words],
            capture_stdout=True,
            stderr=subprocess.STDOUT,
            check=False,
        )
        if path == self._of:
            lines = made.stdout.decode(errors="replace").splitlines()
            self._known = replace(self._known, shared=tuple(map(escape, lines)))
            self._ready()

    async def visit(self, table: TableController, talk: Console, *, plain: bool) -> None:
        """Fulfil the wish of a table's player: run the command for it in this terminal until it ends.

        `plain`: in lines; without a person it gets no input, and what it prints is told.
        """
        wish, table.wish = table.wish, None
        if wish is None or not end_page.visits(wish):
            return
        words = [*end_page.words_of_visit(wish, _name(self._path()), plain=plain), *self._options()]
        run = [*COMMAND, "cli", *words]
        if not plain or sys.stdin.isatty():
            sys.stdout.flush()
            await trio.run_process(run, stdin=None, check=False)
            return
        made = await trio.run_process(run, capture_stdout=True, stderr=subprocess.STDOUT, check=False)
        for line in made.stdout.decode(errors="replace").splitlines():
            talk.verbatim(line)

    def _options(self) -> Sequence[str]:
        """The options that show a command as this table is shown."""
        now = self._settings()
        looks = ("--theme", now.theme, "--language", now.language, *["--ascii"] * now.ascii)
        return ("--home", str(self._home), *looks)


def _name(path: Path) -> str:
    """How commands name the match with the record at `path`."""
    return path.parent.name[:SHOWN_ID]


async def _lines(command: Sequence[str], given: bytes) -> AsyncIterator[bytes]:
    """The lines that a process prints, which reads `given`; it ends with this process at the latest."""
    process = await trio.lowlevel.open_process(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # keys of our terminal are not for it
    )
    try:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("both were asked for")
        await process.stdin.send_all(given)
        await process.stdin.aclose()
        rest = b""
        async for data in process.stdout:
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                yield line
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()
