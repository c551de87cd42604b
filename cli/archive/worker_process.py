"""The process that judges: `python -m cli.archive.worker_process FD`, tasks in on standard input, rows out.

Each record has limits, which this process sets upon itself; `cli.archive.worker_supervisor` ends it if that
does not help.  It ends with its standard input.
"""

from __future__ import annotations

import gc
import mmap
import os
import resource
import signal
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO, Final

import msgpack

from cli.archive import judging_task
from cli.archive.judging_task import Task
from cli.archive.verdict_rows import TIME, Guard, OverLimit
from cli.games import packages
from cli.shell.workers import collect_rarely

READY: Final = b"R"
DONE: Final = b"D"
FAILED: Final = b"F"
"""What a message is: the process has loaded; a task's rows; a bug."""
_HEAD: Final = struct.Struct(">cQ")
_AGAIN: Final = 0.1
"""Seconds after which a limit that something passed over is called again."""


class Mark:
    """What a worker is at, in memory that it shares with its supervisor: so each name costs no message."""

    _form = struct.Struct(">QB119s")
    SIZE: Final = _form.size

    def __init__(self, file: int) -> None:
        """`file`: the descriptor of a file of SIZE bytes."""
        self._shared = mmap.mmap(file, self.SIZE)

    def put(self, name: str) -> None:
        """Something with this name is begun; or has ended, if it is empty."""
        count, _length, _name = self._form.unpack(self._shared)
        self._form.pack_into(self._shared, 0, count + 1, len(name), name.encode("ascii"))

    def get(self) -> tuple[int, str]:
        """How many names were put, and the last of them."""
        count, length, name = self._form.unpack(self._shared)
        return count, name[:length].decode("ascii")

    def close(self) -> None:
        """Let go of the memory."""
        self._shared.close()


def send(stream: IO[bytes], kind: bytes, body: bytes = b"") -> None:
    """Write a message."""
    stream.write(_HEAD.pack(kind, len(body)) + body)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[bytes, bytes] | None:
    """The next message: its kind and its body; None at the end."""
    head = _exactly(stream, _HEAD.size)
    if head is None:
        return None
    kind, size = _HEAD.unpack(head)
    body = _exactly(stream, size)
    return None if body is None else (kind, body)


def _exactly(stream: IO[bytes], size: int) -> bytes | None:
    """So many bytes, also of a stream without a buffer; None at the end."""
    parts = []
    while size:
        part = stream.read(size)
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def main() -> None:
    """Judge until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who gives the tasks
    # What anything prints must not get among the messages.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    signal.signal(signal.SIGPROF, late)
    mark = Mark(int(sys.argv[-1]))
    packages.load()  # the program that started this one has told what is left out
    gc.freeze()  # what is loaded stays
    collect_rarely()
    send(out, READY)
    while (message := receive(sys.stdin.buffer)) is not None:
        task = judging_task.unpacked(message[1])
        try:
            results = judging_task.done(task, watched(task, mark.put))
        except Exception as bug:  # of this program, not of a record: the one who gives the tasks tells it
            send(out, FAILED, f"{type(bug).__name__}: {bug}".encode())
        else:
            send(out, DONE, msgpack.packb(results))


def watched(task: Task, tell: Callable[[str], None]) -> Guard:
    """The limits of a task.  What begins is told by its name, and that it has ended, by no name."""
    most = 0

    @contextmanager
    def guard(name: str) -> Iterator[None]:
        nonlocal most
        if name in task.spoilt:
            raise OverLimit(task.spoilt[name])
        # Measured once, so that copies that are kept count together; now, as threads that read are started.
        most = most or address_space() + (task.limits.megabytes << 20)
        tell(name)
        try:
            with guarded(task.limits.seconds, most):
                yield
        finally:
            tell("")

    return guard


@contextmanager
def guarded(seconds: float, most: int) -> Iterator[None]:
    """Limits for what is done inside, of processor time and of bytes that the process may map.

    Raises OverLimit and MemoryError.
    """
    before = resource.getrlimit(resource.RLIMIT_AS)
    if before[1] != resource.RLIM_INFINITY:
        most = min(most, before[1])
    try:
        resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
        signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_PROF, 0)  # a last signal may raise behind this call
        finally:
            resource.setrlimit(resource.RLIMIT_AS, before)


def late(_signal: int, _frame: FrameType | None) -> None:
    """What the timer of `guarded` calls.  Raises OverLimit."""
    raise OverLimit(TIME)


def address_space() -> int:
    """The bytes that this process has mapped."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[0])
    except OSError:  # no Linux: the limit is too low by what is mapped, which Python's own share bounds
        return 1 << 30
    return pages * resource.getpagesize()


if __name__ == "__main__":
    main()
