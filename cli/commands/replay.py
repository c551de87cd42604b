"""`replay`: a recorded game, step by step on the screen, or as lines.

A replay shows only the cards that the transcript opened.  On the screen the owner of the home folder also
sees its own cards, in a match of its own.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from cli.commands import export
from cli.reports import history, sources
from cli.reports.history import Story
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate
from cli.shell.reading import read_file
from cli.studies.analysis.analysing import THINKS, Work, whole
from p2p_stratego.core import strict_json
from p2p_stratego.core.record import RecordError
from p2p_stratego.core.strict_json import NotJson
from p2p_stratego.registry import ENTRIES
from protocol.audit.verdict import Report, Verdict
from protocol.storage.home import SETTINGS


def run(arguments: argparse.Namespace) -> int:
    """Show one transcript, or a game's own record; the exit code is the audit's, if there is one."""
    name = sources.resolve(arguments.file, locate(arguments.home))
    data = sources.read(name)
    try:
        shown = history.of_text(data)
    except RecordError as error:
        raise Sorry(f"{sources.shown(name)}: {error}", Exit.DATA) from error
    if shown is not None:
        _show(arguments, shown, lambda: export.story_text(shown, history.reading_width()))
        return Exit.OK
    match = sources.shown_to_be_checked(name, data)
    story = history.of_match(match)
    if own := sources.own(locate(arguments.home), match.referee):
        story = replace(story, own=own[0], secrets=own[1])
    analysis = partial(Work, match, story, lesson=sources.is_lesson(name)) if _judged(match.report) else None
    _show(arguments, story, lambda: export.text(match, history.reading_width()), analysis)
    return match.report.exit_code


def _judged(report: Report) -> bool:
    """Whether this record can be analysed."""
    able = ENTRIES[report.genesis.game.name].analysis is not None
    return able and report.verdict is not Verdict.TAMPERED


def _show(
    arguments: argparse.Namespace,
    shown: Story,
    lines: Callable[[], list[str]],
    analysis: Callable[[], Work] | None = None,
) -> None:
    """Show the game on the screen, if there is one, else as `lines`."""
    from cli.shell.settings import given, on_screen, read, shown_on

    if shown.steps and on_screen(arguments):
        from cli.screen.replay.replay_screen import ReplayScreen
        from cli.studies.playback import Replay

        saved = read(_saved(locate(arguments.home)))
        settings = shown_on(given(saved, arguments), sys.stdout.encoding)
        screen = ReplayScreen(Replay.of(shown), settings, analysis=analysis)
        screen.to_turn = arguments.analysis
        screen.app.run(pre_run=lambda: screen.perform("analysis") if arguments.analysis else None)
    elif shown.steps and sys.stdin.isatty() and sys.stdout.isatty():
        from cli.lines.prompt import Prompt
        from cli.lines.replay import step_through
        from cli.studies.playback import Replay

        judged = None if analysis is None else partial(whole, analysis, THINKS)
        step_through(Replay.of(shown), Prompt(ascii_only=arguments.ascii), history.reading_width, judged)
    else:
        print("\n".join(lines()))


def _saved(home: Path) -> dict[str, object]:
    """The settings in a home folder, which this neither creates nor locks."""
    with suppress(OSError, Sorry, NotJson):
        value = strict_json.read(read_file(home / SETTINGS, strict_json.MOST + 1))
        return value if isinstance(value, dict) else {}
    return {}
