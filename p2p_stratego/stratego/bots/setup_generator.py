"""Random sensible set-ups of any army: each piece where people like to put it, and the whole by principle.

Several set-ups are drawn from the shares of `placement`, bombs drawn to the flag; the soundest of them is
dealt.  So games begin differently, and an opponent cannot learn one set-up by heart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from p2p_stratego.core.game import Face
from p2p_stratego.core.sampling import weighted
from p2p_stratego.core.view import Chance
from p2p_stratego.stratego.bots.characters import Hiding
from p2p_stratego.stratego.bots.placement_data import shares
from p2p_stratego.stratego.formats.diagram import PLACES, Setup
from p2p_stratego.stratego.formats.setups import of_answers
from p2p_stratego.stratego.rules.armies import ORDER, Army
from p2p_stratego.stratego.rules.board import HOME, NEIGHBOURS, PLACE, SIDE
from p2p_stratego.stratego.rules.pieces import BOMB, FLAG, GENERAL, IMMOBILE, MARSHAL, MINER, RED, SPY

T = TypeVar("T")

DRAWN: Final = 20
"""Set-ups drawn for each one dealt."""
BESIDE_FLAG: Final = 4.0
"""The factor on a bomb's share next to the flag."""
FLATTENED: Final = 0.7
"""The exponent of the flag's shares in a large army, which alone have less than four bits of squares."""
LARGE: Final = 30
"""Pieces: from so many on, an army is large."""

_FIRST: Final = (FLAG, BOMB, *(face for face in ORDER if face not in IMMOBILE))

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


def dealt(army: Army, chance: Chance, hiding: Hiding = "sound") -> Setup:
    """A sensible set-up of exactly this army; very many are possible, each as likely as its mirror image."""
    judged = _JUDGED[hiding]
    return max((by_shares(army, chance) for _ in range(DRAWN)), key=judged)


def varied(army: Army, chance: Chance, flattened: float | None = None) -> Setup:
    """The same with the flag on many more squares: an opponent that knows this program does not find it.

    `flattened`: as of `hiding`.
    """
    flag = weighted(hiding(army, flattened), chance)
    return max((by_shares(army, chance, flag) for _ in range(DRAWN)), key=soundness)


def hiding(army: Army, flattened: float | None = None) -> dict[int, float]:
    """By place, > 0, how likely `varied` lays the flag there: only ratios count; never in the front row.

    `flattened`: the exponent of the shares, 0 to 1; None: the one that leaves four bits of squares.
    """
    common = shares(army.size)[FLAG]
    if flattened is None:
        flattened = FLATTENED if army.size >= LARGE else 1.0
    return {place: common[place] ** flattened for place in range(PLACES) if place not in FRONT}


def placed(faces: Sequence[Face], chance: Chance) -> Setup:
    """A sensible set-up of an army whose order, by place, is settled; there must be one flag."""
    ways = (sorted(sample(range(PLACES), len(faces), chance)) for _ in range(DRAWN))
    return max((of_answers(faces, places) for places in ways), key=soundness)


def sample(things: Iterable[T], count: int, chance: Chance) -> list[T]:
    """`count` of the things in random order, each way equally likely."""
    left = list(things)
    return [left.pop(int(chance.random() * len(left))) for _ in range(count)]


def by_shares(army: Army, chance: Chance, flag: int | None = None) -> Setup:
    """A set-up by the shares; `flag`: the place of the flag, if it is settled."""
    wanted = shares(army.size)
    setup: list[Face | None] = [None] * PLACES
    free = set(range(PLACES))
    for face in sorted(army.faces, key=_FIRST.index):
        weights = {place: wanted[face][place] for place in sorted(free)}
        if face == FLAG and flag is not None:
            weights = {flag: 1.0}
        if face == BOMB:
            weights |= {p: weights[p] * BESIDE_FLAG for p in BESIDE[setup.index(FLAG)] if p in free}
        place = weighted(weights, chance)
        setup[place] = face
        free.remove(place)
    return tuple(setup)


def soundness(setup: Setup) -> float:
    """How well a set-up follows the principles; only to compare set-ups of one army."""
    place = {face: [p for p, piece in enumerate(setup) if piece == face] for face in set(setup)}
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


def _cornered(setup: Setup) -> float:
    """The same of a side that trusts a back corner and its bombs."""
    flag = setup.index(FLAG)
    walled = sum(setup[beside] == BOMB for beside in BESIDE[flag])
    return soundness(setup) + 20.0 * (flag in (0, SIDE - 1)) + 5.0 * walled - 2.0 * (flag // SIDE)


def _forward(setup: Setup) -> float:
    """The same of a side that hides its flag where nobody looks for it: in front."""
    return soundness(setup) + 20.0 * (setup.index(FLAG) // SIDE)


def _bare(setup: Setup) -> float:
    """The same of a side that leaves its flag at the back without bombs."""
    flag = setup.index(FLAG)
    walled = sum(setup[beside] == BOMB for beside in BESIDE[flag])
    return soundness(setup) - 20.0 * walled - 5.0 * (flag // SIDE)


_JUDGED: Final[Mapping[Hiding, Callable[[Setup], float]]] = {
    "sound": soundness,
    "corner": _cornered,
    "front": _forward,
    "bare": _bare,
}


def _is_shut_in(setup: Setup, place: int) -> bool:
    """Whether a piece can move only after an enemy makes room for it."""
    face = setup[place]
    if face is None or face in IMMOBILE or place in FRONT:
        return False
    return all(setup[beside] in IMMOBILE for beside in BESIDE[place])


def _apart(place: int, other: int) -> int:
    """Steps between two places on an empty board."""
    (row, column), (other_row, other_column) = divmod(place, SIDE), divmod(other, SIDE)
    return abs(row - other_row) + abs(column - other_column)
