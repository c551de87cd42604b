"""`resume`: names the match to go on with, and only then loads the modules that play it."""

from __future__ import annotations

import argparse
import sys

from cli.reports.own_games import nothing_waits, waiting
from cli.shell import spelling_hints
from cli.shell.exit_codes import Sorry
from cli.shell.locations import locate


def run(arguments: argparse.Namespace) -> int:
    """Go on with a match in the home folder, which must exist."""
    home = locate(arguments.home)
    if arguments.match is not None and spelling_hints.is_invite(arguments.match):
        raise Sorry(spelling_hints.invite_elsewhere)
    if not home.exists():
        raise nothing_waits()
    if arguments.match is None:
        rows = waiting(home, interactive=sys.stdin.isatty())
        arguments.match = rows[0]["id"] if len(rows) == 1 else None
    from cli.play import teaching

    return teaching.resume(arguments)
