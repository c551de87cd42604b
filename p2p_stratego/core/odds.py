"""A likelihood in the words of a coach."""

from __future__ import annotations


def percent(share: float) -> str:
    """A share as people read it: 0 % is impossible, 100 % is certain, all others are 1 to 99 %."""
    if share in (0.0, 1.0):
        return f"{share:.0%}".replace("%", " %")
    return f"{min(max(round(share * 100), 1), 99)} %"
