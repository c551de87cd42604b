"""The arguments of the commands that count results, for `cli.shell.parser`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from cli.shell.options import integer
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


ACTIONS: Final = ("new", "pair", "take", "rule", "withdraw", "table", "key")
SYSTEMS: Final = ("round-robin", "swiss", "knockout")
RESULTS: Final = ("1-0", "1/2-1/2", "0-1", "0-0")
"""As `cli.studies.tournament.event` has them, whose module takes longer to load."""


def tournament(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        metavar="ACTION",
        nargs="?",
        default=None,
        choices=ACTIONS,
        help=_(
            "new, pair (the next round), take (records), rule (on a dispute), withdraw (a player), table, "
            "key (your own)"
        ),
    )
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", default=None, help=_("the tournament's folder")
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help=_("take: transcripts, or folders of them, from players; withdraw: the player"),
    )
    parser.add_argument("--json", action="store_true", help=_("for machines: JSON on standard output"))
    parser.add_argument(
        "--html", metavar="OUT", type=Path, default=None, help=_("table: write a page to this file")
    )
    made = parser.add_argument_group(_("a new tournament"))
    made.add_argument("--name", metavar="NAME", default=None, help=_("what it is called"))
    made.add_argument(
        "--game", type=str.lower, choices=tuple(ENTRIES), default=None, help=_("what is played")
    )
    made.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help=_("an option of the game, such as wall=3; may be repeated"),
    )
    made.add_argument("--system", choices=SYSTEMS, default=SYSTEMS[0], help=_("default: %(default)s"))
    made.add_argument(
        "--rounds", type=integer(1, 255, _("a number of rounds")), default=None, help=_("of a Swiss system")
    )
    made.add_argument("--double", action="store_true", help=_("a round robin with both seats"))
    made.add_argument(
        "--players",
        metavar="FILE",
        type=Path,
        default=None,
        help=_("a line KEY NAME for each, the best first"),
    )
    made.add_argument(
        "--player", metavar="'KEY NAME'", action="append", default=[], help=_("one player; may be repeated")
    )
    made.add_argument(
        "--no-words",
        action="store_true",
        help=_("take any match of two players, though nothing in it tells of this event"),
    )
    _ruled(parser.add_argument_group(_("a ruling, or a withdrawal")))


def _ruled(ruled: argparse._ArgumentGroup) -> None:
    ruled.add_argument("--at", metavar="ROUND.TABLE", default=None, help=_("the pairing"))
    ruled.add_argument("--result", choices=RESULTS, default=None, help=_("the director's"))
    ruled.add_argument(
        "--from",
        dest="start",
        metavar="ROUND",
        type=integer(1, 510, _("a number of rounds")),
        default=None,
        help=_("withdraw: the first round without the player; default: after the last result"),
    )
    ruled.add_argument("--why", metavar="REASON", default=None, help=_("the reason, which the table tells"))
