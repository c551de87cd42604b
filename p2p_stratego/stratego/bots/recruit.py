"""The easy opponent: lays its army at random, makes any legal move, and never breaks a rule."""

from __future__ import annotations

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.sampling import any_of
from p2p_stratego.core.view import Chance, View
from p2p_stratego.stratego.bots.setup_generator import sample
from p2p_stratego.stratego.rules.notation import PLACES, fill
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.state import State


class Recruit:
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """The army in any order, any squares for it, or any legal move."""
        army = view.state.army
        if isinstance(view.asked, Commit):
            return tuple(sample(army.faces, army.size, self._chance))
        if view.state.phase == "squares":
            return fill(sample(range(PLACES), army.size, self._chance))
        return any_of(own_moves(view), self._chance)
