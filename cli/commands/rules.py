"""`rules`: how a game goes, in short and in our own words, and all about one soldier or piece.

Each game's manual has the texts; the screens show the same ones while a player decides.
"""

from __future__ import annotations

import argparse
from shutil import get_terminal_size
from typing import Final

from cli.games.interface import Misunderstood, terminal
from cli.shell.exit_codes import Exit, Sorry
from cli.text.layout import ascii_text, words

WIDEST: Final = 96
"""Columns beyond which lines of prose are hard to follow."""


def run(arguments: argparse.Namespace) -> int:
    """Print the rules, or those about one thing.  Raises Sorry for a thing that does not exist."""
    text = "\n".join(lines(arguments))
    print(ascii_text(text) if arguments.ascii else text)
    return Exit.OK


def lines(arguments: argparse.Namespace) -> list[str]:
    """The same as lines that fit the terminal."""
    here = terminal(arguments.game)
    try:
        page = here.manual.page(arguments.topic, min(get_terminal_size().columns, WIDEST))
    except Misunderstood as error:
        raise Sorry(str(error), Exit.USAGE) from error
    return [f"{here.title}: {page.title}".upper(), "", *map(words, page.lines)]
