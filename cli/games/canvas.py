"""A rectangle of cells to draw on, for maps whose lines cross; at the end it is read as lines of text."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from cli.text.layout import Line


class Canvas:
    """Cells of one column each, by column and row from the top left."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self._cells = [[("", " ")] * columns for _ in range(rows)]

    def put(self, column: int, row: int, text: str, *styles: str) -> None:
        """Write `text`, each character one cell wide, over all that stood there."""
        style = " ".join(f"class:{name}" for name in styles)
        for at, character in enumerate(text):
            self._cells[row][column + at] = (style, character)

    def tint(self, column: int, row: int, columns: int, rows: int, style: str) -> None:
        """Put the class `style` under all that stands in a part of it."""
        for y in range(row, row + rows):
            for x in range(column, column + columns):
                old, character = self._cells[y][x]
                self._cells[y][x] = (f"class:{style} {old}".strip(), character)

    def lines(self, place: Callable[[int, int], str]) -> list[Line]:
        """All rows.  `place`: the class that marks a column and row, so that clicks find it; or ""."""
        found: list[Line] = []
        for y, row in enumerate(self._cells):
            cells = [
                (f"{style} class:{at}".strip() if (at := place(x, y)) else style, character)
                for x, (style, character) in enumerate(row)
            ]
            runs = groupby(cells, key=lambda cell: cell[0])
            found.append(tuple((style, "".join(character for _, character in run)) for style, run in runs))
        return found
