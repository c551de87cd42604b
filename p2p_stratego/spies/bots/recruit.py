"""The easy opponent: any choice that the rules allow, with a taste for doing something; breaks no rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.sampling import any_of, shuffled
from p2p_stratego.core.view import Chance, View
from p2p_stratego.spies.rules.atlas import POWERS
from p2p_stratego.spies.rules.notation import ACCEPT, AGAIN, END, NO_ANSWER, READY, words
from p2p_stratego.spies.rules.observation import due_commit, true_options
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.purse import digits, money
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.turn.actions import PROPOSE, TALK
from p2p_stratego.spies.rules.turn.trade import Proposals, Terms, transfers
from p2p_stratego.spies.rules.underway import now

_TASTE: Final = {
    "move": 6,
    "sail": 3,
    "search": 8,
    "police": 1,
    "cash": 200,
    "take": 1,
    "give": 1,
    "leave": 1,
    "discovery": 40,
    "sanction": 8,
    "drop": 1,
    "escape": 15,
    "recruit": 15,
    "diplomacy": 1,
    "propose": 2,
    "end": 1,
    "tile": 3,
    "discard": 1,
    "papers": 4,
    "land": 3,
    ACCEPT: 1,
}
"""How often a kind of choice is made, beside others that are open; 2 if it is not named."""

_FREE: Final = frozenset((END, AGAIN, "take", "give", "leave", "drop"))
"""Kinds that cost nothing: where nothing else is left the turn is over, or an envelope went up and down."""
_SMALL: Final = (
    (1, (), 0, 1),
    (0, (0,), 2, 0),
    (0, (0,), 0, 1),
    (0, (0,), 0, 0),
    (1, (), 0, 0),
    (0, (), 1, 0),
    (0, (), 0, 1),
    (None, (), 0, 1),
    (0, (0,), None, 0),
    (None, (), None, 0),
    (0, (), None, 0),
)
"""Pounds offered, chits offered, pounds wanted, chits wanted."""


class Recruit:
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """A kind of choice by taste, and any of that kind."""
        decision = view.asked
        if isinstance(decision, Commit):
            return self._lay(view, decision)
        if isinstance(decision.options, Layings):
            return self._spread(decision.options)
        if isinstance(decision.options, Proposals):
            return any_of(self._small(decision.options, view), self._chance)
        return self._any(view)

    def _any(self, view: View[State]) -> Move:
        options = true_options(view)
        state = view.state
        if state.proposals:  # one trade a turn: more of them, a line each, are a nuisance to people
            options = [move for move in options if move.split(" ")[0] not in (PROPOSE, TALK)]
        for other in state.talks:
            move = words(PROPOSE, POWERS[other])
            if move in options and not self._small(Proposals(state, state.power, other), view):
                options.remove(move)
        kinds = sorted({move.split(" ")[0] for move in options})
        if END in kinds and _FREE.issuperset(kinds):
            return END if END in options else any_of(options, self._chance)
        if len(kinds) > 1 and END in kinds and self._chance.random() < 0.98:
            kinds = [kind for kind in kinds if kind not in (END, AGAIN)]
        if len(kinds) > 1 and READY in kinds and self._chance.random() < 0.5:
            return READY
        if len(kinds) > 1 and kinds != [NO_ANSWER]:
            weights = [_TASTE.get(kind, 2) for kind in kinds]
            kind = kinds[self._at(weights)]
        else:
            kind = kinds[0]
        return any_of([move for move in options if move.split(" ")[0] == kind], self._chance)

    def _at(self, weights: Sequence[int]) -> int:
        point = self._chance.random() * sum(weights)
        for place, weight in enumerate(weights):
            point -= weight
            if point < 0:
                return place
        return len(weights) - 1

    def _lay(self, view: View[State], decision: Commit) -> tuple[Face, ...]:
        if decision.exactly:
            return tuple(shuffled(tuple(decision.faces), self._chance))
        state = now(view)
        due = due_commit(state, decision, view.known)
        if due is not None:
            return due
        offered = state.amounts and state.amounts[0] == decision.slots
        most = money(state, state.power, view.known) if offered else 5
        return digits(1 + int(self._chance.random() * max(most - 1, 0)))

    def _spread(self, options: Layings) -> Move:
        return any_of(tuple(options), self._chance)

    def _small(self, options: Proposals, view: View[State]) -> list[Move]:
        """Proposals of little; with secret purses without pounds that are not there."""
        state = options.state
        broke = money(state, options.power, view.known) < 1
        moves = [Terms(*terms).move for terms in _SMALL]
        if transfers(state, options.power, options.other, ()):
            moves.append(Terms(0, (), 0, 0).move)
        return [move for move in moves if move in options and not (broke and move.split()[1] != "0")]
