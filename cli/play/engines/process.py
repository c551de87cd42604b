"""The process of an engine, and the Pipe to it: pipes, limits, and an end with all its children.

The engine gets an environment and a working folder of its own, in which nothing names the home folder.  All
waiting is here, in the thread that asks; `interrupt` ends it from another one.
"""

from __future__ import annotations

import os
import select
import selectors
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cli.play.engines import cage
from cli.play.engines.consultation import LONGEST, LossCause, Lost

_CHUNK: Final = 1 << 16
_UNREAD: Final = 1 << 23
"""Bytes that wait for an engine before it counts as deaf."""
_COMPLAINTS: Final = 2_000
"""The last bytes of its standard error, which are kept for people."""
_MOST_COMPLAINTS: Final = 1 << 20
"""Bytes of its standard error; then nobody reads it any more."""
_GONE_WITHIN: Final = cage.GRACE + 5.0
_REMOVED_WITHIN: Final = 5.0
_KEPT: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")
"""The names of the environment that an engine gets."""


@dataclass(frozen=True, slots=True)
class EngineCommand:
    """A program and its arguments, and the options that a person typed, by name."""

    words: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str, options: Mapping[str, str] | None = None) -> EngineCommand:
        """The command in a line, split as a shell splits it.  Raises ValueError.

        Words that name files are made absolute, since the engine works in another folder.
        """
        words = shlex.split(text)
        if not words:
            raise ValueError(text)
        return cls(tuple(map(_absolute, words)), dict(options or {}))


def _absolute(word: str) -> str:
    with suppress(OSError, ValueError):
        if os.sep in word or word.endswith((".py", ".mjs", ".js")):
            path = Path(word)
            return str(path.absolute()) if path.exists() else word
    return word


class EngineProcess:
    """A running engine; a `consultation.Pipe`."""

    def __init__(self, command: EngineCommand, closed: Sequence[Path], clock: Callable[[], float]) -> None:
        """`closed`: the folders that it must not enter.  Raises Lost if it cannot be started."""
        self._clock = clock
        self._folder = tempfile.mkdtemp(prefix="p2p-stratego-engine-")
        self._control, inner = os.pipe()[::-1]
        self._woken, self._wakes = os.pipe()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the player's own command
                _caged(command, closed, inner, self._folder),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._folder,
                env=self._environment(),
                pass_fds=(inner,),
                start_new_session=True,  # no terminal of ours, and one group to kill
            )
        except (OSError, ValueError) as error:
            self._close_pipes()
            os.rmdir(self._folder)
            raise Lost(LossCause.GONE, getattr(error, "strerror", None) or "") from error
        finally:
            os.close(inner)
        self._read, self._unsent = bytearray(), bytearray()
        self._complaints, self._complained = bytearray(), 0
        self._selector = selectors.DefaultSelector()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is None:
                raise RuntimeError("a pipe that was asked for is missing")
            os.set_blocking(pipe.fileno(), False)
        self._in, self._out, self._err = (
            pipe.fileno()
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
            if pipe is not None
        )
        for descriptor in (self._out, self._err, self._woken):
            self._selector.register(descriptor, selectors.EVENT_READ)

    @property
    def cage(self) -> int:
        """The number of the process around it."""
        return self._process.pid

    @property
    def complaints(self) -> str:
        """The end of what it wrote to its standard error, not escaped."""
        return bytes(self._complaints).decode(errors="replace")

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        return {**kept, "HOME": self._folder, "TMPDIR": self._folder}

    def send(self, line: bytes) -> None:
        """See `Pipe.send`."""
        self._unsent += line
        if len(self._unsent) > _UNREAD:
            raise Lost(LossCause.DEAF)
        self._write()

    def receive(self, until: float) -> bytes:
        """See `Pipe.receive`."""
        while (end := self._read.find(b"\n")) < 0:
            # Each turn reads some bytes at most: a flood of them costs the engine its time.
            if len(self._read) > LONGEST:
                raise Lost(LossCause.LONG)
            wait = max(until - self._clock(), 0.0)
            ready = {key.fd for key, _ in self._selector.select(wait)}
            if self._woken in ready:
                raise Lost(LossCause.GONE)
            if self._in in ready:
                self._write()
            if self._err in ready:
                self._listen()
            took = self._out in ready and self._take()
            if not took and self._clock() >= until:
                raise Lost(LossCause.LATE)
        if end > LONGEST:
            raise Lost(LossCause.LONG)
        line = bytes(self._read[:end])
        del self._read[: end + 1]
        return line

    def _take(self) -> bool:
        """Read of its output; whether there was something."""
        try:
            chunk = os.read(self._out, _CHUNK)
        except BlockingIOError:  # the engine took it back, through /proc/self/fd/1
            return False
        if not chunk:
            self._listen()
            raise Lost(LossCause.GONE)
        self._read += chunk
        return True

    def _listen(self) -> None:
        """Read its standard error, within bounds."""
        if self._err not in self._selector.get_map():
            return
        chunk = b""
        with suppress(BlockingIOError):
            chunk = os.read(self._err, _CHUNK)
            self._complained += len(chunk)
            if not chunk or self._complained > _MOST_COMPLAINTS:
                self._selector.unregister(self._err)
                if self._process.stderr is not None:
                    self._process.stderr.close()
        self._complaints += chunk
        del self._complaints[:-_COMPLAINTS]

    def _write(self) -> None:
        sent = 0
        try:
            sent = os.write(self._in, self._unsent[:_CHUNK])
        except BlockingIOError:
            pass
        except OSError as error:
            raise Lost(LossCause.GONE) from error
        del self._unsent[:sent]
        waits = self._in in self._selector.get_map()
        if self._unsent and not waits:
            self._selector.register(self._in, selectors.EVENT_WRITE)
        elif waits and not self._unsent:
            self._selector.unregister(self._in)

    def interrupt(self) -> None:
        """End a `receive` of another thread: it raises Lost."""
        os.write(self._wakes, b"\0")

    def close(self) -> None:
        """End it, and what it started; it has a moment to go by itself."""
        os.close(self._control)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._wait()
        if self._process.returncode is None:
            # The engine may have killed its cage.  That is not reaped yet: the number is still its own.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._selector.close()
        self._close_pipes(control=False)
        if Path(self._folder).exists():  # the cage was killed; nobody waits long for what an engine piled up
            with suppress(subprocess.TimeoutExpired):
                subprocess.run(_caged_removal(self._folder), timeout=_REMOVED_WITHIN, check=False)  # noqa: S603 - ours

    def _wait(self) -> None:
        """Wait for the end of the cage, without reaping it if that is possible."""
        ends = cage.end_of(self._process.pid)
        if ends is None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_GONE_WITHIN)
            return
        try:
            watched = select.poll()
            watched.register(ends, select.POLLIN)
            watched.poll(int(_GONE_WITHIN * 1000))
        finally:
            os.close(ends)

    def _close_pipes(self, *, control: bool = True) -> None:
        for descriptor in (self._woken, self._wakes, *([self._control] * control)):
            os.close(descriptor)


def _caged_removal(work: str) -> list[str]:
    return [sys.executable, "-I", cage.__file__, cage.REMOVE, work]


def _caged(command: EngineCommand, closed: Sequence[Path], control: int, work: str) -> list[str]:
    # Made absolute here: the cage works in another folder.
    folders = [str(folder.resolve()) for folder in closed]
    # -I: a module of the engine's own folder must not take the place of one that the cage imports.
    return [sys.executable, "-I", cage.__file__, str(control), work, *folders, "--", *command.words]
