"""The game, and the variant of it, that a command line asks for."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import Any, Final

from cli.games.interface import Misunderstood, NotPossible, terminal
from cli.games.setup_store import from_file
from cli.shell.exit_codes import Exit, Sorry
from cli.text.sanitize import escape
from p2p_stratego import GAMES
from p2p_stratego.core.game import Game, Options

OPTIONS: Final = ("wall", "starter", "army", "first", "quiet")
"""The options of all games that commands take; each game refuses those of the others."""


def chosen(arguments: argparse.Namespace) -> tuple[Game[Any], Options]:
    """The game and its complete options.  Raises OptionError, and Sorry for a file that is none."""
    game, here = GAMES[arguments.game], terminal(arguments.game)
    said = {name: getattr(arguments, name, None) for name in OPTIONS}
    try:
        given = {name: here.option(name, value, _read) for name, value in said.items() if value is not None}
    except Misunderstood as error:
        raise Sorry(str(error), Exit.DATA) from error
    return game, game.options(given)


def _read(path: str) -> str | None:
    """The text of a file; None if there is none.  Raises OSError, and NotPossible if it cannot be an army."""
    with suppress(FileNotFoundError, ValueError):
        try:
            return from_file(path) if path else None
        except IsADirectoryError as error:
            raise NotPossible(f"{escape(path, 40)} is a folder. Name a file in it.") from error
    return None
