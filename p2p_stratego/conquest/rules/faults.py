"""The rules that only hidden faces can break, by their names in a Breach."""

from __future__ import annotations

from typing import Final

WRONG_FACES: Final = "wrong-faces"
"""More pieces of a kind are open than the army has."""
STEPPED: Final = "fixed-piece-moved"
RAN: Final = "ran-but-no-scout"
FALSE_NONE: Final = "false-no-move"
CHANGED: Final = "changed-pieces"
"""Other faces were laid back than were taken up."""
FALSE_MISS: Final = "false-miss"
FALSE_HIT: Final = "false-hit"
NO_SPY: Final = "no-spy"
"""The spy lay in the bag that should be without it, or the piece shown as the spy is another."""
