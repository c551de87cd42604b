"""A series of numbers as a small picture in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.text.layout import Line, styled

ROWS: Final = 9
"""Rows of a plot: so its axis has a row for the middle."""


def plot(
    series: Sequence[float], columns: int, rows: int = ROWS, *, left: Sequence[str] = (), here: int = -1
) -> list[Line]:
    """Numbers from 0 (the lowest row) to 1, from left to right, in `rows` (at least 3) lines.

    `left`: up to three labels, for the top, the middle and the bottom; `here`: an index to be marked.  Of
    several numbers that share a column the last one is shown.
    """
    labels = [*left, "", "", ""][:3]
    wide = max(map(len, labels)) + 1
    cells = max(columns - wide - 1, 1)
    middle = rows // 2
    at = [_column(index, len(series), cells) for index in range(len(series))]
    value_of = dict(zip(at, series, strict=True))
    row_of = {
        column: round((1 - min(max(value, 0.0), 1.0)) * (rows - 1)) for column, value in value_of.items()
    }
    marked = at[here] if 0 <= here < len(at) else -1
    lines: list[Line] = []
    for row in range(rows):
        label = {0: labels[0], middle: labels[1], rows - 1: labels[2]}.get(row, "")
        line = [*styled(f"{label:>{wide - 1}} ", "dim"), *styled("┤" if label else "│", "rule")]
        value = 0
        for column in range(cells):
            value = row_of.get(column, value)
            line += _cell(value, row, middle, marked=column == marked)
        lines.append(tuple(line))
    return lines


def _column(index: int, count: int, cells: int) -> int:
    return index * (cells - 1) // max(count - 1, 1)


def _cell(value: int, row: int, middle: int, *, marked: bool) -> Line:
    """One cell: the value, the area between it and the middle, the middle, or the place that is marked."""
    if value == row:
        return styled("●" if marked else "█", "key" if marked else "strong")
    if min(value, middle) < row < max(value, middle) or (row == middle != value):
        return styled("░", "seat0" if value < middle else "seat1")
    if row == middle:
        return styled("─", "rule")
    return styled("·", "dim") if marked else (("", " "),)
