"""The acts of a match of Conquest Stratego that are worth jumping to, in a word or two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2p_stratego.conquest.rules.state import State
from p2p_stratego.core.language import _, mark

_LABELS: Final[Mapping[str, str]] = {
    "flag": mark("flag"),
    "betrayed-flag": mark("flag"),
    "flag-back": mark("flag is back"),
    "out": mark("out"),
    "left": mark("left"),
    "won": mark("capture"),
    "lost": mark("attack lost"),
    "both": mark("both fall"),
    "hit": mark("named"),
    "missed": mark("misnamed"),
}
"""By kind of event, the most telling first."""


def moment(before: State | None, after: State) -> str:
    """What the step from `before` (None: the set-up) to `after` brought; "" for nothing of note."""
    if before is None:
        return ""
    kinds = {event.kind for event in after.report}
    found = next((label for kind, label in _LABELS.items() if kind in kinds), "")
    if found:
        return _(found)
    if after.ended is not None:
        return _("the end")
    return _("round {round}", round=after.round) if after.round > before.round else ""
