"""Where an agent's pieces want to go: for each rank, how good it is to stand on each square.

Targets draw a piece the more the nearer it is; the pull runs along ways that the piece can take and is
weakened where stronger enemies stand beside the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from typing import Final

from ..table import Face
from .board import NEIGHBOURS, SQUARES, Square
from .picture import Picture
from .pieces import FIGHTS, MOBILE

FADING: Final = 0.85
"""What is left of a pull after each step."""
OWN_IN_THE_WAY: Final = 0.7
"""What is left of it where an own piece has to make room first."""
DREAD: Final = 0.7
"""What a square loses where an enemy stands beside it that surely beats the piece."""


def field(picture: Picture, face: Face, pulls: Mapping[Square, float]) -> list[float]:
    """By square, how strongly an own piece of this face is drawn on from there; `pulls` by target, > 0."""
    dread = _dread(picture, face)
    found = [0.0] * len(SQUARES)
    queue: list[tuple[float, Square]] = []
    for target, pull in pulls.items():
        for square in NEIGHBOURS[target]:
            if square not in picture.foes:
                heappush(queue, (-pull * FADING * dread.get(square, 1.0), square))
    while queue:
        pull, square = heappop(queue)
        if found[square] or pull > -1e-4:
            continue
        found[square] = -pull
        own = picture.mine.get(square)
        if own is not None:
            if own not in MOBILE:
                continue
            pull *= OWN_IN_THE_WAY
        for beside in NEIGHBOURS[square]:
            if not found[beside] and beside not in picture.foes:
                heappush(queue, (pull * FADING * dread.get(beside, 1.0), beside))
    return found


def _dread(picture: Picture, face: Face) -> dict[Square, float]:
    """What is left of a pull on the squares beside enemies that can beat the piece, 0 to 1."""
    found: dict[Square, float] = {}
    for square, chances in picture.foes.items():
        beats = sum(
            share
            for foe, share in enumerate(chances)
            if share and foe in MOBILE and FIGHTS[foe][face] == "won"
        )
        if beats > 0.05:
            for beside in NEIGHBOURS[square]:
                found[beside] = min(found.get(beside, 1.0), 1 - DREAD * beats)
    return found
