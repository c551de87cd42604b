"""Europe in SPIES! as text: cities with what stands in them, north up.

The chart has the place of each city, in three sizes, and the dots of rails between them; it knows nothing
of a match.  Pictures name cities by their codes; maps by their present names, in the room of a cell.  A
style class names each city, so that a click finds what it hit (see `cli.screen.match.application`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from cli.games.interface import ViewContext
from cli.games.spies.cities import CODES, code, short
from cli.games.spies.snapshot import CityPiece, Snapshot, snapshot, standing
from cli.text.layout import Canvas, Line, block, centred, longest, marked
from p2p_stratego.core.game import Face
from p2p_stratego.core.language import mark
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import BY_RAIL, CAPITALS, HAVENS, NAMES, City, Power
from p2p_stratego.spies.rules.counters import GENUINE, value
from p2p_stratego.spies.rules.observation import secret_face
from p2p_stratego.spies.rules.state import SecretId

_ROOM: Final = 1
"""Cells beside a whole name for a capital's sign, or the second one around it."""
_ROOMY: Final = """
                            osl       sto      hel
                                                         len
                            cop               rig
            edi
                            ham      dan                         mos
         liv                                  kon
                   ams              ber                 min
bir       lon                                 war
                   bru      col      lei
       lil                                    bre      kie      kha
                  str              pra
                                                                     sta
       par       gen      stu      mun       vie      bud
                                                                ode
       bor        lyo      mil      ven       bel      buc

                       mar      rom         sof
           mad                                       ist
 lis                bar          nap      tir

                                 pal          ath
         gib        alg
                                   mal            rho
        tan                                                bei
                                 tri
                                                   ale      hai

"""
_TIGHT: Final = """
                    osl   sto   hel   len
        edi         cop         rig
   liv        ham   ber   dan   kon           mos
 bir    ams   col   lei   war         min
  lon   bru   stu   pra   bre   kie   kha
    lil   str   mun   vie   bud               sta
   par   gen   mil   ven   bel   ode
  bor   lyo                   buc
            mar   rom   tir   sof
     mad   bar     nap    ath    ist
 lis              pal
 tan   gib   alg        mal    rho     bei
                  tri                  hai
                                  ale
"""


@dataclass(frozen=True)
class Chart:
    """The map in one size: a picture of its cities, and cells of `wide` columns, a gap at the end among them.

    `high`: rows of a cell; from 2 on the pieces stand below the name, with 1 behind its code.
    """

    picture: str
    wide: int
    high: int
    enlarged: tuple[int, int] | None = None
    """The size of a cell in the picture, if that of this map is larger; names then have more room."""

    def label(self, city: City) -> str:
        """The name of a city on this map, in the player's language."""
        if self.high == 1:
            return code(city)
        room = self.wide - 1 if self.enlarged is None else self.wide - 1 - _ROOM
        return longest((words.city(city), short(city)), room)

    @cached_property
    def corners(self) -> dict[City, tuple[int, int]]:
        """By city, the column and row where its cell begins."""
        wide, high = self.enlarged or (self.wide, self.high)
        return {
            CODES.index(match[0]): (match.start() * self.wide // wide, row * self.high // high)
            for row, line in enumerate(self.picture.strip("\n").split("\n"))
            for match in re.finditer(r"\S+", line)
        }

    @cached_property
    def columns(self) -> int:
        """Of the whole map; a gap stands between cells, and none at the rim."""
        return max(column for column, _ in self.corners.values()) + self.wide - 1

    def near(self, city: City) -> bool:
        """Whether another city begins right behind the gap of its cell, in one of its rows."""
        left, top = self.corners[city]
        return any(
            column == left + self.wide and abs(row - top) < self.high for column, row in self.corners.values()
        )

    @cached_property
    def rows(self) -> int:
        """Of the whole map."""
        return max(row for _, row in self.corners.values()) + self.high

    @cached_property
    def places(self) -> list[list[str]]:
        """By row and column, the mark of the city that is drawn there; "" between cities."""
        cities = [[self.city(column, row) for column in range(self.columns)] for row in range(self.rows)]
        return [["" if city is None else marked(NAMES[city]) for city in row] for row in cities]

    def city(self, column: int, row: int) -> City | None:
        """The city drawn at this column and row; the gap before a cell is its own, as the sign there is."""
        return self._cities.get((column, row))

    @cached_property
    def _cities(self) -> dict[tuple[int, int], City]:
        """By column and row: every cell of the map is asked for each time that it is drawn."""
        by_place: dict[tuple[int, int], City] = {}
        for city, (left, top) in self.corners.items():
            for column in range(left - 1, left + self.wide - 1):
                for row in range(top, top + self.high):
                    by_place.setdefault((column, row), city)
        return by_place

    @cached_property
    def dots(self) -> frozenset[tuple[int, int]]:
        """Columns and rows of the rails, where no city stands."""
        places = {place for city, other in BY_RAIL if city < other for place in self._between(city, other)}
        return frozenset(
            (column, row)
            for column, row in places
            if self.city(column, row) is None and self.city(column - 1, row) is None
        )

    def _between(self, start: City, end: City) -> Iterator[tuple[int, int]]:
        """A dotted line from the middle of one cell to the middle of another."""
        (x, y), (to_x, to_y) = (self._middle(city) for city in (start, end))
        steps = int(max(abs(to_x - x) / 2, abs(to_y - y))) + 1
        for step in range(1, steps):
            yield round(x + (to_x - x) * step / steps), round(y + (to_y - y) * step / steps)

    def _middle(self, city: City) -> tuple[float, float]:
        column, row = self.corners[city]
        return column + self.wide / 2 - 1, row + (self.high - 1) / 2


WIDE: Final = Chart(_ROOMY, 13, 3, enlarged=(9, 2))
ROOMY: Final = Chart(_ROOMY, 9, 2)
TIGHT: Final = Chart(_TIGHT, 6, 1)


StyledPiece: TypeAlias = list[tuple[str, tuple[str, ...]]]
"""Texts with their styles: the drawing of a piece."""
LETTERS: Final = "girfb"
"""By power, the letter of its pieces: germany, italy, russia, france, britain."""
LEAST: Final = (TIGHT.columns, TIGHT.rows)
SECRET: Final = "■"  # noqa: S105  # a counter of the game, no password
READ: Final = "□"
"""On the small map."""
CAPITAL: Final = "▲"
HAVEN: Final = "○"
MORE: Final = "+"
SIGNS: Final = (
    ("g1", mark("a spy of germany's; i italy, r russia, f france, b britain; yours are bright")),
    (SECRET, mark("a secret that you cannot read")),
    (
        "s3 c4",
        mark("a genuine secret of value 3, a counterspy of 4, that you know; on the small map both are □"),
    ),
    (f"g1{SECRET}", mark("a secret under the spy that controls it")),
    (f"gP{SECRET}", mark("police on a secret; gP: police with nothing to stand on")),
    (f"gv{SECRET}", mark("a secret that germany dropped")),
    (f"{CAPITAL} {HAVEN}", mark("a capital; a haven of spies")),
    (MORE, mark("more stands here than fits: point at the city")),
    ("·", mark("a railway; airlines and seas are told beside the map")),
    (mark("‹Rome›"), mark("something has just happened here")),
    (mark("[Rome]"), mark("the cursor")),
    (mark("▶Rome◀"), mark("where the picked spy stands")),
    (
        mark("×Rome×"),
        mark(
            "where it can go, a city that can be named, or one with your police sign; in a narrow place ×Rome"
        ),
    ),
)
"""In a tight map a cell holds the code, one sign for secrets, and a letter or a number for pieces."""


def chart_for(columns: int, rows: int) -> Chart:
    """The biggest map for which there is room; the smallest one, if there is for none."""
    return next((chart for chart in (WIDE, ROOMY) if columns >= chart.columns and rows >= chart.rows), TIGHT)


def fitting(columns: int, rows: int) -> tuple[int, int]:
    """As much of `columns` and `rows` as the map makes use of."""
    chart = chart_for(columns, rows)
    return chart.columns, chart.rows


def draw(context: ViewContext, columns: int, rows: int) -> list[Line]:
    """The whole map in `rows` lines of `columns` cells; LEAST says how many it needs."""
    return drawn(snapshot(context), columns, rows)


def drawn(moment: Snapshot, columns: int, rows: int) -> list[Line]:
    """The same for a moment."""
    chart = chart_for(columns, rows)
    canvas = Canvas(chart.columns, chart.rows)
    for column, row in chart.dots:
        canvas.put(column, row, "·", "fog")
    for city in chart.corners:
        (_tight if chart is TIGHT else _roomy)(canvas, chart, moment, city)
    lines = [centred(line, columns) for line in canvas.lines(chart.places)]
    return block(lines, columns, rows)


def _roomy(canvas: Canvas, chart: Chart, moment: Snapshot, city: City) -> None:
    """The name in the first row, all pieces in the others."""
    column, row = chart.corners[city]
    sign, name = _sign(city), chart.label(city)
    if sign and len(name) == chart.wide - 1:
        canvas.put(column - 1, row, sign, *_named(moment, city))  # in the gap: the name fills its cell
    else:
        name = sign + name
    canvas.put(column, row, name, *_named(moment, city))
    closed = len(name) < chart.wide - 1 or not chart.near(city)
    _embrace(canvas, moment, city, (column - 1, row, len(name)), closed=closed)
    parts = [_piece(moment, lying) for lying in standing(moment.state, city)]
    for below, shown in enumerate(_rows(parts, chart.wide - 1, chart.high - 1), start=1):
        at = column
        for text, styles in shown:
            canvas.put(at, row + below, text, *styles)
            at += len(text)


def _rows(parts: Sequence[StyledPiece], columns: int, rows: int) -> list[StyledPiece]:
    """The parts in rows, none of them split; behind the last one that fits a sign for all others."""
    filled: list[StyledPiece] = [[] for _ in range(rows)]
    row = used = 0
    for number, part in enumerate(parts):
        width = sum(len(text) for text, _ in part)
        if used + width > columns and row < rows - 1:
            row, used = row + 1, 0
        if row == rows - 1 and used + width + (number < len(parts) - 1) > columns:
            filled[row].append((MORE, ("strong",)))
            break
        filled[row] += part
        used += width
    return filled


def _tight(canvas: Canvas, chart: Chart, moment: Snapshot, city: City) -> None:
    """The code, a sign for all secrets, and a sign for all pieces."""
    column, row = chart.corners[city]
    code = chart.label(city)
    canvas.put(column, row, code.upper() if city in CAPITALS else code, *_named(moment, city))
    _embrace(canvas, moment, city, (column - 1, row, len(code) + 2), closed=False)
    there = standing(moment.state, city)
    secrets = [lying for lying in there if lying.secret is not None]
    pieces = [lying for lying in there if lying.sign and lying.sign != "v"]
    if secrets:
        known = all(
            secret_face(moment.state, lying.secret, moment.known) is not None
            for lying in secrets
            if lying.secret is not None
        )
        canvas.put(column + 3, row, READ if known else SECRET, *_power(secrets[0].power, moment))
    if pieces:
        powers = {lying.power for lying in pieces}
        sign = LETTERS[pieces[0].power or 0] if len(pieces) == 1 else str(len(pieces))
        sign = sign if len(sign) == 1 else MORE
        styles = _power(pieces[0].power, moment) if len(powers) == 1 else ("strong",)
        canvas.put(column + 4, row, sign, *styles)


def _sign(city: City) -> str:
    return CAPITAL if city in CAPITALS else HAVEN if city in HAVENS else ""


def _named(moment: Snapshot, city: City) -> tuple[str, ...]:
    """The styles of a city's name: who runs its territory."""
    owner = moment.state.territory[city]
    if city in moment.named or city == moment.cursor:
        return ("chosen",)
    if city in moment.goals:
        return ("target",)
    return () if owner is None else moment.worn(owner)


def _power(power: Power | None, moment: Snapshot) -> tuple[str, ...]:
    """The styles of a power's things; one's own are bright."""
    if power is None:
        return ("strong",)
    return (f"tile{moment.seat}",) if moment.runs(power) else moment.worn(power)


def _piece(moment: Snapshot, lying: CityPiece) -> StyledPiece:
    styles = _power(lying.power, moment)
    parts: StyledPiece = []
    if lying.sign:
        parts.append((LETTERS[lying.power or 0] + lying.sign, styles))
    if lying.secret is not None:
        parts.append((_secret(moment, lying.secret), styles))
    return parts


def _secret(moment: Snapshot, secret: SecretId) -> str:
    """A secret as this seat reads it."""
    face = secret_face(moment.state, secret, moment.known)
    return SECRET if face is None else secret_sign(face)


def secret_sign(face: Face) -> str:
    """The spelling of a secret: "s3", "c4"."""
    return f"{'s' if face in GENUINE else 'c'}{value(face)}"


def _embrace(canvas: Canvas, moment: Snapshot, city: City, at: tuple[int, int, int], *, closed: bool) -> None:
    """The two signs around a name; the cursor goes before everything else.

    `closed`: whether the second of two like signs has room; else it would mark the next name, too.
    """
    if city == moment.cursor:
        signs = "[]"
    elif city == moment.focus:
        signs = "▶◀"
    elif city in moment.goals:
        signs = "××"
    elif city in moment.changed:
        signs = "‹›"
    else:
        return
    column, row, width = at
    style = "chosen" if city == moment.cursor else "target"
    if column >= 0:
        canvas.put(column, row, signs[0], style)
    if column + width + 1 < canvas.columns and (closed or signs[0] != signs[1]):
        canvas.put(column + width + 1, row, signs[1], style)
