"""Which tile the agent plays, or discards."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Move
from p2p_stratego.spies.bots.worths import Worths
from p2p_stratego.spies.rules.atlas import GERMANY, POWERS
from p2p_stratego.spies.rules.bidding import powers_of
from p2p_stratego.spies.rules.counters import A_TILE
from p2p_stratego.spies.rules.tiles import CRISIS, PACT, TILES, TileId, is_coloured
from p2p_stratego.spies.rules.turn.tile import CRISIS_YEAR

A_POINT: Final = 0.35
LAST_CHANCE: Final = 0.5
"""The worth of playing a tile in the last of its years, for each point that it would count."""


def tile_worth(worths: Worths, said: Move) -> float:
    """The worth of a choice of the tile step; to play nothing is worth 0."""
    word, slot = said.split()
    face = worths.known[int(slot)]
    power = worths.state.power
    counted = A_TILE * is_coloured(face) * max(0.0, worths.weight(power)) * worths.counts(power)
    last = worths.state.year == TILES[face].years[-1]
    if word == "discard":
        return -0.2 - 0.3 * counted * (not last)
    return counted * (1 + LAST_CHANCE * last) + awarded(worths, face) + _special(worths, face) - A_POINT


def awarded(worths: Worths, face: TileId) -> float:
    """The worth of the awards of a tile to this seat, those of its rivals against them."""
    state, found = worths.state, 0.0
    for award in TILES[face].awards:
        for power in range(len(POWERS)):
            if state.territory[award.city] == power:
                continue
            if any(piece.city == award.city for _, piece in state.own(power)):
                gain = worths.change(power, award.pounds) + worths.chit(power, award.chits)
                found += gain * (worths.share(power) if worths.mine(power) else -0.5 * worths.rival)
    return found


def _special(worths: Worths, face: TileId) -> float:
    state, own = worths.state, powers_of(worths.state, worths.seat)
    if face == CRISIS and state.year == CRISIS_YEAR:
        best = max(worths.so_far(power) for power in own)
        others = [worths.so_far(power) for power in range(len(POWERS)) if power not in own]
        return 4.0 if best > max(others) + 10 else -4.0
    if face == PACT and state.allocation == "bid":
        return 2.0 if GERMANY in own else -4.0
    return 0.0
