"""`learn`: lessons with a coach, each against a tutor who plays by a script.

A lesson is a real match: two seats, the whole protocol, a record that anybody can audit.  One that was left
goes on, unless the player wants to begin anew.  Nobody but a script meets the learner, so no name is asked.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection
from functools import partial

from cli.games import lessons
from cli.games.lessons import LessonKey
from cli.play.runner import spend
from cli.play.teaching import teach
from cli.reports.own_games import listed
from cli.reports.sources import begun
from cli.shell.exit_codes import Exit
from cli.shell.locations import locate, runs
from cli.shell.settings import Settings, glance
from cli.text.layout import ascii_text
from p2p_stratego.core.language import _
from p2p_stratego.registry import ENTRIES


def run(arguments: argparse.Namespace) -> int:
    """Go on with the lesson that was left, or begin one; without a game, list all lessons."""
    if arguments.game is not None:
        return spend(arguments, partial(teach, arguments))
    home = locate(arguments.home)
    saved = glance(home)
    lines = "\n".join(_listing(saved, begun(listed(home)) if home.exists() else (), arguments))
    print(ascii_text(lines) if arguments.ascii or saved.ascii else lines)
    return Exit.OK


def _listing(saved: Settings, left: Collection[LessonKey], arguments: argparse.Namespace) -> list[str]:
    """All lessons with their ticks and those that were left, and how to begin one."""
    lines = [_("Each lesson is a game against a tutor, with a coach beside you.")]
    for name in lessons.taught():
        rows = enumerate(lessons.listed(saved, name, left), start=1)
        lines += ["", _(ENTRIES[name].title), *(f"  {tick:1} {at}  {title}" for at, (tick, title) in rows)]
    name = lessons.taught()[0]
    command = runs(arguments.home)(f"learn {name} {lessons.due(saved, name)}")
    return [*lines, "", _("{command} begins a lesson.", command=command)]
