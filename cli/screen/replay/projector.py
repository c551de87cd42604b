"""The film of the newest events: which event is shown when.  A state machine with a given clock.

A film is a matter of the screen alone.  The match goes on beneath it: entries are admitted, decisions made
and answers asked for as without a film, and any key ends it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from cli.games.drama import Capture, CardTurn, DiceRoll, DramaEvent, Duel, PointsChange, Walk

SECONDS: Final[dict[type[DramaEvent], float]] = {
    Duel: 0.8,
    CardTurn: 0.45,
    PointsChange: 0.35,
    Walk: 0.4,
    DiceRoll: 0.6,
    Capture: 0.6,
}
"""How long each event takes by itself."""
MOST: Final = 0.95
"""Seconds of a whole film: several events share them."""
TICK: Final = 1 / 20
"""Seconds between two frames."""
SLOW: Final = 0.12
"""Seconds that drawing a frame may take."""
_PATIENCE: Final = 2
"""Slow frames in a row after which nothing is animated any more."""


class Film:
    """The player of films on one screen, one film at a time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock`: seconds, monotonic."""
        self.clock = clock
        self._events: Sequence[DramaEvent] = ()
        self._began = -math.inf
        self._scale = 1.0
        self._slow_frames = 0

    @property
    def too_slow(self) -> bool:
        """Whether the terminal has shown that it draws too slowly for this."""
        return self._slow_frames >= _PATIENCE

    def play(self, events: Sequence[DramaEvent]) -> None:
        """Show these events from now on, in place of the present film."""
        if self.too_slow or not events:
            return
        self._events, self._began = tuple(events), self.clock()
        whole = sum(SECONDS[type(event)] for event in events)
        self._scale = min(MOST / whole, 1.0)

    def now(self) -> tuple[DramaEvent, float] | None:
        """The event to show now, and its time from 0.0 to 1.0; None: nothing is played."""
        left = self.clock() - self._began
        for event in self._events:
            seconds = SECONDS[type(event)] * self._scale
            if left < seconds:
                return event, left / seconds
            left -= seconds
        self._events = ()
        return None

    def skip(self) -> None:
        """End the film at once."""
        self._events = ()

    def drew(self, seconds: float) -> None:
        """A frame was drawn, which took so long."""
        self._slow_frames = self._slow_frames + 1 if seconds > SLOW else 0
        if self.too_slow:
            self.skip()

    def retry(self) -> None:
        """Forget that the terminal was slow."""
        self._slow_frames = 0
