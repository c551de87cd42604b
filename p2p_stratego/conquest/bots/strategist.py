"""The strategist: the agent's weighing, led by the moves left in a turn, and land chosen for the table.

With two players, the one with more cities reaches the other's flag first.  With more, the last flag on
the board wins: an own land in one piece, away from the middle, is worth more than cities.  Its figures were
chosen by games against the agent (docs/bots-others.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2p_stratego.conquest.bots.agent import Agent
from p2p_stratego.conquest.bots.characters import Temper
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.core.game import Face, Move
from p2p_stratego.core.view import Chance, View

TEMPERS: Final[Mapping[int, Temper]] = {
    2: Temper(approach=9.0, strike=15.0, pursuit=1.0, together=2.0, rim=1.0),
    3: Temper(city=1.0, together=2.0, rim=2.0),
    4: Temper(city=1.0, together=2.0, rim=2.0),
}
"""By the number of seats."""


class Strategist(Agent):
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """As the agent, with the temper for this table."""
        self._temper = TEMPERS[view.state.seats]
        return super().decide(view)
