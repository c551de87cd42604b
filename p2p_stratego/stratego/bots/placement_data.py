"""Where people put each piece: shares over the places of a side's own rows, by the size of the army.

Figures from thousands of recorded set-ups (benchmarks/bots/placement.py derives them again); they reveal no
single set-up.  A bot assumes them of a stranger, and deals sensible set-ups from them.  Left and right count
as alike.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

from p2p_stratego.core.game import Face
from p2p_stratego.stratego.formats.diagram import PLACES
from p2p_stratego.stratego.rules.board import HOME_ROWS, SIDE
from p2p_stratego.stratego.rules.pieces import FACE_NAMED, FACES

Shares: TypeAlias = tuple[float, ...]
"""Forty numbers above 0, by place, see `board.HOME`; on average 1: how much likelier than anywhere."""

_WIDTH: Final = SIDE // 2
HALF: Final = HOME_ROWS * _WIDTH
"""The number of half-places: places of the left half, each standing for its mirror image too."""


def half(place: int) -> int:
    """The half-place of a place: 0 is the corner of the back row, 4 its middle, 19 that of the front row."""
    row, column = divmod(place, SIDE)
    return row * _WIDTH + min(column, SIDE - 1 - column)


_SHARES: Final = {
    "barrage": """
        flag       364  66  35 119  35  96  17  20  29  17  26  11  17  29  14  19  14  25  34  14
        spy         36  47  28  25  16  72  66  33  22  21  62  53  30  31  28  78  84  45  63 159
        scout       46 101  42  31  38  93  73  29  17  20  57  50  20  20  24  97  87  33  38  86
        miner       35 100  46  35  33  83  78  27  18  17  49  43  28  21  24  94  89  35  32 113
        general     12  54  31  40  22  57  76  23  20  16  75  44  25  21  23 104 116  32  41 168
        marshal     14  37  22  24  17  47  63  28  12  19  48  59  24  21  22 116 180  32  49 166
        bomb       134 134  41 109  31 152  27  21  27  20  36  18  14  24  23  41  53  19  29  50
    """,
    "quickplay": """
        flag       285  46 135 197  69  50   7  38  62  14   6   0  16  23   5   4   0  28  16   0
        spy          7  30  48  42  32  22  52 129 137  49  20  22 112  97  40   4   3  59  92   4
        scout       78  76  63  70 106  54  56  50  43  71  32  35  31  28  41  34  34  26  27  44
        miner      109 106  82  65  91  82  58  41  34  45  40  22  17  19  34  37  39  22  24  32
        sergeant    55  77  62  53  66  49  56  39  36  49  50  41  29  17  47  65  88  26  21  73
        lieutenant  38  39  33  33  38  39  45  32  30  37  45  53  19  24  68 127 122  32  33 110
        captain     22  31  45  33  51  35  71  74  80  52  58  48  77  61  41  32  37  67  53  33
        major        9  28  29  19  34  32  64  44  46  45  53  75  58  37  54  79  97  67  38  91
        colonel     11  31  20  16  22  22  63  44  60  53  63  87  72  47  49  59  70  61  60  91
        general      4  13   8  11  11   9  29  50  40  24  69  85  64  93  91  73  84  70 103  67
        marshal      5  10   3   7  10  12  34  34  43  35  59  71  75 109  94  76  76  79  96  73
        bomb        75 146 114  99  57 127  37  52  39  40  34  24  21  25  21  16  23  11  18  20
    """,
    "classic": """
        flag       219  54 170 276 148  12   6  22  40   7   6   1   6   8   1   4   2   8   8   1
        spy          9   8  11  11  14  23  46 103 158  79   8  14 126 221  38   2   2  46  80   2
        scout       47  40  30  29  40  46  51  29  29  48  58  66  44  46  67  81  76  48  47  75
        miner      103  93  91  92  88  53  57  62  61  55  23  22  45  39  20   8   6  40  34   6
        sergeant    80  56  57  48  48  58  48  38  38  38  64  41  29  27  35  82  74  34  34  71
        lieutenant  30  37  32  30  29  43  46  42  37  40  55  53  40  43  51  88 107  47  44 106
        captain     23  28  34  30  33  36  48  51  45  49  68  66  42  43  66  64  77  56  55  85
        major       18  26  30  31  36  39  52  71  74  66  63  60  55  49  68  32  38  79  68  45
        colonel     10  14  10  11  14  36  73  84  66  74  60  70 119  89  62  15  17  86  75  16
        general      6   5   4   2   4  20  28  23  23  38  55  78 126 131 115  14  16 117 180  16
        marshal      6   5   3   4   6  24  35  25  23  38  51  65 122 142  94  11  14 135 182  18
        bomb        45  92  86  78  81  91  53  64  64  53  41  41  33  25  29  36  25  25  20  19
    """,
}
"""Of a thousand pieces of this kind, how many stood on each half-place."""

_FLOOR: Final = 5
"""Added to every share (average 50), so that none is impossible."""
_UP_TO: Final = ((13, ("barrage", "quickplay")), (29, ("quickplay",)), (PLACES, ("classic",)))
"""By the size of the army: the tables to use, a later one for a piece that earlier ones lack."""


def _read(table: str) -> dict[Face, Shares]:
    shares = {}
    for line in table.split("\n"):
        if line.strip():
            name, *numbers = line.split()
            halves = [int(number) + _FLOOR for number in numbers]
            mean = sum(halves) / HALF
            shares[FACE_NAMED[name]] = tuple(halves[half(place)] / mean for place in range(PLACES))
    return shares


@lru_cache(maxsize=len(_UP_TO))
def _table(names: tuple[str, ...]) -> tuple[Shares, ...]:
    shares: dict[Face, Shares] = {}
    for name in names:
        shares = _read(_SHARES[name]) | shares
    return tuple(shares[face] for face in FACES)


def shares(size: int) -> tuple[Shares, ...]:
    """By face: the shares of its places in an army of `size` pieces, 2 to 40."""
    return _table(next(names for most, names in _UP_TO if size <= most))
