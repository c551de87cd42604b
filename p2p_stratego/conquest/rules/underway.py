"""The board in the middle of an act: the state so far, worked out from the act's Asks and answers.

A view holds the state before the act, and the Asks of the act that are settled.  Screens and bots need the
board as it is now: pieces opened, pieces mixed, the piece in the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from p2p_stratego.conquest.rules.act import Act
from p2p_stratego.conquest.rules.game import act_of, played
from p2p_stratego.conquest.rules.leaving import left
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.core.game import Ask, Commit, Mix, Turn
from p2p_stratego.core.view import Answered, View


def now(view: View[State]) -> State:
    """The state at this point of the act; the settled one between two acts."""
    return underway(view.state, view.since, view.decision)


def underway(state: State, since: tuple[Answered, ...], decision: Ask | None = None) -> State:
    """`state` after the Asks in `since`, when `decision` is asked next (None: it may be anything)."""
    if state.phase in ("draft", "army", "zones", "over"):
        return state
    for steps in _acts(state):
        found = _followed(Act(state._replace(report=())), steps, since, decision)
        if found is not None:
            return found
    return state


def _acts(state: State) -> Iterator[Callable[[Act], Turn[None]]]:
    """What may be under way: the act that is due, or what follows when a player has left."""
    yield act_of(state)
    for seat, status in enumerate(state.status):
        if status != "gone":
            yield partial(left, seat=seat)


def _followed(
    act: Act, steps: Callable[[Act], Turn[None]], since: tuple[Answered, ...], decision: Ask | None
) -> State | None:
    """The state after these answers; None if the steps ask for something else."""
    turn = played(act, steps)
    reply: Any = None
    try:
        for settled, answer in since:
            if turn.send(reply) != settled:
                return None
            reply = answer
        if decision is None and not since:
            return act.state
        asked = turn.send(reply)
    except StopIteration:
        return act.state if decision is None else None
    return act.state if decision is None or _puts(asked, decision) else None


def _puts(asked: Ask, decision: Ask) -> bool:
    """Whether this Ask puts this decision to a player; a chosen Mix puts a Commit of its new slots."""
    if isinstance(asked, Mix) and isinstance(decision, Commit):
        return asked.seat == decision.seat and asked.new == decision.slots
    return asked == decision
