"""The agent: weighs every move by its expected gain, its risk, and its direction, by its temper.

It looks one step ahead, at the possible results of each attack and at the enemy's replies, by its beliefs
about closed pieces.  It sees only its seat's view.  Its memory of earlier moves (the enemy's conduct, its own
squares) improves its play but is optional: a new agent can take over a match at any point.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Final

from p2p_stratego.core.game import Commit, Face, Move, Seat
from p2p_stratego.core.view import Chance, View
from p2p_stratego.stratego.bots import characters
from p2p_stratego.stratego.bots.characters import EVEN, Temper
from p2p_stratego.stratego.bots.evaluation import Weigher
from p2p_stratego.stratego.bots.opponent_model import Conduct
from p2p_stratego.stratego.bots.position import Picture
from p2p_stratego.stratego.bots.setup_generator import dealt, placed
from p2p_stratego.stratego.formats.setups import answers
from p2p_stratego.stratego.rules.board import Square
from p2p_stratego.stratego.rules.cells import OPEN, OWNER
from p2p_stratego.stratego.rules.notation import NONE, STEPS
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.state import State, slot

STALE: Final = 0.06
"""The cost of going to a square, for each visit to it since the last attack."""


class Agent:
    """Implements `view.Bot[State]`."""

    def __init__(self, chance: Chance, temper: Temper = EVEN) -> None:
        self._chance = chance
        self._temper = temper
        self._conduct: Conduct | None = None
        self._been: Counter[Square] = Counter()
        self._squares: Move | None = None

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """The army in a sensible order, the squares for it, or a move."""
        state = view.state
        if isinstance(view.asked, Commit):
            self._conduct = None  # a return match begins here, too, with the seats exchanged
            self._been.clear()
            faces, self._squares = answers(dealt(state.army, self._chance, self._temper.hiding))
            return faces
        if state.phase == "squares":
            return self._squares or self._squares_for(view)
        if self._conduct is None:
            self._conduct = Conduct(1 - view.seat, self._temper.gullible)
        self._conduct.watch(state)
        moves = own_moves(view)
        if moves == [NONE]:
            return NONE
        return self._best(Picture(view, self._conduct.leanings, self._forgotten(state, 1 - view.seat)), moves)

    def _forgotten(self, state: State, enemy: Seat) -> frozenset[Square]:
        """The open enemy pieces that it takes for closed ones now."""
        often = self._temper.forgetting
        if not often:
            return frozenset()
        open_ones = (s for s, cell in enumerate(state.board) if OWNER[cell] == enemy and cell >= OPEN)
        return frozenset(square for square in open_ones if self._chance.random() < often)

    def _squares_for(self, view: View[State]) -> Move:
        """Squares for an army that was laid before this agent took over."""
        faces = [view.known[slot(view.seat, k)] for k in range(view.state.army.size)]
        return answers(placed(faces, self._chance))[1]

    def _best(self, picture: Picture, moves: list[Move]) -> Move:
        if picture.state.calm <= 1:  # one side attacked with its last move
            self._been.clear()
        points = {
            move: worth + self._temper.whim * self._chance.random() - STALE * self._been[STEPS[move][1]]
            for move, worth in self._weighed(picture, moves).items()
        }
        best = max(moves, key=points.__getitem__)
        self._been[STEPS[best][1]] += 1
        return best

    def _weighed(self, picture: Picture, moves: list[Move]) -> dict[Move, float]:
        """How good each move is."""
        weigher = Weigher(picture, self._temper)
        return {move: weigher.weigh(move) for move in moves}


CADET, GAMBLER, DIPLOMAT, QUARTERMASTER, ADVISER = (
    partial(Agent, temper=temper)
    for temper in (
        characters.CADET,
        characters.GAMBLER,
        characters.DIPLOMAT,
        characters.QUARTERMASTER,
        characters.ADVISER,
    )
)
"""The agent in each temper of `characters`."""
