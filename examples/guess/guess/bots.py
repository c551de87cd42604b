"""A bot that plays by chance."""

from __future__ import annotations

from guess.rules import HIGH, LOW, SIDES, State
from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.sampling import any_of
from p2p_stratego.core.view import Chance, View


class Agent:
    """Implements `core.view.Bot[State]`."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        if isinstance(view.asked, Commit):
            return any_of(((LOW, HIGH), (HIGH, LOW)), self._chance)
        return any_of(SIDES, self._chance)
