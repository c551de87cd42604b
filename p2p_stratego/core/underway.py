"""A turn that is under way: its generator, taken as far as the answers so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2p_stratego.core.game import Ask, Commit, Mix, Together, Turn
from p2p_stratego.core.view import Answered


def follows(turn: Turn[Any], since: Sequence[Answered], decision: Ask | None) -> bool:
    """Whether `turn`, given these answers, puts the Asks in `since` and then `decision`.

    `decision` None: the last answer may lead to any Ask, or to the end; without an answer `turn` is not
    begun.  Afterwards `turn` stands where it was taken to.
    """
    reply: Any = None
    for settled, answer in since:
        if _put(turn, reply) != settled:
            return False
        reply = answer
    if decision is None and not since:
        return True
    asked = _put(turn, reply)
    return decision is None or (asked is not None and _puts(asked, decision))


def _put(turn: Turn[Any], reply: Any) -> Ask | None:
    """The Ask that `turn` puts after `reply`; None at its end."""
    try:
        return turn.send(reply)
    except StopIteration:
        return None


def _puts(asked: Ask, decision: Ask) -> bool:
    """Whether `asked` puts this decision to a player: itself, a part of it, or a chosen Mix."""
    if isinstance(asked, Mix) and isinstance(decision, Commit):
        return asked.seat == decision.seat and asked.new == decision.slots
    return asked == decision or (isinstance(asked, Together) and decision in asked.asks)
