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
            0.501,  # share
            1.607,  # share late
            0.129,  # share in haste
            -0.806,  # top
            0.071,  # free
            -0.097,  # spy
            0.148,  # no miner
            0.171,  # miners
            -0.470,  # closed
            1.188,  # army
            -0.023,  # mover
            1.081,  # prize
            0.652,  # prize next
            1.459,  # flag in 1
            0.609,  # flag in 2
            0.419,  # flag in 3
            0.063,  # flag in 5
            0.192,  # flag in 8
            0.357,  # flag in 12
            0.208,  # flag in 18
            -0.063,  # flag in 26
            1.285,  # flag unguarded in 1
            -0.129,  # flag unguarded in 2
            -0.177,  # flag unguarded in 3
            0.411,  # flag unguarded in 5
            0.118,  # flag unguarded in 8
            0.124,  # flag unguarded in 12
            0.367,  # flag unguarded in 18
            0.478,  # flag unguarded in 26
            -0.098,  # knower
            0.032,  # own flag in 1
            -0.095,  # own flag in 2
            0.373,  # own flag in 3
            0.118,  # own flag in 5
            -0.051,  # own flag in 8
            -0.296,  # own flag in 12
            -0.089,  # own flag in 18
            0.187,  # own flag in 26
            0.010,  # own flag unguarded in 1
            -0.243,  # own flag unguarded in 2
            0.469,  # own flag unguarded in 3
            0.171,  # own flag unguarded in 5
            0.043,  # own flag unguarded in 8
            0.047,  # own flag unguarded in 12
            -0.150,  # own flag unguarded in 18
            0.037,  # own flag unguarded in 26
        ),
        10: (
            0.362,  # share
            1.028,  # share late
            -0.333,  # share in haste
            0.010,  # top
            -0.550,  # free
            0.112,  # spy
            -0.633,  # no miner
            0.791,  # miners
            0.734,  # closed
            0.540,  # army
            -0.012,  # mover
            1.134,  # prize
            0.513,  # prize next
            0.872,  # flag in 1
            1.026,  # flag in 2
            0.446,  # flag in 3
            0.408,  # flag in 5
            0.173,  # flag in 8
            0.572,  # flag in 12
            0.324,  # flag in 18
            0.150,  # flag in 26
            0.469,  # flag unguarded in 1
            -0.122,  # flag unguarded in 2
            0.298,  # flag unguarded in 3
            0.188,  # flag unguarded in 5
            -0.101,  # flag unguarded in 8
            0.138,  # flag unguarded in 12
            0.182,  # flag unguarded in 18
            0.333,  # flag unguarded in 26
            0.679,  # knower
            0.109,  # own flag in 1
            -0.024,  # own flag in 2
            -0.075,  # own flag in 3
            0.119,  # own flag in 5
            -0.011,  # own flag in 8
            -0.343,  # own flag in 12
            -0.169,  # own flag in 18
            -0.487,  # own flag in 26
            0.082,  # own flag unguarded in 1
            -0.117,  # own flag unguarded in 2
            0.142,  # own flag unguarded in 3
            0.291,  # own flag unguarded in 5
            0.281,  # own flag unguarded in 8
            -0.123,  # own flag unguarded in 12
            0.010,  # own flag unguarded in 18
            -0.319,  # own flag unguarded in 26
        ),
        20: (
            1.121,  # share
            1.630,  # share late
            0.067,  # share in haste
            -0.297,  # top
            -0.297,  # free
            0.471,  # spy
            -0.782,  # no miner
            0.086,  # miners
            0.547,  # closed
            0.570,  # army
            -0.039,  # mover
            0.475,  # prize
            -0.319,  # prize next
            0.948,  # flag in 1
            0.337,  # flag in 2
            1.044,  # flag in 3
            0.544,  # flag in 5
            0.281,  # flag in 8
            0.512,  # flag in 12
            0.290,  # flag in 18
            0.499,  # flag in 26
            0.724,  # flag unguarded in 1
            -0.069,  # flag unguarded in 2
            -0.065,  # flag unguarded in 3
            0.008,  # flag unguarded in 5
            0.053,  # flag unguarded in 8
            -0.269,  # flag unguarded in 12
            -0.039,  # flag unguarded in 18
            0.935,  # flag unguarded in 26
            0.594,  # knower
            0.131,  # own flag in 1
            -0.155,  # own flag in 2
            0.502,  # own flag in 3
            0.333,  # own flag in 5
            -0.167,  # own flag in 8
            -0.280,  # own flag in 12
            0.251,  # own flag in 18
            -0.311,  # own flag in 26
            0.131,  # own flag unguarded in 1
            -0.204,  # own flag unguarded in 2
            0.124,  # own flag unguarded in 3
            -0.085,  # own flag unguarded in 5
            0.091,  # own flag unguarded in 8
            0.374,  # own flag unguarded in 12
            0.236,  # own flag unguarded in 18
            -1.127,  # own flag unguarded in 26
        ),
        40: (
            2.430,  # share
            0.626,  # share late
            -0.116,  # share in haste
            0.238,  # top
            -1.147,  # free
            0.282,  # spy
            -0.737,  # no miner
            1.901,  # miners
            0.322,  # closed
            -0.018,  # army
            0.043,  # mover
            0.295,  # prize
            0.211,  # prize next
            0.747,  # flag in 1
            0.376,  # flag in 2
            0.661,  # flag in 3
            -0.382,  # flag in 5
            0.151,  # flag in 8
            0.115,  # flag in 12
            0.336,  # flag in 18
            0.502,  # flag in 26
            0.559,  # flag unguarded in 1
            0.143,  # flag unguarded in 2
            0.185,  # flag unguarded in 3
            0.548,  # flag unguarded in 5
            -0.123,  # flag unguarded in 8
            0.494,  # flag unguarded in 12
            -0.327,  # flag unguarded in 18
            0.331,  # flag unguarded in 26
            0.386,  # knower
            0.113,  # own flag in 1
            -0.024,  # own flag in 2
            -0.061,  # own flag in 3
            0.243,  # own flag in 5
            -0.315,  # own flag in 8
            0.271,  # own flag in 12
            -0.005,  # own flag in 18
            -0.326,  # own flag in 26
            0.113,  # own flag unguarded in 1
            -0.074,  # own flag unguarded in 2
            -0.176,  # own flag unguarded in 3
            0.206,  # own flag unguarded in 5
            0.028,  # own flag unguarded in 8
            -0.574,  # own flag unguarded in 12
            0.143,  # own flag unguarded in 18
            -0.496,  # own flag unguarded in 26
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
