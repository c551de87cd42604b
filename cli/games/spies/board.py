"""Europe in SPIES! as text: cities with what stands in them, north up.

Each city is a cell; a style class names it, so that a click finds what it hit (see
`cli.screen.application`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.games.canvas import Canvas
from cli.games.interface import ViewContext
from cli.games.spies.chart import CODE, ROOMY, TIGHT, Chart
from cli.games.spies.snapshot import Snapshot, Standing, snapshot, standing
from cli.text.layout import Line, block, centred
from cli.text.regions import marked
from p2p_stratego.core.game import Face
from p2p_stratego.spies.rules.atlas import CAPITALS, HAVENS, NAMES, City, Power
from p2p_stratego.spies.rules.counters import GENUINE, value
from p2p_stratego.spies.rules.observation import secret_face
from p2p_stratego.spies.rules.state import SecretId

LETTERS: Final = "girfb"
"""By power, the letter of its pieces: germany, italy, russia, france, britain."""
LEAST: Final = (TIGHT.columns, TIGHT.rows)
SECRET: Final = "■"  # noqa: S105  # a counter of the game, no password
CAPITAL: Final = "▲"
HAVEN: Final = "○"
MORE: Final = "+"
SIGNS: Final = (
    ("g1", "a spy of germany's; i italy, r russia, f france, b britain; yours are bright"),
    (SECRET, "a secret that you cannot read; on the small map every secret"),
    ("s3 c4", "a genuine secret of value 3, a counterspy of 4: only you and those who saw it know"),
    (f"g1{SECRET}", "a secret under the spy that controls it"),
    (f"gP{SECRET}", "police on a secret; gP: police with nothing to stand on"),
    (f"gv{SECRET}", "a secret that germany dropped"),
    (f"{CAPITAL} {HAVEN}", "a capital; a haven of spies"),
    (MORE, "more stands here than fits: point at the city"),
    ("·", "a railway; airlines and seas are told beside the map"),
    ("‹Rome›", "something has just happened here"),
    ("[Rome]", "the cursor"),
    ("▶Rome◀", "where the picked spy stands"),
    ("×Rome×", "where it can go, a city that can be named, or one with your police sign; small map: ×rom"),
)
"""In a tight map a cell holds the code, one sign for secrets, and a letter or a number for pieces."""


def chart_for(columns: int, rows: int) -> Chart:
    """The bigger map, if there is room for it."""
    return ROOMY if columns >= ROOMY.columns and rows >= ROOMY.rows else TIGHT


def fitting(columns: int, rows: int) -> tuple[int, int]:
    """As much of `columns` and `rows` as the map makes use of."""
    found = chart_for(columns, rows)
    return found.columns, found.rows


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
        (_roomy if chart is ROOMY else _tight)(canvas, chart, moment, city)

    def place(column: int, row: int) -> str:
        found = chart.city(column, row)
        return "" if found is None else marked(NAMES[found])

    lines = [centred(line, columns) for line in canvas.lines(place)]
    return block(lines, columns, rows)


def _roomy(canvas: Canvas, chart: Chart, moment: Snapshot, city: City) -> None:
    """The name in the first row, all pieces in the second."""
    column, row = chart.corners[city]
    name = _signed(city, chart.labels[city])[: chart.wide - 1]
    canvas.put(column, row, name, *_named(moment, city))
    _embrace(canvas, moment, city, (column - 1, row, len(name)))
    at, end = column, column + chart.wide - 1
    parts = [_piece(moment, each) for each in standing(moment.state, city)]
    for number, part in enumerate(parts):
        width = sum(len(text) for text, _ in part)
        if at + width + (number < len(parts) - 1) > end:
            canvas.put(end - 1, row + 1, MORE, "strong")
            return
        for text, styles in part:
            canvas.put(at, row + 1, text, *styles)
            at += len(text)


def _tight(canvas: Canvas, chart: Chart, moment: Snapshot, city: City) -> None:
    """The code, a sign for all secrets, and a sign for all pieces."""
    column, row = chart.corners[city]
    code = chart.labels[city]
    canvas.put(column, row, code.upper() if city in CAPITALS else code, *_named(moment, city))
    _embrace(canvas, moment, city, (column - 1, row, len(code) + 2))
    there = standing(moment.state, city)
    secrets = [each for each in there if each.secret is not None]
    pieces = [each for each in there if each.sign and each.sign != "v"]
    if secrets:
        canvas.put(column + 3, row, SECRET, *_power(secrets[0].power, moment))
    if pieces:
        powers = {each.power for each in pieces}
        sign = LETTERS[pieces[0].power or 0] if len(pieces) == 1 else str(len(pieces))
        sign = sign if len(sign) == 1 else MORE
        styles = _power(pieces[0].power, moment) if len(powers) == 1 else ("strong",)
        canvas.put(column + 4, row, sign, *styles)


def _signed(city: City, label: str) -> str:
    sign = CAPITAL if city in CAPITALS else HAVEN if city in HAVENS else ""
    return sign + label


def _named(moment: Snapshot, city: City) -> tuple[str, ...]:
    """The styles of a city's name: its territory."""
    owner = moment.state.territory[city]
    if city in moment.named or city == moment.cursor:
        return ("chosen",)
    if city in moment.goals:
        return ("target",)
    return () if owner is None else (f"seat{owner}",)


def _power(power: Power | None, moment: Snapshot) -> tuple[str, ...]:
    """The styles of what belongs to a power; one's own is bright."""
    if power is None:
        return ("strong",)
    return (f"tile{power}",) if moment.runs(power) else (f"seat{power}",)


def _piece(moment: Snapshot, each: Standing) -> Sequence[tuple[str, tuple[str, ...]]]:
    styles = _power(each.power, moment)
    parts = []
    if each.sign:
        parts.append((LETTERS[each.power or 0] + each.sign, styles))
    if each.secret is not None:
        parts.append((_secret(moment, each.secret), styles))
    return parts


def _secret(moment: Snapshot, secret: SecretId) -> str:
    """A secret as this seat reads it."""
    face = secret_face(moment.state, secret, moment.known)
    return SECRET if face is None else secret_sign(face)


def secret_sign(face: Face) -> str:
    """The spelling of a secret: "s3", "c4"."""
    return f"{'s' if face in GENUINE else 'c'}{value(face)}"


def _embrace(canvas: Canvas, moment: Snapshot, city: City, at: tuple[int, int, int]) -> None:
    """The two signs around a name; the cursor goes before everything else."""
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
    beside = signs == "××" and width == CODE + 2  # there the sign would stand right before the next name
    if column + width + 1 < canvas.columns and not beside:
        canvas.put(column + width + 1, row, signs[1], style)
