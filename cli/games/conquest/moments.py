"""The acts of a match of Conquest Stratego that are worth jumping to, in a word or two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2p_stratego.conquest.rules.state import State

_LABELS: Final[Mapping[str, str]] = {
    "flag": "flag",
    "betrayed-flag": "flag",
    "flag-back": "flag is back",
    "out": "out",
    "left": "left",
    "won": "capture",
    "lost": "attack lost",
    "both": "both fall",
    "hit": "named",
    "missed": "misnamed",
}
"""By kind of event, the most telling first."""


def moment(before: State | None, after: State) -> str:
    """What the step from `before` (None: the set-up) to `after` brought; "" for nothing of note."""
    if before is None:
        return ""
    kinds = {event.kind for event in after.report}
    found = next((label for kind, label in _LABELS.items() if kind in kinds), "")
    if found:
        return found
    if after.ended is not None:
        return "the end"
    return f"round {after.round}" if after.round > before.round else ""
