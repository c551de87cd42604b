"""The lesson of Spies & Lies: a first day."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.language import mark
from p2p_stratego.core.lesson import LEARNER, Lesson
from p2p_stratego.spies_and_lies.lessons.coach import coach
from p2p_stratego.spies_and_lies.lessons.tutor import Tutor, gives_up

LESSON: Final = Lesson(
    options={"starter": "red"},
    tutor=Tutor,
    coach=coach,
    over=gives_up,
    quick=lambda view: view.state.phase != "mission" or view.state.guesser == LEARNER,
    learnt=(
        mark("You laid four soldiers in rising order, and marked by the intel card."),
        mark("A soldier that is named rightly scores for the guesser; any other acts for its owner."),
        mark("A deception token scores when the guess is wrong; a Bomb's blast makes a soldier retreat."),
        mark("At 10 points the agent moves as many steps as the day's number: days 2 and 3 count more."),
        mark("Behind the wall stands the flag; who takes it wins at once, if the own line was in order."),
    ),
)
