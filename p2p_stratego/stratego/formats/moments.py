"""The moves of a game of Stratego that are worth jumping to, in a word or two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2p_stratego.core.language import _, mark
from p2p_stratego.stratego.rules.state import Result, State

_LABELS: Final[Mapping[Result, str]] = {
    "won": mark("capture"),
    "lost": mark("attack lost"),
    "both": mark("both fall"),
    "flag": mark("flag"),
}


def moment(before: State | None, after: State) -> str:
    """What the step from `before` (None: the set-up) to `after` brought; "" for nothing of note."""
    if before is None:
        return ""
    if after.report is not None and after.plies > before.plies and after.report.result in _LABELS:
        return _(_LABELS[after.report.result])
    if after.ended is not None:
        return _("the end")
    return _("first move") if (before.phase, after.phase) == ("squares", "play") else ""
