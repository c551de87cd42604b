"""The weights of the measures of `prospects`, by knowledge and by the size of the army.

Written by `make prospects` (benchmarks/prospects.py), fitted to 500 games of bots of each small army.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

Knowing: TypeAlias = Literal["open", "own", "all"]
"""Of which closed pieces the faces are known: of none, of those of one side, of all."""
WEIGHTS: Final[Mapping[Knowing, Mapping[int, tuple[float, ...]]]] = {
    "open": {
        8: (
            0.974,  # share
            0.839,  # share late
            0.078,  # share in haste
            -0.756,  # top
            -0.169,  # free
            -0.151,  # spy
            0.061,  # no miner
            0.049,  # miners
            -0.306,  # closed
            1.310,  # army
            -0.007,  # mover
            0.321,  # prize
            0.087,  # prize next
            0.853,  # flag in 1
            0.249,  # flag in 2
            0.950,  # flag in 3
            0.126,  # flag in 5
            -0.167,  # flag in 8
            0.308,  # flag in 12
            0.295,  # flag in 18
            0.291,  # flag in 26
            0.813,  # flag unguarded in 1
            0.055,  # flag unguarded in 2
            0.186,  # flag unguarded in 3
            0.508,  # flag unguarded in 5
            0.535,  # flag unguarded in 8
            0.110,  # flag unguarded in 12
            -0.025,  # flag unguarded in 18
            0.567,  # flag unguarded in 26
        ),
        10: (
            0.687,  # share
            0.419,  # share late
            -0.224,  # share in haste
            0.120,  # top
            -0.520,  # free
            0.053,  # spy
            -0.678,  # no miner
            0.750,  # miners
            0.813,  # closed
            0.574,  # army
            -0.007,  # mover
            0.295,  # prize
            0.054,  # prize next
            0.589,  # flag in 1
            0.380,  # flag in 2
            0.414,  # flag in 3
            0.360,  # flag in 5
            0.160,  # flag in 8
            0.128,  # flag in 12
            0.225,  # flag in 18
            -0.388,  # flag in 26
            0.514,  # flag unguarded in 1
            0.198,  # flag unguarded in 2
            0.377,  # flag unguarded in 3
            0.593,  # flag unguarded in 5
            0.096,  # flag unguarded in 8
            0.097,  # flag unguarded in 12
            0.107,  # flag unguarded in 18
            0.052,  # flag unguarded in 26
        ),
        20: (
            1.360,  # share
            0.744,  # share late
            -0.017,  # share in haste
            -0.079,  # top
            -0.177,  # free
            0.400,  # spy
            -0.859,  # no miner
            0.087,  # miners
            0.428,  # closed
            0.117,  # army
            -0.028,  # mover
            0.154,  # prize
            -0.273,  # prize next
            0.448,  # flag in 1
            0.069,  # flag in 2
            1.018,  # flag in 3
            0.434,  # flag in 5
            0.154,  # flag in 8
            0.299,  # flag in 12
            0.318,  # flag in 18
            -0.211,  # flag in 26
            0.448,  # flag unguarded in 1
            -0.004,  # flag unguarded in 2
            0.254,  # flag unguarded in 3
            0.403,  # flag unguarded in 5
            0.194,  # flag unguarded in 8
            -0.210,  # flag unguarded in 12
            0.136,  # flag unguarded in 18
            0.029,  # flag unguarded in 26
        ),
        40: (
            2.385,  # share
            0.480,  # share late
            -0.066,  # share in haste
            0.224,  # top
            -0.962,  # free
            0.235,  # spy
            -0.790,  # no miner
            1.717,  # miners
            0.366,  # closed
            0.306,  # army
            0.032,  # mover
            0.109,  # prize
            -0.018,  # prize next
            0.390,  # flag in 1
            0.254,  # flag in 2
            0.495,  # flag in 3
            0.326,  # flag in 5
            -0.081,  # flag in 8
            0.037,  # flag in 12
            0.102,  # flag in 18
            0.218,  # flag in 26
            0.390,  # flag unguarded in 1
            0.181,  # flag unguarded in 2
            -0.063,  # flag unguarded in 3
            0.482,  # flag unguarded in 5
            -0.087,  # flag unguarded in 8
            0.012,  # flag unguarded in 12
            -0.023,  # flag unguarded in 18
            -0.056,  # flag unguarded in 26
        ),
    },
    "own": {
        8: (
            0.396,  # share
            1.673,  # share late
            0.042,  # share in haste
            -0.794,  # top
            0.159,  # free
            -0.094,  # spy
            0.165,  # no miner
            0.190,  # miners
            -0.467,  # closed
            1.269,  # army
            -0.023,  # mover
            1.452,  # prize
            0.819,  # prize next
            1.436,  # flag in 1
            0.673,  # flag in 2
            0.387,  # flag in 3
            0.072,  # flag in 5
            0.194,  # flag in 8
            0.348,  # flag in 12
            0.217,  # flag in 18
            -0.054,  # flag in 26
            1.353,  # flag unguarded in 1
            -0.178,  # flag unguarded in 2
            -0.164,  # flag unguarded in 3
            0.407,  # flag unguarded in 5
            0.112,  # flag unguarded in 8
            0.132,  # flag unguarded in 12
            0.363,  # flag unguarded in 18
            0.479,  # flag unguarded in 26
            -0.046,  # knower
            0.102,  # own flag in 1
            -0.149,  # own flag in 2
            0.424,  # own flag in 3
            0.113,  # own flag in 5
            -0.059,  # own flag in 8
            -0.284,  # own flag in 12
            -0.117,  # own flag in 18
            0.152,  # own flag in 26
            0.081,  # own flag unguarded in 1
            -0.279,  # own flag unguarded in 2
            0.457,  # own flag unguarded in 3
            0.166,  # own flag unguarded in 5
            0.055,  # own flag unguarded in 8
            0.035,  # own flag unguarded in 12
            -0.141,  # own flag unguarded in 18
            0.037,  # own flag unguarded in 26
        ),
        10: (
            0.288,  # share
            1.094,  # share late
            -0.415,  # share in haste
            0.023,  # top
            -0.526,  # free
            0.112,  # spy
            -0.641,  # no miner
            0.787,  # miners
            0.738,  # closed
            0.609,  # army
            -0.013,  # mover
            1.501,  # prize
            0.660,  # prize next
            0.849,  # flag in 1
            1.116,  # flag in 2
            0.392,  # flag in 3
            0.424,  # flag in 5
            0.176,  # flag in 8
            0.565,  # flag in 12
            0.329,  # flag in 18
            0.153,  # flag in 26
            0.536,  # flag unguarded in 1
            -0.180,  # flag unguarded in 2
            0.309,  # flag unguarded in 3
            0.182,  # flag unguarded in 5
            -0.110,  # flag unguarded in 8
            0.145,  # flag unguarded in 12
            0.179,  # flag unguarded in 18
            0.335,  # flag unguarded in 26
            0.698,  # knower
            0.182,  # own flag in 1
            -0.113,  # own flag in 2
            0.005,  # own flag in 3
            0.109,  # own flag in 5
            -0.020,  # own flag in 8
            -0.334,  # own flag in 12
            -0.188,  # own flag in 18
            -0.497,  # own flag in 26
            0.157,  # own flag unguarded in 1
            -0.189,  # own flag unguarded in 2
            0.128,  # own flag unguarded in 3
            0.284,  # own flag unguarded in 5
            0.295,  # own flag unguarded in 8
            -0.133,  # own flag unguarded in 12
            0.017,  # own flag unguarded in 18
            -0.318,  # own flag unguarded in 26
        ),
        20: (
            1.064,  # share
            1.687,  # share late
            -0.021,  # share in haste
            -0.299,  # top
            -0.246,  # free
            0.468,  # spy
            -0.784,  # no miner
            0.080,  # miners
            0.553,  # closed
            0.632,  # army
            -0.039,  # mover
            0.874,  # prize
            -0.148,  # prize next
            0.976,  # flag in 1
            0.429,  # flag in 2
            0.983,  # flag in 3
            0.591,  # flag in 5
            0.286,  # flag in 8
            0.502,  # flag in 12
            0.298,  # flag in 18
            0.504,  # flag in 26
            0.840,  # flag unguarded in 1
            -0.146,  # flag unguarded in 2
            -0.060,  # flag unguarded in 3
            -0.025,  # flag unguarded in 5
            0.041,  # flag unguarded in 8
            -0.256,  # flag unguarded in 12
            -0.042,  # flag unguarded in 18
            0.933,  # flag unguarded in 26
            0.626,  # knower
            0.227,  # own flag in 1
            -0.315,  # own flag in 2
            0.660,  # own flag in 3
            0.323,  # own flag in 5
            -0.187,  # own flag in 8
            -0.266,  # own flag in 12
            0.189,  # own flag in 18
            -0.305,  # own flag in 26
            0.227,  # own flag unguarded in 1
            -0.350,  # own flag unguarded in 2
            0.144,  # own flag unguarded in 3
            -0.112,  # own flag unguarded in 5
            0.120,  # own flag unguarded in 8
            0.359,  # own flag unguarded in 12
            0.242,  # own flag unguarded in 18
            -1.113,  # own flag unguarded in 26
        ),
        40: (
            2.344,  # share
            0.694,  # share late
            -0.204,  # share in haste
            0.235,  # top
            -1.089,  # free
            0.277,  # spy
            -0.737,  # no miner
            1.890,  # miners
            0.321,  # closed
            0.105,  # army
            0.043,  # mover
            0.708,  # prize
            0.389,  # prize next
            0.801,  # flag in 1
            0.458,  # flag in 2
            0.564,  # flag in 3
            -0.268,  # flag in 5
            0.164,  # flag in 8
            0.092,  # flag in 12
            0.354,  # flag in 18
            0.496,  # flag in 26
            0.697,  # flag unguarded in 1
            0.042,  # flag unguarded in 2
            0.155,  # flag unguarded in 3
            0.484,  # flag unguarded in 5
            -0.151,  # flag unguarded in 8
            0.521,  # flag unguarded in 12
            -0.336,  # flag unguarded in 18
            0.333,  # flag unguarded in 26
            0.489,  # knower
            0.213,  # own flag in 1
            -0.214,  # own flag in 2
            0.115,  # own flag in 3
            0.214,  # own flag in 5
            -0.371,  # own flag in 8
            0.306,  # own flag in 12
            -0.045,  # own flag in 18
            -0.405,  # own flag in 26
            0.213,  # own flag unguarded in 1
            -0.249,  # own flag unguarded in 2
            -0.135,  # own flag unguarded in 3
            0.115,  # own flag unguarded in 5
            0.108,  # own flag unguarded in 8
            -0.615,  # own flag unguarded in 12
            0.161,  # own flag unguarded in 18
            -0.502,  # own flag unguarded in 26
        ),
    },
    "all": {
        8: (
            0.666,  # share
            1.433,  # share late
            0.110,  # share in haste
            -0.802,  # top
            -0.124,  # free
            -0.071,  # spy
            0.223,  # no miner
            0.290,  # miners
            -0.556,  # closed
            0.424,  # army
            -0.022,  # mover
            1.188,  # prize
            0.494,  # prize next
            1.610,  # flag in 1
            0.984,  # flag in 2
            0.182,  # flag in 3
            0.018,  # flag in 5
            0.403,  # flag in 8
            0.219,  # flag in 12
            0.305,  # flag in 18
            -0.212,  # flag in 26
            1.221,  # flag unguarded in 1
            -0.097,  # flag unguarded in 2
            0.187,  # flag unguarded in 3
            0.333,  # flag unguarded in 5
            0.016,  # flag unguarded in 8
            0.181,  # flag unguarded in 12
            0.182,  # flag unguarded in 18
            0.531,  # flag unguarded in 26
        ),
        10: (
            0.695,  # share
            1.204,  # share late
            -0.095,  # share in haste
            -0.211,  # top
            -0.716,  # free
            0.190,  # spy
            -0.361,  # no miner
            0.851,  # miners
            0.865,  # closed
            0.335,  # army
            -0.015,  # mover
            0.961,  # prize
            0.291,  # prize next
            1.006,  # flag in 1
            1.145,  # flag in 2
            0.069,  # flag in 3
            0.318,  # flag in 5
            0.424,  # flag in 8
            0.589,  # flag in 12
            0.527,  # flag in 18
            0.549,  # flag in 26
            0.568,  # flag unguarded in 1
            -0.043,  # flag unguarded in 2
            0.694,  # flag unguarded in 3
            0.227,  # flag unguarded in 5
            0.041,  # flag unguarded in 8
            0.213,  # flag unguarded in 12
            -0.138,  # flag unguarded in 18
            0.351,  # flag unguarded in 26
        ),
        20: (
            1.064,  # share
            1.685,  # share late
            0.165,  # share in haste
            -0.469,  # top
            -0.425,  # free
            0.715,  # spy
            -0.778,  # no miner
            0.145,  # miners
            0.599,  # closed
            1.299,  # army
            -0.061,  # mover
            0.512,  # prize
            -0.173,  # prize next
            1.021,  # flag in 1
            0.838,  # flag in 2
            0.689,  # flag in 3
            0.488,  # flag in 5
            0.352,  # flag in 8
            0.317,  # flag in 12
            0.957,  # flag in 18
            0.104,  # flag in 26
            0.785,  # flag unguarded in 1
            0.302,  # flag unguarded in 2
            -0.053,  # flag unguarded in 3
            0.232,  # flag unguarded in 5
            0.126,  # flag unguarded in 8
            -0.070,  # flag unguarded in 12
            -0.141,  # flag unguarded in 18
            1.009,  # flag unguarded in 26
        ),
        40: (
            1.993,  # share
            1.037,  # share late
            -0.008,  # share in haste
            0.163,  # top
            -1.080,  # free
            0.344,  # spy
            -0.444,  # no miner
            1.921,  # miners
            0.550,  # closed
            0.561,  # army
            0.026,  # mover
            0.278,  # prize
            0.170,  # prize next
            0.774,  # flag in 1
            0.242,  # flag in 2
            0.445,  # flag in 3
            -0.199,  # flag in 5
            -0.127,  # flag in 8
            0.046,  # flag in 12
            0.427,  # flag in 18
            0.566,  # flag in 26
            0.613,  # flag unguarded in 1
            -0.054,  # flag unguarded in 2
            0.359,  # flag unguarded in 3
            0.752,  # flag unguarded in 5
            -0.018,  # flag unguarded in 8
            0.550,  # flag unguarded in 12
            -0.228,  # flag unguarded in 18
            0.466,  # flag unguarded in 26
        ),
    },
}
STEEPNESS: Final[Mapping[int, float]] = {
    8: 1.706,
    10: 1.165,
    20: 1.559,
    40: 2.834,
}
"""By size: how much the logarithm of the odds grows with the lead in worth, which is -1 to 1."""
