"""The board in the middle of an act: the state so far, worked out from the act's Asks and answers.

A view holds the state before the act, and the Asks of the act that are settled.  Screens and bots need the
board as it is now: pieces opened, pieces mixed, the piece in the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from p2p_stratego.conquest.rules.act import Act
from p2p_stratego.conquest.rules.game import act_of, left
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.core.game import Ask, Turn
from p2p_stratego.core.rulebook import follows, played
from p2p_stratego.core.view import AnsweredAsk, View


def now(view: View[State]) -> State:
    """The state at this point of the act; the settled one between two acts."""
    return underway(view.state, view.since, view.decision)


def underway(state: State, since: tuple[AnsweredAsk, ...], decision: Ask | None = None) -> State:
    """`state` after the Asks in `since`, when `decision` is asked next (None: it may be anything)."""
    if state.phase in ("draft", "army", "zones", "over"):
        return state
    for steps in _acts(state):
        act = Act(state._replace(report=()))
        if follows(played(act, steps), since, decision):
            return act.state
    return state


def _acts(state: State) -> Iterator[Callable[[Act], Turn[None]]]:
    """The acts that may be under way: the act that is due, or the acts after a player has left."""
    yield act_of(state)
    for seat, status in enumerate(state.status):
        if status != "gone":
            yield partial(left, seat=seat)
