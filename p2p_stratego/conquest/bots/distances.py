"""How far zones are from each other by single steps, pieces left aside."""

from __future__ import annotations

from typing import Final

from p2p_stratego.conquest.rules.atlas import NEIGHBOURS, ZONES, Zone


def _from(start: Zone) -> tuple[int, ...]:
    spaces = {start: 0}
    frontier = [start]
    while frontier:
        frontier = [
            other
            for zone in frontier
            for other in NEIGHBOURS[zone]
            if other not in spaces and spaces.setdefault(other, spaces[zone] + 1)
        ]
    return tuple(spaces[zone] for zone in ZONES)


STEPS_APART: Final[tuple[tuple[int, ...], ...]] = tuple(map(_from, ZONES))
"""STEPS_APART[a][b]: steps from a to b on an empty board."""
