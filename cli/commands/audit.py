"""`audit`: the verdict on transcripts.  It only reads files; no network, no secrets.

Copies of one match are audited together, which finds records that their owners signed differently; many
matches are spread over all cores.  The work on one match is a pure function of its files, `examine`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from cli.reports import history, sources
from cli.reports.file_report import (
    FileReport,
    examine_within_memory,
    hold_on_all_cores,
    unreadable,
)
from cli.reports.rows import Plain
from cli.shell import workers
from cli.shell.exit_codes import Exit, Sorry, gravest
from cli.shell.guard import report_failure
from cli.shell.locations import locate, runs
from cli.shell.named_files import write_new
from cli.shell.progress import Progress, announced
from cli.shell.version import PROGRAM
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, mark, number
from protocol.audit import comparison
from protocol.audit.verdict import ProofPolicy

SERIAL: Final = 48
"""Up to this many matches, starting other processes takes longer than the audit."""


def run(arguments: argparse.Namespace) -> int:
    """Audit, print, and return the gravest exit code."""
    workers.collect_rarely()
    names = sources.find(arguments.files, locate(arguments.home))
    groups = _groups(names)
    if arguments.proof is not None and len(groups) > 1:
        raise Sorry(
            _("--proof writes the proof of one match: name the copies of one match only."), Exit.USAGE
        )
    several = len(names) > 1
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    worst: Exit = Exit.OK
    matches: set[str] = set()
    started = time.perf_counter()
    examined: Iterable[list[FileReport]] = _examined(groups, arguments)
    if len(groups) == 1:
        with announced(_("Checking the record ...")):
            examined = list(examined)
    with Progress(len(groups), _("matches")) as progress:
        for done, reports in enumerate(examined, 1):
            for report in reports:
                progress.clear()
                _print(report, arguments, several=several)
                worst = gravest((worst, report.code))
                matches.update({report.plain["id"]} if "id" in report.plain else ())
                counts[report.plain["type"]][report.verdict] += 1
            progress.step(done)
            if arguments.proof is not None:
                _write_proof(reports, arguments.proof)
    if several:
        _summary(counts, len(matches), len(names), time.perf_counter() - started, as_json=arguments.json)
    return worst


# Files to matches


def _groups(names: Sequence[str]) -> list[tuple[str, ...]]:
    """The files, copies of one match side by side."""
    groups: dict[bytes | str, list[str]] = {}
    for name in names:
        groups.setdefault(_match_of(name), []).append(name)
    return [tuple(group) for group in groups.values()]


def _match_of(name: str) -> bytes | str:
    """The genesis in a file, or its name if the genesis cannot be read: `examine` then says why."""
    if name == sources.STDIN:
        return name
    try:
        head = sources.head(name, comparison.HEAD)
    except (OSError, Sorry):
        return name
    return comparison.match_in(head) or name


def _examined(groups: list[tuple[str, ...]], arguments: argparse.Namespace) -> Iterator[list[FileReport]]:
    """`examine` over all groups, in order, on all cores if that is worth it."""
    prove = arguments.proof is not None
    proving = ProofPolicy(arguments.every_proof)
    work = partial(examine_within_memory, every=arguments.every_signature, home=arguments.home, prove=prove)
    processes = min(workers.cores(), len(groups))
    if len(groups) <= SERIAL or processes == 1:
        yield from map(partial(work, proving=replace(proving, hold=hold_on_all_cores)), groups)
        return
    lost = partial(_lost, home=arguments.home)
    yield from workers.spread(partial(work, proving=proving), groups, processes, lost)


def _lost(names: tuple[str, ...], *, home: Path | None) -> list[FileReport]:
    """The reports on a match whose audit was killed."""
    subject = sources.shown(names[0]) if len(names) == 1 else _("the copies of one match")
    text = _(
        "The system ended the audit of {what}, as it does when memory is short. Audit it on another machine.",
        what=subject,
    )
    return [unreadable(name, Sorry(text, Exit.IO), runs(home)) for name in names]


# Output


def _print(report: FileReport, arguments: argparse.Namespace, *, several: bool) -> None:
    if report.bug is not None:
        report_failure(sources.shown(report.name), report.bug, "audit", arguments.home)
    elif report.verdict in ("unsupported", "unreadable"):
        print(f"{PROGRAM}: {escape(report.line)}", file=sys.stderr)
    if report.verdict in ("unsupported", "unreadable", "failed") and not arguments.json:
        return
    if arguments.json:
        print(json.dumps(report.plain))
        return
    short = several or not report.details
    columns = history.reading_width()
    for line in [f"{escape(report.name)}: {report.line}"] if short else report.details:
        print(history.line("", line, columns))


_OF_FILES: Final = (mark("unreadable"), mark("unsupported"), mark("proven"), mark("failed"))
"""The verdicts on a file, beside those of the protocol."""


_COME_TO: Final[dict[str, str]] = {
    "agree": mark("in which they agree"),
    "together": mark("in which they complete each other"),
    "cheated": mark("in which they prove a breach of the rules"),
    "equivocated": mark("in which they prove two versions"),
    "differ": mark("in which they contradict each other"),
    "failed": mark("over which this program failed"),
}


def _summary(
    counts: dict[str, Counter[str]], matches: int, files: int, seconds: float, *, as_json: bool
) -> None:
    verdicts = counts["transcript"] + counts["proof"]
    comparisons = counts["comparison"]
    if as_json:
        summary: Plain = {"type": "summary", "files": files, "matches": matches, "seconds": round(seconds, 3)}
        summary |= {"verdicts": dict(verdicts), "comparisons": dict(comparisons)}
        print(json.dumps(summary))
        return
    counted = ", ".join(f"{count} {_(verdict)}" for verdict, count in verdicts.most_common())
    compared = ", ".join(f"{count} {_(_COME_TO[verdict])}" for verdict, count in comparisons.most_common())
    copies = _(" Matches with several copies: {compared}.", compared=compared) if compared else ""
    print(
        _(
            "{files} files of {matches} known matches in {seconds} s: {verdicts}.{copies}",
            files=files,
            matches=matches,
            seconds=number(seconds, 1),
            verdicts=counted,
            copies=copies,
        )
        if matches != 1
        else _(
            "{files} files of {matches} known match in {seconds} s: {verdicts}.{copies}",
            files=files,
            matches=matches,
            seconds=number(seconds, 1),
            verdicts=counted,
            copies=copies,
        )
    )


def _write_proof(reports: Iterable[FileReport], path: Path) -> None:
    """Write the proof of the gravest fault; never over another file."""
    proven = [report for report in reports if report.proof is not None]
    if not proven:
        print(_("p2p-stratego: no fault was found, so no proof was written."), file=sys.stderr)
        return
    proof = max(proven, key=lambda report: report.code).proof
    write_new(path, proof or b"")
