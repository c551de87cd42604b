"""The steps of a match of SPIES! that are worth jumping to, in a word or two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2p_stratego.core.language import _, mark
from p2p_stratego.spies.rules.state import State

_LABELS: Final[Mapping[str, str]] = {
    "left": mark("left"),
    "killed": mark("killed"),
    "captured": mark("captured"),
    "cashes": mark("secret home"),
    "intercepts": mark("intercepted"),
    "counterspy": mark("counterspy"),
    "takes": mark("secret taken"),
    "controls": mark("secret taken"),
    "recruited": mark("recruited"),
    "trade": mark("trade"),
    "plays tile": mark("tile"),
}
"""By kind of event, the most telling first."""


def moment(before: State | None, after: State) -> str:
    """What the step from `before` (None: the set-up) to `after` brought; "" for nothing of note."""
    if before is None:
        return ""
    if after.ended is not None:
        return _("the end")
    if after.year > before.year:
        return str(after.year)
    kinds = {event.kind for event in after.report}
    return _(next((label for kind, label in _LABELS.items() if kind in kinds), ""))
