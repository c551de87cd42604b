"""The start menu: unfinished games, and every way to begin one.  Shown by the program without a command."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from cli.commands.games import game, listed
from cli.reports.describe import Plain
from cli.shell import parser
from cli.shell.exit_codes import Exit
from cli.text.layout import MAX_LINE, ascii_text
from p2p_stratego.registry import ENTRIES

Variants: TypeAlias = Sequence[tuple[str, list[str]]]
"""A title for each, and the options of the command line that choose it."""
_COMMON: Final = ("home", "plain", "ascii", "theme", "no_bell", "no_notes", "log", "trace")
"""Options that the chosen command inherits."""
_CHOICES: Final = (
    ("p", "play", "play against a bot"),
    ("h", "host", "wait for a friend: prints an invite"),
    ("j", "join", "join a friend's game with an invite"),
    ("g", "games", "list all games"),
    ("r", "rules", "the rules in short"),
    ("d", "demo", "watch two bots play over the network"),
)
_OF_A_VARIANT: Final = ("play", "host", "demo")
"""Commands that are about a variant of a game; `rules` is about a game."""
_SHOWN: Final = ("games", "rules")
"""Commands after which the menu comes back."""
_QUIT: Final = ("q", "quit", "exit")


def run(arguments: argparse.Namespace, home: Path) -> int:
    """Show the menu and do what is chosen; again after a choice that only shows something.

    Piped input is read by line, and what the menu does not need is left for what was chosen.
    """
    while True:
        waiting = [row for row in listed(home) if row.get("resumable")] if home.exists() else []
        for line in lines(waiting):
            print(ascii_text(line) if arguments.ascii else line)
        if sys.stdin.isatty() and not sys.stdout.isatty():
            return Exit.OK  # nobody sees a question
        try:
            chosen = _chosen(waiting)
        except EOFError:
            return Exit.OK
        space = parser.parser().parse_args(chosen)
        for name in _COMMON:
            if hasattr(arguments, name):
                setattr(space, name, getattr(arguments, name))
        code = parser.target(space.command)(space)
        if chosen[0] not in _SHOWN or code != Exit.OK:
            return code
        print()


def _chosen(waiting: list[Plain]) -> list[str]:
    """The command line that is chosen.  Raises EOFError if none is."""
    chosen = _ask("> ", lambda said: read(said, waiting))
    games = variants() if chosen[0] in _OF_A_VARIANT else titles() if chosen[0] == "rules" else ()
    if games:
        for number, (name, _) in enumerate(games, start=1):
            print(f"  {number}  {name}")
        chosen += _ask("Which game? [1] ", lambda said: variant(said, games))
    return chosen


def _ask(question: str, read_: Callable[[str], list[str] | None]) -> list[str]:
    """What an answer comes to, asked for until it is one.  Raises EOFError, also for one that quits."""
    while True:
        said = _line(question)
        if said.strip().lower() in _QUIT:
            raise EOFError
        chosen = read_(said)
        if chosen is not None:
            return chosen
        print("Please type one of the numbers or letters, or q to quit.")


def _line(question: str) -> str:
    """A line of standard input.  Raises EOFError at its end."""
    if sys.stdin.isatty():
        return input(question)
    print(question, end="", flush=True)
    data = b""
    # Byte by byte, past the buffer of sys.stdin: the chosen command reads the rest (`cli.lines.console`).
    while not data.endswith(b"\n") and (byte := _byte()):
        data = (data + byte)[-MAX_LINE:]
    print()
    if not data:
        raise EOFError
    return data.decode(errors="replace")


def _byte() -> bytes:
    """One byte of standard input; none at its end, or if it is closed."""
    try:
        return os.read(sys.stdin.fileno(), 1)
    except (OSError, ValueError):
        return b""


def lines(waiting: list[Plain]) -> list[str]:
    """The menu; `waiting`: rows of `cli.commands.games.listed`."""
    told = ["P2P STRATEGO: games of hidden information between people who trust nobody", ""]
    if waiting:
        told.append("Unfinished games")
        told += [f"  {number}  {game(row)}" for number, row in enumerate(waiting, start=1)]
        told.append("")
    told += [f"  {letter}  {about}" for letter, _, about in _CHOICES]
    return [*told, "  q  quit", ""]


def variants() -> Variants:
    """Every well-known variant of every game, the usual one first: Enter chooses that."""
    return [
        (
            preset.title,
            ["--game", entry.name, *(f"--{name}={value}" for name, value in preset.options.items())],
        )
        for entry in ENTRIES.values()
        for preset in entry.presets
    ]


def titles() -> Variants:
    """Every game."""
    return [(entry.title, ["--game", entry.name]) for entry in ENTRIES.values()]


def variant(text: str, games: Variants) -> list[str] | None:
    """The options of that one of `games` that `text` chooses; None if it chooses none."""
    said = text.strip() or "1"
    if said.isascii() and said.isdigit() and 0 < int(said[:9]) <= len(games):
        return games[int(said[:9]) - 1][1]
    return None


def read(text: str, waiting: list[Plain]) -> list[str] | None:
    """The command line that `text` chooses; None if it chooses nothing."""
    said = text.strip().lower()
    if said.isascii() and said.isdigit() and 0 < int(said[:9]) <= len(waiting):
        return ["resume", str(waiting[int(said[:9]) - 1]["id"])]
    return next(([command] for letter, command, _ in _CHOICES if said in (letter, command)), None)
