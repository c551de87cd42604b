"""A list over the board, with one row selected: all commands, or the settings.  Pure."""

from __future__ import annotations

from cli.table.scene import Overlay, Row
from cli.text.layout import EMPTY, Line, both_ends, boxed, fit, longest, overlaid, styled, width
from cli.text.regions import CHOICE, marked
from p2p_stratego.core.language import n_

_COLUMNS = 96
"""Columns of the frame, where there is room."""
_MARGIN = 4
"""Cells of the frame at both sides of a row."""


def draw(overlay: Overlay, columns: int, rows: int) -> list[Line]:
    """The list in a frame of at most so many columns and rows, the selected row in sight."""
    inner = min(columns, _COLUMNS) - _MARGIN
    most = max(rows - 2, 1)
    start = min(max(overlay.selected - most // 2, 0), max(len(overlay.rows) - most, 0))
    left = max((width(styled(row.left)) for row in overlay.rows), default=0)
    lines = [
        overlaid(_row(row, inner, left, selected=at == overlay.selected), marked(f"{CHOICE}{at}"))
        for at, row in enumerate(overlay.rows[start : start + most], start=start)
    ]
    if not lines:
        lines = [fit(styled(overlay.empty, "dim"), inner)]
    above, below = start, max(len(overlay.rows) - start - most, 0)
    more = n_("{count} more", "{count} more", above + below) if above + below else ""
    foot = longest((f"{overlay.foot} · {more}" if more else overlay.foot, overlay.foot, more), inner - 2)
    return boxed(overlay.title, lines, inner + _MARGIN, foot=foot)


def _row(row: Row, columns: int, left: int, *, selected: bool) -> Line:
    style = "chosen" if selected else "dim" if row.dim else "key"
    sign = styled("▶ " if selected else "  ", style)
    about = f"{row.about} ({row.dim})" if row.dim else row.about
    name = fit(styled(row.left, style), left)
    told = styled(f"  {about}", "chosen" if selected else "dim" if row.dim else "text")
    right = styled(f" {row.right} ", "chosen" if selected else "strong") if row.right else EMPTY
    line = both_ends((*sign, *name, *told), right, columns)
    return overlaid(line, "chosen") if selected else line
