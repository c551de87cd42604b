"""A player's process: lines in, lines of JSON out, until it ends or is killed.

Every life is a process of its own, forked from one that has imported all modules (the `forkserver` of
multiprocessing): a start costs milliseconds, and shares nothing with the campaign or with another player.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, Final, TypeAlias

import trio

_ROOT: Final = Path(__file__).parents[3]
_FORKS: Final = multiprocessing.get_context("forkserver")

Main: TypeAlias = Callable[[dict[str, Any]], int]
"""What a process does: from its settings to its exit code."""


def preload(modules: list[str]) -> None:
    """Start the process from which all others are forked; it imports `modules`."""
    os.environ["PYTHONPATH"] = str(_ROOT)
    _FORKS.set_forkserver_preload(modules)
    forkserver.ensure_running()


def _live(main: Main, setting: dict[str, Any], folder: str, errors: str, ends: list[Connection]) -> None:
    """The life of one process; `ends`: its standard input and output."""
    for number, end in enumerate(ends):
        os.dup2(end.fileno(), number)
        end.close()
    log = os.open(errors, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.dup2(log, 2)
    os.close(log)
    tempfile.tempdir = folder
    sys.exit(main(setting))


class Process:
    """One life of a player."""

    def __init__(self, main: Main, folder: Path, name: str) -> None:
        """`folder`: of its temporary files and its standard error, NAME.err."""
        self._main, self._folder, self._name = main, folder, name
        self._running: ForkServerProcess | None = None
        self._words: trio.lowlevel.FdStream | None = None
        self._saying = trio.Lock()

    async def run(self, setting: dict[str, Any], heard: Callable[[dict[str, Any]], None]) -> int:
        """Run it to its end; `heard` gets each event.  Returns the exit code.  No process survives this."""
        theirs_in, words = os.pipe()
        ours_in, theirs_out = os.pipe()
        ends = [Connection(theirs_in, writable=False), Connection(theirs_out, readable=False)]
        errors = str(self._folder / f"{self._name}.err")
        process = _FORKS.Process(
            target=_live, args=(self._main, setting, str(self._folder), errors, ends), name=self._name
        )
        async with trio.lowlevel.FdStream(ours_in) as events, trio.lowlevel.FdStream(words) as self._words:
            process.start()
            self._running = process
            for end in ends:
                end.close()
            try:
                begun = b""
                async for data in events:
                    *lines, begun = (begun + data).split(b"\n")
                    for line in lines:
                        heard(json.loads(line))
                await trio.lowlevel.wait_readable(process.sentinel)
            finally:
                self._running = None
                process.kill()
                process.join()
        return 0 if process.exitcode is None else process.exitcode

    async def say(self, line: str) -> None:
        """Write a line to it, if it still reads."""
        if self._running is not None and self._words is not None:
            # Its settings tell its next life.
            with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                async with self._saying:
                    await self._words.send_all(f"{line}\n".encode())

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        if self._running is not None and self._running.pid is not None:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(self._running.pid, number)

    def kill(self) -> None:
        """kill -9."""
        self.signal(signal.SIGKILL)

    def terminate(self) -> None:
        """SIGTERM: it saves and leaves."""
        self.signal(signal.SIGTERM)
