"""Europe in SPIES! as text: cities with what stands in them, north up.

The chart has the place of each city, in three sizes, and the dots of rails between them; it knows nothing
of a match.  Pictures name cities by their codes; maps by their present names, in the room of a cell.  A
style class names each city, so that a click finds what it hit (see `cli.screen.match.application`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

from cli.games.interface import ViewContext
from cli.games.spies.cities import CODES, code, short
from cli.games.spies.map import links
from cli.games.spies.map.links import Cell, Room
from cli.games.spies.snapshot import Snapshot, snapshot, standing
from cli.text.layout import Canvas, Line, block, centred, longest, marked
from p2p_stratego.core.game import Face
from p2p_stratego.core.language import _, mark
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
 bir      lon                                 war
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
    corner: tuple[int, int] = (0, 0)
    """Columns and rows at the top left where nothing else stands."""

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

    def lines(self) -> Mapping[Cell, str]:
        """By column and row, the sign of a railway or an airline there; on the small map railways alone."""
        if self.high == 1:
            return self._dots
        return _lines(self, tuple(self.rooms().items()))

    def rooms(self) -> dict[City, Room]:
        """By city, the cells of its name in the player's language, and of its pieces."""
        return {
            city: Room(self.headed(city)[1], row, len(self.headed(city)[0]), self.high - 1)
            for city, (_column, row) in self.corners.items()
        }

    def headed(self, city: City) -> tuple[str, int]:
        """The sign and name of a city, and their column: a sign before a name that fills its cell stands in
        the gap.
        """
        sign, name, column = _sign(city), self.label(city), self.corners[city][0]
        return sign + name, column - (bool(sign) and len(name) == self.wide - 1)

    @cached_property
    def _dots(self) -> Mapping[Cell, str]:
        """Railways as dotted lines, where no city stands."""
        rooms = {city: Room(column, row, self.wide - 1, 0) for city, (column, row) in self.corners.items()}
        dots = links.dotted(rooms, BY_RAIL)
        return {
            (column, row): links.DOT
            for column, row in dots
            if self.city(column, row) is None and self.city(column - 1, row) is None
        }


@lru_cache(maxsize=8)
def _lines(chart: Chart, rooms: tuple[tuple[City, Room], ...]) -> Mapping[Cell, str]:
    """By column and row, the signs of all links, with names of these lengths."""
    railways = links.rails(dict(rooms), chart.columns, chart.rows)
    return {**links.airlines(dict(rooms), railways), **railways}


WIDE: Final = Chart(_ROOMY, 13, 3, enlarged=(9, 2), corner=(38, 4))
ROOMY: Final = Chart(_ROOMY, 9, 2, corner=(26, 3))
TIGHT: Final = Chart(_TIGHT, 6, 1)


StyledPiece: TypeAlias = list[tuple[str, tuple[str, ...]]]
"""Texts with their styles: the drawing of a piece."""
LETTERS: Final = "girfb"
"""By power, the letter of its pieces: germany, italy, russia, france, britain."""
LEAST: Final = (TIGHT.columns, TIGHT.rows)
SECRET: Final = "■"  # noqa: S105  # a counter of the game, no password
READ: Final = "□"
"""On the small map."""
GENUINE_SIGN: Final = "◆"
COUNTERSPY_SIGN: Final = "!"
CAPITAL: Final = "▲"
HAVEN: Final = "○"
MORE: Final = "+"
BY_SEA: Final = "~"
SIGNS: Final = (
    ("g1", mark("a spy of germany's; i italy, r russia, f france, b britain; g13: spies 1 and 3")),
    ("gP", mark("police of germany's; gPP: two units")),
    (SECRET, mark("a secret that you cannot read")),
    (
        f"{GENUINE_SIGN}3 {COUNTERSPY_SIGN}4",
        mark("a genuine secret of value 3, a counterspy of 4, that you know; on the small map both are □"),
    ),
    (f"g1{SECRET} gP{SECRET}", mark("a spy, or police, with the secret that it controls")),
    (f"gv{SECRET}", mark("a secret that germany dropped")),
    (f"{CAPITAL} {HAVEN}", mark("a capital; a haven of spies")),
    (MORE, mark("more stands here than fits: point at the city")),
    ("─ ╱", mark("a railway, on larger maps; on the small one it is dotted")),
    (links.DOT, mark("an airline, on larger maps; seas are told beside the map")),
    (mark("‹Rome›"), mark("something has just happened here")),
    (mark("[Rome]"), mark("the cursor")),
    (mark("▶Rome◀"), mark("where the picked spy stands")),
    (mark("2Rome"), mark("where it can go in this turn, and the points that takes")),
    (mark("~Rome"), mark("where it can land in this turn, with luck")),
    (mark("×Rome×"), mark("a city that can be named, or one with your police sign; in a narrow place ×Rome")),
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
    for (column, row), sign in chart.lines().items():
        canvas.put(column, row, sign, "fog")
    for city in chart.corners:
        (_tight if chart is TIGHT else _roomy)(canvas, chart, moment, city)
    if chart is not TIGHT:
        _explain(canvas, chart, moment)
    lines = [centred(line, columns) for line in canvas.lines(chart.places)]
    return block(lines, columns, rows)


_LEGEND: Final = (
    ("g1", mark("spy")),
    ("gP", mark("police")),
    (SECRET, mark("secret")),
    (f"{GENUINE_SIGN}3", mark("genuine")),
    (f"{COUNTERSPY_SIGN}4", mark("counterspy")),
    ("──", mark("rail")),
    (links.DOT * 2, mark("air")),
)
_OF_WAYS: Final = ("2", mark("points"))
"""While a spy is picked."""


def _explain(canvas: Canvas, chart: Chart, moment: Snapshot) -> None:
    """What the signs mean, in the corner of the map, as far as there is room; help has them all."""
    legend = (*_LEGEND[:5], *[_OF_WAYS] * bool(moment.points), *_LEGEND[5:])
    entries: list[StyledPiece] = [
        [(f"{sign} ", ("strong",)), (_(meaning), ("dim",))] for sign, meaning in legend
    ]
    widths = tuple(sum(len(text) for text, _unused in entry) for entry in entries)
    columns = [0] * chart.corner[1]
    for entry, width, row in zip(entries, widths, in_rows(widths, *chart.corner), strict=False):
        _write(canvas, columns[row], row, entry)
        columns[row] += width + 1


@lru_cache(maxsize=16)
def in_rows(widths: tuple[int, ...], columns: int, rows: int) -> tuple[int, ...]:
    """The rows, of so many columns, that entries with a blank between two stand in: the first of them, and as
    many as have room, each in as high a row as the others leave.
    """
    for count in range(len(widths), 0, -1):
        placed = _placed(widths[:count], (columns + 1,) * rows)
        if placed is not None:
            return placed
    return ()


def _placed(widths: tuple[int, ...], left: tuple[int, ...]) -> tuple[int, ...] | None:
    """The row of each entry, by the room that is left in each row; None if there is not enough."""
    if not widths:
        return ()
    for row, room in enumerate(left):
        if widths[0] < room:
            less = (*left[:row], room - widths[0] - 1, *left[row + 1 :])
            others = _placed(widths[1:], less)
            if others is not None:
                return row, *others
    return None


def _roomy(canvas: Canvas, chart: Chart, moment: Snapshot, city: City) -> None:
    """The name in the first row, all pieces in the others."""
    column, row = chart.corners[city]
    name, start = chart.headed(city)
    canvas.put(start, row, name, *_named(moment, city))
    filled = start < column or len(name) == chart.wide - 1
    _embrace(canvas, moment, city, (start - 1, row, len(name)), closed=not filled or not chart.near(city))
    parts = _pieces(moment, city)
    room = chart.wide - 1, chart.high - 1
    shown_rows = _rows(parts, *room, gap=1)
    if _LEFT_OUT in shown_rows[-1]:
        shown_rows = _rows(parts, *room)
    for below, shown in enumerate(shown_rows, start=1):
        _write(canvas, column, row + below, shown)


def _write(canvas: Canvas, column: int, row: int, shown: StyledPiece) -> None:
    """Texts with their styles, one behind the other."""
    for text, styles in shown:
        canvas.put(column, row, text, *styles)
        column += len(text)


_LEFT_OUT: Final = (MORE, ("strong",))


def _rows(parts: Sequence[StyledPiece], columns: int, rows: int, gap: int = 0) -> list[StyledPiece]:
    """The parts in rows, none of them split; behind the last one that fits a sign for all others.

    `gap`: blanks between two parts of a row.
    """
    filled: list[StyledPiece] = [[] for _ in range(rows)]
    row = used = 0
    for number, part in enumerate(parts):
        width = sum(len(text) for text, _ in part)
        between = gap * bool(used)
        if used + between + width > columns and row < rows - 1:
            row, used, between = row + 1, 0, 0
        if row == rows - 1 and used + between + width + (number < len(parts) - 1) > columns:
            filled[row].append(_LEFT_OUT)
            break
        filled[row] += [(" " * between, ()), *part] if between else part
        used += between + width
    return filled


def _tight(canvas: Canvas, chart: Chart, moment: Snapshot, city: City) -> None:
    """The code, a sign for all secrets, and a sign for all pieces."""
    column, row = chart.corners[city]
    code = chart.label(city)
    canvas.put(column, row, code.upper() if city in CAPITALS else code, *_named(moment, city))
    _embrace(canvas, moment, city, (column - 1, row, len(code) + 2), closed=None)
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
    if city in moment.goals or city in moment.points or city in moment.harbours:
        return ("target",)
    return () if owner is None else moment.worn(owner)


def _power(power: Power | None, moment: Snapshot) -> tuple[str, ...]:
    """The styles of a power's things; one's own are bright."""
    if power is None:
        return ("strong",)
    return (f"tile{moment.seat}",) if moment.runs(power) else moment.worn(power)


def _pieces(moment: Snapshot, city: City) -> list[StyledPiece]:
    """What stands in a city: secrets on the ground, then by power its police, spies and drops.

    Police in one part, spies without a secret in another one.
    """
    parts: list[StyledPiece] = []
    of_group: tuple[Power | None, bool] | None = None
    for lying in standing(moment.state, city):
        styles = _power(lying.power, moment)
        secret = "" if lying.secret is None else _secret(moment, lying.secret)
        spy = lying.sign.isdigit()
        group = (lying.power, spy) if lying.sign == "P" or (spy and not secret) else None
        if group is not None and group == of_group:
            parts[-1].append((lying.sign + secret, styles))
        else:
            letter = LETTERS[lying.power or 0] if lying.sign else ""
            parts.append([(letter + lying.sign + secret, styles)])
        of_group = group
    return parts


def _secret(moment: Snapshot, secret: SecretId) -> str:
    """A secret as this seat reads it."""
    face = secret_face(moment.state, secret, moment.known)
    return SECRET if face is None else secret_sign(face)


def secret_sign(face: Face) -> str:
    """The sign of a secret that is known: "◆3", "!4"."""
    return f"{GENUINE_SIGN if face in GENUINE else COUNTERSPY_SIGN}{value(face)}"


_RAISED: Final = "⁰¹²³⁴⁵"


def _embrace(
    canvas: Canvas, moment: Snapshot, city: City, at: tuple[int, int, int], *, closed: bool | None
) -> None:
    """The signs around a name, or the one before it; the cursor goes before everything else.

    `closed`: whether the second of two like signs has room; else it would mark the next name, too; None: on
    the small map.
    """
    if city == moment.cursor:
        signs = "[]"
    elif city == moment.focus:
        signs = "▶◀"
    elif city in moment.points:
        # On the small map a number of pieces can stand right before it.
        signs = str(moment.points[city]) if closed is not None else _RAISED[moment.points[city]]
    elif city in moment.harbours:
        signs = BY_SEA
    elif city in moment.goals:
        signs = "××"
    elif city in moment.changed:
        signs = "‹›"
    else:
        return
    column, row, width = at
    style = "chosen" if city == moment.cursor else "target"
    behind = column + width + 1
    if column >= 0:
        canvas.put(column, row, signs[0], style)
    if len(signs) > 1 and behind < canvas.columns and (closed or signs[0] != signs[1]):
        canvas.put(behind, row, signs[1], style)
