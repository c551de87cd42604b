"""The beliefs of a seat about other pieces: chances of every face, by exact counts of the hidden faces.

The faces of an enemy that nobody has seen are known as a heap: the army without the pieces that are open or
were looked at.  A closed piece is one of that heap, within the faces that everybody's observations leave it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from p2p_stratego.conquest.rules.atlas import Zone
from p2p_stratego.conquest.rules.observation import face_of
from p2p_stratego.conquest.rules.pieces import A_SIDE, FACES, FIXED, FLAG, MOBILE_ONES, Faces
from p2p_stratego.conquest.rules.state import Piece, State
from p2p_stratego.core.game import Face, Seat, Slot

Chances: TypeAlias = Mapping[Face, float]
"""By face, more than 0; together 1."""
STOOD_STILL: Final = 2.0
"""How much likelier a piece that never stepped is to be fixed than its share of the heap says."""


@dataclass(slots=True)
class Beliefs:
    """The knowledge of one seat at one moment."""

    state: State
    seat: Seat
    known: Mapping[Slot, Face]
    _heaps: dict[Seat, list[int]] = field(default_factory=dict)
    _chances: dict[tuple[Seat, Faces, bool], Chances] = field(default_factory=dict)

    def face(self, piece: Piece) -> Face | None:
        """The face of a piece, if this seat knows it."""
        return face_of(piece, self.known)

    def heap(self, owner: Seat) -> list[int]:
        """By face, how many of the pieces of `owner` this seat cannot tell apart."""
        if owner not in self._heaps:
            left = list(A_SIDE)
            if self.state.flag_slots[owner] is not None:
                left[FLAG] -= 1
            for piece in self.state.live(owner):
                face = self.face(piece)
                if face is not None:
                    left[face] -= 1
            self._heaps[owner] = [max(0, count) for count in left]
        return self._heaps[owner]

    def chances(self, piece: Piece) -> Chances:
        """How likely each face is on a piece; {} if it can be none, so that somebody has cheated."""
        face = self.face(piece)
        if face is not None:
            return {face: 1.0}
        still = not piece.stepped and not piece.mixed
        key = (piece.seat, piece.could, still)
        if key not in self._chances:
            heap = self.heap(piece.seat)
            weights = {
                face: heap[face] * (STOOD_STILL if still and face in FIXED else 1.0)
                for face in FACES
                if heap[face] and piece.could >> face & 1
            }
            total = sum(weights.values())
            self._chances[key] = {face: weight / total for face, weight in weights.items()}
        return self._chances[key]

    def flag_chance(self, piece: Piece) -> float:
        """How likely a piece is to be the flag."""
        return self.chances(piece).get(FLAG, 0.0)

    def flag_zones(self) -> dict[Zone, float]:
        """The enemy pieces that can be flags, with their chances; of one enemy together at most 1."""
        by_zone: dict[Zone, float] = {}
        for owner in range(self.state.seats):
            if owner == self.seat:
                continue
            own = {
                zone: chance
                for zone, piece in enumerate(self.state.board)
                if piece is not None and piece.seat == owner and (chance := self.flag_chance(piece))
            }
            total = max(1.0, sum(own.values()))
            by_zone.update({zone: chance / total for zone, chance in own.items()})
        return by_zone


def may_move(piece: Piece, face: Face | None) -> bool:
    """Whether a piece may be able to move."""
    return face not in FIXED if face is not None else bool(piece.could & MOBILE_ONES)
