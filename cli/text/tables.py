"""Tables of a few columns in plain lines; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.text.sanitize import cells, escape
from p2p_stratego.core.language import number

BAR: Final = 20
"""Cells of the longest bar."""


def table(heads: Sequence[str], rows: Sequence[Sequence[object]], share: int | None = None) -> Iterator[str]:
    """A line for the heads and for each row; `share`: the column, from 0 to 1, behind which a bar stands."""
    cells_of = [[cell(value) for value in row] for row in rows]
    wide = [max(map(cells, column)) for column in zip(map(escape, heads), *cells_of, strict=True)]
    right = [bool(rows) and all(isinstance(row[at], int | float) for row in rows) for at in range(len(heads))]
    for row, source in [([*map(escape, heads)], None), *zip(cells_of, rows, strict=True)]:
        parts = [
            f"{' ' * (width - cells(text))}{text}" if to_the_right else f"{text}{' ' * (width - cells(text))}"
            for text, width, to_the_right in zip(row, wide, right, strict=True)
        ]
        value = 0.0 if share is None or source is None else source[share]
        bar = "█" * round(BAR * value) if isinstance(value, float) else ""
        yield f"{'  '.join(parts)}  {bar}".rstrip()


def cell(value: object) -> str:
    """A value as people read it."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return number(value, 3)
    if isinstance(value, bytes):
        return f"{len(value)} B"
    return escape(str(value))
