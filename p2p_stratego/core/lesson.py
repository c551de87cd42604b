"""A lesson: a match by the real rules against a tutor, who plays by a script, and a coach beside the learner.

Everything here is pure, as bots are.  The script is public: tutor and coach work it out from the same state,
so that the coach needs no look at hidden cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from p2p_stratego.core.entry import BotFactory
from p2p_stratego.core.game import Options, Seat
from p2p_stratego.core.view import View

TUTOR: Final = "tutor"
"""The level of a bot that plays a lesson's script; no menu offers it."""
LEARNER: Final[Seat] = 0
"""The learner's seat."""

Advice: TypeAlias = Callable[[View[Any]], str]
"""Paragraphs for one seat, in the player's language, from its view alone; "" for none."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One game's lesson."""

    options: Options
    """Of the game, as far as they differ from the usual ones."""
    tutor: BotFactory
    coach: Advice
    """The coach's text now: the result of the last step, the goal, and what to do."""
    learnt: Sequence[str]
    """Sentences about what was met, for the end; English, translated where they are shown."""
    over: Callable[[View[Any]], bool] = lambda _view: False
    """Whether the tutor, who is asked now, gives up, since the lesson is over."""
    quick: Callable[[View[Any]], bool] = lambda _view: False
    """Whether the tutor, who is asked now, answers soon; then no text is shown, as the answer would cover it.
    """
    strayed: Callable[[View[Any], Sequence[Any]], str] = lambda _view, _since: ""
    """A sentence in the player's language if the learner left the coach's proposal, else "".  Takes the view
    at which the learner was asked last, and the states since."""
    setup: str = ""
    """The set-up that the learner begins from, as a file of the game; "" where there is none."""
