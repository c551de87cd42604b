"""The game without a seat that is gone: its mate acts for it, its closed cards stay closed.

A seat goes only where the table waits for its part of an Ask.  So the step under way when it went tells
whether it had laid its cards of the day.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, TypeAlias

from p2p_stratego.core.game import Seat, Turn
from p2p_stratego.core.values import replace
from p2p_stratego.spies_and_lies.rules.asks import commit_ask
from p2p_stratego.spies_and_lies.rules.seating import FIRST, SECOND
from p2p_stratego.spies_and_lies.rules.soldiers import Mission
from p2p_stratego.spies_and_lies.rules.state import Phase, State

Missions: TypeAlias = tuple[Mission, ...]
_STEP_AFTER: Final[Mapping[Missions, Phase]] = {FIRST: "look", SECOND: "intel"}
"""The phase that follows on the step in which these missions are laid."""
_LAID: Final[Mapping[Missions, Collection[Phase]]] = {
    FIRST: ("intel", "mission", "night"),
    SECOND: ("mission", "night"),
}
"""The phases before which a seat that has gone since the last one had laid its cards."""


def gone(state: State, seat: Seat) -> Turn[State]:
    """`seat` has gone during the step that led to `state`; its mate lays what it should have laid in it."""
    seating = state.seating.without(seat)
    mate = seating.mate(seat)
    if mate is not None:
        side, missions = seating.side(seat), seating.missions(seat)
        if state.phase == _STEP_AFTER[missions]:
            yield commit_ask(state.day, side, missions, mate)
        elif state.phase in _LAID[missions]:
            lost = {mission for mission in missions if state.cards[side][mission - 1] is None}
            closed = list(state.closed)
            closed[side] |= lost
            state = replace(state, closed=(closed[0], closed[1]))
    return replace(state, seating=seating, report=None)
