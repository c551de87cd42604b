"""The goals of an agent's pieces: for each rank, how good it is to stand on each square.

A target attracts a near piece more than a far one.  The pull runs along ways that the piece can take, and is
weaker where stronger enemies stand beside the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from typing import Final

from p2p_stratego.core.game import Face
from p2p_stratego.stratego.bots.position import Picture, beaten
from p2p_stratego.stratego.rules.board import NEIGHBOURS, SQUARES, Square
from p2p_stratego.stratego.rules.pieces import MOBILE

FADING: Final = 0.85
"""The factor on a pull for each step."""
OWN_IN_THE_WAY: Final = 0.7
"""The factor where an own piece has to make room first."""
DREAD: Final = 0.7
"""The share that a square beside an enemy that surely beats the piece loses."""
FAINT: Final = 1e-4
"""A negligible pull: the spreading stops there."""


def field(picture: Picture, face: Face, pulls: Mapping[Square, float]) -> list[float]:
    """By square, the pull on an own piece of this face there, ≥ 0; `pulls`: by target."""
    safety = _safety(picture, face)
    mine, foes = picture.stand.mine, picture.foes
    strengths = [0.0] * len(SQUARES)
    queue: list[tuple[float, Square]] = []  # the strongest first, so negative

    def spread(pull: float, square: Square) -> None:
        for beside in NEIGHBOURS[square]:
            if not strengths[beside] and beside not in foes:
                heappush(queue, (-pull * FADING * safety.get(beside, 1.0), beside))

    for target, pull in pulls.items():
        spread(pull, target)
    while queue:
        pull, square = heappop(queue)
        if strengths[square] or pull > -FAINT:
            continue
        strengths[square] = -pull
        own = mine.get(square)
        if own is None:
            spread(-pull, square)
        elif own in MOBILE:
            spread(-pull * OWN_IN_THE_WAY, square)
    return strengths


def _safety(picture: Picture, face: Face) -> dict[Square, float]:
    """The factors, 0 to 1, on the squares beside enemies that can beat the piece."""
    safety: dict[Square, float] = {}
    for square, chances in picture.foes.items():
        safe = 1 - DREAD * beaten(face, chances)
        for beside in NEIGHBOURS[square]:
            safety[beside] = min(safety.get(beside, 1.0), safe)
    return safety
