"""The lesson of Spies & Lies: a first day."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.language import mark
from p2p_stratego.core.lesson import LEARNER, Lesson
from p2p_stratego.core.view import Chance, View
from p2p_stratego.spies_and_lies.bots.agent import Agent
from p2p_stratego.spies_and_lies.lessons.coach import coach
from p2p_stratego.spies_and_lies.lessons.script import tutors_guess, tutors_line
from p2p_stratego.spies_and_lies.rules.notation import KEEP, copy, guess
from p2p_stratego.spies_and_lies.rules.observation import honest_marks
from p2p_stratego.spies_and_lies.rules.soldiers import BOMB
from p2p_stratego.spies_and_lies.rules.state import State


class Tutor:
    """The opponent, who plays the script and then as the strong bot; implements `view.Bot[State]`."""

    def __init__(self, chance: Chance) -> None:
        self._agent = Agent(chance)

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """The script's answer on the first day."""
        state, decision = view.state, view.asked
        if state.day > 1:
            return self._agent.decide(view)
        if isinstance(decision, Commit):
            return tutors_line(state)
        if state.phase == "intel":
            return honest_marks(view)[0]
        if KEEP in decision.options:
            return KEEP  # the learner is the one who tries it
        if copy(BOMB) in decision.options:
            return copy(BOMB)
        if state.seating.side(view.seat) == state.guesser and (named := tutors_guess(state)) is not None:
            return guess(named)
        return self._agent.decide(view)


def gives_up(view: View[State]) -> bool:
    """The lesson is one day long."""
    return view.state.day > 1


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
