"""The evidence of an enemy's conduct about its closed pieces, beyond the rules: kept move by move.

Evidence is the place of a piece in the set-up, and the open pieces that it approached, fled, or left alone
beside it.  All of this is public.  None of it is certain, so a leaning never rules a face out.
"""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.stratego.bots.placement_data import shares
from p2p_stratego.stratego.rules.board import NEIGHBOURS, PLACE, Square
from p2p_stratego.stratego.rules.cells import EMPTY, FACE, MOVED, OPEN, OWNER, SLOT
from p2p_stratego.stratego.rules.notation import STEPS
from p2p_stratego.stratego.rules.pieces import FACES, FIGHTS, MOBILE
from p2p_stratego.stratego.rules.state import State

TRUST: Final = 0.7
"""The exponent of set-up shares: a stranger may set up unlike most players."""
WENT_UP: Final = (0.65, 1.6)
RAN: Final = (1.3, 0.55)
LEFT_ALONE: Final = (1.1, 0.7)
"""By whether the face would win: the factors for approaching, fleeing and sparing an open piece."""
LEAST: Final = 0.05
MOST: Final = 20.0

_WINS: Final = tuple(tuple(face in MOBILE and FIGHTS[face][foe] == "won" for face in FACES) for foe in FACES)
"""_WINS[foe][face]: whether the face could take the foe and live."""


class Conduct:
    """The leanings of one side's closed pieces; tell it of every state in which the other side is to move."""

    def __init__(self, seat: Seat, trust: float = 1.0) -> None:
        """`trust`: the exponent of what moves say; 0 would be deaf to them."""
        self._seat = seat
        self._trust = trust
        self.leanings: dict[Slot, list[float]] = {}
        """See `beliefs.Leanings`."""

    def watch(self, state: State) -> None:
        """Learn from the last move; called once for each state, in order, the sooner begun the better."""
        self._place(state)
        report = state.report
        if report is None or report.seat != self._seat or report.result == "none":
            return
        source, target, _ = STEPS[report.move]
        if report.result == "moved" and MOVED <= state.board[target] < OPEN:
            self._judge_move(state, SLOT[state.board[target]], source, target)
        self._judge_rest(state, target)

    def _place(self, state: State) -> None:
        """Add leanings for new pieces by their place; a piece that moved earlier gets none."""
        report = state.report
        mover = STEPS[report.move][:2] if report is not None and report.result == "moved" else None
        for square, cell in enumerate(state.board):
            if EMPTY < cell < OPEN and OWNER[cell] == self._seat and SLOT[cell] not in self.leanings:
                home = mover[0] if mover is not None and mover[1] == square else square
                place = PLACE[self._seat].get(home)
                if place is None or (cell >= MOVED and home == square):
                    self.leanings[SLOT[cell]] = [1.0] * len(FACES)
                else:
                    common = shares(state.army.size)
                    self.leanings[SLOT[cell]] = [common[face][place] ** TRUST for face in FACES]

    def _judge_move(self, state: State, slot: Slot, source: Square, target: Square) -> None:
        for foe in self._open_beside(state, target):
            self._lean(slot, foe, WENT_UP)
        for foe in self._open_beside(state, source):
            if foe not in self._open_beside(state, target):
                self._lean(slot, foe, RAN)

    def _judge_rest(self, state: State, moved_to: Square) -> None:
        """Judge the other pieces, which did not attack."""
        for square, cell in enumerate(state.board):
            if EMPTY < cell < OPEN and OWNER[cell] == self._seat and square != moved_to:
                for foe in self._open_beside(state, square):
                    self._lean(SLOT[cell], foe, LEFT_ALONE)

    def _open_beside(self, state: State, square: Square) -> list[Face]:
        """The other side's open pieces next to a square."""
        cells = (state.board[neighbour] for neighbour in NEIGHBOURS[square])
        return [FACE[cell] for cell in cells if cell >= OPEN and OWNER[cell] == 1 - self._seat]

    def _lean(self, slot: Slot, foe: Face, factors: tuple[float, float]) -> None:
        self.leanings[slot] = [
            min(MOST, max(LEAST, weight * factors[wins] ** self._trust))
            for weight, wins in zip(self.leanings[slot], _WINS[foe], strict=True)
        ]
