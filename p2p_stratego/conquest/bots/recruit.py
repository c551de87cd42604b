"""The easy opponent: makes any choice that the rules allow, and never breaks a rule."""

from __future__ import annotations

from p2p_stratego.conquest.rules.choices import Fillings
from p2p_stratego.conquest.rules.notation import fill
from p2p_stratego.conquest.rules.observation import forced, true_options
from p2p_stratego.conquest.rules.state import SLOTS, State
from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.sampling import any_of, shuffled
from p2p_stratego.core.view import Chance, View


class Recruit:
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """Any order, any zones, any card that it may play, any move."""
        decision = view.asked
        if isinstance(decision, Commit):
            return tuple(shuffled(tuple(decision.faces), self._chance))
        if (only := forced(view)) is not None:
            return only  # without a lot
        if isinstance(decision.options, Fillings):
            return any_fill(decision.options, self._chance)
        return any_of(tuple(true_options(view)), self._chance)


def any_fill(options: Fillings, chance: Chance) -> Move:
    """Any filling, each territory that must not stay empty first."""
    places: set[int] = set()
    for territory in options.groups():
        places.add(any_of(sorted(territory), chance))
    others = shuffled([place for place in range(len(options.zones)) if place not in places], chance)
    return fill(sorted((*places, *others[: SLOTS - len(places)])), options.digits)
