"""What an agent makes of the board before it moves: its own pieces, what the others can be, what all is worth.

Made new for every decision, out of a View and of what was learnt from the enemy's conduct.  Nothing here
chooses.
"""

from __future__ import annotations

from typing import Final

from ..table import Face
from ..view import View
from .beliefs import Chances, Leanings, chances, even_chances
from .board import Square
from .cells import FACE, OPEN, OWNER, SLOT
from .pieces import FACES, FIGHTS, FLAG, MOBILE
from .state import State
from .worth import Worth, worth

LEARNT: Final = 0.25
"""The share of a closed enemy's worth that it is worth to see it, for whoever loses the fight."""
BETRAYED: Final = 0.12
"""The share of its own worth that a closed piece loses by being seen."""


class Picture:
    """One position, seen by the seat that is to move."""

    def __init__(self, view: View[State], leanings: Leanings) -> None:
        state, seat = view.state, view.seat
        self.state: Final = state
        self.seat: Final = seat
        self.enemy: Final = 1 - seat
        self.mine: dict[Square, Face] = {}
        self.closed: set[Square] = set()
        """Where own pieces stand that the enemy has not seen."""
        for square, cell in enumerate(state.board):
            if OWNER[cell] == seat:
                self.mine[square] = FACE[cell] if cell >= OPEN else view.known[SLOT[cell]]
                if cell < OPEN:
                    self.closed.add(square)
        self.foes: Final[dict[Square, Chances]] = chances(state, self.enemy, leanings)
        self.seen: Final[tuple[Chances, Chances]] = even_chances(state, seat)
        """What the enemy can know of a closed own piece, by whether it has moved."""
        self.worth: Final[Worth] = worth(state, seat)
        self.foe_worth: Final[Worth] = worth(state, self.enemy)
        self.flag: Final[Square] = next(square for square, face in self.mine.items() if face == FLAG)
        self.lead: Final[float] = self._lead()

    def _lead(self) -> float:
        """The share of all that moves, by worth, that is ours: 0 to 1, even is 0.5."""
        own = sum(self.worth[face] for face in self.mine.values() if face in MOBILE)
        foes = sum(
            share * self.foe_worth[face]
            for found in self.foes.values()
            for face, share in enumerate(found)
            if face in MOBILE
        )
        return own / (own + foes) if own + foes else 0.5

    def gains(
        self, face: Face, *, closed: bool, boldness: float
    ) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """What an own piece gains by attacking each face: where that is closed yet, and where it is open.

        `boldness`, 0 to 1: how little own losses count.
        """
        own = self.worth[face] * (1 - boldness)
        betrayed = BETRAYED * own if closed else 0.0
        known, unknown = [], []
        for foe in FACES:
            result, prize = FIGHTS[face][foe], self.foe_worth[foe]
            gain = {"won": prize - betrayed, "lost": -own, "both": prize - own, "flag": prize}[result]
            known.append(gain)
            unknown.append(gain + LEARNT * prize if result == "lost" else gain)
        return tuple(unknown), tuple(known)
