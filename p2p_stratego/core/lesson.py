"""A lesson: a match by the real rules against a tutor, who plays by a script, and a coach beside the learner.

Everything here is pure, as bots are.  The script is public: tutor and coach work it out from the same state,
so that the coach needs no look at hidden cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from p2p_stratego.core.entry import BotFactory
from p2p_stratego.core.game import Options, Seat
from p2p_stratego.core.view import View

TUTOR: Final = "tutor"
"""The level of a bot that plays a lesson's script; no menu offers it."""
LEARNER: Final[Seat] = 0
"""The learner's seat."""

_FRESH: Final = 8
"""A remark is not repeated while it is among this many latest remarks."""
_FREELY: Final = 3
"""A coach tells this many rules as they come; of later remarks at most one in `_EACH` tells a rule."""
_EACH: Final = 4


class Remark(NamedTuple):
    """A sentence of a coach, in the player's language."""

    text: str
    rule: str = ""
    """The name of the general rule that it tells, for which once a match is enough; "" if it is about the
    moment alone."""


Advice: TypeAlias = Callable[[View[Any]], Iterable[Remark]]
"""What a coach can say to one seat, from its view alone, what matters most first."""


def states(view: View[Any]) -> Sequence[Any]:
    """All frozen states of a view with its past, oldest first."""
    return (*view.past, view.state)


@dataclass(frozen=True, slots=True)
class Memory:
    """The earlier remarks of a coach in a match; a coach is silent where it would repeat itself."""

    last: tuple[str, ...] = ()
    """Texts, the oldest first, 0 to `_FRESH`."""
    rules: frozenset[str] = frozenset()
    """The names of all rules that remarks have told."""
    count: int = 0
    """The number of remarks in the whole match."""

    def pick(self, remarks: Iterable[Remark]) -> Remark | None:
        """The first remark that is new; None for silence."""
        enough = len(self.rules) >= _FREELY and _EACH * (len(self.rules) + 1) > self.count + 1
        for remark in remarks:
            if remark.text not in self.last and not (remark.rule and (enough or remark.rule in self.rules)):
                return remark
        return None

    def after(self, remark: Remark | None) -> Memory:
        """The memory once `remark` was made."""
        if remark is None:
            return self
        rules = self.rules | {remark.rule} if remark.rule else self.rules
        return Memory((*self.last, remark.text)[-_FRESH:], rules, self.count + 1)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson of a game."""

    options: Options
    """Of the game, as far as they differ from the usual ones.  No two lessons of a game have the same: by
    them a match that is resumed knows its lesson."""
    tutor: BotFactory
    coach: Callable[[View[Any]], str]
    """The coach's text now, in the player's language: the result of the last step, the goal, and what to do;
    "" for none."""
    learnt: Sequence[str]
    """Sentences about what was met, for the end; English, translated where they are shown."""
    over: Callable[[View[Any]], bool] = lambda _view: False
    """Whether the lesson is over, so that the tutor gives up.  Takes the tutor's view with its past."""
    quick: Callable[[View[Any]], bool] = lambda _view: False
    """Whether the tutor, who is asked now, answers soon; then no text is shown, as the answer would cover it.
    """
    strayed: Callable[[View[Any], Sequence[Any]], str] = lambda _view, _since: ""
    """A sentence in the player's language if the learner left the coach's proposal, else "".  Takes the view
    at which the learner was asked last, and the states since."""
    setup: str = ""
    """The set-up that the learner begins from, as a file of the game; "" where there is none."""
    line: Callable[[View[Any]], str] = lambda _view: ""
    """The line that the coach has the learner type now, in English, which Enter lays out; "" for none of its
    own."""
    met: Callable[[View[Any]], bool] = lambda _view: True
    """Whether the goal is met, when the match is over and the learner has not given up.  Takes the learner's
    view with its past."""
