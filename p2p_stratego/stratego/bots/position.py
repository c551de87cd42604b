"""An agent's picture of the board before it moves: its own pieces, its beliefs, and the worths.

Made anew for every decision, from a View and the leanings of the enemy's conduct.  This module chooses no
move.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from p2p_stratego.core.game import Face
from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots.beliefs import Chances, Leanings, chances, even_chances, likely
from p2p_stratego.stratego.bots.piece_values import Worth, worth
from p2p_stratego.stratego.rules.board import Square
from p2p_stratego.stratego.rules.cells import FACE, MOVED, OPEN, OWNER, SLOT, Cell
from p2p_stratego.stratego.rules.pieces import FACES, FIGHTS, FLAG, MOBILE, Fight
from p2p_stratego.stratego.rules.state import State

NOWHERE: Final[Square] = -1
NEVER_MOVED, HAS_MOVED, IS_OPEN = range(3)
"""How the enemy sees an own piece: closed and never moved; closed and moved; open."""


class Stand(NamedTuple):
    """How the own pieces stand, now or after a considered move."""

    mine: Mapping[Square, Face]
    seen: Mapping[Square, int]
    """By square: NEVER_MOVED, HAS_MOVED or IS_OPEN."""
    gone: Square = NOWHERE
    """The square of the enemy piece that the move takes, or NOWHERE."""


class Picture:
    """One position, seen by the seat that is to move."""

    def __init__(self, view: View[State], leanings: Leanings, forgotten: Collection[Square] = ()) -> None:
        """`forgotten`: the squares of open enemy pieces that the agent takes for closed ones that moved."""
        state, seat = view.state, view.seat
        self.state: Final = state
        cells = {square: cell for square, cell in enumerate(state.board) if OWNER[cell] == seat}
        self.stand: Final = Stand(
            {s: FACE[cell] if cell >= OPEN else view.known[SLOT[cell]] for s, cell in cells.items()},
            {square: _seen(cell) for square, cell in cells.items()},
        )
        self.foes: Final[dict[Square, Chances]] = chances(state, 1 - seat, leanings)
        self.foes.update(dict.fromkeys(forgotten, even_chances(state, 1 - seat)[1]))
        self.mobile: Final = {square: likely(odds, MOBILE) for square, odds in self.foes.items()}
        """By square: how likely an enemy piece can move."""
        self.thought: Final[tuple[Chances, Chances]] = even_chances(state, seat)
        """The enemy's beliefs about a closed own piece: NEVER_MOVED, HAS_MOVED."""
        self.worth: Final[Worth] = worth(state, seat)
        self.foe_worth: Final[Worth] = worth(state, 1 - seat)
        self.flag: Final[Square] = next(s for s, face in self.stand.mine.items() if face == FLAG)

    @property
    def lead(self) -> float:
        """Our share of all that moves, by worth: 0 to 1, even is 0.5."""
        own = sum(self.worth[face] for face in self.stand.mine.values() if face in MOBILE)
        foes = sum(
            odds[face] * self.foe_worth[face] for odds in self.foes.values() for face in MOBILE if odds[face]
        )
        return own / (own + foes) if own + foes else 0.5


def _seen(cell: Cell) -> int:
    if cell >= OPEN:
        return IS_OPEN
    return HAS_MOVED if cell >= MOVED else NEVER_MOVED


def fares(face: Face, odds: Chances) -> dict[Fight, float]:
    """How likely each result is when a piece of this face attacks one with these chances."""
    results: dict[Fight, float] = {"won": 0.0, "lost": 0.0, "both": 0.0, "flag": 0.0}
    for foe, share in enumerate(odds):
        results[FIGHTS[face][foe]] += share
    return results


def beaten(face: Face, odds: Chances) -> float:
    """How likely a piece with these chances could attack this face and win."""
    return sum([odds[foe] for foe in _BEATEN_BY[face]])


def taken(face: Face, odds: Chances) -> float:
    """How likely a piece of this face could attack one with these chances and win."""
    return sum([odds[foe] for foe in _TAKES[face]])


_TAKES: Final = tuple(tuple(foe for foe in FACES if FIGHTS[face][foe] == "won") for face in FACES)
_BEATEN_BY: Final = tuple(tuple(foe for foe in MOBILE if FIGHTS[foe][face] == "won") for face in FACES)
