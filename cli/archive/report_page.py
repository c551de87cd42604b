"""The report of an archive as one static page: no script, no address, its own style alone (threat 94).

Every text passes `_text`: names and choices come from records.  A picture is SVG within the page, whose sizes
are attributes, since the page's policy forbids styles in elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from cli.archive.reports import RESULTS, Chart
from cli.page import build
from cli.text.language import spoken
from cli.text.sanitize import escape as harmless
from cli.text.tables import cell
from p2p_stratego.core.language import _, n_, number
from p2p_stratego.registry import ENTRIES

STYLES: Final = ("tokens.css", "tournament.css", "report.css")
_WIDE: Final = 100
"""The width of a bar, in its own units."""
_PLOT: Final = (640, 180)
_MARGIN: Final = 28
"""Below the columns of a plot, and above them, for its words."""


def page(place: str, report: Mapping[str, Sequence[Chart]]) -> bytes:
    """The page.  `report`: by game, its charts.  Of the place its last part is named: a page may travel."""
    css = build.style(STYLES)
    title = _("Archive {name}", name=place.rstrip("/").rpartition("/")[2])
    fields = {
        "language": _text(spoken()),
        "policy": build.policy(None, css),
        "program": "p2p-stratego",
        "title": _text(title),
        "style": css,
        "body": "\n".join(_body(title, report)),
    }
    return build.filled("tournament.html", fields)


def _text(text: str) -> str:
    return escape(harmless(text), quote=True)


def _body(title: str, report: Mapping[str, Sequence[Chart]]) -> Iterator[str]:
    yield f"<h1>{_text(title)}</h1>"
    links = (f'<a href="#game{at}">{_name(game)}</a>' for at, game in enumerate(report))
    yield f"<nav>{''.join(links)}</nav>"
    for at, (game, charts) in enumerate(report.items()):
        yield f'<h2 id="game{at}">{_name(game)}</h2>'
        for chart in charts:
            yield f"<h3>{_text(chart.title)}</h3>"
            yield from _plots(chart) if chart.histogram else _table(chart)


def _name(game: str) -> str:
    return _text(_(ENTRIES[game].title) if game in ENTRIES else game)


def _table(chart: Chart) -> Iterator[str]:
    """The rows of a chart; a bar at the end of each, if it has a share."""
    rows = chart.readable_rows()
    words = [any(isinstance(row[at], str) for row in rows) for at in range(len(chart.columns))]
    kinds = ["word" if is_word else "" for is_word in words]
    heads = [
        f'<th scope="col" class="{kind}">{_text(head)}</th>'
        for kind, head in zip(kinds, chart.heads, strict=True)
    ]
    heads += ["<th></th>"] * (chart.share is not None)
    yield f'<div class="sheet"><table><thead><tr>{"".join(heads)}</tr></thead><tbody>'
    for row in rows:
        cells = [f'<td class="{kind}">{_cell(value)}</td>' for kind, value in zip(kinds, row, strict=True)]
        if chart.share is not None:
            cells.append(f"<td>{_bar(chart, chart.share, row)}</td>")
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"


def _cell(value: object) -> str:
    return escape(cell(value), quote=True)


def _bar(chart: Chart, share: int, row: Sequence[Any]) -> str:
    """A bar of what was won, drawn and lost, where a chart has that, else of its share, a column."""
    if {*RESULTS} <= {*chart.columns}:
        counts = {name: row[chart.columns.index(name)] for name in RESULTS}
    else:
        counts = {"part": row[share], "none": 1 - row[share]}
    total = sum(counts.values()) or 1
    parts, at = [], 0.0
    for name, count in counts.items():
        width = _WIDE * count / total
        parts.append(f'<rect class="{name}" x="{at:.2f}" y="0" width="{width:.2f}" height="10"/>')
        at += width
    opening = f'<svg class="bar" viewBox="0 0 {_WIDE} 10" preserveAspectRatio="none" aria-hidden="true">'
    return f"{opening}{''.join(parts)}</svg>"


def _plots(chart: Chart) -> Iterator[str]:
    """A histogram for each number of players: its rows are players, from, to, how many, share of the most."""
    for seats, rows in groupby(chart.rows, key=itemgetter(0)):
        players = n_("{count} player", "{count} players", seats)
        yield f'<p class="about">{_text(players)}</p><div class="sheet">{_plot([*rows], chart.title)}</div>'


def _plot(rows: Sequence[Sequence[Any]], label: str) -> str:
    wide, high = _PLOT
    least, most = rows[0][1], max(row[2] for row in rows)
    scale = wide / (most - least + 1)
    ground = high - _MARGIN
    columns = [
        f'<rect class="part" x="{(low - least) * scale:.2f}" y="{ground - share * (ground - _MARGIN):.2f}" '
        f'width="{max((top - low + 1) * scale - 1, 0.5):.2f}" height="{share * (ground - _MARGIN):.2f}">'
        f"<title>{number(low)}–{number(top)}: {number(count)}</title></rect>"
        for _seats, low, top, count, share in rows
    ]
    highest = max(row[3] for row in rows)
    words = (
        f'<text x="0" y="{high - 8}">{number(least)}</text>'
        f'<text x="{wide}" y="{high - 8}" text-anchor="end">{number(most)}</text>'
        f'<text x="0" y="18">{number(highest)}</text>'
    )
    axis = f'<line x1="0" y1="{ground}" x2="{wide}" y2="{ground}"/>'
    opening = f'<svg class="plot" viewBox="0 0 {wide} {high}" role="img" aria-label="{_text(label)}">'
    return f"{opening}{''.join(columns)}{axis}{words}</svg>"
