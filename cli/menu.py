"""The start menu: unfinished games, and every way to begin one.  Shown by the program without a command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from cli import commands
from cli.describe import Plain
from cli.escape import NAME_CELLS, escape
from cli.exits import Exit
from cli.games import SHOWN_ID, listed
from cli.room import room
from cli.text import ascii_text

_COMMON: Final = ("home", "plain", "ascii", "theme", "no_bell", "no_notes")
"""Options that the chosen command inherits."""
_CHOICES: Final = (
    ("p", "play", "play against a bot"),
    ("h", "host", "wait for a friend: prints an invite"),
    ("j", "join", "join a friend's game with an invite"),
    ("g", "games", "list all games"),
    ("r", "rules", "the rules in short"),
    ("d", "demo", "watch two bots play over the network"),
)
_GAMES: Final = (
    ("Spies & Lies", ()),
    ("Stratego, 20 pieces a side", ("--game", "stratego")),
    ("Stratego classic, 40 pieces a side", ("--game", "stratego", "--army", "classic")),
    ("Stratego barrage, 8 pieces a side", ("--game", "stratego", "--army", "barrage")),
    ("Stratego duel, 10 pieces a side", ("--game", "stratego", "--army", "duel")),
)
"""What can be played, and the options that say so; the first is what Enter chooses."""
_OF_A_GAME: Final = {"play": len(_GAMES), "host": len(_GAMES), "demo": len(_GAMES), "rules": 2}
"""Commands that are about a game, and how many of _GAMES make a difference to them."""
_QUIT: Final = ("q", "quit", "exit")


def run(arguments: argparse.Namespace, home: Path) -> int:
    """Show the menu and do what is chosen; without a terminal, only show it."""
    waiting = [row for row in listed(home) if row.get("unfinished")] if home.exists() else []
    for line in lines(waiting):
        print(ascii_text(line) if arguments.ascii else line)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Exit.OK
    try:
        chosen = _ask("> ", lambda said: read(said, waiting))
        if chosen[0] in _OF_A_GAME:
            games = _GAMES[: _OF_A_GAME[chosen[0]]]
            for number, (name, _) in enumerate(games, start=1):
                print(f"  {number}  {name}")
            chosen += _ask("Which game? [1] ", lambda said: variant(said, len(games)))
    except EOFError:
        return Exit.OK
    space = commands.parser().parse_args(chosen)
    for name in _COMMON:
        if hasattr(arguments, name):
            setattr(space, name, getattr(arguments, name))
    return commands.target(space.command)(space)


def _ask(question: str, read_: Callable[[str], list[str] | None]) -> list[str]:
    """What an answer comes to, asked for until it is one.  Raises EOFError, also for one that quits."""
    while True:
        said = input(question)
        if said.strip().lower() in _QUIT:
            raise EOFError
        chosen = read_(said)
        if chosen is not None:
            return chosen
        print("Please type one of the numbers or letters, or q to quit.")


def lines(waiting: list[Plain]) -> list[str]:
    """The menu; `waiting`: rows of `cli.games.listed`."""
    told = ["P2P STRATEGO: games of hidden information between people who trust nobody", ""]
    if waiting:
        told.append("Unfinished games")
        told += [f"  {number}  {_row(row)}" for number, row in enumerate(waiting, start=1)]
        told.append("")
    told += [f"  {letter}  {about}" for letter, _, about in _CHOICES]
    return [*told, "  q  quit", ""]


def _row(row: Plain) -> str:
    opponents = " and ".join(escape(name, NAME_CELLS) for name in row["opponents"])
    return f"{row['id'][:SHOWN_ID]}  {room(row['game']).title} with {opponents}: {row['status']}"


def variant(text: str, count: int) -> list[str] | None:
    """The options of the game that `text` chooses out of the first `count`; None if it chooses none."""
    said = text.strip() or "1"
    if said.isascii() and said.isdigit() and 0 < int(said[:9]) <= count:
        return list(_GAMES[int(said[:9]) - 1][1])
    return None


def read(text: str, waiting: list[Plain]) -> list[str] | None:
    """The command line that `text` chooses; None if it chooses nothing."""
    said = text.strip().lower()
    if said.isascii() and said.isdigit() and 0 < int(said[:9]) <= len(waiting):
        return ["resume", str(waiting[int(said[:9]) - 1]["id"])]
    return next(([command] for letter, command, _ in _CHOICES if said in (letter, command)), None)
