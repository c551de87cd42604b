"""What the enemy could take with its next move, once an agent has made its own.

One step ahead, no further: every enemy piece beside an own one, weighed by what it can be, whether its owner
would dare, and whether it would be taken back.  Pieces are squares and faces here; nothing is moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..table import Face
from .board import NEIGHBOURS, Square
from .picture import Picture
from .pieces import FACES, FIGHTS, IMMOBILE, MARSHAL, MOBILE, SPY

TIMID: Final = 0.25
"""How often an enemy attacks a closed piece where that does not pay, as far as it can know."""
REST: Final = 0.3
"""How much a threat counts that is not the worst: only one can be carried out at a time."""
UNSEEN, SEEN_MOVED, OPEN_SEEN = range(3)
"""How the enemy sees an own piece: closed and never moved, closed and moved, open."""


class Replies:
    """The threats to one side's pieces, remembered from one look to the next."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._losses: dict[tuple[Square, Face, int, int, bool], float] = {}
        own, foes = picture.worth, picture.foe_worth
        self._prizes = [
            [
                {"won": own[mine], "lost": -foes[foe], "both": own[mine] - foes[foe], "flag": own[mine]}[
                    FIGHTS[foe][mine]
                ]
                for mine in FACES
            ]
            for foe in FACES
        ]
        """By enemy face and own face: what the enemy gains when it attacks."""
        self._dares = [
            [1.0 if sum(map(float.__mul__, seen, self._prizes[foe])) > 0 else TIMID for foe in FACES]
            for seen in picture.seen
        ]
        """By how it sees an own closed piece and by its own face: whether the enemy would attack it."""
        self._armed = [
            square
            for square, found in picture.foes.items()
            if sum(found[face] for face in IMMOBILE) < 1 - 1e-6
        ]

    def loss(self, mine: Mapping[Square, Face], seen: Mapping[Square, int], gone: Square = -1) -> float:
        """What the enemy is likely to take, if own pieces stand like this and the foe on `gone` is no more."""
        worst = total = 0.0
        for source in self._armed:
            if source != gone:
                for square in NEIGHBOURS[source]:
                    if square in mine:
                        loss = self._loss(source, square, mine, seen[square])
                        if loss > 0:
                            total += loss
                            worst = max(worst, loss)
        return worst + REST * (total - worst)

    def _loss(self, source: Square, square: Square, mine: Mapping[Square, Face], seen: int) -> float:
        guard, spy = 0, False
        for beside in NEIGHBOURS[square]:
            face = mine.get(beside)
            if face in MOBILE:
                spy = spy or face == SPY
                guard = max(guard, face)
        key = (source, mine[square], seen, guard, spy)
        loss = self._losses.get(key)
        if loss is None:
            loss = self._losses[key] = self._weighed(*key)
        return loss

    def _weighed(self, source: Square, own: Face, seen: int, guard: Face, spy: bool) -> float:
        loss = 0.0
        for face, share in enumerate(self._picture.foes[source]):
            if share and face in MOBILE:
                prize = self._prizes[face][own]
                if FIGHTS[face][own] == "won" and (guard > face or (spy and face == MARSHAL)):
                    prize -= self._picture.foe_worth[face]
                if seen == OPEN_SEEN:
                    loss += share * max(0.0, prize)
                else:
                    loss += share * prize * self._dares[seen][face]
        return loss
