"""A line about long work on standard error, if that is a terminal: how much, how fast, how long still."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final

from cli.reports.clocks import duration
from p2p_stratego.core.language import _, number

EVERY: Final = 0.5
"""Seconds between two lines."""
_SURE: Final = 3.0
"""Seconds after which a rate says how long the rest takes."""
_COARSE: Final = ((7200, 600), (120, 60), (10, 5))
"""Above so many seconds the time left is told in steps of so many: nobody reads "1 hour 7 seconds"."""


class Meter:
    """`with Meter(_("records")) as meter: ... meter.show(done, total)`; `total` None: nobody knows."""

    def __init__(self, noun: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._noun = noun
        self._clock = clock
        self._began = clock()
        self._next = self._began + EVERY
        self._shown = False
        self._wanted = sys.stderr.isatty()

    def __enter__(self) -> Meter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return self._clock() - self._began

    def show(self, done: int, total: int | None) -> None:
        """Show that so many are done, if it is time for a new line."""
        now = self._clock()
        if self._wanted and now >= self._next:
            self._next = now + EVERY
            self._shown = True
            print(f"\r\x1b[K{line(done, total, now - self._began, self._noun)}", end="", file=sys.stderr)
            sys.stderr.flush()


def line(done: int, total: int | None, seconds: float, noun: str) -> str:
    """How much is done, how fast, and how long the rest takes."""
    rate = done / seconds if seconds > 0 else 0.0
    speed = _("{rate} a second", rate=number(rate, 0 if rate >= 10 else 1))
    if total is None:
        return _("{done} {what}, {speed}", done=number(done), what=noun, speed=speed)
    whole = _(
        "{done} of {total} {what}, {speed}", done=number(done), total=number(total), what=noun, speed=speed
    )
    if seconds < _SURE or not done or done >= total:
        return whole
    left = duration(_rounded((total - done) / rate))
    return _("{whole}; still {left}", whole=whole, left=left)


def _rounded(seconds: float) -> int:
    step = next((step for above, step in _COARSE if seconds > above), 1)
    return max(1, round(seconds / step) * step)
