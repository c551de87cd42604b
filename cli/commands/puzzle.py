"""`puzzle`: a position with one answer that is clearly the best; one a day, and as many more as one likes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from datetime import date

from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate
from cli.shell.settings import given, glance, on_screen, shown_on
from cli.studies.puzzles.desk import Desk
from protocol.storage.files import make_folders


def run(arguments: argparse.Namespace, today: Callable[[], date] = date.today) -> int:
    """Show the wanted puzzle, or that of the day, and take answers.  Raises Sorry."""
    home = locate(arguments.home)
    make_folders(home)
    desk = Desk(home, today().toordinal(), arguments.game, arguments.number)
    if arguments.answer is not None:
        desk.typed(arguments.answer)
        if not desk.sitting.understood:
            raise Sorry(" ".join(desk.sitting.sentences), Exit.DATA)
    if arguments.json:
        print(json.dumps(desk.plain()))
    elif arguments.answer is not None:
        print("\n".join(desk.sitting.sentences))
    elif on_screen(arguments):
        from cli.screen.puzzle import PuzzleScreen

        settings = shown_on(given(glance(home), arguments), sys.stdout.encoding)
        PuzzleScreen(desk, settings).app.run()
    else:
        from cli.lines.prompt import Prompt
        from cli.lines.puzzle import solve

        solve(desk, Prompt(ascii_only=arguments.ascii))
    return Exit.OK
