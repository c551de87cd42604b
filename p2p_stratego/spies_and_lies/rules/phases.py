"""The steps of a day around its guesses: deployment, intel and marks, and the night.

All decide at the same time: each decides before it sees another's decision.  Of two mates the second lays
when the first has laid, and may look at those two cards before.
"""

from __future__ import annotations

import math
from dataclasses import MISSING, fields
from typing import Any, Final

from p2p_stratego.core.game import OpenTo, Roll, Turn
from p2p_stratego.core.values import replace
from p2p_stratego.spies_and_lies.rules.asks import INTEL_ASKS, first_deploy_ask, mark_ask, second_deploy_ask
from p2p_stratego.spies_and_lies.rules.chance import deck_left, draws, split
from p2p_stratego.spies_and_lies.rules.components import SIDES, Mission, Rank
from p2p_stratego.spies_and_lies.rules.notation import MARKS
from p2p_stratego.spies_and_lies.rules.seating import FIRST, SECOND
from p2p_stratego.spies_and_lies.rules.state import State, slot

_OF_A_DAY: Final = {field.name: field.default for field in fields(State) if field.default is not MISSING}
"""The values that belong to a day, as they are when it begins."""


def dawn(state: State, **changes: Any) -> State:
    """The same state with these changes, and without the values that belong to a day."""
    return replace(state, phase="deploy", turn=0, **_OF_A_DAY, **changes)


def deploy(state: State) -> Turn[State]:
    """A seat alone lays four cards face down; of two mates the first lays two."""
    yield first_deploy_ask(state.day, state.seating)
    return replace(state, phase="look" if state.seating.teams else "intel", report=None)


def look(state: State) -> Turn[State]:
    """The second of two mates looks at the first one's cards, and lays the other two."""
    seating = state.seating
    for side in filter(seating.is_team, SIDES):
        second = seating.player(side, SECOND[0])
        for mission in FIRST:
            if seating.player(side, mission) != second:
                yield OpenTo(slot(state.day, side, mission), second)
    yield second_deploy_ask(state.day, seating)
    return replace(state, phase="intel", report=None)


def intel(state: State) -> Turn[State]:
    """An intel card is turned up, and all mark their missions."""
    left = deck_left(state.intel)
    number = yield INTEL_ASKS[len(left)]
    ask = mark_ask(state.seating, state.closed)
    sides = [state.seating.side(decision.seat) for decision in ask.asks]
    marks: list[frozenset[Mission]] = [frozenset(), frozenset()]
    for side, move in zip(sides, (yield ask), strict=True):
        if move is not None:
            marks[side] |= MARKS[move]
    return replace(
        state, phase="mission", intel=(*state.intel, left[number]), marks=(marks[0], marks[1]), report=None
    )


def ways_to_rest(state: State) -> tuple[tuple[tuple[Rank, ...], ...], ...]:
    """By side, every set of today's soldiers that the coming night may exhaust, in the order of its roll."""
    return tuple(
        draws(
            tuple([card.rank for card in state.cards[side] if card is not None]),
            2 if state.double[side] else 1,
        )
        for side in SIDES
    )


def night(state: State) -> Turn[State]:
    """Chance exhausts one of each side's open soldiers, or two after double damage; a new day begins."""
    ways = ways_to_rest(state)
    sides = [len(way) for way in ways]
    red, blue = split((yield Roll(math.prod(sides))), sides)
    return dawn(state, day=state.day + 1, starter=1 - state.starter, exhausted=(ways[0][red], ways[1][blue]))
