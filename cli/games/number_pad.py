"""Keys that all boards share: the arrows, and a number pad for setting up."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

STEPS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}
)
"""By arrow: columns and rows to go, as the player sees them."""


def strokes(highest: str, trap: str) -> Mapping[str, str]:
    """By key: the piece that it puts, "-" for none; no typed line begins with one of these keys.

    `highest`: the piece on 0, above the ranks 2 to 9; `trap`: the piece on the asterisk.
    """
    ranks = zip("1234567890", ("spy", *"23456789", highest), strict=True)
    return MappingProxyType({**dict(ranks), "+": "flag", "*": trap, ".": "-", "-": "-"})
