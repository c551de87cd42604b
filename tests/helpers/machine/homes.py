"""Home folders that no test leaves open, and where they lie."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final
from unittest.mock import patch

from protocol.storage import files
from protocol.storage.home import Home
from protocol.storage.match_store import Store

TEST: Final = ExitStack()
"""Closed when the test ends; a test may close parts of it earlier."""


def _memory(folder: str = "/dev/shm", room: int = 1 << 30) -> str | None:  # noqa: S108 - others make theirs in it
    try:
        there = os.statvfs(folder)
    except OSError:
        return None
    usable = os.access(folder, os.W_OK | os.X_OK) and not there.f_flag & os.ST_NOEXEC
    return folder if usable and there.f_bavail * there.f_frsize > room else None


MEMORY: Final = _memory()
"""A folder in memory, where the system has one with room: a sync costs nothing there, a file a quarter."""


class KeptHome(Home):
    """A home folder that is closed when the test ends, with every match opened in it."""

    def __init__(self, path: Path, entropy: Callable[[int], bytes] = secrets.token_bytes) -> None:
        super().__init__(path, entropy)
        TEST.callback(self.close)

    def open(self, id_: str) -> Store:
        store = super().open(id_)
        TEST.callback(store.close)
        return store


def kill(store: Store) -> None:
    """The process of an open match dies: the system closes its files without a sync."""
    with patch.object(files, "sync", lambda _: None):
        store.close()
