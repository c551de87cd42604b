"""`analyse`: the quality of each decision of a match, its luck and its turning points.

The record is audited first; the match is judged by the strongest bot's beliefs and evaluation.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace

from cli.reports import describe, history, sources
from cli.shell.locations import locate
from cli.shell.progress import Progress
from cli.studies.analysis import analysis_json, analysis_text
from cli.studies.analysis.analysing import Analysed, Work, within
from cli.text.layout import ascii_text
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _


def run(arguments: argparse.Namespace) -> int:
    """Analyse one transcript and print the findings; the exit code is the audit's."""
    home = locate(arguments.home)
    name = sources.resolve(arguments.file, home)
    match = sources.shown_to_be_checked(name, sources.read(name))
    chosen = describe.seats_named(match.report.genesis, arguments.seat)
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
