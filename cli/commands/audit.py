"""`audit`: the verdict on transcripts.  It only reads files; no network, no secrets.

Copies of one match are audited together, which finds records that their owners signed differently; many
matches are spread over all cores.  The work on one match is a pure function of its files, `examine`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

from cli.reports import describe, history, sources
from cli.reports.rows import Plain
from cli.shell import workers
from cli.shell.exit_codes import Exit, Run, Sorry, gravest
from cli.shell.explain import explain
from cli.shell.guard import report_failure
from cli.shell.locations import locate, runs
from cli.shell.progress import Progress, announced
from cli.shell.reading import read_file
from cli.shell.version import PROGRAM
from cli.shell.writing import write_new
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, mark, number
from p2p_stratego.core.narration import listed
from p2p_stratego.registry import GAMES
from protocol.audit import comparison
from protocol.audit import proof as proofs
from protocol.audit.verdict import WHERE_NEEDED, ProofPolicy, Report
from protocol.crypto.proofs.verification import CardProof, all_hold, is_remembered, remember
from protocol.errors import Refusal
from protocol.record.genesis import Genesis, parse
from protocol.wire.encoding import read_frame

SERIAL: Final = 48
"""Up to this many matches, starting other processes takes longer than the audit."""
ALONE: Final = 20
"""Up to so many proofs about cards a process, one process is as fast: another takes 0.3 s to start."""
_LABEL: Final = 12
"""Columns of the labels, where no language needs more."""


@dataclass(slots=True)
class FileReport:
    """The report on one file, or on several copies of a match."""

    name: str
    code: Exit
    verdict: str
    line: str
    plain: Plain
    details: list[str] = field(default_factory=list)
    proof: bytes | None = None
    bug: Exception | None = None
    """The bug of this program for which there is no verdict."""


def run(arguments: argparse.Namespace) -> int:
    """Audit, print, and return the gravest exit code."""
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
        head = read_file(name, comparison.HEAD)
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
    return [_unreadable(name, Sorry(text, Exit.IO), runs(home)) for name in names]


def examine_within_memory(
    names: tuple[str, ...], *, every: bool, home: Path | None, prove: bool, proving: ProofPolicy
) -> list[FileReport]:
    """`examine`, even if memory is short: one match must not end the audit of the others."""
    try:
        return examine(names, every=every, home=home, prove=prove, proving=proving)
    except MemoryError:
        return [_unreadable(names[0], _too_large(_("the copies of one match")), runs(home))]


# One match


def hold_on_all_cores(statements: Sequence[CardProof]) -> bool:
    """Whether all these proofs about cards hold; a proof that another copy of the match had is known."""
    new = [statement for statement in statements if not is_remembered(statement)]
    processes = min(workers.cores(), len(new) // ALONE)
    alone = processes < 2
    hold = all_hold(new) if alone else all(workers.spread(_holds, new, processes, _holds))
    if hold:
        for statement in new:
            remember(statement)
    return hold


def _holds(statement: CardProof) -> bool:
    return all_hold([statement])


def examine(
    names: tuple[str, ...],
    *,
    every: bool,
    home: Path | None = None,
    prove: bool = True,
    proving: ProofPolicy = WHERE_NEEDED,
) -> list[FileReport]:
    """The reports on the copies of one match: one for each, and one for their comparison.

    `home`: what --home says, for commands in messages; `prove`: whether the proof of a fault is wanted.
    """
    copies = comparison.Copies(GAMES, every_signature=every, proving=proving)
    reports: list[FileReport] = []
    audited: list[FileReport] = []
    for name in names:
        try:
            data = sources.read(name)
            if data.startswith(proofs.MAGIC):
                reports.append(_proven(name, data))
                continue
            with sources.understood(name, data):
                report = copies.add(data)
            reports.append(_of_report(name, report))
            audited.append(reports[-1])
        except (OSError, Refusal, Sorry) as error:
            reports.append(_unreadable(name, error, runs(home)))
        except MemoryError:
            reports.append(_unreadable(name, _too_large(sources.shown(name)), runs(home)))
        except Exception as bug:  # one file must not end the audit of the others
            reports.append(_failed(name, bug, {"type": "transcript", "file": name}))
    if len(audited) > 1:
        try:
            reports.append(_comparison(audited, copies))
        except Exception as bug:
            files = [file.name for file in audited]
            reports.append(_failed(listed(files), bug, {"type": "comparison", "files": files}))
    return reports if prove else [replace(file, proof=None) for file in reports]


def _too_large(subject: str) -> Sorry:
    text = _(
        "There is not enough memory to audit {what}. Close other programs, or audit it on another machine.",
        what=subject,
    )
    return Sorry(text, Exit.IO)


def _of_report(name: str, report: Report) -> FileReport:
    line = describe.verdict(report)
    details = _heading(name, report.genesis)
    details += ["", line, "", _("Checked:") if report.fault is None else _("Checked, up to the fault:")]
    details += [f"  {line}" for line in _in_columns(describe.roster(report))]
    plain = {"type": "transcript", "file": name, "exit_code": report.exit_code, **describe.audited(report)}
    return FileReport(name, Exit(report.exit_code), report.verdict.value, line, plain, details, report.proof)


def _heading(name: str, genesis: Genesis) -> list[str]:
    """The match in a file, line by line."""
    rows = [("file", escape(name)), *describe.heading(genesis)]
    return _in_columns(rows)


def _in_columns(labelled: Iterable[tuple[str, str]]) -> list[str]:
    """Each text behind its label, in the player's language."""
    rows = [(_(label), text) for label, text in labelled]
    wide = max([_LABEL, *(len(label) + 1 for label, _text in rows)])
    return [f"{label:<{wide}}{text}" for label, text in rows]


def _unreadable(name: str, error: Exception, run: Run) -> FileReport:
    """The report on a file that is no transcript of ours: it does not end the audit of the others."""
    explained, plainly = explain(error, run), explain(error)
    if explained is None or plainly is None:
        raise error
    line, code = explained
    verdict = "unsupported" if code is Exit.UNSUPPORTED else "unreadable"
    plain = {"type": "transcript", "file": name, "exit_code": int(code), "verdict": verdict}
    plain["problem"] = plainly[0]
    return FileReport(name, code, verdict, line, plain)


def _failed(name: str, bug: Exception, about: Plain) -> FileReport:
    """The report without a verdict, since this program failed: a bug is never the record's fault."""
    bug.add_note(traceback.format_exc())  # the traceback is lost on the way from another process
    plain = {**about, "exit_code": int(Exit.BUG), "verdict": "failed"}
    return FileReport(name, Exit.BUG, "failed", "", plain, bug=bug)


def _proven(name: str, data: bytes) -> FileReport:
    """The report on a proof file."""
    try:
        fault = proofs.check(data, GAMES)
    except Refusal as error:
        text = _(
            "{name} proves nothing: {error} Ask for it again, or for the transcripts.",
            name=sources.shown(name),
            error=error,
        )
        raise Sorry(text, Exit.DATA) from error
    first = read_frame(data, len(proofs.MAGIC))
    genesis = parse(first.payload if first else b"", GAMES)
    code = Exit.EQUIVOCATED if fault.rule == "equivocation" else Exit.CHEATED
    line = _("proven: {broke}.", broke=describe.broke(genesis, fault))
    plain = {"type": "proof", "file": name, "exit_code": int(code), "verdict": "proven"}
    plain |= {"fault": describe.fault(genesis, fault), **describe.match(genesis)}
    details = _heading(name, genesis)
    return FileReport(name, code, "proven", line, plain, [*details, "", line])


def _comparison(audited: Sequence[FileReport], copies: comparison.Copies) -> FileReport:
    """The report on the comparison of the copies of one match."""
    names = [report.name for report in audited]
    result, genesis = copies.compare(), copies.genesis
    verdict, code = describe.come_to(result)
    damaged = sum(report.plain["problem"] is not None for report in audited)
    order = (
        _(", {damaged} of them only as far as they are in order", damaged=damaged)
        if damaged > 1
        else _(", {damaged} of them only as far as it is in order", damaged=damaged)
    )
    of_all = _("the {count} copies of this match", count=len(names))
    if result.fault:
        line = _("{broke}, as the copies show", broke=describe.broke(genesis, result.fault))
    elif verdict == "together" and result.whole:
        shown = describe.verdict(result.whole).rstrip(".")
        line = _("{of_all} complete each other; together they show: {shown}", of_all=of_all, shown=shown)
    elif result.agree:
        line = _("{of_all} agree{order}", of_all=of_all, order=order if damaged else "")
    else:
        line = _(
            "{of_all} contradict each other, and nothing in them shows whose doing that is", of_all=of_all
        )
    plain = {
        "type": "comparison",
        "files": names,
        "exit_code": int(code),
        "verdict": verdict,
        "id": genesis.id.hex(),
        "fault": describe.fault(genesis, result.fault),
        "together": None if result.whole is None else result.whole.verdict.value,
        **describe.result(genesis, None if result.whole is None else result.whole.outcome),
    }
    return FileReport(listed(names), code, verdict, f"{line}.", plain, proof=result.proof)


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
            "{files} files of {matches} known matches in {seconds} s: {told}.{copies}",
            files=files,
            matches=matches,
            seconds=number(seconds, 1),
            told=counted,
            copies=copies,
        )
        if matches != 1
        else _(
            "{files} files of {matches} known match in {seconds} s: {told}.{copies}",
            files=files,
            matches=matches,
            seconds=number(seconds, 1),
            told=counted,
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
