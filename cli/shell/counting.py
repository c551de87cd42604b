"""The arguments of the commands that count results, for `cli.shell.parser`."""

from __future__ import annotations

import argparse

from p2p_stratego.core.language import _
from p2p_stratego.registry import ENTRIES


def stats(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "player",
        metavar="PLAYER",
        nargs="?",
        default=None,
        help=_("a name, or the start of a fingerprint or key; default: the player of this home folder"),
    )
    parser.add_argument(
        "--game", type=str.lower, choices=tuple(ENTRIES), default=None, help=_("one game alone; default: all")
    )
    parser.add_argument(
        "--afresh", action="store_true", help=_("audit every record again, and not only the new ones")
    )
    parser.add_argument("--json", action="store_true", help=_("for machines: JSON on standard output"))
