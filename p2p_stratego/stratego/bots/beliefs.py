"""Beliefs about the closed pieces of a side: how likely each face is under each of them.

A side's closed pieces hold exactly the faces of its army that were never opened.  A table with a
row a piece and a column a face is scaled until every row sums to 1 and every column to the number of such
faces left (iterative proportional fitting).  Without leanings that is exact; with leanings it is the table
closest to them that counts right.

Callers must pass public information only; a bot uses the same code about its enemy and about the enemy's
beliefs.  If a side broke the rules, no honest answer may exist; then the rows still sum to 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul
from typing import Final, TypeAlias

from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.stratego.rules.board import Square
from p2p_stratego.stratego.rules.cells import FACE, MOVED, OPEN, OWNER, SLOT
from p2p_stratego.stratego.rules.pieces import FACES, IMMOBILE
from p2p_stratego.stratego.rules.state import State

Chances: TypeAlias = tuple[float, ...]
"""Twelve numbers from 0 to 1, by face; sum 1."""
Leanings: TypeAlias = Mapping[Slot, Sequence[float]]
"""By slot, by face: how much likelier than others of its kind this piece is to be that, > 0; only ratios
count, and a slot that is missing leans to nothing."""

ROUNDS: Final = 12
NEAR: Final = 0.02
"""The fitting stops when no face has an excess or lack above this number of pieces."""

CERTAIN: Final[tuple[Chances, ...]] = tuple(tuple(float(face == shown) for face in FACES) for shown in FACES)
"""By face: the chances of an open piece."""


def chances(state: State, seat: Seat, leanings: Leanings | None = None) -> dict[Square, Chances]:
    """How likely each face is under each piece of `seat` on the board, open ones included, by square."""
    by_square: dict[Square, Chances] = {}
    closed: list[tuple[Square, Slot, bool]] = []
    for square, cell in enumerate(state.board):
        if OWNER[cell] == seat:
            if cell >= OPEN:
                by_square[square] = CERTAIN[FACE[cell]]
            else:
                closed.append((square, SLOT[cell], cell >= MOVED))
    if not closed:
        return by_square
    even = even_chances(state, seat)
    faces = [face for face in FACES if state.left[seat][face]]
    rows = [[even[moved][face] for face in faces] for _, _, moved in closed]
    if leanings:
        for row, (_, slot, _) in zip(rows, closed, strict=True):
            leaning = leanings.get(slot)
            if leaning is not None:
                row[:] = [share * leaning[face] for share, face in zip(row, faces, strict=True)]
        rows = _fitted(rows, [float(state.left[seat][face]) for face in faces])
    for (square, _, _), row in zip(closed, rows, strict=True):
        whole = [0.0] * len(FACES)
        for face, share in zip(faces, row, strict=True):
            whole[face] = share
        by_square[square] = tuple(whole)
    return by_square


def even_chances(state: State, seat: Seat) -> tuple[Chances, Chances]:
    """The exact chances without leanings: of a closed piece that never moved, and of one that has."""
    left, unmoved, rooted = state.left[seat], state.unmoved[seat], state.still_hidden(seat)
    mobile = sum(left) - rooted
    still = min(1.0, rooted / max(1, unmoved)) if mobile else 1.0
    unmoved_ones = tuple(
        (still * count / rooted if face in IMMOBILE else (1 - still) * count / mobile) if count else 0.0
        for face, count in enumerate(left)
    )
    if not mobile:  # no face left can have moved: the owner broke a rule
        return unmoved_ones, unmoved_ones
    return unmoved_ones, tuple(0.0 if face in IMMOBILE else count / mobile for face, count in enumerate(left))


def _fitted(rows: list[list[float]], due: Sequence[float]) -> list[list[float]]:
    rows = [_to_one(row) for row in rows]
    for _ in range(ROUNDS):
        sums = list(map(sum, zip(*rows, strict=True)))
        if all(abs(has - wants) < NEAR for has, wants in zip(sums, due, strict=True)):
            break
        scale = [wants / has if has else 1.0 for has, wants in zip(sums, due, strict=True)]
        rows = [_to_one([share * by for share, by in zip(row, scale, strict=True)]) for row in rows]
    return rows


def _to_one(row: list[float]) -> list[float]:
    whole = sum(row)
    return [share / whole for share in row]


def expected(chances_of: Chances, worth: Sequence[float]) -> float:
    """The mean of `worth`, by face."""
    mean: float = sum(map(mul, chances_of, worth))
    return mean


def likely(odds: Chances, faces: frozenset[Face]) -> float:
    """How likely one of `faces` is."""
    return sum(odds[face] for face in faces)
