"""The steps of a match of Spies & Lies that are worth jumping to, in a word or two."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.language import _, mark
from p2p_stratego.spies_and_lies.rules.state import EffectKind, State

_LABELS: Final[tuple[tuple[EffectKind, str], ...]] = (
    ("flag", mark("flag")),
    ("infiltrated", mark("infiltration")),
    ("undone", mark("blast")),
    ("agent", mark("agent")),
    ("points", mark("points")),
)
"""The most telling first."""


def moment(before: State | None, after: State) -> str:
    """What the step from `before` (None: the set-up) to `after` brought; "" for nothing of note."""
    if before is None:
        return ""
    report = after.report if after.report is not before.report else None
    kinds = {effect.kind for effect in report.effects} if report else set()
    if "flag" not in kinds and after.ended is not None:
        return _("the end")
    if after.day > before.day:
        return _("day {day}", day=after.day)
    found = next((label for kind, label in _LABELS if kind in kinds), "")
    if report is not None and report.result == "identified" and found in ("", "points"):
        return _("identified")
    return _(found)
