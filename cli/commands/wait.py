"""`wait`: plays with the friend who asks for a game."""

from __future__ import annotations

import argparse
from functools import partial

from cli.play.arriving import friends
from cli.play.runner import spend


def run(arguments: argparse.Namespace) -> int:
    """A match with the friend who asks for it."""
    return spend(arguments, partial(friends.wait_for_friends, arguments))
