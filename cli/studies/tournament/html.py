"""The table of a tournament as one static page: no script, no address, its own style alone (threat 94).

Every text passes `_text`: names come from players, reasons from the director, words from the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from cli.page import build
from cli.studies.tournament import report
from cli.studies.tournament import table as tables
from cli.studies.tournament.event import Round
from cli.studies.tournament.evidence import Decided
from cli.studies.tournament.table import Table
from cli.text.language import spoken
from cli.text.names import shown
from p2p_stratego.core.language import _
from protocol.crypto.keys import fingerprint

STYLES: Final = ("tokens.css", "tournament.css")


def page(table: Table) -> bytes:
    """The page."""
    css = build.style(STYLES)
    fields = {
        "language": _text(spoken()),
        "policy": build.policy(None, css),
        "program": "p2p-stratego",
        "title": _text(shown(table.event.name)),
        "style": css,
        "body": "\n".join(_body(table)),
    }
    return build.filled("tournament.html", fields)


def _text(text: str) -> str:
    return escape(text, quote=True)


def _body(table: Table) -> Iterator[str]:
    title, *about = report.head(table.event)
    yield f"<h1>{_text(title)}</h1>"
    yield f'<p class="about">{_text(" ".join(line.strip() for line in about))}</p>'
    yield f"<h2>{_text(_('Standings'))}</h2>"
    yield from _standings(table)
    for round_ in table.rounds:
        yield f"<h2>{_text(report.title(round_))}</h2>"
        known = [decided for decided in table.decided if decided.round == round_.number]
        rows = [row for decided in known for row in _pairing(table, round_, decided)]
        rows += [_bye(table, player) for player in round_.off(table.left)]
        heads = (
            (_("table"), ""),
            (_("first seat"), "who"),
            (_("result"), "result"),
            (_("second seat"), "who"),
        )
        yield from _sheet(heads, rows, "rounds")
        if any(decided.waiting for decided in known):
            yield f'<p class="about">{_text(report.rule_of_names(round_))}</p>'
    disputes = [line for decided in table.decided for line in _dispute(table, decided)]
    if disputes:
        yield f"<h2>{_text(_('Disputes and remarks'))}</h2>"
        yield "<ul>"
        yield from disputes
        yield "</ul>"


def _sheet(heads: Sequence[tuple[str, str]], rows: Iterable[str], kind: str) -> Iterator[str]:
    yield f'<div class="sheet"><table class="{kind}"><thead><tr>'
    yield "".join(f'<th scope="col" class="{of}">{_text(title)}</th>' for title, of in heads)
    yield "</tr></thead><tbody>"
    yield from rows
    yield "</tbody></table></div>"


def _standings(table: Table) -> Iterator[str]:
    columns = report.columns(table)
    heads = [(_("place"), ""), (_("player"), "who"), *((title, "") for title, _of in columns)]
    rows = []
    for at, row in enumerate(table.rows):
        values = "".join(f"<td>{_text(of[at])}</td>" for _title, of in columns)
        rows.append(f"<tr><td>{row.place or '-'}</td>{_who(table, row.player)}{values}</tr>")
    yield from _sheet(heads, rows, "standings")
    for line in (*report.legend(table.event), *report.withdrawn(table)):
        yield f'<p class="about">{_text(line)}</p>'


def _who(table: Table, number: int) -> str:
    key = fingerprint(bytes.fromhex(table.event.entrant(number).key))
    return f'<td class="who">{_text(report.name(table.event, number))}<small>{key}</small></td>'


def _named(table: Table, number: int) -> str:
    return f'<td class="who">{_text(report.name(table.event, number))}</td>'


def _pairing(table: Table, round_: Round, decided: Decided) -> Iterator[str]:
    origin = report.origin(decided)
    by = f'<small class="by">{_text(origin)}</small>' if origin else ""
    yield (
        f"<tr><td>{decided.pairing.table}</td>{_named(table, decided.pairing.first)}"
        f'<td class="result">{_text(tables.result(decided))}{by}</td>'
        f"{_named(table, decided.pairing.second)}</tr>"
    )
    if decided.waiting:
        lines = "<br>".join(
            f"<code>{_text(line)}</code>" for line in report.commands(table.event, round_, decided.pairing)
        )
        yield f'<tr class="how"><td></td><td class="who" colspan="3">{lines}</td></tr>'


def _bye(table: Table, player: int) -> str:
    bye = f'<td class="result">{_text(_("bye"))}</td>'
    return f"<tr><td></td>{_named(table, player)}{bye}<td></td></tr>"


def _dispute(table: Table, decided: Decided) -> Iterator[str]:
    """The matters of a pairing, each an item with what shows it."""
    item = ""
    for depth, text in report.matters(table, decided):
        if depth == report.MATTER and item:
            yield f"<li>{item}</li>"
            item = ""
        if depth == report.FILE:
            item += f"<br><code>{_text(text)}</code>"
        else:
            item += _text(text) if not item else f"<br>{_text(text)}"
    if item:
        yield f"<li>{item}</li>"
