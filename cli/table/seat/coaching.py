"""The coach at a table: in a lesson it speaks at each step, in other games it says a sentence on demand.

The coach reads its player's view only.  It is help at hand, like a book beside a board: the others at the
table do not learn of it, and the record holds nothing of it.
"""

from __future__ import annotations

from typing import Any, Final, cast

from cli.text.language import spoken
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.lesson import Advice, Lesson
from p2p_stratego.core.view import View
from p2p_stratego.registry import ENTRIES, signature
from protocol.record.asks.base import Reached
from protocol.seat.session import Session

_BEFORE: Final = mark("Both sides make the chance of this match together, so that nobody cheats: a moment.")
WAITING: Final = mark("The tutor decides.")
"""Shown on a screen while the coach of a lesson has nothing to say."""
_AFTER: Final = mark(
    "The lesson is over, and the record proves that all was fair.\nType leave: it tells what comes next."
)


def advice(game: str) -> Advice | None:
    """The words of a game's coach in ordinary play; None for a game without a coach."""
    entry = ENTRIES.get(game)
    return None if entry is None or entry.advice is None else cast("Advice", entry.advice.load())


class Coach:
    """The coach for one player of one match."""

    def __init__(self, session: Session, game: str, lesson: Lesson | None) -> None:
        """`lesson`: the lesson of this match; None in ordinary play."""
        self._session = session
        self._game = game
        self._lesson = lesson
        self._advice = advice(game) if lesson is None else lesson.coach
        self._of: object = None
        self._asked: tuple[View[Any], int] | None = None
        """The view at which the learner was asked last, and how many steps had been taken then."""
        self._said = ""

    @property
    def teaches(self) -> bool:
        """Whether this match is a lesson."""
        return self._lesson is not None

    @property
    def reader(self) -> str:
        """By whose eyes the coach sees the game."""
        return signature(self._game)

    @property
    def can_speak(self) -> bool:
        """Whether this game has a coach."""
        return self._advice is not None

    def sentence(self) -> str:
        """The coach's sentences on this moment, or ""; computed once for each state and language."""
        session = self._session
        table = session.referee.table
        if self._advice is None or table.state is None:
            return _(_BEFORE) if self.teaches else ""
        now = (table.serial, len(table.history), session.decision, session.over, spoken())
        if now != self._of:
            self._of, self._said = now, self._worked_out(self._advice)
        return self._said

    def _worked_out(self, advice: Advice) -> str:
        if self._session.over:
            return f"{advice(self._session.view)}\n{_(_AFTER)}".strip() if self.teaches else ""
        view, history = self._session.view, self._session.referee.table.history
        sentences = [advice(view)]
        if self._lesson is not None and self._asked is not None:
            before, steps = self._asked
            since = [step.state for step in history[steps:] if isinstance(step, Reached)]
            sentences.insert(0, self._lesson.strayed(before, since))
        if view.decision is not None:
            self._asked = (view, len(history))
        return "\n".join(text for text in sentences if text)
