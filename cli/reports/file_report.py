"""The audit of the copies of one match: a report on each file, and on their comparison."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from cli.reports import describe, sources
from cli.reports.rows import Plain
from cli.shell import workers
from cli.shell.exit_codes import Exit, Run, Sorry
from cli.shell.explain import explain
from cli.shell.locations import runs
from cli.text.sanitize import escape
from p2p_stratego.core.language import _
from p2p_stratego.core.narration import listed
from p2p_stratego.registry import GAMES
from protocol.audit import comparison
from protocol.audit import proof as proofs
from protocol.audit.verdict import WHERE_NEEDED, ProofPolicy, Report
from protocol.crypto.proofs.verification import CardProof, all_hold, is_remembered, remember
from protocol.errors import Refusal, Unsupported
from protocol.record.genesis import Genesis, parse
from protocol.wire.encoding import read_frame

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


def examine_within_memory(
    names: tuple[str, ...], *, every: bool, home: Path | None, prove: bool, proving: ProofPolicy
) -> list[FileReport]:
    """`examine`, even if memory is short: one match must not end the audit of the others."""
    try:
        return examine(names, every=every, home=home, prove=prove, proving=proving)
    except MemoryError:
        return [unreadable(names[0], _too_large(_("the copies of one match")), runs(home))]


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
            reports.append(unreadable(name, error, runs(home)))
        except MemoryError:
            reports.append(unreadable(name, _too_large(sources.shown(name)), runs(home)))
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


def unreadable(name: str, error: Exception, run: Run) -> FileReport:
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
    except Unsupported:
        raise  # what this program cannot judge may well prove something
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
