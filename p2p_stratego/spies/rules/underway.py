"""The board in the middle of a step: the state so far, worked out from the step's Asks and answers.

A view holds the state before the step, and the Asks of the step that are settled.  Screens and bots need the
board as it is now: spies that have moved, chits that were played, the question that is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from p2p_stratego.core.game import Ask, Turn
from p2p_stratego.core.rulebook import follows, played
from p2p_stratego.core.view import AnsweredAsk, View
from p2p_stratego.spies.rules.act import Act
from p2p_stratego.spies.rules.game import left, step_of
from p2p_stratego.spies.rules.state import State

_latest: Final[list[tuple[View[State], State]]] = []
"""The view that `now` was last asked about, and its answer."""


def now(view: View[State]) -> State:
    """The state at this point of the step; the settled one between two steps."""
    # A screen or a bot asks ten times about one view.  The same objects: to compare states takes as long.
    for last, state in _latest:
        if last.state is view.state and last.since is view.since and last.decision is view.decision:
            return state
    state = underway(view.state, view.since, view.decision)
    _latest[:] = [(view, state)]
    return state


def underway(state: State, since: tuple[AnsweredAsk, ...], decision: Ask | None = None) -> State:
    """`state` after the Asks in `since`, when `decision` is asked next (None: it may be anything)."""
    if state.phase == "over" or (not since and state.phase in ("tile", "turn")):
        return state  # these begin with a choice, before anything changes
    for steps in _steps(state):
        act = Act(state._replace(report=()))
        if follows(played(act, steps), since, decision):
            return act.state
    return state


def _steps(state: State) -> Iterator[Callable[[Act], Turn[None]]]:
    """The steps that may be under way: the step that is due, or the steps after a player has left."""
    yield step_of(state)
    for seat in range(state.seats):
        if seat not in state.gone:
            yield partial(left, seat=seat)


class FollowedStep:
    """A step that is followed Ask by Ask, while it is played."""

    def __init__(self, state: State) -> None:
        """`state`: before the step."""
        self._ways: list[tuple[Act, Turn[State], Ask]] = []
        """The readings of the step: for each its board so far, the rest of the step, and its next Ask."""
        if state.phase != "over":
            for steps in _steps(state):
                act = Act(state._replace(report=()))
                turn = played(act, steps)
                self._go_on(act, turn)

    def _go_on(self, act: Act, turn: Turn[State], answer: Any = None) -> None:
        try:
            asked = turn.send(answer)
        except StopIteration:
            return  # it would be complete
        self._ways.append((act, turn, asked))

    def answered(self, ask: Ask, answer: Any) -> State | None:
        """The state at the next Ask; None if this answer completes the step."""
        ways, self._ways = self._ways, []
        for act, turn, asked in ways:
            if asked == ask:
                self._go_on(act, turn, answer)
        return self._ways[0][0].state if self._ways else None
