"""The hard opponent: carries secrets home by the shortest way, guards its own, answers when it pays.

It weighs each choice by what it can know; no random play, so that a decision takes milliseconds.
"""

from __future__ import annotations

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.sampling import any_of, shuffled
from p2p_stratego.core.view import Chance, View
from p2p_stratego.spies.bots.judge import Judge
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.rules.atlas import CAPITALS, SIGNED, City, Power
from p2p_stratego.spies.rules.counters import value
from p2p_stratego.spies.rules.notation import lay
from p2p_stratego.spies.rules.observation import due_commit, secret_face, true_options
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.trade import Proposals
from p2p_stratego.spies.rules.underway import now


class Agent:
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._plain = Recruit(chance)

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """The choice of the highest worth."""
        decision = view.asked
        state = now(view)
        if isinstance(decision, Commit):
            return self._lay(state, view, decision)
        if isinstance(decision.options, Layings):
            power = decision.options.power
            posts = self._posts(state, view, power, decision.options.units)
            return lay(power, (city for city, _ in posts))
        if isinstance(decision.options, Proposals):
            return self._plain.decide(view)
        options = true_options(view)
        if len(options) == 1:
            return options[0]
        judge = Judge(state, view, decision.options)
        worth = {said: judge.worth(said) for said in options}
        best = max(worth.values())
        return any_of([said for said in options if worth[said] == best], self._chance)

    def _lay(self, state: State, view: View[State], decision: Commit) -> tuple[Face, ...]:
        due = due_commit(state, decision, view.known)
        if due is not None:
            return due
        if not decision.exactly:
            said = self._plain.decide(view)
            return said if isinstance(said, tuple) else ()
        if len(set(decision.faces)) == len(decision.faces):  # spies
            return tuple(shuffled(tuple(decision.faces), self._chance))
        posts = self._posts(state, view, state.power, len(decision.slots))
        order = sorted(range(len(posts)), key=lambda place: -posts[place][1])
        strongest = sorted(decision.faces, reverse=True)
        return tuple(strongest[order.index(place)] for place in range(len(posts)))

    def _posts(self, state: State, view: View[State], power: Power, units: int) -> list[tuple[City, float]]:
        """Where police stand, in the order of laying, and what each post is worth.

        Where own secrets of value lie, and where enemies are.
        """
        worth = dict.fromkeys(SIGNED[power], 0.1)
        worth[CAPITALS[power]] = 1.0
        for secret, lying in enumerate(state.secrets):
            if lying.where == "map" and lying.owner == power and lying.by in (None, power):
                face = secret_face(state, secret, view.known) or 0
                worth[lying.city] = worth.get(lying.city, 0.0) + value(face)
        for spy, piece in enumerate(state.spies):
            if piece.where == "map" and piece.power != power and state.territory[piece.city] == power:
                worth[piece.city] = worth.get(piece.city, 0.0) + (2.0 if state.carried(spy) is None else 6.0)
        posts = [(city, worth[city] * share) for city in SIGNED[power] for share in (1.0, 0.6)]
        best = sorted(range(len(posts)), key=lambda place: -posts[place][1])[:units]
        return [posts[place] for place in sorted(best)]
