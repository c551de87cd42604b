"""`archive`: keep any number of records, judge them, ask about them.  It needs the extra `archive`."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from cli.reports.rows import Plain
from cli.shell import extras
from cli.shell.archive_arguments import ACTIONS
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.guard import complain
from cli.shell.version import installed
from cli.text.layout import ascii_text
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, n_, number

if TYPE_CHECKING:  # what needs the extra is imported by the actions
    from cli.archive import auditing, intake

COMMAND: Final = "p2p-stratego archive"
_NO_VERSION: Final = "0"
"""The version of a program that is run from its sources."""


def run(arguments: argparse.Namespace) -> int:
    """Do what the action says.  Raises Sorry."""
    if arguments.action is None:
        raise Sorry(
            _(
                "Say what to do: archive {actions}. See `{program} --help`.",
                actions=", ".join(ACTIONS),
                program=COMMAND,
            ),
            Exit.USAGE,
        )
    if arguments.place is None:
        raise Sorry(_("Name the archive: archive {action} ARCHIVE.", action=arguments.action), Exit.USAGE)
    extras.need("archive", by=COMMAND)
    return _ACTIONS[arguments.action](arguments)


def _print(lines: Iterable[str], arguments: argparse.Namespace) -> None:
    print("\n".join(map(ascii_text, lines) if arguments.ascii else lines))


# Add


def _add(arguments: argparse.Namespace) -> int:
    """Take records in; 65 if a source held none."""
    from cli.archive import intake, store
    from cli.archive.progress import Meter

    if not arguments.words:
        raise Sorry(
            _("Name what to add: archive add {place} FILE, or - for standard input.", place=arguments.place),
            Exit.USAGE,
        )
    with store.reaching(arguments.place), Meter(_("records")) as meter:
        archive = store.made(arguments.place, arguments.shards)
        incoming = intake.read(arguments.words, sys.stdin.buffer)
        taken = intake.add(archive, incoming, lambda so_far: meter.show(so_far.read, None))
    for refused in taken.named:
        complain(f"{refused.name}: {refused.why}")
    if arguments.json:
        plain: Plain = {
            "type": "archive-add",
            "added": taken.added,
            "known": taken.known,
            "refused": taken.refused,
            "bytes": taken.bytes,
            "seconds": round(meter.seconds, 3),
            "problems": [{"name": refused.name, "why": refused.why} for refused in taken.named],
        }
        print(json.dumps(plain))
    else:
        _print([_told_of_add(taken)], arguments)
    return Exit.DATA if taken.refused else Exit.OK


def _told_of_add(taken: intake.Taken) -> str:
    sentences = [
        n_(
            "{shown} record added ({size} MB), {known} known already.",
            "{shown} records added ({size} MB), {known} known already.",
            taken.added,
            shown=number(taken.added),
            size=number(taken.bytes / 1e6, 1),
            known=number(taken.known),
        )
    ]
    if taken.refused:
        sentences.append(
            n_(
                "{shown} source was no record.",
                "{shown} sources were no records.",
                taken.refused,
                shown=number(taken.refused),
            )
        )
    return " ".join(sentences)


# Audit


def _audit(arguments: argparse.Namespace) -> int:
    """Judge what is new; 70 if this program failed over a record, 74 if one broke a limit."""
    from cli.archive import auditing, store
    from cli.archive.judging import Wanted
    from cli.archive.progress import Meter
    from cli.archive.supervisor import Broken
    from cli.archive.work import Limits

    if arguments.words:
        raise Sorry(_("archive {action} takes one archive.", action="audit"), Exit.USAGE)
    wanted = Wanted(installed() or _NO_VERSION, arguments.events)
    limits = Limits(arguments.seconds, arguments.memory)
    with store.reaching(arguments.place), Meter(_("records")) as meter:
        plan = auditing.Plan(store.opened(arguments.place), wanted, limits, arguments.again)
        try:
            done = plan.run(_engine(arguments), lambda so_far: meter.show(so_far.records, so_far.total))
        except Broken as error:
            raise Sorry(_("The audit cannot go on: {why}", why=error), Exit.BUG) from error
    if arguments.json:
        print(json.dumps(_plain_of_audit(done, meter.seconds)))
    else:
        _print(_told_of_audit(done, meter.seconds), arguments)
    return max((Exit(code) for code in done.worst if code in (Exit.BUG, Exit.IO)), default=Exit.OK)


def _engine(arguments: argparse.Namespace) -> auditing.Engine:
    """What spreads the tasks over processes."""
    if arguments.ray is None:
        from cli.archive import local
        from cli.shell.workers import cores

        return partial(local.spread, workers=arguments.workers or cores())
    extras.need("cluster", by=f"{COMMAND} audit --ray")
    from cli.archive import cluster

    return partial(cluster.spread, address=arguments.ray)


def _plain_of_audit(done: auditing.Done, seconds: float) -> Plain:
    return {
        "type": "archive-audit",
        "records": done.records,
        "matches": done.matches,
        "seconds": round(seconds, 3),
        "verdicts": dict(sorted(done.verdicts.items())),
    }


def _told_of_audit(done: auditing.Done, seconds: float) -> Iterable[str]:
    if not done.records:
        yield _("Every record in the archive is judged already.")
        return
    rate = number(done.records / seconds if seconds else 0.0)
    yield n_(
        "{shown} record of {matches} matches judged, {rate} a second.",
        "{shown} records of {matches} matches judged, {rate} a second.",
        done.records,
        shown=number(done.records),
        matches=number(done.matches),
        rate=rate,
    )
    yield from _counted(done.verdicts)


def _counted(verdicts: Counter[str]) -> Iterable[str]:
    """A line for each verdict."""
    wide = max(len(number(count)) for count in verdicts.values())
    for verdict, count in verdicts.most_common():
        yield f"  {number(count):>{wide}}  {escape(_(verdict))}"


_ACTIONS: Final[Mapping[str, Callable[[argparse.Namespace], int]]] = {"add": _add, "audit": _audit}
