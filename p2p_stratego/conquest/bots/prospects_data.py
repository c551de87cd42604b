"""The weights of the measures of `prospects`, by the number of seats.

Written by `make prospects` (benchmarks/conquest_prospects.py), fitted to 300 games of bots each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WEIGHTS: Final[Mapping[int, tuple[float, ...]]] = {
    2: (
        3.984,  # territories
        -0.427,  # cities
        0.000,  # captured flags
        -0.000,  # own flag
        0.000,  # flag open
        2.101,  # pieces
        -0.402,  # strength
        -1.262,  # danger to the flag
        1.262,  # reach of flags
        0.062,  # turn
        0.000,  # captured late
        0.237,  # territories late
        0.202,  # pieces late
    ),
    3: (
        0.480,  # territories
        0.642,  # cities
        0.224,  # captured flags
        2.915,  # own flag
        0.161,  # flag open
        3.525,  # pieces
        0.889,  # strength
        -1.796,  # danger to the flag
        -2.141,  # reach of flags
        0.046,  # turn
        0.258,  # captured late
        0.043,  # territories late
        0.186,  # pieces late
    ),
    4: (
        1.534,  # territories
        0.136,  # cities
        -0.099,  # captured flags
        3.413,  # own flag
        -0.370,  # flag open
        3.881,  # pieces
        0.710,  # strength
        -2.864,  # danger to the flag
        -1.561,  # reach of flags
        0.028,  # turn
        -0.626,  # captured late
        0.075,  # territories late
        0.051,  # pieces late
    ),
}
STEEPNESS: Final[Mapping[int, float]] = {2: 5.232, 3: 7.265, 4: 8.109}
"""By seats: the weight of the strength alone, as a share of an army."""
