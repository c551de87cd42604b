"""Looks of our player alone in a match: cards shown to it, given to it, and drawn by it, in words.

Works from the record only, and tells each thing as it stood at that moment, also after a resumption.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from cli.games.interface import Players, PrivateNews, ViewContext
from p2p_stratego.core.game import Ask, Draw, Give, Seat, Show
from p2p_stratego.core.view import View
from protocol.record.asks.base import Answered, Reached
from protocol.seat.session import Session

Tell: TypeAlias = Callable[[ViewContext, Ask], PrivateNews | None]


@dataclass(frozen=True, slots=True)
class PrivateLook:
    """One thing that our player was told, and the entry that told it."""

    number: int
    private: PrivateNews


class Looks:
    """Reads one match as it grows; `all` has everything that was told so far."""

    def __init__(self, session: Session, players: Players, tell: Tell | None) -> None:
        """`tell`: see `GameTerminal.alone`; None for a game that has no use for it."""
        self._session, self._players, self._tell = session, players, tell
        self.all: list[PrivateLook] = []
        self._begin()
        self.read()

    def _begin(self) -> None:
        self._table = self._session.referee.table
        self.all.clear()
        self._read = 0
        self._state: Any = None
        self._since: list[tuple[Ask, Any]] = []

    def read(self) -> None:
        """Take in what is new."""
        if self._tell is None:
            return
        if self._session.referee.table is not self._table:
            self._begin()  # entries do not count any more: somebody left before them
        history = self._table.history
        fresh, self._read = history[self._read :], len(history)
        for step in fresh:
            self._take(self._tell, step)

    def _take(self, tell: Tell, step: Answered | Reached) -> None:
        if isinstance(step, Reached):
            self._state, self._since = step.state, []
            return
        self._since.append((step.ask, step.answer))
        seat = self._session.seat
        if self._state is None or not _concerns(step.ask, seat):
            return
        view = View(seat, self._state, self._session.known, None, tuple(self._since))
        private = tell(ViewContext(view, self._players), step.ask)
        if private is not None:
            self.all.append(PrivateLook(step.number, private))

    def sentences(self, start: int = 0, *, pressing: bool = False) -> list[str]:
        """All that was told from a place of `all` on, in order; `pressing`: of that only what is."""
        looks: Sequence[PrivateLook] = self.all[start:]
        return [
            text for look in looks if look.private.pressing or not pressing for text in look.private.sentences
        ]


_T = TypeVar("_T", bound=Hashable)


def unknown(items: Iterable[_T], known: Iterable[_T]) -> list[_T]:
    """The items beyond the known ones, in order; an item that occurs twice counts twice."""
    left, fresh = Counter(known), []
    for item in items:
        if left[item]:
            left[item] -= 1
        else:
            fresh.append(item)
    return fresh


def _concerns(ask: Ask, seat: Seat) -> bool:
    """Whether an Ask shows cards to this seat alone."""
    if isinstance(ask, Show | Give):
        return ask.seat == seat
    return isinstance(ask, Draw) and any(drawer == seat and slots for drawer, slots in ask.hands)
