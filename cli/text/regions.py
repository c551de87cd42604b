"""Pointing at what is drawn: a place on a screen carries its name among its styles.

The code that draws a thing marks its place once, so clicks and overlays need no geometry.
"""

from __future__ import annotations

import re
from typing import Final

CHOICE: Final = "choice-"
"""The prefix of places that are offered choices; a number follows."""
_NAMED: Final = re.compile(r"class:at-([a-z0-9-]+)")


def marked(place: str) -> str:
    """The class that says: this is `place`, 1 or more lower-case letters, digits and hyphens."""
    return f"at-{place}"


def place_of(style: str) -> str | None:
    """The place that text of this style belongs to, if any."""
    match = _NAMED.search(style)
    return match[1] if match else None
