"""A rectangle of cells to draw on, for maps whose lines cross; at the end it is read as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from cli.text.layout import Line


class Canvas:
    """Cells of one column each, by column and row from the top left."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self._cells = [[("", " ")] * columns for _ in range(rows)]

    def put(self, column: int, row: int, text: str, *styles: str) -> None:
        """Write `text`, each character one cell wide, over all that stood there."""
        style = " ".join([f"class:{name}" for name in styles])
        cells = self._cells[row]
        for at, character in enumerate(text, column):
            cells[at] = (style, character)

    def tint(self, column: int, row: int, columns: int, rows: int, style: str) -> None:
        """Put the class `style` under all that stands in a part of it."""
        for y in range(row, row + rows):
            for x in range(column, column + columns):
                old, character = self._cells[y][x]
                self._cells[y][x] = (f"class:{style} {old}".strip(), character)

    def copy(self) -> Canvas:
        """Another canvas on which the same stands."""
        other = Canvas(0, self.rows)
        other.columns, other._cells = self.columns, [row.copy() for row in self._cells]
        return other

    def lines(self, places: Sequence[Sequence[str]]) -> list[Line]:
        """All rows.  `places`: by row and column the class by which clicks find a cell; or ""."""
        lines: list[Line] = []
        for row, marks in zip(self._cells, places, strict=True):
            runs = groupby(zip(row, marks, strict=True), key=lambda cell: (cell[0][0], cell[1]))
            lines.append(
                tuple(
                    (f"{style} class:{at}".strip() if at else style, "".join(part[0][1] for part in run))
                    for (style, at), run in runs
                )
            )
        return lines
