"""`rules`: the rules of a game, in short and in our own words, or all about one soldier or piece.

Each game's manual has the texts; the screens show the same ones while a player decides.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from contextlib import suppress
from shutil import get_terminal_size
from typing import Final

from cli.games.interface import Misunderstood, page_about, terminal
from cli.shell import spelling_hints
from cli.shell.exit_codes import Exit, Sorry
from cli.text.layout import ascii_text, words
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import either, joined
from p2p_stratego.registry import ENTRIES

WIDEST: Final = 96
"""Columns beyond which prose is hard to read."""


def run(arguments: argparse.Namespace) -> int:
    """Print the rules, or the page about one thing.  Raises Sorry for an unknown thing."""
    text = "\n".join(lines(arguments))
    print(ascii_text(text) if arguments.ascii else text)
    return Exit.OK


def lines(arguments: argparse.Namespace) -> list[str]:
    """The rules as lines that fit the terminal."""
    columns = min(get_terminal_size().columns, WIDEST)
    try:
        pages = [_page(arguments.game or next(iter(ENTRIES)), arguments.topic, columns)]
    except Misunderstood as error:
        others = [] if arguments.game else [*ENTRIES][1:]
        pages = _in_other_games(others, arguments.topic, columns)
        if not pages:
            named = (
                _(" Other games have other words: --game {others}.", others=either(others)) if others else ""
            )
            likely = spelling_hints.nearest(arguments.topic, ENTRIES) if others else None
            raise Sorry(joined(spelling_hints.meant(likely), f"{error}{named}"), Exit.USAGE) from error
    return [line for page in pages for line in page]


def _page(game: str, topic: str | None, columns: int) -> list[str]:
    """The page about `topic` in one game.  Raises Misunderstood."""
    here = terminal(game)
    page = page_about(here, topic, columns)
    return [f"{here.title}: {page.title}".upper(), "", *map(words, page.lines)]


def _in_other_games(games: Iterable[str], topic: str, columns: int) -> list[list[str]]:
    """The pages about `topic` in the `games` that have a thing of exactly this name."""
    pages, name = [], topic.strip().casefold()
    for game in games:
        with suppress(Misunderstood):
            title = page_about(terminal(game), topic, columns).title.casefold()
            if name == title or name in title.split():
                pages.append(_page(game, topic, columns))
    return pages
