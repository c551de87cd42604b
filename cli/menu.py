"""The start menu: unfinished games, and every way to begin one.  Shown by the program without a command."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from cli import commands
from cli.describe import Plain
from cli.escape import NAME_CELLS, escape
from cli.exits import Exit
from cli.games import SHOWN_ID, listed
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


def run(arguments: argparse.Namespace, home: Path) -> int:
    """Show the menu and do what is chosen; without a terminal, only show it."""
    waiting = [row for row in listed(home) if row.get("unfinished")] if home.exists() else []
    for line in lines(waiting):
        print(ascii_text(line) if arguments.ascii else line)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Exit.OK
    while True:
        try:
            chosen = read(input("> "), waiting)
        except EOFError:
            return Exit.OK
        if chosen is None:
            print("Please type one of the numbers or letters, or q to quit.")
        elif not chosen:
            return Exit.OK
        else:
            space = commands.parser().parse_args(chosen)
            for name in _COMMON:
                if hasattr(arguments, name):
                    setattr(space, name, getattr(arguments, name))
            return commands.target(space.command)(space)


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
    return f"{row['id'][:SHOWN_ID]}  with {opponents}: {row['status']}"


def read(text: str, waiting: list[Plain]) -> list[str] | None:
    """The command line that `text` chooses; empty to quit, None if it chooses nothing."""
    said = text.strip().lower()
    if said in ("q", "quit", "exit"):
        return []
    if said.isascii() and said.isdigit() and 0 < int(said[:9]) <= len(waiting):
        return ["resume", str(waiting[int(said[:9]) - 1]["id"])]
    return next(([command] for letter, command, _ in _CHOICES if said in (letter, command)), None)
