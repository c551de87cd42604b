"""A disk that fails, under one process: it takes the place of `os` in protocol.storage.files.

`no room` and `write fails`: from the given call on, after half of the bytes; `sync fails`: once; `short
writes`: a few bytes at a time; `power cut`: what was not synced is lost, or zeros or garbage, and the process
is gone.
"""

from __future__ import annotations

import errno
import os
import random
import signal
from typing import Any

from protocol.storage import files
from tests.campaigns.chaos.plan import Fault


class FailingDisk:
    """The module `os`, but for what writes."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault
        self._rng = random.Random(fault.seed)
        self._calls = 0
        self._synced: dict[int, int] = {}
        """By descriptor: the bytes of the file that are on the disk for certain."""

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def _due(self) -> bool:
        self._calls += 1
        return self._calls >= self._fault.at

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """os.write."""
        kind = self._fault.kind
        self._synced.setdefault(fd, os.fstat(fd).st_size)
        if kind == "short writes":
            return os.write(fd, data[: self._rng.randint(1, 9)])
        if not self._due() or kind == "sync fails":
            return os.write(fd, data)
        os.write(fd, data[: len(data) // 2])
        if kind == "power cut":
            os.write(fd, data[len(data) // 2 :])
            self._cut_power()
        number = errno.ENOSPC if kind == "no room" else errno.EIO
        raise OSError(number, os.strerror(number))

    def fdatasync(self, fd: int) -> None:
        """os.fdatasync."""
        if self._due() and self._fault.kind in ("sync fails", "power cut"):
            if self._fault.kind == "power cut":
                self._cut_power()
            self._calls = -1_000_000
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        os.fdatasync(fd)
        self._synced[fd] = os.fstat(fd).st_size

    def close(self, fd: int) -> None:
        """os.close."""
        self._synced.pop(fd, None)
        os.close(fd)

    def _cut_power(self) -> None:
        for fd, synced in self._synced.items():
            size = os.fstat(fd).st_size
            if size > synced:
                self._spoil(f"/proc/self/fd/{fd}", synced, size)
        os.kill(os.getpid(), signal.SIGKILL)

    def _spoil(self, path: str, synced: int, size: int) -> None:
        """What the disk may hold behind `synced` bytes, of `size` that were written."""
        arrived = self._rng.randint(synced, size)
        end = self._rng.choice((arrived, size, size + self._rng.randint(0, 600)))
        rest = max(0, end - arrived)
        with open(path, "r+b", buffering=0) as file:
            file.truncate(arrived)
            file.seek(arrived)
            file.write(self._rng.choice((bytes(rest), self._rng.randbytes(rest))))


def install(fault: Fault) -> None:
    """From now on the disk under this process fails as `fault` says."""
    vars(files)["os"] = FailingDisk(fault)
