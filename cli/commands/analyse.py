"""`analyse`: the quality of each decision of a match, its luck and its turning points.

The record is audited first; the match is judged by the strongest bot's beliefs and evaluation.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace

from cli.reports import describe, history, sources
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate
from cli.shell.progress import Progress
from cli.studies.analysis import analysis_json, analysis_text
from cli.studies.analysis.analysing import Analysed, Work, within
from cli.text.layout import ascii_text, series
from cli.text.names import shown
from cli.text.sanitize import escape
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import either
from protocol.record.genesis import Genesis

_MOST = 40
"""Cells of a typed name."""


def run(arguments: argparse.Namespace) -> int:
    """Analyse one transcript and print the findings; the exit code is the audit's."""
    home = locate(arguments.home)
    name = sources.resolve(arguments.file, home)
    match = sources.shown_to_be_checked(name, sources.read(name))
    chosen = seats(match.report.genesis, arguments.seat)
    own = sources.own(home, match.referee)
    # A file or a pipe may reach others, so it rests on the record alone.
    private = own is not None and sys.stdout.isatty()
    story = history.of_match(match)
    lesson = sources.is_lesson(name)
    work = Work(
        match, replace(story, secrets=own[1]) if own is not None and private else story, lesson=lesson
    )
    with Progress(work.total, _("decisions")) as progress:
        for done, _one in enumerate(work.judge(within(arguments.time)), start=1):
            progress.step(done)
    _print(work.done(), chosen, arguments)
    return match.report.exit_code


def _print(analysed: Analysed, chosen: list[Seat], arguments: argparse.Namespace) -> None:
    if arguments.json:
        print(json.dumps(analysis_json.plain(analysed, chosen), indent=1))
        return
    lines = analysis_text.text(analysed, chosen, history.reading_width())
    print("\n".join(map(ascii_text, lines) if arguments.ascii else lines))


def seats(genesis: Genesis, wanted: str | None) -> list[Seat]:
    """The seats whose decisions are told: all, or the seat of that name.  Raises Sorry."""
    every = range(len(genesis.players))
    if wanted is None:
        return list(every)
    names = [describe.seat_name(genesis, seat) for seat in every]
    players = [player.name for player in genesis.players]
    for known in (names, players):
        named = [seat for seat in every if known[seat].casefold() == wanted.casefold()]
        if len(named) == 1:
            return named
        if named:
            raise Sorry(
                _(
                    "Several players of this match are called {name}. Name a seat: {seats}.",
                    name=escape(wanted, _MOST),
                    seats=either(names),
                ),
                Exit.USAGE,
            )
    raise Sorry(
        _(
            "Nobody in this match is called {name}. Its seats are {seats}, its players {players}.",
            name=escape(wanted, _MOST),
            seats=series(names),
            players=series([shown(name) for name in players]),
        ),
        Exit.USAGE,
    )
