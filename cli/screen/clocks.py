"""The clocks in the title of a screen: a pure function from what a Scene says of them to cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cli.table.clocks import ClockShown
from cli.text.layout import EMPTY, Line, styled, width
from p2p_stratego.core.language import _

_NAME: Final = 12
"""Cells of a name at most."""


def line(clocks: Sequence[ClockShown], room: int) -> Line:
    """As many of the clocks as fit into `room` cells: at least the player's own, which comes first, and
    those that run before those that stand.
    """
    chosen = [clocks, [one for one in clocks if one.own or one.running], clocks[:1]]
    drawn = (_drawn(some, short=short) for short in (False, True) for some in chosen if some)
    return next((each for each in drawn if width(each) <= room), EMPTY)


def _drawn(clocks: Iterable[ClockShown], *, short: bool) -> Line:
    parts: Line = EMPTY
    for one in clocks:
        name = _("You") if one.own else one.name
        if short:
            name = name[:1]
        elif width(styled(name)) > _NAME:
            name = name[: _NAME - 1] + "…"
        sign = "▶" if one.running else " "
        text = (
            _(" {sign}{name} {time}!", sign=sign, name=name, time=one.time)
            if one.low
            else _(" {sign}{name} {time}", sign=sign, name=name, time=one.time)
        )
        parts += styled(text, "title", "title.name") if one.running else styled(text, "title")
    return parts
