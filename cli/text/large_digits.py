"""Digits five rows high, to be compared aloud."""

from __future__ import annotations

from typing import Final

from cli.text.layout import Line, styled

_PIXEL_ROWS: Final = 5
_FONT: Final = {
    "0": "#### ## ## ####",
    "1": " #  #  #  #  # ",
    "2": "###  #####  ###",
    "3": "###  ####  ####",
    "4": "# ## ####  #  #",
    "5": "####  ###  ####",
    "6": "####  #### ####",
    "7": "###  #  #  #  #",
    "8": "#### ##### ####",
    "9": "#### ####  ####",
}
"""By digit, five rows of three pixels."""


def large(digits: str) -> list[Line]:
    """Digits, and blanks between them, five rows high."""
    return [styled("  ".join(_pixels(sign, row) for sign in digits), "strong") for row in range(_PIXEL_ROWS)]


def _pixels(sign: str, row: int) -> str:
    bits = _FONT.get(sign, "")[row * 3 : row * 3 + 3]
    return "".join("██" if bit == "#" else "  " for bit in bits) or "  "
