"""The marshal: reads closed pieces by evidence that was fitted to games, and looks ahead in what could be.

Its flag stands on many more squares than the agent's.  It sees only its seat's view; a new marshal can take
over a match at any point.
"""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.view import Chance, View
from p2p_stratego.stratego.bots.agent import Agent
from p2p_stratego.stratego.bots.evaluation import Weigher
from p2p_stratego.stratego.bots.evidence import Evidence
from p2p_stratego.stratego.bots.lookahead.search import Search
from p2p_stratego.stratego.bots.position import Picture
from p2p_stratego.stratego.bots.setup_generator import varied
from p2p_stratego.stratego.formats.setups import answers
from p2p_stratego.stratego.rules.notation import NONE
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.state import State

POSITIONS: Final = 80
"""Positions that the search sees in a millisecond, on a usual machine of 2026: the clock itself would make
games that nobody can repeat."""
THINK: Final = 50


class Marshal(Agent):
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance, think: int = THINK) -> None:
        """`think`: milliseconds, about, for a decision; 0: it does not look ahead."""
        super().__init__(chance)
        self._evidence: Evidence | None = None
        self.positions = POSITIONS * think

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """The army in a sensible order, the squares for it, or a move."""
        state = view.state
        if isinstance(view.asked, Commit):
            self._evidence = None  # a return match begins here, too, with the seats exchanged
            self._been.clear()
            faces, self._squares = answers(varied(state.army, self._chance))
            return faces
        if state.phase == "squares":
            return super().decide(view)
        if self._evidence is None:
            self._evidence = Evidence(1 - view.seat)
        self._evidence.watch(state)
        moves = own_moves(view)
        return NONE if moves == [NONE] else self._best(Picture(view, self._evidence.leanings(state)), moves)

    def _weighed(self, picture: Picture, moves: list[Move]) -> dict[Move, float]:
        if not self.positions or len(moves) == 1:
            return super()._weighed(picture, moves)
        return Search(picture, Weigher(picture), self._chance).points(moves, self.positions)
