"""Where an agent's pieces want to go: for each rank, how good it is to stand on each square.

Targets draw a piece the more the nearer it is; the pull runs along ways that the piece can take and is
weakened where stronger enemies stand beside the way.
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
"""What is left of a pull after each step."""
OWN_IN_THE_WAY: Final = 0.7
"""What is left of it where an own piece has to make room first."""
DREAD: Final = 0.7
"""What a square loses where an enemy stands beside it that surely beats the piece."""
FAINT: Final = 1e-4
"""A pull that nobody feels."""


def field(picture: Picture, face: Face, pulls: Mapping[Square, float]) -> list[float]:
    """By square, how strongly an own piece of this face is drawn on from there, ≥ 0; `pulls`: by target."""
    safety = _safety(picture, face)
    mine, foes = picture.stand.mine, picture.foes
    found = [0.0] * len(SQUARES)
    queue: list[tuple[float, Square]] = []  # the strongest first, so negative

    def spread(pull: float, square: Square) -> None:
        for beside in NEIGHBOURS[square]:
            if not found[beside] and beside not in foes:
                heappush(queue, (-pull * FADING * safety.get(beside, 1.0), beside))

    for target, pull in pulls.items():
        spread(pull, target)
    while queue:
        pull, square = heappop(queue)
        if found[square] or pull > -FAINT:
            continue
        found[square] = -pull
        own = mine.get(square)
        if own is None:
            spread(-pull, square)
        elif own in MOBILE:
            spread(-pull * OWN_IN_THE_WAY, square)
    return found


def _safety(picture: Picture, face: Face) -> dict[Square, float]:
    """What is left of a pull on the squares beside enemies that can beat the piece, 0 to 1."""
    found: dict[Square, float] = {}
    for square, chances in picture.foes.items():
        safe = 1 - DREAD * beaten(face, chances)
        for beside in NEIGHBOURS[square]:
            found[beside] = min(found.get(beside, 1.0), safe)
    return found
