"""`setups`: set-ups outside a game: list them, check a file, keep one.

The same names, files and rules as at the table; see `cli.games.setup_store`.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from cli.games import options as game_options
from cli.games.interface import Misunderstood, terminal
from cli.games.setup_store import NamedSetups, SetupStore
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.locations import locate
from p2p_stratego.core.language import _
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.view import View
from p2p_stratego.registry import ENTRIES


def run(arguments: argparse.Namespace) -> int:
    """List set-ups, or print one and perhaps keep it under a name."""
    game, options = game_options.chosen(arguments)
    here = terminal(game.name)
    if here.setup_editor is None or not ENTRIES[game.name].setups:
        raise Sorry(_("In {title} nothing is set up beforehand. Choose another --game.", title=here.title))
    view: View[Any] = View(0, drive(game.setup(game.seat_counts[0], options), lambda _unused: None), {})
    drafts = NamedSetups(here.setup_editor, game.name, SetupStore(locate(arguments.home)))
    if arguments.which is None:
        if arguments.save is not None:
            raise Sorry(_("Which set-up is to be saved? Name a file: setups FILE --save NAME."))
        for line in drafts.sentences(view):
            print(line)
        return Exit.OK
    try:
        setup = drafts.find(view, f"{arguments.which} {arguments.number}")
        saved = "" if arguments.save is None else drafts.save(arguments.save, setup.draft)
    except Misunderstood as error:
        # A missing file or name has a code of its own, as it is no file with a mistake in it.
        code = Exit.IO if isinstance(error.__cause__, OSError) else Exit.DATA
        raise Sorry(str(error), code) from error
    print(here.setup_editor.write(setup.draft), end="")
    # On standard error: standard output holds the set-up, perhaps on its way into a file.
    for line in ("" if setup.alone else _("This is {setup}.", setup=setup.phrase), saved):
        if line:
            print(line, file=sys.stderr)
    return Exit.OK
