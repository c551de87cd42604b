"""The lesson of Stratego: a small battle."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.language import mark
from p2p_stratego.core.lesson import Lesson
from p2p_stratego.core.view import Chance, View
from p2p_stratego.stratego.formats.setups import answers
from p2p_stratego.stratego.lessons.coach import coach, strayed
from p2p_stratego.stratego.lessons.script import ARMY, PROPOSED, TUTORS, tutors_move
from p2p_stratego.stratego.rules.state import State


class Tutor:
    """The opponent, who plays the script; implements `view.Bot[State]`."""

    def __init__(self, _chance: Chance) -> None:
        """The script leaves nothing to chance."""

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """The script's set-up and moves."""
        faces, squares = answers(TUTORS)
        if isinstance(view.asked, Commit):
            return faces
        return squares if view.state.phase == "squares" else tutors_move(view)


LESSON: Final = Lesson(
    options={"army": ARMY, "first": "red"},
    tutor=Tutor,
    coach=coach,
    strayed=strayed,
    quick=lambda view: view.state.report is None or view.state.report.attacker is None,
    setup=PROPOSED,
    learnt=(
        mark("Scouts run and find out; the higher rank wins, and equal ranks fall together."),
        mark("The spy beats the Marshal, but only by attacking it."),
        mark("Bombs and flags never move; only a miner takes a bomb."),
        mark("Who takes the flag wins, and so does who leaves the other nothing that can move."),
    ),
)
