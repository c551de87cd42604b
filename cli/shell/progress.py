"""Signs of long work on standard error, if that is a terminal and the work takes a while."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Final

from p2p_stratego.core.language import _

EVERY: Final = 0.1
"""Seconds between two lines: quick enough to look alive, slow enough to be read."""


_PATIENCE: Final = 0.5
"""Seconds for which nobody wonders what a program does."""


@contextmanager
def announced(doing: str, after: float = _PATIENCE) -> Iterator[None]:
    """If the block takes longer than `after` seconds, say what it is `doing`; the words go with its end."""
    if not sys.stderr.isatty():
        yield
        return
    printed = threading.Event()

    def tell() -> None:
        print(doing, end="", file=sys.stderr, flush=True)
        printed.set()

    timer = threading.Timer(after, tell)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if printed.is_set():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class Progress:
    """A counter: `with Progress(total, "matches") as progress: ... progress.step(done)`"""

    def __init__(self, total: int, noun: str) -> None:
        self._total = total
        self._noun = noun
        self._shown = False
        self._next = time.monotonic() + EVERY
        self._wanted = total > 1 and sys.stderr.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def step(self, done: int) -> None:
        """`done` of the total are finished."""
        now = time.monotonic()
        if self._wanted and now >= self._next:
            self._next = now + EVERY
            self._shown = True
            line = _(
                "{done} of {total} {what} ({percent} %)",
                done=done,
                total=self._total,
                what=self._noun,
                percent=100 * done // self._total,
            )
            print(f"\r{line}", end="", file=sys.stderr)
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away, before anything else is printed."""
        if self._shown:
            self._shown = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
