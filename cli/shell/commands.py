"""The commands, in one table: the command line, the start menu in lines and the first screen read it.

A command names the function that runs it, which is imported only when it is called for.  The order is that of
`--help`, of the menu, and of each list of the first screen.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from cli.shell import archive_arguments, arguments
from cli.shell.shared_options import relay
from p2p_stratego.core.language import mark

Arguments: TypeAlias = Callable[[argparse.ArgumentParser], None]
TOP: Final = "top"
"""The first screen itself; the others are lists that it opens."""
FRIEND: Final = "friend"
LEARN: Final = "learn"
PAST: Final = "past"


@dataclass(frozen=True, slots=True)
class MenuRow:
    """A row of the first screen, or of the list `under` it; `words`: the arguments of the command."""

    under: str
    letter: str
    title: str
    about: str
    words: tuple[str, ...] = ()


UPWARD: Final = MenuRow(TOP, "u", mark("Up the ladder"), "")
"""The next match against a bot: its words follow from the games that were played."""


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """One command: its name, a line about it, and its arguments.

    `in_menu`: its letter and its line in the menu, if the menu has it; `rows`: its rows on the first screen.
    """

    name: str
    about: str
    arguments: Arguments
    in_menu: tuple[str, str] | None = None
    rows: tuple[MenuRow, ...] = ()

    @property
    def target(self) -> str:
        """`module:function` that runs it: `run` of the module of its name."""
        return f"cli.commands.{self.name}:run"


COMMANDS: Final = (
    CommandSpec(
        "learn",
        mark("learn a game by playing, with a coach"),
        arguments.learn,
        ("l", mark("learn a game by playing, with a coach")),
        (
            MenuRow(
                LEARN,
                "l",
                mark("Learn Spies & Lies"),
                mark("your first day, with a coach"),
                ("spies-and-lies",),
            ),
            MenuRow(LEARN, "b", mark("Learn Stratego"), mark("a small battle, with a coach"), ("stratego",)),
            MenuRow(
                LEARN, "c", mark("Learn Conquest"), mark("the first rounds, with a coach"), ("conquest",)
            ),
            MenuRow(
                LEARN, "s", mark("Learn SPIES!"), mark("a year with three spies, with a coach"), ("spies",)
            ),
        ),
    ),
    CommandSpec(
        "puzzle",
        mark("the puzzle of the day, or any other"),
        arguments.puzzle,
        ("z", mark("the puzzle of the day, or any other")),
        (MenuRow(LEARN, "z", mark("Puzzles"), mark("one a day: find the best move")),),
    ),
    CommandSpec(
        "play",
        mark("play against bots"),
        arguments.play,
        ("p", mark("play against bots")),
        (MenuRow(TOP, "b", mark("Play a bot"), mark("now, up a ladder of opponents")),),
    ),
    CommandSpec(
        "host",
        mark("open a table for friends: prints an invite"),
        arguments.host,
        ("h", mark("wait for friends: prints an invite")),
        (MenuRow(FRIEND, "h", mark("Host"), mark("wait for friends: prints an invite, and says it nearby")),),
    ),
    CommandSpec(
        "join",
        mark("join a friend's game with an invite"),
        arguments.join,
        ("j", mark("join a friend's game: nearby, or with an invite")),
        (MenuRow(FRIEND, "j", mark("Join"), mark("a friend's game: nearby, or with an invite or a code")),),
    ),
    CommandSpec(
        "again",
        mark("play again with a friend, without an invite"),
        arguments.again,
        ("a", mark("play again with a friend, who is asked for it: no invite")),
        (MenuRow(FRIEND, "a", mark("Again"), mark("ask a friend whom you have played before: no invite")),),
    ),
    CommandSpec(
        "wait",
        mark("be there for friends who ask you for a game"),
        arguments.wait,
        ("f", mark("be there for friends who may ask you for a game")),
        (MenuRow(FRIEND, "w", mark("Wait"), mark("be there for friends who may ask you for a game")),),
    ),
    CommandSpec("resume", mark("go on with an unfinished game"), arguments.resume),
    CommandSpec(
        "post",
        mark("write your moves as a file or a mail"),
        arguments.post,
        ("b", mark("play by post: write your moves, or an offer to a friend, for a mail")),
        (
            MenuRow(
                FRIEND, "p", mark("Write by post"), mark("your moves, or an offer to a friend, for a mail")
            ),
        ),
    ),
    CommandSpec(
        "take",
        mark("read the moves that a file or a mail brings"),
        arguments.take,
        ("t", mark("take the post that came: paste it")),
        (MenuRow(FRIEND, "t", mark("Take the post"), mark("paste what came")),),
    ),
    CommandSpec(
        "contacts",
        mark("the players you met: name, block, forget"),
        arguments.contacts,
        ("c", mark("the players you met: who may ask you, who is blocked")),
        (MenuRow(FRIEND, "c", mark("Contacts"), mark("whom you met: who may ask you, who is blocked")),),
    ),
    CommandSpec(
        "games",
        mark("list the games in the home folder"),
        arguments.json,
        ("g", mark("past games: replay, audit or export one")),
        (MenuRow(PAST, "p", mark("Past games"), mark("see one again, check it, show it in a browser")),),
    ),
    CommandSpec("audit", mark("check transcripts: who won, was it honest"), arguments.audit),
    CommandSpec(
        "replay",
        mark("step through a recorded game"),
        arguments.replay,
        rows=(
            MenuRow(PAST, "e", mark("Example games"), mark("with notes on what they show"), ("--example",)),
        ),
    ),
    CommandSpec("analyse", mark("how well a game was played, and what was luck"), arguments.analyse),
    CommandSpec("mistakes", mark("your costliest decisions, to be tried again"), arguments.mistakes),
    CommandSpec("export", mark("a recorded game as text or JSON"), arguments.export),
    CommandSpec(
        "stats",
        mark("your results, ways of play and rating"),
        arguments.stats,
        ("n", mark("statistics: your results, ways of play and rating")),
        (MenuRow(PAST, "s", mark("Statistics"), mark("results, and how often you saw through whom")),),
    ),
    CommandSpec(
        "watch",
        mark("watch a game with an invite to watch"),
        arguments.watch,
        ("w", mark("watch a friend's game with an invite to watch")),
        (MenuRow(PAST, "w", mark("Watch a friend's game"), mark("with an invite to watch")),),
    ),
    CommandSpec(
        "tournament", mark("pair players, take records as results, print the table"), arguments.tournament
    ),
    CommandSpec("archive", mark("keep, judge and search any number of records"), archive_arguments.archive),
    CommandSpec(
        "rules",
        mark("the rules in short, or one soldier or piece"),
        arguments.rules,
        ("r", mark("the rules, and each soldier or piece")),
        (MenuRow(LEARN, "r", mark("The rules"), mark("in short, and each soldier or piece")),),
    ),
    CommandSpec(
        "setups",
        mark("set-ups to begin from: list, check a file, keep one"),
        arguments.setups,
        ("s", mark("set-ups for {games}: your own and the templates")),
        (MenuRow(LEARN, "u", mark("Set-ups"), mark("your own and the templates, for games with an army")),),
    ),
    CommandSpec(
        "demo",
        mark("two bots play over the network, then both records are audited"),
        arguments.demo,
        ("d", mark("watch bots play over the network")),
        (MenuRow(PAST, "d", mark("Watch bots"), mark("two play over the network, and are checked")),),
    ),
    CommandSpec("arena", mark("bots and other programs against each other, many games"), arguments.arena),
    CommandSpec("relay", mark("help others to reach each other, blindly"), relay),
    CommandSpec("doctor", mark("check terminal, folders, clock and port"), arguments.doctor),
    CommandSpec("referee", mark("play scenario files by the rules"), arguments.referee),
    CommandSpec(
        "completion",
        mark("print completion for a shell"),
        arguments.completion,
    ),
)
