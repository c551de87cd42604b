"""A list over the board, with one row selected: all commands, or the settings.  Pure."""

from __future__ import annotations

from cli.table.scene.scene import Overlay, Row
from cli.text.layout import (
    EMPTY,
    Line,
    both_ends,
    boxed,
    fit,
    longest,
    overlaid,
    shortened,
    styled,
    width,
    wrapped,
)
from cli.text.regions import CHOICE, marked
from p2p_stratego.core.language import n_

_COLUMNS = 96
"""Columns of the frame, where there is room."""
_MARGIN = 4
"""Cells of the frame at both sides of a row."""
_GAPS = 4
"""Cells before a row's name, with its mark, and behind it."""


def draw(overlay: Overlay, columns: int, rows: int) -> list[Line]:
    """The list in a frame of at most so many columns and rows, the selected row in sight."""
    inner = min(columns, _COLUMNS) - _MARGIN
    most = max(rows - 2, 1)
    left = max((width(styled(row.left)) for row in overlay.rows), default=0)
    whole = [_chosen(row, inner, left) for row in overlay.rows[overlay.selected :][:1]]
    most = max(most - sum(len(each) - 1 for each in whole), 1)
    start = min(max(overlay.selected - most // 2, 0), max(len(overlay.rows) - most, 0))
    lines: list[Line] = []
    for at, row in enumerate(overlay.rows[start : start + most], start=start):
        shown = whole[0] if at == overlay.selected else [_row(row, inner, left)]
        lines += [overlaid(line, marked(f"{CHOICE}{at}")) for line in shown]
    if not lines:
        lines = [fit(styled(overlay.empty, "dim"), inner)]
    above, below = start, max(len(overlay.rows) - start - most, 0)
    more = n_("{count} more", "{count} more", above + below) if above + below else ""
    foot = longest((f"{overlay.foot} · {more}" if more else overlay.foot, overlay.foot, more), inner - 2)
    return boxed(overlay.title, lines, inner + _MARGIN, foot=foot)


def _row(row: Row, columns: int, left: int) -> Line:
    """A row that is not selected: shortened where it is too long."""
    right = styled(f" {row.right} ", "strong") if row.right else EMPTY
    name = fit(styled(row.left, "dim" if row.dim else "key"), left)
    told = shortened(_about(row), _room(right, columns, left))
    return both_ends(
        (("", "  "), *name, ("", "  "), *styled(told, "dim" if row.dim else "text")), right, columns
    )


def _chosen(row: Row, columns: int, left: int) -> list[Line]:
    """The selected row: in more lines where it is too long for one."""
    right = styled(f" {row.right} ", "chosen") if row.right else EMPTY
    name = fit(styled(f"▶ {row.left}", "chosen"), left + 2)
    told = wrapped(styled(_about(row), "chosen"), _room(right, columns, left))
    first, *more = told or [EMPTY]
    lines = [both_ends((*name, *styled("  ", "chosen"), *first), right, columns)]
    lines += [fit((*styled(" " * (left + 4), "chosen"), *line), columns) for line in more]
    return [overlaid(line, "chosen") for line in lines]


def _room(right: Line, columns: int, left: int) -> int:
    """Cells for what a row does, beside its name in `left` cells and its key."""
    return max(columns - left - _GAPS - width(right), 2)


def _about(row: Row) -> str:
    return f"{row.about} ({row.dim})" if row.dim else row.about
