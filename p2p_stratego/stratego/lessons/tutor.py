"""The opponent of the first battle: it plays the script."""

from __future__ import annotations

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.view import Chance, View
from p2p_stratego.stratego.formats.setups import answers
from p2p_stratego.stratego.lessons.script import TUTORS, tutors_move
from p2p_stratego.stratego.rules.state import State


class Tutor:
    """Implements `view.Bot[State]`."""

    def __init__(self, _chance: Chance) -> None:
        """It leaves nothing to chance."""

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """The script's set-up and moves."""
        faces, squares = answers(TUTORS)
        if isinstance(view.asked, Commit):
            return faces
        return squares if view.state.phase == "squares" else tutors_move(view)
