"""Events to be seen at a table: read from the record as it grows, in the words of each game's drama.

A match that is resumed begins with the next event: none is played twice.
"""

from __future__ import annotations

from typing import Any, Final

from cli.games.drama import Closing, DramaEvent
from cli.games.interface import GameTerminal, Players
from protocol.record.asks.base import Answered, Reached
from protocol.seat.session import Session

_AT_ONCE: Final = 6
"""Events of one moment that are shown: more could not be read; all of them are told in words."""


class Happenings:
    """Reads one match."""

    def __init__(self, session: Session, terminal: GameTerminal, players: Players) -> None:
        self._session, self._terminal, self._players = session, terminal, players
        self._begin()

    def _begin(self) -> None:
        """Take all that has happened as seen."""
        self._table = self._session.referee.table
        self._read = 0
        self._state: Any = None
        self._steps: list[tuple[Any, Any]] = []
        """The states before and after each step of the present day, year or round, as far as it was seen."""
        history = self._table.history
        complete = [at for at, step in enumerate(history) if isinstance(step, Reached)]
        if complete:
            self._read = complete[-1]
        self._open()
        self._fresh()
        self._steps = []

    def _open(self) -> None:
        """A step begins: none of its events was seen."""
        follow = self._terminal.following
        self._following = None if follow is None or self._state is None else follow(self._state)
        self._seen = 0

    def read(self) -> tuple[list[DramaEvent], list[Closing]]:
        """Since the last call: the events to be shown, and the days, years or rounds that ended."""
        if self._session.referee.table is not self._table:
            self._begin()  # a Gone took the place of entries: what was shown is not shown again
            return [], []
        return self._fresh()

    def _fresh(self) -> tuple[list[DramaEvent], list[Closing]]:
        history = self._table.history
        fresh, self._read = history[self._read :], len(history)
        events, closings = list[DramaEvent](), list[Closing]()
        for item in fresh:
            if isinstance(item, Answered):
                events += self._answered(item)
                continue
            before, self._state = self._state, item.state
            if before is not None:
                events += self._new(before, item.state)
                self._steps.append((before, item.state))
                closings += self._closed()
            self._open()
        return events, closings

    def _answered(self, item: Answered) -> list[DramaEvent]:
        """The events that an answer in an open step makes known, as they are told then, too."""
        now = None if self._following is None else self._following.answered(item.ask, item.answer)
        return [] if now is None else self._new(self._state, now)

    def _new(self, before: Any, now: Any) -> list[DramaEvent]:
        """The events of the step from `before` to `now` that were not seen yet."""
        if self._terminal.events is None:
            return []
        events = self._terminal.events(before, now, self._players)
        seen, self._seen = self._seen, max(self._seen, len(events))
        return list(events[seen:])[-_AT_ONCE:]

    def _closed(self) -> list[Closing]:
        """The end of a day, a year or a round, if the last step was one."""
        tell = self._terminal.closing
        closing = None if tell is None else tell(self._steps, self._players)
        if closing is None:
            return []
        self._steps = []
        return [closing]
