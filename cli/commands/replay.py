"""`replay`: a recorded game, step by step on the screen, or at once as lines.

A replay shows only the cards that the transcript opened.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from cli.commands import export
from cli.reports import history, sources
from cli.reports.history import Story
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate
from p2p_stratego.core.record import RecordError


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
    found = sources.replayed(name, data)
    _show(arguments, history.of_match(found), lambda: export.text(found, history.reading_width()))
    return found.report.exit_code


def _show(arguments: argparse.Namespace, shown: Story, lines: Callable[[], list[str]]) -> None:
    """On the screen, if there is one; else as these lines."""
    from cli.shell.settings import on_screen

    if shown.steps and on_screen(arguments):
        from cli.screen.replay import Replay, ReplayScreen

        theme = arguments.theme or "auto"
        ReplayScreen(Replay(shown), theme, ascii_only=arguments.ascii).app.run()
    else:
        print("\n".join(lines()))
