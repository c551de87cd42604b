"""A player's process: lines in, lines of JSON out, until it ends or is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import trio

_ROOT: Final = Path(__file__).parents[3]


class Process:
    """One life of a player."""

    def __init__(self, module: str, folder: Path, name: str) -> None:
        """`module`: to run; `folder`: of its temporary files and its standard error, NAME.err."""
        self._module, self._folder, self._name = module, folder, name
        self._running: trio.Process | None = None

    async def run(self, setting: dict[str, Any], heard: Callable[[dict[str, Any]], None]) -> int:
        """Run it to its end; `heard` gets each event.  Returns the exit code.  No process survives this."""
        with open(self._folder / f"{self._name}.err", "ab") as errors:
            process = await trio.lowlevel.open_process(
                [sys.executable, "-P", "-m", self._module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=os.environ | {"PYTHONPATH": str(_ROOT), "TMPDIR": str(self._folder)},
            )
        self._running = process
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            await process.stdin.send_all(json.dumps(setting).encode() + b"\n")
            begun = b""
            async for data in process.stdout:
                *lines, begun = (begun + data).split(b"\n")
                for line in lines:
                    heard(json.loads(line))
            return await process.wait()
        finally:
            with trio.CancelScope(shield=True):
                process.kill()
                await process.wait()
                for end in (process.stdin, process.stdout):
                    if end is not None:
                        await end.aclose()

    async def say(self, line: str) -> None:
        """Write a line to it, if it still reads."""
        if self._running is not None and self._running.stdin is not None:
            with suppress(
                trio.BrokenResourceError, trio.ClosedResourceError
            ):  # its settings tell its next life
                await self._running.stdin.send_all(f"{line}\n".encode())

    def kill(self) -> None:
        """kill -9."""
        if self._running is not None:
            self._running.kill()

    def terminate(self) -> None:
        """SIGTERM: it saves and leaves."""
        if self._running is not None:
            self._running.terminate()
