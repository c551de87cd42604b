"""The map of Conquest as text, north up for everybody.

Each zone is a cell of the same size; a style class names it, so that a click finds what it hit (see
`cli.screen.match.application`).  A cell has its border at its top and at its left; the last column and row
of the grid close the map.  Borders stand between territories only.

Own pieces stand on plain blocks, the others' between two walls, with the letter of their owner: so shape
and letter tell sides apart before colour does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from cli.games.conquest.names import LETTERS, short
from cli.games.conquest.names import SIGNS as OWNERS
from cli.games.conquest.panels import at_a_glance
from cli.games.conquest.snapshot import CONTESTED, SeenPiece, Snapshot, snapshot
from cli.games.interface import ViewContext
from cli.text.layout import Canvas, Line, block, centred, marked, styled
from p2p_stratego.conquest.rules.atlas import (
    COLUMNS,
    MOUNTAINS,
    NAMES,
    ROWS,
    TERRITORIES,
    TERRITORY_OF,
    ZONE_NAMED,
    Zone,
)
from p2p_stratego.core.language import mark

MOVED: Final = "•"
SHOWN: Final = "!"
UNREAD: Final = "?"
WALLS: Final = ("▐", "▌")
NOTHING: Final = "·"
GOAL: Final = "○"
FELL: Final = "✗"


def own(seen: SeenPiece, wide: int, high: int, *extra: str) -> list[Line]:
    """A piece of the seat's own in `high` lines of `wide` cells, at least 1 by 4."""
    letter = UNREAD if seen.face is None else LETTERS[seen.face]
    mark = SHOWN if seen.shown else MOVED if seen.moved else " "
    name = "" if seen.face is None else short(seen.face)
    return [styled(text, f"tile{seen.seat}", *extra) for text in _rows(letter + mark, name, wide, high)]


def other(seen: SeenPiece, wide: int, high: int, *extra: str) -> list[Line]:
    """A piece of somebody else's, likewise: its owner's letter, small if only this seat can read it."""
    if seen.face is None:
        sign, name = OWNERS[seen.seat] + (MOVED if seen.moved else " "), ""
    else:
        owner = OWNERS[seen.seat] if seen.shown else OWNERS[seen.seat].lower()
        sign, name = owner + LETTERS[seen.face], short(seen.face)
    inner = wide - 2
    wall = f"back{seen.seat}"
    return [
        (*styled(WALLS[0], wall), *styled(text, f"face{seen.seat}", *extra), *styled(WALLS[1], wall))
        for text in _rows(sign, name if inner > len(name) else "", inner, high)
    ]


def bare_tile(sign: str, wide: int, high: int, *styles: str) -> list[Line]:
    """A zone without a piece, a sign in its middle."""
    return [styled(text, *styles) for text in _rows(sign, "", wide, high)]


def middle(high: int) -> int:
    """The line of a zone, counted from 0, with its sign."""
    return (high - 1) // 2


def _rows(sign: str, name: str, wide: int, high: int) -> list[str]:
    """`sign` on the middle line, its first character in the middle; below it, if there is room, a name."""
    rows = [" " * wide] * high
    rows[middle(high)] = (" " * ((wide - 1) // 2) + sign).ljust(wide) if len(sign) < wide else sign
    if high > middle(high) + 1:
        rows[middle(high) + 1] = name.center(wide)
    return rows


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


_SIZES: Final = ((5, 2), (5, 3), (7, 3), (7, 4), (9, 4), (9, 5), (11, 5), (11, 6))
"""Columns and rows of a zone with its borders, the smallest first."""
_SMALLEST: Final = Grid(*_SIZES[0])
LEAST: Final = (_SMALLEST.columns, _SMALLEST.rows)
_BESIDE: Final = 16
"""Columns in which every player's figures fit."""
CITY: Final = "★"
PLAIN: Final = "·"
SIGNS: Final = (
    (" 9 ", mark("a piece of yours: F flag, 1 to 9 by rank (1: the spy), K king, X cursed land")),
    (
        f" 9{MOVED}",
        mark("a piece of yours that has stepped: all know that it is neither flag nor cursed"),
    ),
    (f" 9{SHOWN}", mark("a piece of yours that everybody knows")),
    ("▐B ▌", mark("a closed piece of blue's; R red, G green, Y yellow")),
    (f"▐B{MOVED}▌", mark("a closed piece of blue's that has stepped")),
    ("▐B9▌", mark("a piece of blue's that everybody knows")),
    ("▐b9▌", mark("a piece of blue's that only you have seen")),
    (f"A{PLAIN}R", mark("territory A is red's; A·?: contested; A·─: nobody's")),
    (f"B{CITY}R", mark("the same of a territory with a city")),
    (MOUNTAIN, mark("a mountain: nothing goes, attacks, looks or reinforces across it")),
    ("↑ ‹9›", mark("the last move: where it came from, and where it ended")),
    (FELL, mark("what stood here has just fallen")),
    (f"▶9◀ {GOAL} ×", mark("the piece you picked, where it can go, and whom it can attack")),
    ("[9]", mark("the cursor")),
    ("8/2★ 14+4 ⚑+B", mark("8 territories, 2 cities, 14 pieces here, 4 in the bag; its flag, and blue's")),
    ("→R", mark("its flag is captured by red")),
)
_ARROWS: Final = {(0, 1): "↑", (0, -1): "↓", (1, 0): "→", (-1, 0): "←"}


def grid(columns: int, rows: int) -> Grid:
    """The biggest map that fits; LEAST at least."""
    fitting = (Grid(*size) for size in _SIZES)
    return max(
        (candidate for candidate in fitting if candidate.columns <= columns and candidate.rows <= rows),
        key=lambda candidate: (candidate.wide, candidate.high),
        default=_SMALLEST,
    )


def fitting(columns: int, rows: int) -> tuple[int, int]:
    """As much of `columns` and `rows` as the map makes use of."""
    chosen = grid(columns, rows)
    return chosen.columns, chosen.rows


def draw(context: ViewContext, columns: int, rows: int) -> list[Line]:
    """The whole map in `rows` lines of `columns` cells; LEAST says how many it needs.

    Where it is much wider than the map, as in a replay, the players stand beside it.
    """
    moment = snapshot(context)
    room = columns - fitting(columns - _BESIDE - 1, rows)[0] - 1
    if columns == fitting(columns, rows)[0] or room < _BESIDE:
        return chart(moment, columns, rows)
    players = block(at_a_glance(context, moment, room), room, rows)
    drawn = chart(moment, columns - room - 1, rows)
    return [(*line, ("", " "), *player) for line, player in zip(drawn, players, strict=True)]


def chart(moment: Snapshot, columns: int, rows: int) -> list[Line]:
    """The same for a moment."""
    cells = grid(columns, rows)
    canvas = bare(cells)
    for at in range(len(NAMES)):
        _zone(canvas, cells, moment, at)
    for number in range(len(TERRITORIES)):
        _label(canvas, cells, moment, number)
    for at in range(len(NAMES)):
        _embrace(canvas, cells, moment, at)
    return block([centred(line, columns) for line in canvas.lines(places(cells))], columns, rows)


def _zone(canvas: Canvas, cells: Grid, moment: Snapshot, at: Zone) -> None:
    """The ground of a zone, and what stands on it."""
    x, y = cells.corner(at)
    owner = moment.owners[TERRITORY_OF[at]]
    inner_wide, inner_high = cells.wide - 1, cells.high - 1
    for row, line in enumerate(_body(moment, at, inner_wide, inner_high)):
        column = x + 1
        for style, text in line:
            canvas.put(column, y + 1 + row, text, *(name.removeprefix("class:") for name in style.split()))
            column += len(text)
    if owner is not None and owner != CONTESTED and at not in moment.pieces:
        canvas.tint(x + 1, y + 1, inner_wide, inner_high, f"land{owner}")


def _body(moment: Snapshot, at: Zone, wide: int, high: int) -> list[Line]:
    seen = moment.pieces.get(at)
    if seen is not None:
        return _piece(moment, seen, at, wide, high)
    if at in moment.named:
        return bare_tile(GOAL, wide, high, "chosen")
    if at in moment.goals:
        return bare_tile(GOAL, wide, high, "target")
    if at in moment.emptied:
        return bare_tile(FELL, wide, high, "bad")
    if moment.trail is not None and at == moment.trail[0]:
        return bare_tile(_arrow(*moment.trail), wide, high, "target")
    owner = moment.owners[TERRITORY_OF[at]]
    if moment.drafting and owner is not None and owner != CONTESTED:
        return bare_tile(OWNERS[owner].lower(), wide, high, f"seat{owner}")
    return bare_tile(NOTHING, wide, high, "fog")


def _piece(moment: Snapshot, seen: SeenPiece, at: Zone, wide: int, high: int) -> list[Line]:
    ended = at in moment.changed or (moment.trail is not None and at == moment.trail[1])
    typed = at == moment.picked or at in moment.named
    extra = ("chosen",) if typed else (f"fresh{seen.seat}",) if ended else ()
    return (own if seen.seat == moment.seat else other)(seen, wide, high, *extra)


def _arrow(source: Zone, target: Zone) -> str:
    """Where a piece went from here: along the longer way, if it went round a corner."""
    columns, rows = (
        after - before for after, before in zip(divmod(target, 6), divmod(source, 6), strict=True)
    )
    if abs(columns) >= abs(rows):
        return _ARROWS[(columns > 0) - (columns < 0), 0] if columns else _ARROWS[0, 1]
    return _ARROWS[0, (rows > 0) - (rows < 0)]


def _label(canvas: Canvas, cells: Grid, moment: Snapshot, number: int) -> None:
    """A territory's letter, whether it has a city, and its owner, in the top edge of one of its zones."""
    territory, owner = TERRITORIES[number], moment.owners[number]
    sign = "─" if owner is None else "?" if owner == CONTESTED else OWNERS[owner]
    styles = ("dim",) if owner is None else ("strong",) if owner == CONTESTED else ("strong", f"seat{owner}")
    x, y = cells.corner(LABEL_ZONES[number])
    canvas.put(x + 1, y, f"{territory.letter}{CITY if territory.city else PLAIN}{sign}", *styles)


def _embrace(canvas: Canvas, cells: Grid, moment: Snapshot, at: Zone) -> None:
    """The two signs around a zone, in place of its borders; the cursor goes before everything else."""
    signs = _signs_around(moment, at)
    if signs is None:
        return
    x, y = cells.corner(at)
    row = y + 1 + middle(cells.high - 1)
    style = "chosen" if at == moment.cursor else "target"
    canvas.put(x, row, signs[0], style)
    canvas.put(x + cells.wide, row, signs[1], style)


def _signs_around(moment: Snapshot, at: Zone) -> tuple[str, str] | None:
    if at == moment.cursor:
        return "[", "]"
    if at == moment.picked or (at in moment.named and at in moment.pieces):
        return "▶", "◀"
    if at in moment.goals and at in moment.pieces:
        return "×", "×"
    if at in moment.changed or (moment.trail is not None and at == moment.trail[1]):
        return "‹", "›"
    return None
