"""Well-formed texts of every format of Stratego."""

from __future__ import annotations

from typing import Any

RECORD = """\
stratego record 1
red: Ada
blue: Grace
army: barrage
first: red
quiet: 200
shuttle: letter

10  . . . . . . . . F B
 9  . . . . . . . . . S
 8  . . . . . . . . . .
 7  . 9 . . M 2 . 3 . 2
 6  . . ~ ~ . . ~ ~ . .
 5  . . ~ ~ . . ~ ~ . .
 4  3 M . . 9 2 . . . 2
 3  . . . . . . . . . .
 2  S . . . . . . . . .
 1  F B . . . . . . . .
    a b c d e f g h i j

   1  red   f4f7    scout and scout fall
   2  blue  e7e6
   3  red   e4e5
   4  blue  e6e5    marshal beats general
   5  red   j4j6
   6  blue  j7j6    scout and scout fall

result: blue wins, resigned
"""


PIECES = ("flag", "bomb", "bomb", "spy", "miner", "miner", "scout", "scout", "general", "marshal")

DUEL: dict[str, Any] = {
    "game": "stratego",
    "options": {"army": "duel"},
    "setup": {
        "red": dict(zip(("a1", "b1", "c1", "d1", "e1", "h1", "a4", "b4", "e4", "f4"), PIECES, strict=True)),
        "blue": dict(
            zip(("a10", "b9", "c10", "d10", "e9", "h7", "a7", "b7", "e8", "f7"), PIECES, strict=True)
        ),
    },
    "moves": ["a4a5", "b7b5", "b4b5", "a7a6"],
    "strict": True,
}


LINE = "AADADAAAAA" + "AAAAAAAAAA" + "AAAAALAAAA" + "MBAECKAAAA"

DIAGRAM = """\
 4  . . 2 . 2 . . . . .
 3  . . . . . . . . . .
 2  . . . . . M . . . .
 1  F B . 3 S 9 . . . .
    a b c d e f g h i j
"""
