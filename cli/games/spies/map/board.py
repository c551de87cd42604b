"""Europe in SPIES! as text: cities with what stands in them, north up.

Each city is a cell; a style class names it, so that a click finds what it hit (see
`cli.screen.match.application`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from cli.games.canvas import Canvas
from cli.games.interface import ViewContext
from cli.games.spies.map.chart import ROOMY, TIGHT, WIDE, Chart
from cli.games.spies.snapshot import CityPiece, Snapshot, snapshot, standing
from cli.text.layout import Line, block, centred
from p2p_stratego.core.game import Face
from p2p_stratego.core.language import mark
from p2p_stratego.spies.rules.atlas import CAPITALS, HAVENS, City, Power
from p2p_stratego.spies.rules.counters import GENUINE, value
from p2p_stratego.spies.rules.observation import secret_face
from p2p_stratego.spies.rules.state import SecretId

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
