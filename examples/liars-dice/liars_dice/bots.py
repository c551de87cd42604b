"""Bots: one that counts what is likely, and one that says anything."""

from __future__ import annotations

from math import comb

from liars_dice.rules import ACE, LIAR, SIDES, Bid, State, bids, counted, values
from p2p_stratego.core.game import Choose, Face, Move
from p2p_stratego.core.sampling import any_of
from p2p_stratego.core.view import Chance, View

_BLUFF = 0.1
"""How often the agent raises beyond what its own dice say."""


def likely(bid: Bid, own: tuple[int, ...], unknown: int, wild: bool) -> float:
    """The chance that a bid is true, if the dice of others are fair."""
    missing = bid.least - counted(bid, own, wild)
    if missing > unknown:
        return 0.0
    hit = (2 if wild and bid.face != ACE else 1) / SIDES
    enough = range(max(missing, 0), unknown + 1)
    return sum(comb(unknown, k) * hit**k * (1 - hit) ** (unknown - k) for k in enough)


class Recruit:
    """Says anything that the rules allow.  Implements `core.view.Bot[State]`."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        asked = view.asked
        return any_of(list(asked.options), self._chance) if isinstance(asked, Choose) else ()


class Agent:
    """Calls what is unlikely, raises to what is likely, and bluffs at times.  Implements `core.view.Bot`."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        state = view.state
        own = values(state.cups[view.seat], view.known)
        unknown = state.total - len(own)
        # Who bids a face is likely to have it: so the bidder counts as having one more than by chance.
        chances = {bid: likely(bid, own, unknown, state.wild) for bid in bids(state)[: 2 * SIDES]}
        doubt = 0.0
        if state.bid is not None:
            doubt = 1 - likely(Bid(state.bid.least - 1, state.bid.face), own, unknown, state.wild)
        best = max(chances.values(), default=0.0)
        if state.bid is not None and doubt >= best:
            return LIAR
        if self._chance.random() < _BLUFF:
            return any_of(list(chances), self._chance).move
        return any_of([bid for bid, chance in chances.items() if chance >= best - 0.05], self._chance).move
