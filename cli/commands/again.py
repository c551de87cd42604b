"""`again`: asks a friend for the game that was played last with it."""

from __future__ import annotations

import argparse
from functools import partial

from cli.commands.host import host_match
from cli.play.arriving import friends
from cli.play.runner import PlaySession, spend
from cli.shell.shared_options import place
from p2p_stratego.registry import ENTRIES, GAMES


def run(arguments: argparse.Namespace) -> int:
    """A match with a friend, who is asked for it."""
    return spend(arguments, partial(ask_again, arguments))


async def ask_again(arguments: argparse.Namespace, session: PlaySession) -> None:
    """Ask a friend for the game that was played last with it, with the same options, or for another one."""
    met = friends.friend(session.home, arguments.who).met
    if met is not None and arguments.usual and met.game in GAMES:
        arguments.game = met.game
    if met is not None and met.game == arguments.game:
        same_table = arguments.seats is None and not arguments.teams and not arguments.bots
        for name, value in met.options:
            if getattr(arguments, place(name), None) is None:
                setattr(arguments, place(name), value)
        if same_table:
            arguments.seats, arguments.bots = met.seats, met.bots
            arguments.level = met.level if met.level in ENTRIES[met.game].bots else arguments.level
    arguments.friends = [arguments.who]
    await host_match(arguments, session)
