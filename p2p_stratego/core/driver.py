"""Playing one generator of a rulebook to its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from p2p_stratego.core.game import S, Turn


def drive(turn: Turn[S], answer: Callable[[Any], Any]) -> S:
    """The state that `turn` returns; `answer` gives the answer to each Ask."""
    reply: Any = None
    while True:
        try:
            ask = turn.send(reply)
        except StopIteration as end:
            after: S = end.value
            return after
        reply = answer(ask)
