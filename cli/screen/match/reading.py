"""Whether the player has read the news: a key that comes once they stood for a while says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

STOOD: Final = 1.0
"""Seconds for which news have to stand: a key that comes sooner was meant for what stood there before."""


class Reading:
    """On one screen."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock`: seconds, monotonic."""
        self._clock = clock
        self._news: Sequence[tuple[bool, str]] = ()
        self._since = 0.0
        self._read = self._before = False

    def shows(self, news: Sequence[tuple[bool, str]]) -> bool:
        """The screen shows these news: whether they were read."""
        if tuple(news) != self._news:
            self._news, self._since, self._read = tuple(news), self._clock(), False
        return self._read

    def key(self) -> bool:
        """A key comes: whether the news are read by that."""
        self._before, stood = self._read, self._clock() - self._since >= STOOD
        self._read = self._read or stood
        return self._read and not self._before

    @property
    def hasty(self) -> bool:
        """Whether the key at hand came before the news stood for a while."""
        return not self._read

    def no_key(self) -> None:
        """It was no key after all, but a report of the terminal."""
        self._read = self._before
