"""The rules that only hidden things can break, by their names in a Breach or a claim."""

from __future__ import annotations

from typing import Final

WRONG_CHIT: Final = "wrong-chit"
"""Another chit is opened than was played."""
WRONG_YEAR: Final = "wrong-year"
WRONG_TILE: Final = "wrong-tile"
FALSE_DISCARD: Final = "false-discard"
FALSE_NONE: Final = "false-none"
WRONG_POLICE: Final = "wrong-police"
WRONG_SPIES: Final = "wrong-spies"
FALSE_COMPARISON: Final = "false-comparison"
FALSE_FIND: Final = "false-secret"
FALSE_SURVIVAL: Final = "false-survival"
FALSE_COUSIN: Final = "false-cousin"
OVERDRAWN: Final = "overdrawn"
