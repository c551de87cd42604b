"""The easy opponent: keeps the rules, avoids punishable lies, and is otherwise uniformly random."""

from __future__ import annotations

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.sampling import any_of
from p2p_stratego.core.view import Chance, View
from p2p_stratego.spies_and_lies.bots.laying import lay
from p2p_stratego.spies_and_lies.rules.observation import honest_marks
from p2p_stratego.spies_and_lies.rules.state import State


class Recruit:
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """A random line that keeps the order, random honest marks, or any option."""
        decision = view.asked
        if isinstance(decision, Commit):
            return lay(view, decision, None, self._chance)
        marking = view.state.phase == "intel"
        return any_of(honest_marks(view) if marking else tuple(decision.options), self._chance)
