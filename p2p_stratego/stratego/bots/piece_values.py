"""The worth of pieces, in units of a piece that beats nothing, by the pieces left on both sides.

The worth of a rank depends on the number of enemies still above it: when the marshal falls, the other side's
general takes its place.  All inputs are public.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final, TypeAlias

from p2p_stratego.core.game import Seat
from p2p_stratego.stratego.rules.armies import Army
from p2p_stratego.stratego.rules.cells import opened
from p2p_stratego.stratego.rules.pieces import BOMB, FACES, FLAG, MARSHAL, MINER, MOBILE, SCOUT, SPY
from p2p_stratego.stratego.rules.state import State

Worth: TypeAlias = tuple[float, ...]
"""Twelve numbers ≥ 0, by face."""

TOP: Final = 18.0
"""The addition, for a rank above all enemies, to the 1 of every piece."""
DECAY: Final = 10.0
"""How quickly that falls with the share of enemies above: to 1/e for every tenth of the army."""
FLAG_WORTH: Final = 100.0
"""More than any piece, yet little enough that a slim chance of it is not worth an army."""
BOMB_WORTH: Final = 2.5
SPY_WORTH: Final = 4.0
"""While there is an enemy marshal to hunt."""
MINER_WORTH: Final = 1.5
"""For each enemy bomb there is, shared among the miners left."""
MOST_MINER_WORTH: Final = 5.0
SCOUT_WORTH: Final = 0.5


def alive(state: State, seat: Seat) -> tuple[int, ...]:
    """How many of each face a side still has on the board."""
    return tuple(
        closed + state.board.count(opened(seat, face)) for face, closed in enumerate(state.left[seat])
    )


def worth(state: State, seat: Seat) -> Worth:
    """The worth of one piece of `seat`, by face."""
    return worth_among(state.army, alive(state, seat), alive(state, 1 - seat))


def worth_among(army: Army, own: Sequence[int], enemy: Sequence[int]) -> Worth:
    """The worth of one piece, by face, of a side with so many of each left, against an enemy with so many."""
    mobile = sum(army.counts[face] for face in MOBILE)
    worth = [0.0] * len(FACES)
    for face in MOBILE:
        above = sum(enemy[face + 1 : BOMB]) + enemy[face] / 2
        worth[face] = 1 + TOP * exp(-DECAY * above / mobile)
    worth[SPY] = 1 + (SPY_WORTH if enemy[MARSHAL] else 0)
    worth[SCOUT] += SCOUT_WORTH
    worth[MINER] += min(MOST_MINER_WORTH, MINER_WORTH * enemy[BOMB] / max(1, own[MINER]))
    worth[BOMB] = BOMB_WORTH
    worth[FLAG] = FLAG_WORTH
    return tuple(worth)
