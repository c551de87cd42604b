"""Random sensible set-ups of any army: each piece where people like to put it, and the whole by principle.

Several set-ups are drawn from the shares of `placement`, bombs drawn to the flag; the soundest of them is
dealt.  So no two games begin alike, and nobody can learn one set-up by heart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..table import Face
from ..view import Chance
from .armies import Army
from .board import HOME, NEIGHBOURS, PLACE, SIDE
from .pieces import BOMB, FLAG, GENERAL, IMMOBILE, MARSHAL, MINER, RED, SPY
from .placement import shares
from .texts import PLACES, Setup

DRAWN: Final = 12
"""So many set-ups are drawn for one that is dealt."""
GUARD: Final = 4.0
"""How much likelier a bomb comes next to the flag than where it otherwise would."""

BESIDE: Final = tuple(
    tuple(PLACE[RED][square] for square in NEIGHBOURS[HOME[RED][place]] if square in PLACE[RED])
    for place in range(PLACES)
)
"""By place: the places next to it."""
FRONT: Final = range(PLACES - SIDE, PLACES)
LANES: Final = tuple(
    tuple(place for place in FRONT if place % SIDE in columns) for columns in ((0, 1), (4, 5), (8, 9))
)
"""The places of the front row before the three ways between the craters."""


def dealt(army: Army, chance: Chance) -> Setup:
    """A sensible set-up of exactly this army; many are possible, and each its mirror image as likely."""
    return max((_drawn(army, chance) for _ in range(DRAWN)), key=soundness)


def _drawn(army: Army, chance: Chance) -> Setup:
    wanted = shares(army.size)
    setup: list[Face | None] = [None] * PLACES
    free = list(range(PLACES))
    for face in sorted(army.faces, key=lambda face: (face != FLAG, face != BOMB)):
        weights = [wanted[face][place] for place in free]
        if face == BOMB:
            weights = [
                weight * (GUARD if any(setup[beside] == FLAG for beside in BESIDE[place]) else 1)
                for place, weight in zip(free, weights, strict=True)
            ]
        setup[free.pop(_picked(weights, chance))] = face
    return tuple(setup)


def _picked(weights: Sequence[float], chance: Chance) -> int:
    """An index, as likely as its weight."""
    rest = chance.random() * sum(weights)
    for index, weight in enumerate(weights):
        rest -= weight
        if rest < 0:
            return index
    return len(weights) - 1


def soundness(setup: Setup) -> float:
    """How well a set-up keeps to principles; only to compare set-ups of one army."""
    place = {face: [p for p, found in enumerate(setup) if found == face] for face in set(setup)}
    flag = place[FLAG][0]
    points = -3.0 * (flag in FRONT)
    for beside in BESIDE[flag]:
        face = setup[beside]
        points += 1.5 if face == BOMB else -1.0 if face is None else 0.5
    points -= 3 * sum(all(setup[p] in IMMOBILE for p in lane) for lane in LANES)
    points -= sum(_is_shut_in(setup, p) for p in range(PLACES))
    if MARSHAL in place and GENERAL in place:
        points += 0.1 * abs(place[MARSHAL][0] % SIDE - place[GENERAL][0] % SIDE)
        if SPY in place:
            points -= 0.3 * min(_apart(place[SPY][0], place[high][0]) for high in (MARSHAL, GENERAL))
    points -= 0.5 * sum(p in FRONT for p in place.get(MINER, ()))
    return points


def _is_shut_in(setup: Setup, place: int) -> bool:
    """Whether a piece can never move, unless an enemy makes room for it."""
    face = setup[place]
    if face is None or face in IMMOBILE or place in FRONT:
        return False
    return all(setup[beside] in IMMOBILE for beside in BESIDE[place])


def _apart(one: int, other: int) -> int:
    """Steps between two places on an empty board."""
    (row, column), (other_row, other_column) = divmod(one, SIDE), divmod(other, SIDE)
    return abs(row - other_row) + abs(column - other_column)
