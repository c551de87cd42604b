"""How far an attacker is from the enemy's flag, by beliefs about every piece that stands in between.

A way costs its moves, and a move for each bit of surprise that it needs: a piece that the attacker beats with
a chance of 1/4 costs two moves more, and so does a square that holds the flag with that chance.  Sets of
squares are integers, bit s for square s, so that a search spreads over the whole board at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from math import log2
from typing import Final, TypeAlias

from p2p_stratego.core.game import Face
from p2p_stratego.stratego.bots.beliefs import Chances
from p2p_stratego.stratego.rules.board import CRATERS, SIDE, SQUARES, Square
from p2p_stratego.stratego.rules.pieces import BOMB, FACES, FLAG, MARSHAL, MINER, MOBILE, SCOUT, SPY

Squares: TypeAlias = int
"""A set of squares: 100 bits."""
Costs: TypeAlias = dict[int, Squares]
"""Squares by a cost in moves, ≥ 0; no square is in two of them."""

_Foe: TypeAlias = tuple[Chances, tuple[float, ...]]
"""The chances of an enemy piece, and by face, how likely the piece is one below that face."""

NEVER: Final = 99
"""The cost where no way is left, or none that is worth a hope."""
HOPE: Final = 6
"""The greatest surprise, in bits, of one piece."""
_LAND: Final[Squares] = sum(1 << square for square in SQUARES if square not in CRATERS)
_NOT_LAST: Final[Squares] = sum(1 << square for square in SQUARES if square % SIDE != SIDE - 1)
_NOT_FIRST: Final[Squares] = sum(1 << square for square in SQUARES if square % SIDE)
_OWN_IN_THE_WAY: Final = 1
"""Moves more where an own piece has to make room."""
_FEARED: Final = 1
"""Moves more for a free square beside a piece that is likelier than not to beat the attacker."""


def surprise(odds: float) -> int | None:
    """The surprise of an event of these odds (0 to 1), in bits, 0 to HOPE; None for a greater one."""
    if odds >= 1:
        return 0
    bits = round(-log2(odds)) if odds > 0 else HOPE + 1
    return bits if bits <= HOPE else None


def _beside(squares: Squares) -> Squares:
    """All squares next to one of these."""
    east, west = (squares & _NOT_LAST) << 1, (squares & _NOT_FIRST) >> 1
    return (east | west | squares << SIDE | squares >> SIDE) & _LAND


def _seen_from(squares: Squares, free: Squares) -> Squares:
    """All squares from which a scout reaches one of these in a move, along free squares."""
    seen = 0
    for step in (_east, _west, _north, _south):
        front = step(squares)
        while front:
            seen |= front
            front = step(front & free)
    return seen & _LAND


def _east(squares: Squares) -> Squares:
    return (squares & _NOT_LAST) << 1 & _LAND  # a step from the last column would end in the next row


def _west(squares: Squares) -> Squares:
    return (squares & _NOT_FIRST) >> 1 & _LAND


def _north(squares: Squares) -> Squares:
    return squares << SIDE & _LAND


def _south(squares: Squares) -> Squares:
    return squares >> SIDE & _LAND


class Ways:
    """The ways of one side's pieces to the other side's flag."""

    def __init__(self, own: Mapping[Square, Chances], foes: Mapping[Square, Chances]) -> None:
        self._own = own
        self._foes: dict[Square, _Foe] = {
            square: (odds, tuple(accumulate(odds, initial=0.0))) for square, odds in foes.items()
        }
        self._goals = _by_cost((square, odds[FLAG]) for square, odds in foes.items())
        taken = sum(1 << square for square in (*own, *foes))
        self._free = _LAND & ~taken
        self._movers = sum(1 << s for s, odds in own.items() if odds[FLAG] + odds[BOMB] < 1 / 2)
        self._flags = [(square, odds[FLAG]) for square, odds in foes.items() if odds[FLAG]]

    def costs(self) -> Iterator[tuple[Face, int, bool]]:
        """For each face that can attack: its cost to the flag, 1 to NEVER, and whether a guard is nearer."""
        for face in FACES:
            if face in MOBILE:
                at = _by_cost((square, odds[face]) for square, odds in self._own.items())
                if at:
                    cost = self._cost(face, at)
                    yield face, cost, cost < NEVER and self._guarded(face, cost)

    def _cost(self, face: Face, attackers: Costs) -> int:
        """The cost of the nearest attacker of this face, spread from the flag on."""
        entering, best, done = self._entering(face), NEVER, 0
        open_at = {1 + cost: squares for cost, squares in self._goals.items()}
        at = 0
        while open_at and at + 1 < best:
            at += 1
            new = open_at.pop(at, 0) & ~done
            if not new:
                continue
            done |= new
            around = _seen_from(new, self._free) if face == SCOUT else _beside(new)
            for more, squares in attackers.items():
                if squares & around:
                    best = min(best, at + more)
            around &= ~done
            for more, squares in entering.items():
                if squares & around:
                    open_at[at + more] = open_at.get(at + more, 0) | squares & around
        return best

    def _entering(self, face: Face) -> Costs:
        """The cost of a step onto each square for a piece of this face; impossible ones are left out."""
        costs: Costs = {1: 0, 1 + _OWN_IN_THE_WAY: self._movers}
        feared = 0
        for square, foe in self._foes.items():
            cost = surprise(_won(face, foe))
            if cost is not None:
                costs[1 + cost] = costs.get(1 + cost, 0) | 1 << square
            if _beaten(face, foe) > 1 / 2:
                feared |= 1 << square
        feared = _beside(feared) & self._free
        costs[1] |= self._free & ~feared
        costs[1 + _FEARED] |= feared
        return costs

    def _guarded(self, face: Face, cost: int) -> bool:
        """Whether a piece that likely beats this face stands nearer to the likeliest flag than it does."""
        flag, _odds = max(self._flags, key=lambda goal: (goal[1], -goal[0]))
        return any(
            _apart(square, flag) <= cost and _beaten(face, foe) > 1 / 2 for square, foe in self._foes.items()
        )


def _by_cost(odds: Iterator[tuple[Square, float]]) -> Costs:
    """Squares by the surprise of what is there."""
    costs: Costs = {}
    for square, share in odds:
        bits = surprise(share) if share else None
        if bits is not None:
            costs[bits] = costs.get(bits, 0) | 1 << square
    return costs


def _won(face: Face, foe: _Foe) -> float:
    """How likely an attacker of this face takes a piece, the flag included, and lives."""
    odds, below = foe
    if face == MINER:
        return below[face] + odds[BOMB]
    return below[face] + odds[MARSHAL] if face == SPY else below[face]


def _beaten(face: Face, foe: _Foe) -> float:
    """How likely a piece is of a rank above this face."""
    _odds, below = foe
    return below[BOMB] - below[face + 1]


def _apart(square: Square, other: Square) -> int:
    return abs(square // SIDE - other // SIDE) + abs(square % SIDE - other % SIDE)
