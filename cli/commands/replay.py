"""`replay`: a recorded game, step by step on the screen, or as lines.

A replay shows only the cards that the transcript opened.  On the screen the owner of the home folder also
sees its own cards, in a match of its own.  The example games came with the program, and bear notes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from cli.reports import history, match_text, sources
from cli.reports.history import Story
from cli.reports.rows import Plain
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate
from cli.studies.analysis.analysing import THINKS, Work, whole
from cli.studies.annotated import games
from cli.studies.annotated.games import Example
from cli.text.layout import ascii_text
from p2p_stratego.core.language import _
from p2p_stratego.core.record import RecordError
from p2p_stratego.registry import ENTRIES
from protocol.audit.verdict import Report, Verdict

if TYPE_CHECKING:
    from cli.shell.settings import Settings


def run(arguments: argparse.Namespace) -> int:
    """Show one transcript, or a game's own record; the exit code is the audit's, if there is one."""
    if arguments.example is not None:
        return _example(arguments)
    if arguments.file is None:
        raise Sorry(_("Name a transcript or the start of a game's id; or an example, with --example."))
    return _replayed(arguments, sources.resolve(arguments.file, locate(arguments.home)), None)


def _example(arguments: argparse.Namespace) -> int:
    """Show the named example game, or their list, of which a person may pick one after the other."""
    from cli.shell.settings import on_screen

    if arguments.example:
        example = games.named(arguments.example)
        return _replayed(arguments, str(example.path), example)
    if arguments.json:
        print(json.dumps([example.plain() for example in games.EXAMPLES]))
    elif on_screen(arguments):
        while (picked := _picked(arguments)) is not None:
            _replayed(arguments, str(picked.path), picked)
    else:
        lines = [f"{example.name}  {example.line()}" for example in games.EXAMPLES]
        print("\n".join(map(ascii_text, lines) if arguments.ascii else lines))
    return Exit.OK


def _picked(arguments: argparse.Namespace) -> Example | None:
    """The example that is chosen on the screen; None: the player goes back."""
    from cli.screen.chooser import ChoiceList, ChoiceRow, Chooser

    rows = [ChoiceRow(example.title, _(example.about)) for example in games.EXAMPLES]
    own = looks(arguments)
    at = Chooser(
        ChoiceList(_("Example games"), rows, nested=True),
        own.theme,
        ascii_only=own.ascii,
        mouse=own.mouse,
    ).run()
    return games.EXAMPLES[at] if at >= 0 else None


def looks(arguments: argparse.Namespace) -> Settings:
    """The settings of the owner of the home folder, as this terminal can show them."""
    from cli.shell.settings import given, glance, shown_on

    return shown_on(given(glance(locate(arguments.home)), arguments), sys.stdout.encoding)


def _replayed(arguments: argparse.Namespace, name: str, example: Example | None) -> int:
    """Show the record in a file, an example with its notes."""
    data = sources.read(name)
    try:
        shown = history.of_text(data)
    except RecordError as error:
        raise Sorry(f"{sources.shown(name)}: {error}", Exit.DATA) from error
    if shown is not None:
        _show(arguments, shown, lambda: match_text.story_text(shown, history.reading_width()))
        return Exit.OK
    match = sources.shown_to_be_checked(name, data)
    story = history.of_match(match)
    if example is not None:
        story = replace(story, notes=example.notes)
    elif own := sources.own(locate(arguments.home), match.referee):
        story = replace(story, own=own[0], secrets=own[1])
    analysis = partial(Work, match, story, lesson=sources.is_lesson(name)) if _judged(match.report) else None
    if example is None and (kept := sources.kept_by_bots(locate(arguments.home), match.referee)):
        story = history.with_kept(story, kept)
    if arguments.json:
        print(json.dumps(_plain(story) if example is None else example.plain() | _plain(story)))
    else:
        lines = partial(_noted, story) if story.notes else partial(match_text.text, match)
        _show(arguments, story, lambda: lines(history.reading_width()), analysis)
    return match.report.exit_code


def _plain(story: Story) -> Plain:
    """The steps of a game, with the notes of an annotated one."""
    steps = enumerate(story.steps, start=1)
    return {
        "steps": [
            {"step": at, "told": list(step.sentences), "note": story.notes.get(at)} for at, step in steps
        ],
        "end": story.closing,
    }


def _noted(story: Story, columns: int | None) -> list[str]:
    """An annotated game as lines: each note behind its step."""
    lines = []
    for at, step in enumerate(story.steps, start=1):
        lines += [history.line(f"{at:>4}  ", sentence, columns) for sentence in step.sentences]
        if at in story.notes:
            lines.append(history.line("      * ", story.notes[at], columns))
    return [*lines, story.closing]


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
    from cli.shell.settings import on_screen

    if shown.steps and on_screen(arguments):
        from cli.screen.replay.replay_screen import ReplayScreen
        from cli.studies.playback import Replay

        screen = ReplayScreen(Replay.of(shown), looks(arguments), analysis=analysis)
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
