"""The coach at a table: in a lesson it speaks at each step, in other games when it has something new to say.

The coach reads its player's view only.  Where only bots play along it weighs the moment, too; beside other
people it is a book of rules: a program that plays for its player would cheat them.  The record holds nothing
of it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any, Final, cast

from cli.games.lessons import after, word
from cli.table.pages.match_pages import LessonEnd
from cli.text.language import spoken
from cli.text.layout import own_line
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.lesson import LEARNER, Advice, Lesson, Memory, Remark
from p2p_stratego.core.view import View
from p2p_stratego.registry import ENTRIES, lessons, signature
from protocol.record.asks.base import Reached
from protocol.seat.session import Session

_BEFORE: Final = mark("A moment: both sides draw the luck of this match together, so that nobody can cheat.")
BESIDE_PEOPLE: Final = mark("Beside other people the coach tells rules, and proposes nothing.")
WAITING: Final = mark("The tutor decides.")
"""Shown on a screen while the coach of a lesson has nothing to say."""


def advice(game: str) -> Advice | None:
    """The words of a game's coach in ordinary play; None for a game without a coach."""
    entry = ENTRIES.get(game)
    return None if entry is None or entry.advice is None else cast("Advice", entry.advice.load())


class Coach:
    """The coach for one player of one match."""

    def __init__(
        self,
        session: Session,
        game: str,
        lesson: Lesson | None,
        number: int = 1,
        alone: Callable[[], bool] = lambda: True,
    ) -> None:
        """`lesson`: the lesson of this match, None in ordinary play; `number`: which of the game's it is;
        `alone`: whether all others are bots of this program.
        """
        self._session = session
        self._alone = alone
        self._game = game
        self._lesson, self._number = lesson, number
        self._advice = advice(game)
        self._memory, self._next = Memory(), Memory()
        """What was said before this moment, and with it."""
        self._of: tuple[object, str] | None = None
        """The moment and the language of the last sentence."""
        self._asked: tuple[View[Any], int] | None = None
        """The view at which the learner was asked last, and how many steps had been taken then."""
        self._said = ""

    @property
    def teaches(self) -> bool:
        """Whether this match is a lesson."""
        return self._lesson is not None

    # The end of a lesson

    @property
    def learnt(self) -> str:
        """The word of this lesson for the settings, once its goal is met; else ""."""
        session, lesson = self._session, self._lesson
        if lesson is None or session.outcome is None or LEARNER in session.referee.resigned:
            return ""
        return word(self._game, self._number) if lesson.met(session.long_view) else ""

    @property
    def onward(self) -> int | None:
        """The number of the lesson that comes behind this one, which is over: the next one, or this one
        again; None behind the last.
        """
        return after(self._game, self._number) if self.learnt else self._number

    def ending(self) -> LessonEnd:
        """The end of this lesson, to be shown."""
        lesson, learnt = self._lesson, bool(self.learnt)
        last = "" if lesson is None else lesson.coach(self._session.long_view)
        gains = () if lesson is None or not learnt else tuple(map(_, lesson.learnt))
        heading = _("Lesson {number}: {title}", number=self._number, title=self._title(self._number))
        praise = _("Well done, this lesson is yours!") if learnt else _("Not this time. Once more?")
        return LessonEnd(heading, last, learnt, praise, gains)

    def closing(self) -> str:
        """What stands in the place of a question at the end of a lesson: the end, and how to go on."""
        return f"{self._over()} {self.following()}"

    def parting(self, command: str) -> str:
        """What the shell is told once the learner has left; `command`: runs this program."""
        onward = f"play --game {self._game}" if self.onward is None else f"learn {self._game} {self.onward}"
        return f"{self._over()} {_('Next: {command}', command=own_line(f'{command} {onward}'))}"

    def _over(self) -> str:
        """That the lesson is over."""
        return _("The lesson is over, and learnt.") if self.learnt else _("The lesson is over.")

    def following(self) -> str:
        """What comes next at the end, and what to type for it.

        A digit, as at the end of other games, and not Enter: a learner who presses that to read on would
        miss the end.
        """
        if not self.learnt:
            return _("Type 1 to try it again.")
        if self.onward is None and len(lessons(self._game)) == 1:
            return _("Now a real game: the Recruit waits for you. Type 1 to play.")
        if self.onward is None:
            return _("You have learnt them all! Now a real game: the Recruit waits for you. Type 1 to play.")
        return _("Type 1 for lesson {number}, {title}.", number=self.onward, title=self._title(self.onward))

    def _title(self, number: int) -> str:
        return _(lessons(self._game)[number - 1])

    @property
    def reader(self) -> str:
        """By whose eyes the coach sees the game."""
        return signature(self._game)

    @property
    def can_speak(self) -> bool:
        """Whether this game has a coach."""
        return self._lesson is not None or self._advice is not None

    def sentence(self) -> str:
        """The coach's sentences on this moment, or ""; computed once for each state and language."""
        session = self._session
        table = session.referee.table
        if not self.can_speak or table.state is None:
            return _(_BEFORE) if self.teaches else ""
        moment = (table.serial, len(table.history), session.decision, session.over, self._alone())
        if (moment, spoken()) != self._of:
            if self._of is None or moment != self._of[0]:  # else the language alone is another one
                self._memory = self._next
            self._of, self._said = (moment, spoken()), self._worked_out()
        return self._said

    @property
    def line(self) -> str:
        """The line that the coach of a lesson has the learner type now; "" for none of its own."""
        return "" if self._lesson is None else self._lesson.line(self._session.long_view)

    def _worked_out(self) -> str:
        if self._lesson is not None:
            return self._taught(self._lesson)
        if self._session.decision is None or self._advice is None:
            return ""
        remarks = self._advice(self._session.long_view)
        if not self._alone():
            rules = (Remark(remark.text) for remark in remarks if remark.rule)  # of all that it says
            remarks = chain([Remark(_(BESIDE_PEOPLE), rule="beside people")], rules)
        remark = self._memory.pick(remarks)
        self._next = self._memory.after(remark)
        return "" if remark is None else remark.text

    def _taught(self, lesson: Lesson) -> str:
        """The coach of a lesson: on a step off its way, on what came, on what to do."""
        session = self._session
        view, history = session.long_view, session.referee.table.history
        if session.over:
            return lesson.coach(view)
        sentences = [lesson.coach(view)]
        if self._asked is not None:
            before, steps = self._asked
            since = [step.state for step in history[steps:] if isinstance(step, Reached)]
            sentences.insert(0, lesson.strayed(before, since))
        if view.decision is not None:
            self._asked = (view, len(history))
        return "\n".join(text for text in sentences if text)
