"""`learn`: lessons with a coach, each against a tutor who plays by a script.

A lesson is a real match: two seats, the whole protocol, a record that anybody can audit.  One that was left
goes on, unless the player wants to begin anew.  Nobody but a script meets the learner, so no name is asked.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection
from functools import partial

from cli.games import lessons
from cli.games.lessons import LessonKey
from cli.lines.prompt import Prompt
from cli.play.runner import spend
from cli.play.teaching import teach
from cli.reports.own_games import listed
from cli.reports.sources import begun
from cli.shell import parser
from cli.shell.exit_codes import Exit
from cli.shell.locations import locate, runs
from cli.shell.settings import Settings, glance
from cli.text.layout import ascii_text
from p2p_stratego.core.language import _
from p2p_stratego.registry import ENTRIES


def run(arguments: argparse.Namespace) -> int:
    """Go on with the lesson that was left, or begin one; without a game, list all, and ask for one."""
    if arguments.game is not None:
        return spend(arguments, partial(teach, arguments))
    home = locate(arguments.home)
    saved = glance(home)
    lines = "\n".join(_listing(saved, begun(listed(home)) if home.exists() else (), arguments))
    print(ascii_text(lines) if arguments.ascii or saved.ascii else lines)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Exit.OK  # nobody sees a question
    return _chosen(arguments, saved)


def _chosen(arguments: argparse.Namespace, saved: Settings) -> int:
    """Ask for a lesson below the list, and play it.  Raises Sorry for one that there is not."""
    name = lessons.taught()[0]
    usual = f"{name} {lessons.due(saved, name)}"
    prompt = Prompt(ascii_only=arguments.ascii or saved.ascii)
    try:
        typed = prompt.ask(_("Which one? (Enter: {usual}; q: none)", usual=usual) + " ", usual)
    except EOFError:
        return Exit.OK
    if not typed:
        return Exit.OK
    chosen = parser.parsed("learn", *typed.lower().split())
    arguments.game, arguments.number = chosen.game, chosen.number
    return spend(arguments, partial(teach, arguments))


def _listing(saved: Settings, left: Collection[LessonKey], arguments: argparse.Namespace) -> list[str]:
    """All lessons with their ticks and those that were left, and how to begin one."""
    lines = [_("Each lesson is a game against a tutor, with a coach beside you.")]
    for name in lessons.taught():
        rows = enumerate(lessons.listed(saved, name, left), start=1)
        lines += ["", _(ENTRIES[name].title), *(f"  {tick:1} {at}  {title}" for at, (tick, title) in rows)]
    name = lessons.taught()[0]
    command = runs(arguments.home)(f"learn {name} {lessons.due(saved, name)}")
    return [*lines, "", _("{command} begins a lesson.", command=command)]
