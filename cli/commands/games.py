"""`games`: the matches in the home folder, by their transcripts; no match is opened for playing."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from cli.reports.own_games import UNREAD, day, listed, others
from cli.reports.rows import SHOWN_ID, Plain, damaged
from cli.shell.exit_codes import Run, bare, gravest
from cli.shell.guard import report_failure
from cli.shell.locations import locate, runs
from cli.text.layout import padded
from cli.text.sanitize import cells, escape
from p2p_stratego.core.language import _, mark
from p2p_stratego.registry import ENTRIES
from protocol.failures import Failure
from protocol.storage.files import require_makeable
from protocol.storage.home import Home

_TITLE: Final = 12
"""Cells for a game's title."""
_FAILED: Final = mark("not judged, by a bug in this program")


def run(arguments: argparse.Namespace) -> int:
    """Print the list, the newest first."""
    path = locate(arguments.home)
    rows: list[Plain] = []
    failed: dict[Path, Exception] = {}
    if path.exists():
        rows = listed(path, failed)
    else:
        require_makeable(path)
    if arguments.json:
        print(json.dumps({"home": str(path), "games": rows}))
    elif rows:
        print("\n".join(table(rows, time.time(), runs(arguments.home))))
    else:
        play = runs(arguments.home)("play")
        print(
            _("No games in {path} yet. {play} begins one against a bot.", path=escape(str(path)), play=play)
        )
    for name in [] if arguments.json or not path.exists() else _open_offers(path):
        again = runs(arguments.home)(f"post {name[:SHOWN_ID]}")
        print(
            _(
                "Your offer {name} by post is open; {again} prints it again.",
                name=name[:SHOWN_ID],
                again=again,
            )
        )
    return gravest(
        report_failure(escape(str(record)), bug, "games", arguments.home) for record, bug in failed.items()
    )


def _open_offers(path: Path) -> list[str]:
    """The ids of the offers by post that nobody has answered; none if a damaged one is among them."""
    with Home(path) as home, suppress(Failure):
        return home.open_offers()
    return []


def table(rows: Iterable[Plain], now: float, run: Run) -> Iterator[str]:
    rows = list(rows)
    shown = [others(row) or "?" for row in rows]
    wide = max(map(cells, [_("with"), *shown]))
    days = [day(row["changed"], now) for row in rows]
    late = max(map(cells, [_("last played"), *days]))
    heads = (padded(_("id"), SHOWN_ID), padded(_("last played"), late), padded(_("game"), _TITLE))
    yield "  ".join((*heads, padded(_("with"), wide), _("status")))
    for row, names, when in zip(rows, shown, days, strict=True):
        audit = run(f"audit {row['id'][:SHOWN_ID]}")
        unread = _(_FAILED if row.get("verdict") == "failed" else UNREAD)
        status = row.get("status", _("{unread}: see {command}", unread=unread, command=audit))
        if status == damaged(bare("audit")):
            status = damaged(audit)
        status = _("watched: {status}", status=status) if row["watched"] else status
        title = ENTRIES[row["game"]].title if "game" in row else "?"
        match = f"{padded(title, _TITLE)}  {padded(names, wide)}  {status}"
        yield f"{row['id'][:SHOWN_ID]}  {padded(when, late)}  {match}"
