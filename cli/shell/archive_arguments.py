"""The arguments of `archive`, of all its actions."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from cli.shell.arguments import json
from cli.shell.shared_options import flag, given, integer, seconds
from p2p_stratego.core.language import _

ACTIONS: Final = ("add", "audit", "query", "report", "explore", "get")
SHARDS: Final = (1, 16, 256, 4096)
"""As `cli.archive.schema` has them, whose room takes longer to load."""


def archive(parser: argparse.ArgumentParser) -> None:
    """What is done, the archive, and what the action takes."""
    parser.add_argument(
        "action",
        metavar="ACTION",
        nargs="?",
        choices=ACTIONS,
        help=_(
            "add (records), audit (judge what is new), query (ask in SQL), report (on each game), "
            "explore (how matches begin), get (a record as it came in)"
        ),
    )
    parser.add_argument(
        "place", metavar="ARCHIVE", nargs="?", help=_("its folder, or its address: s3://bucket/club")
    )
    parser.add_argument(
        "words",
        metavar="WORD",
        nargs="*",
        help=_(
            "add: files, folders, packs (.tar, .tar.gz, .tar.zst), or - for standard input; query: the "
            "question; report: a game; explore: a game, and the choices to begin with; get: the first digits "
            "of a match or of a record's SHA-256"
        ),
    )
    json(parser)
    _added(parser.add_argument_group(_("to add")))
    _audited(parser.add_argument_group(_("to audit")))
    parser.add_argument_group(_("to report")).add_argument(
        "--html", metavar="OUT", type=Path, help=_("write a page with tables and plots to this file")
    )
    parser.add_argument_group(_("to get")).add_argument(
        "-o", "--output", metavar="FILE", help=_("where the record is written; never over a file")
    )


def _added(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--shards",
        type=int,
        choices=SHARDS,
        help=_("of a new archive: parts of each game; 100,000 matches in one part are enough. Default: 16"),
    )


def _audited(group: argparse._ArgumentGroup) -> None:
    where = group.add_mutually_exclusive_group()
    where.add_argument(
        "--workers",
        metavar="N",
        type=integer(1, 1024, _("a number of processes")),
        help=_("processes on this machine; default: one for each processor"),
    )
    given(where, "--ray", "ADDRESS", _("on a Ray cluster: auto, or HOST:PORT"))
    group.add_argument(
        "--seconds",
        metavar="N",
        type=seconds(1, 86_400),
        default=60.0,
        help=_("of a processor that one record may take; default: 60"),
    )
    group.add_argument(
        "--memory",
        metavar="MB",
        type=integer(64, 1 << 20, _("a number of megabytes")),
        default=1024,
        help=_("that one record may take; default: 1024"),
    )
    flag(group, "--events", _("keep the steps of each match, in sentences"))
    flag(group, "--decisions", _("judge the decisions of each match, as analyse does: seconds for each"))
    flag(group, "--again", _("judge records over which a limit was broken once more"))
