"""The map of Conquest as a grid of cells: the zone of each cell, and the border between two cells.

A cell has its border at its top and at its left; the last column and row of the grid close the map.  Borders
stand between territories only.  This module knows the map, and nothing of a match.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from cli.games.canvas import Canvas
from cli.text.regions import marked
from p2p_stratego.conquest.rules.atlas import (
    COLUMNS,
    MOUNTAINS,
    ROWS,
    TERRITORIES,
    TERRITORY_OF,
    ZONE_NAMED,
    Zone,
)

LABEL: Final = 2
"""Cells for the numbers of the rows, at the left."""
MOUNTAIN: Final = "▲"
Between: TypeAlias = Literal["rim", "border", "mountain", "open"]
"""The border between two neighbouring cells: the rim of the map, a border of territories, a mountain, or
nothing."""
_CROSSINGS: Final = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""By the lines that meet at a corner: 1 from above, 2 from below, 4 from the left, 8 from the right."""
_ENDS: Final = {"╵": "│", "╷": "│", "╴": "─", "╶": "─"}


@dataclass(frozen=True, slots=True)
class Grid:
    """The map in cells of `wide` columns and `high` rows, each with its border."""

    wide: int
    high: int

    @property
    def columns(self) -> int:
        """Of the whole map with its labels."""
        return LABEL + len(COLUMNS) * self.wide + 1

    @property
    def rows(self) -> int:
        """Of the whole map with its labels."""
        return ROWS * self.high + 2

    def corner(self, at: Zone) -> tuple[int, int]:
        """The column and row of the top left corner of a zone's cell."""
        column, row = divmod(at, ROWS)
        return LABEL + column * self.wide, (ROWS - 1 - row) * self.high

    def zone(self, column: int, row: int) -> str:
        """The name of the zone drawn at this column and row; "" for none."""
        x, y = (column - LABEL) // self.wide, row // self.high
        if column < LABEL or x >= len(COLUMNS) or y >= ROWS:
            return ""
        return f"{COLUMNS[x]}{ROWS - y}"


def zone_at(column: int, row: int) -> Zone | None:
    """The zone in this column (0: a) and row (0: the first from the south); None beyond the rim."""
    if 0 <= column < len(COLUMNS) and 0 <= row < ROWS:
        return ZONE_NAMED[f"{COLUMNS[column]}{row + 1}"]
    return None


def between(zone: Zone | None, other: Zone | None) -> Between:
    """The border between two cells side by side; a zone None lies beyond the rim."""
    if zone is None or other is None:
        return "rim"
    if (min(zone, other), max(zone, other)) in MOUNTAINS:
        return "mountain"
    return "open" if TERRITORY_OF[zone] == TERRITORY_OF[other] else "border"


def _left(column: int, row: int) -> Between | None:
    """The border at the left of a cell; None beyond the map."""
    zone, other = zone_at(column - 1, row), zone_at(column, row)
    return None if zone is None and other is None else between(zone, other)


def _above(column: int, row: int) -> Between | None:
    """The border at the top of a cell; None beyond the map."""
    zone, other = zone_at(column, row + 1), zone_at(column, row)
    return None if zone is None and other is None else between(zone, other)


@lru_cache(maxsize=8)
def places(grid: Grid) -> tuple[tuple[str, ...], ...]:
    """By row and column, the mark of the zone that is drawn there; "" beyond the map."""
    named = [[grid.zone(column, row) for column in range(grid.columns)] for row in range(grid.rows)]
    return tuple(tuple(marked(name) if name else "" for name in row) for row in named)


def bare(grid: Grid) -> Canvas:
    """The map without anything on it, to draw on."""
    return _bare(grid).copy()


@lru_cache(maxsize=8)
def _bare(grid: Grid) -> Canvas:
    canvas = Canvas(grid.columns, grid.rows)
    _draw_borders(canvas, grid)
    return canvas


def _draw_borders(canvas: Canvas, grid: Grid) -> None:
    """The rim, the borders, the mountains, and what names columns and rows."""
    for column in range(len(COLUMNS) + 1):
        for row in range(-1, ROWS):
            x, y = LABEL + column * grid.wide, (ROWS - 1 - row) * grid.high
            crossing = _crossing(column, row)
            canvas.put(x, y, crossing, "rule")
            side, top = _left(column, row), _above(column, row)
            if side not in (None, "open"):
                sign, style = (MOUNTAIN, "mountain") if side == "mountain" else ("│", "rule")
                for below in range(1, grid.high):
                    canvas.put(x, y + below, sign, style)
            if top not in (None, "open"):
                sign, style = (MOUNTAIN, "mountain") if top == "mountain" else ("─", "rule")
                canvas.put(x + 1, y, sign * (grid.wide - 1), style)
    for row in range(ROWS):
        canvas.put(0, (ROWS - 1 - row) * grid.high + grid.high // 2 + (grid.high == 1), str(row + 1), "dim")
    for column, name in enumerate(COLUMNS):
        canvas.put(LABEL + column * grid.wide + grid.wide // 2, ROWS * grid.high + 1, name, "dim")


def _crossing(column: int, row: int) -> str:
    """The sign at the top left corner of a cell: the lines that meet there."""
    lines = (_left(column, row + 1), _left(column, row), _above(column - 1, row), _above(column, row))
    sign = _CROSSINGS[sum(1 << at for at, line in enumerate(lines) if line not in (None, "open"))]
    return _ENDS.get(sign, sign)


def _label_zone(territory: int) -> Zone:
    """The zone with its territory's name at its top: the most northern and western one with room for it."""

    def rank(at: Zone) -> tuple[bool, bool, int, int]:
        column, row = divmod(at, ROWS)
        above = _above(column, row)
        return above == "mountain", above == "open", -row, column

    return min(TERRITORIES[territory].zones, key=rank)


LABEL_ZONES: Final[tuple[Zone, ...]] = tuple(_label_zone(number) for number in range(len(TERRITORIES)))
"""By territory, the zone whose top edge holds its name."""
