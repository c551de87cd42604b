"""The steps of a day around its guesses: deployment, intel and marks, and the night.

Both sides decide at the same time: each decides before it sees the other's decision.
"""

from __future__ import annotations

import math

from p2p_stratego.core.game import Roll, Turn
from p2p_stratego.spies_and_lies.rules.asks import DEPLOY_ASKS, INTEL_ASKS, MARK_ASK
from p2p_stratego.spies_and_lies.rules.chance import deck_left, draws, split
from p2p_stratego.spies_and_lies.rules.notation import MARKS
from p2p_stratego.spies_and_lies.rules.soldiers import SEATS, Rank
from p2p_stratego.spies_and_lies.rules.state import State


def dawn(state: State) -> State:
    """The same state without the values that belong to a day."""
    return state._replace(phase="deploy", turn=0, **State._field_defaults)


def deploy(state: State) -> Turn[State]:
    """Both lay four cards face down."""
    yield DEPLOY_ASKS[state.day]
    return state._replace(phase="intel", report=None)


def intel(state: State) -> Turn[State]:
    """One more intel card is turned up, and both mark their missions."""
    left = deck_left(state.intel)
    number = yield INTEL_ASKS[len(left)]
    red, blue = yield MARK_ASK
    return state._replace(
        phase="mission",
        intel=(*state.intel, left[number]),
        marks=(MARKS[red], MARKS[blue]),
        report=None,
    )


def ways_to_rest(state: State) -> tuple[tuple[tuple[Rank, ...], ...], ...]:
    """By seat, every set of today's soldiers that the coming night may exhaust, in the order of its roll."""
    return tuple(
        draws([card.rank for card in state.cards[seat] if card is not None], 2 if state.double[seat] else 1)
        for seat in SEATS
    )


def night(state: State) -> Turn[State]:
    """Chance exhausts one of each side's four soldiers, or two after double damage; a new day begins."""
    ways = ways_to_rest(state)
    sides = [len(way) for way in ways]
    red, blue = split((yield Roll(math.prod(sides))), sides)
    return dawn(state)._replace(
        day=state.day + 1,
        starter=1 - state.starter,
        exhausted=(ways[0][red], ways[1][blue]),
    )
