"""How well a colour can be read on another: relative luminance and contrast ratio (WCAG 2.2, definitions)."""

from __future__ import annotations

from typing import Final

_DARK_STEP: Final = 0.04045
"""The share of a channel below which sRGB is linear."""
MIDDLE: Final = 0.179
"""The luminance on which black and white can be read equally well: (1.05 * 0.05) ** 0.5 - 0.05."""


def luminance(colour: str) -> float:
    """The relative luminance of "#rrggbb", from 0.0 for black to 1.0 for white."""
    shares = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        share / 12.92 if share <= _DARK_STEP else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, other: str) -> float:
    """The contrast ratio of two colours, from 1.0 to 21.0, in either order."""
    low, high = sorted((luminance(colour), luminance(other)))
    return (high + 0.05) / (low + 0.05)
