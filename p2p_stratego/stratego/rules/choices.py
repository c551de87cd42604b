"""The options of Stratego's Chooses: collections that test membership, and list moves on demand only.

The rules do not know the ranks of closed pieces.  So they offer every move that could be legal, and a player
who makes one claims its legality.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

from p2p_stratego.core.game import Move
from p2p_stratego.stratego.rules.claims import surely_can_move
from p2p_stratego.stratego.rules.movement import illegal, legal, possible_reach
from p2p_stratego.stratego.rules.notation import NONE, PLACES, STEPS, fill, is_fill
from p2p_stratego.stratego.rules.state import State


@dataclass(frozen=True, slots=True)
class Moves(Collection[Move]):
    """Every move that could be legal by public information; "none" where that could be true."""

    state: State

    def __contains__(self, move: object) -> bool:
        if move == NONE:
            return not surely_can_move(self.state)
        if not isinstance(move, str) or move not in STEPS:
            return False
        return illegal(self.state, move, possible_reach(self.state, self.state.seat)) is None

    def __iter__(self) -> Iterator[Move]:
        yield from legal(self.state, possible_reach(self.state, self.state.seat))
        if NONE in self:
            yield NONE

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True, slots=True)
class Fillings(Collection[Move]):
    """Every way to fill `count` of a side's own 40 places; up to 137,846,528,820 of them."""

    count: int

    def __contains__(self, move: object) -> bool:
        return is_fill(move, self.count)

    def __iter__(self) -> Iterator[Move]:
        return map(fill, combinations(range(PLACES), self.count))

    def __len__(self) -> int:
        return comb(PLACES, self.count)
