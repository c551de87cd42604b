"""What can be seen to happen at a table: read from the record as it grows, in the words of each game's drama.

A match that is resumed begins with what comes next: nothing is played twice.
"""

from __future__ import annotations

from typing import Any

from cli.games.drama import Closing, Event
from cli.games.interface import GameTerminal, Players
from protocol.record.asks.base import Reached
from protocol.seat.session import Session


class Happenings:
    """Reads one match."""

    def __init__(self, session: Session, terminal: GameTerminal, players: Players) -> None:
        self._session, self._terminal, self._players = session, terminal, players
        self._begin()

    def _begin(self) -> None:
        """Take all that has happened as seen."""
        self._table = self._session.referee.table
        self._read = len(self._table.history)
        states = [step.state for step in self._table.history if isinstance(step, Reached)]
        self._state: Any = states[-1] if states else None
        self._steps: list[tuple[Any, Any]] = []
        """The states before and after each step of the present day, year or round, as far as it was seen."""

    def read(self) -> tuple[list[Event], list[Closing]]:
        """What has happened since the last call: events to be shown, and days, years or rounds that ended."""
        if self._session.referee.table is not self._table:
            self._begin()  # a Gone took the place of entries: what was shown is not shown again
            return [], []
        history = self._table.history
        fresh, self._read = history[self._read :], len(history)
        events, closings = list[Event](), list[Closing]()
        for step in fresh:
            if not isinstance(step, Reached):
                continue
            before, self._state = self._state, step.state
            if before is None:
                continue
            if self._terminal.events is not None:
                events += self._terminal.events(before, step.state, self._players)
            self._steps.append((before, step.state))
            closing = self._terminal.closing(self._steps, self._players) if self._terminal.closing else None
            if closing is not None:
                closings.append(closing)
                self._steps = []
        return events, closings
