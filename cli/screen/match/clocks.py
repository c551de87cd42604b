"""The clocks in the title of a screen: a pure function from what a Scene says of them to cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cli.table.words.clocks import ClockShown
from cli.text.layout import EMPTY, Line, styled, width
from cli.text.sanitize import crop
from p2p_stratego.core.language import _

_NAMES: Final = (12, 9, 6, 4)
"""Cells of a name at most, the widest that fits first; below that its first letter must do."""


def line(clocks: Sequence[ClockShown], room: int) -> Line:
    """As many of the clocks as fit into `room` cells: at least the player's own, which comes first, and
    those that run before those that stand.  Names are shortened before a clock is left out.
    """
    chosen = [clocks, [one for one in clocks if one.own or one.running]]
    tried = [(some, most) for mosts in (_NAMES, (1,)) for some in chosen for most in mosts]
    tried += [(clocks[:1], most) for most in (*_NAMES, 1)]
    drawn = (_drawn(some, most) for some, most in tried if some)
    return next((each for each in drawn if width(each) <= room), EMPTY)


def _drawn(clocks: Iterable[ClockShown], most: int) -> Line:
    """The `clocks`, with at most so many cells of each name."""
    parts: Line = EMPTY
    for one in clocks:
        name = _("You") if one.own else one.name
        if most == 1:
            name = name[:1]
        elif not one.own:
            name = crop(name, most)
        sign = "▶" if one.running else " "
        text = (
            _(" {sign}{name} {time}!", sign=sign, name=name, time=one.time)
            if one.low
            else _(" {sign}{name} {time}", sign=sign, name=name, time=one.time)
        )
        parts += styled(text, "title", "title.name") if one.running else styled(text, "title")
    return parts
