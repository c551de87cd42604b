"""Clocks of questions: how long the player has, when the program answers for it, and when that goes out.

A pass at once tells the others that there was nothing to think about; a pass that always takes the same time
tells that a program made it.  So every pass to a question about closed cards, the player's own too, goes out
only at a moment that is drawn when the question comes, whatever the player holds (threat 40).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from cli.games.interface import Decided, Limit
from cli.games.typed_names import Names, shown
from p2p_stratego.core.language import _

LEAST: Final = 1.0
MOST: Final = 4.0
"""Seconds between which a pass waits before it goes out: as long as a bot leaves a step to be read."""
MARKS: Final = (*range(1440, 60, -60), 60, 30, 10)
"""Seconds left at which line mode says so, descending."""


@dataclass(slots=True)
class _Question:
    """The open question, if it has a clock."""

    key: object
    limit: Limit
    seconds: float
    since: float
    earliest: float
    """When a pass may go out."""
    at_once: bool
    """Whether the program answers at once: only bots play along."""
    mark: float
    """The mark that was told last, or passed before the question came."""
    given: bool = False
    """Whether the player has passed, and that is held back."""


class Timing:
    """The clock of one player's questions."""

    def __init__(self, clock: Callable[[], float], hold: Callable[[], float]) -> None:
        """`clock`: seconds, monotonic; `hold`: draws how many seconds a pass is held back."""
        self.never: frozenset[str] = frozenset()
        """The kinds of question that the player does not want to be asked."""
        self._clock, self._hold = clock, hold
        self._open: _Question | None = None

    def follow(self, key: object, limit: Limit | None, *, alone: bool) -> None:
        """Take note of the open question; `limit`: None if none is open, or if it has no clock.

        `key`: the identity of the question; `alone`: all others are bots of this program, which do not mind
        waiting, and learn nothing from a moment.
        """
        if limit is None:
            self._open = None
        elif self._open is None or self._open.key != key:
            now, seconds = self._clock(), 0.0 if alone else limit.seconds
            # Drawn with the question, never with the answer: else the moment would depend on it (threat 40).
            held = self._hold() if limit.hides and not alone else 0.0
            passed = min((mark for mark in MARKS if mark >= seconds), default=math.inf)
            self._open = _Question(key, limit, seconds, now, now + held, alone and limit.company, passed)

    @property
    def passing(self) -> bool:
        """Whether the program answers the open question, so that the player need not."""
        question = self._open
        return question is not None and (question.given or self._unasked(question))

    def _unasked(self, question: _Question) -> bool:
        return question.at_once or (bool(question.limit.kinds) and question.limit.kinds <= self.never)

    def keeps(self, decided: object) -> bool:
        """Whether this answer of the player's is held back for a moment; `answer` gives it then."""
        question = self._open
        if question is None or decided != question.limit.answer or self._clock() >= question.earliest:
            return False
        question.given = True
        return True

    @property
    def held(self) -> bool:
        """Whether a pass of the player's own is held back, so that nobody has it yet."""
        return self._open is not None and self._open.given

    def take_back(self) -> bool:
        """Take a pass back that is held back; whether there was one."""
        held = self.held
        if self._open is not None:
            self._open.given = False
        return held

    def answer(self) -> tuple[Decided, str] | None:
        """The program's answer that is due, with a sentence for the player, or ""; None if none is due."""
        question, now = self._open, self._clock()
        if question is None:
            return None
        if self.passing:
            return (question.limit.answer, "") if now >= question.earliest else None
        return (
            (question.limit.answer, _("Time is up: {limit}", limit=question.limit.sentence))
            if now >= self._ends(question)
            else None
        )

    def _ends(self, question: _Question) -> float:
        return max(question.since + question.seconds, question.earliest) if question.seconds else math.inf

    @property
    def left(self) -> float | None:
        """Seconds until the program answers instead of the player; None if that never happens."""
        question = self._open
        if question is None or self.passing or not question.seconds:
            return None
        return max(self._ends(question) - self._clock(), 0.0)

    @property
    def due(self) -> float:
        """The moment of the next change, by the clock; infinity if there is none."""
        question, now = self._open, self._clock()
        if question is None:
            return math.inf
        if self.passing:
            return question.earliest
        ends = self._ends(question)
        return min((moment for mark in MARKS if (moment := ends - mark) > now), default=ends)

    def mark(self) -> float | None:
        """Seconds left, if another of MARKS is reached since the last call; None otherwise."""
        question, left = self._open, self.left
        if question is None or left is None:
            return None
        reached = min((mark for mark in MARKS if mark >= left), default=math.inf)
        if reached >= question.mark:
            return None
        question.mark = reached
        return left


def described(kinds: Mapping[str, str], never: frozenset[str], names: Names) -> list[str]:
    """The kinds of question, each with what it is about and whether it is asked: sentences."""
    passes, asked = _("Never asked: the program passes."), _("Asked.")
    return [
        f"{shown(kind, names)}: {_(about)}. {passes if kind in never else asked}"
        for kind, about in kinds.items()
    ]
