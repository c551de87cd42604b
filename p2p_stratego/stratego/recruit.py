"""The easy opponent: lays its army anyhow, makes any legal move, and never breaks a rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ..table import Commit, Face, Move
from ..view import Chance, View
from .movement import legal, own_reach
from .notation import NONE, PLACES, fill
from .state import State

T = TypeVar("T")


def drawn(things: Sequence[T], count: int, chance: Chance) -> list[T]:
    """`count` of the things in random order, each way equally likely."""
    left = list(things)
    return [left.pop(int(chance.random() * len(left))) for _ in range(count)]


class Recruit:
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """What to answer to `view.decision`, of which there must be one."""
        state = view.state
        if isinstance(view.decision, Commit):
            return tuple(drawn(state.army.faces, state.army.size, self._chance))
        if state.phase == "squares":
            return fill(drawn(range(PLACES), state.army.size, self._chance))
        moves = legal(state, own_reach(view.seat, view.known))
        return drawn(moves, 1, self._chance)[0] if moves else NONE
