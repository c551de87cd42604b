"""A player's claims about its closed pieces, and the names of the rules that a false claim breaks.

The rules cannot judge a claim, for they see no closed piece.  They only state which slots would have to
show which faces.  Opening those slots settles it, at the end of the match at the latest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from p2p_stratego.core.game import Claim, Slot
from p2p_stratego.stratego.rules.board import Square
from p2p_stratego.stratego.rules.cells import OPEN, RUNS, SLOT, STEPS
from p2p_stratego.stratego.rules.movement import can_move, certain_reach, closed_reach, movers
from p2p_stratego.stratego.rules.pieces import IMMOBILE, MOBILE, NO_SCOUT
from p2p_stratego.stratego.rules.state import State

WALKED: Final = "bomb-or-flag-moved"
RAN: Final = "ran-but-no-scout"
FALSE_NONE: Final = "false-no-move"
WRONG_ARMY: Final = "wrong-faces"
"""The rules that only hidden faces can break, by their names in a Breach."""


def walks(seat: int, slot: Slot) -> Claim:
    """A closed piece moves for the first time, so it is neither bomb nor flag."""
    return Claim(seat, WALKED, (slot,), MOBILE)


def _closed_movers(state: State, far: int) -> list[Square]:
    """The closed pieces of the seat whose turn it is that could move if all of them had this reach."""
    mobile = movers(state, closed_reach(state.seat, far))
    return [square for square in mobile if state.board[square] < OPEN]


def surely_can_move(state: State) -> bool:
    """Whether everybody can see that the seat whose turn it is has a legal move, if it is honest."""
    if can_move(state, certain_reach(state, state.seat)):
        return True
    # Now no piece that ever moved can; of the others, those beyond the number of bombs and flags could.
    return len(_closed_movers(state, STEPS)) > state.still_hidden(state.seat)


def of_none(state: State) -> Iterator[Claim]:
    """The claims implied when the seat to move says that it cannot; never call it if `surely_can_move`."""
    near = _closed_movers(state, STEPS)
    far = [square for square in _closed_movers(state, RUNS) if square not in near]
    for squares, faces in ((near, IMMOBILE), (far, NO_SCOUT)):
        slots = tuple(slot for square in squares if (slot := SLOT[state.board[square]]) is not None)
        if slots:
            yield Claim(state.seat, FALSE_NONE, slots, faces)
