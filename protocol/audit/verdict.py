"""The audit: what a transcript proves, for anybody, offline, without secrets.

It replays every record through the referee that the players used.  A complete transcript carries an END by
every seat, which endorses the whole hash chain; then single signatures need not be verified one by one.
They are as soon as anything is wrong, or on request.  Blame needs bytes signed by the accused; the earliest
fault counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final

from p2p_stratego import GAMES
from p2p_stratego.core.game import Game, Outcome, Seat
from protocol.audit import proof as proofs
from protocol.audit.proof import Fault
from protocol.errors import Equivocation, Refusal, Violation
from protocol.record import genesis, statements
from protocol.record.asks.base import Owed
from protocol.record.endings import cheated
from protocol.record.genesis import Genesis
from protocol.record.referee import Referee
from protocol.record.statements import Kind
from protocol.wire import transcript
from protocol.wire.encoding import ENTRY, Frame


class Verdict(Enum):
    """What an audit comes to."""

    COMPLETE = "complete"
    INCOMPLETE = "incomplete"
    CHEATED = "cheated"
    EQUIVOCATED = "equivocated"
    UNRESPONSIVE = "unresponsive"
    TAMPERED = "tampered"


EXIT_CODES: Final[Mapping[Verdict, int]] = {
    Verdict.COMPLETE: 0,
    Verdict.INCOMPLETE: 10,
    Verdict.CHEATED: 20,
    Verdict.EQUIVOCATED: 21,
    Verdict.UNRESPONSIVE: 31,
    Verdict.TAMPERED: 40,
}


@dataclass(frozen=True, slots=True)
class Checks:
    """The roster of what was checked, in counts.

    `signatures`: verified one by one; `endorsed`: entries vouched for by an END of every seat; `laid`,
    `opened`, `closed`: commitments, those opened and found right, those that stay closed; `rolls`: of joint
    chance; `decisions`: choices found legal.
    """

    entries: int = 0
    statements: int = 0
    signatures: int = 0
    endorsed: int = 0
    laid: int = 0
    opened: int = 0
    closed: int = 0
    rolls: int = 0
    decisions: int = 0
    ends: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """What one transcript proves.

    `outcome`: how the game ended, if it did; `owed`: who has to say what, in an unfinished one;
    `unsettled`: the seats that, play being over, have not revealed what they made claims about; `fault` and
    `proof`: who broke what, and bytes that evidence.check accepts; `problem`: why a transcript is tampered
    with, at which record (`at`, counted from 0 after the genesis); `refused`: that record, or the one in
    which a fault lies that the records before it do not show; `torn`: an incomplete last record was passed
    over; `referee`: the match as far as it is good, for replay and export.
    """

    verdict: Verdict
    genesis: Genesis
    referee: Referee
    checks: Checks
    size: int
    outcome: Outcome | None = None
    owed: Owed | None = None
    unsettled: tuple[Seat, ...] = ()
    fault: Fault | None = None
    proof: bytes | None = field(default=None, repr=False)
    problem: str | None = None
    at: int | None = None
    refused: Frame | None = None
    torn: bool = False

    @property
    def exit_code(self) -> int:
        """For the command line."""
        return EXIT_CODES[self.verdict]


def audit(data: bytes, *, every_signature: bool = False, games: Mapping[str, Game[Any]] = GAMES) -> Report:
    """Audit a transcript.

    Raises transcript.NotATranscript, Unsupported (another version, an unknown game), and Malformed if the
    genesis is damaged, so that it cannot even be told which match this is.
    """
    contents = transcript.read(data)
    begun = genesis.parse(contents.genesis, games)
    if not every_signature and contents.damage is None:
        report = _endorsed(begun, contents)
        if report is not None:
            return report
    return _thorough(begun, contents)


def _endorsed(begun: Genesis, contents: transcript.Contents) -> Report | None:
    """The short way, for a transcript without any fault that has an END of every seat."""
    referee = Referee(begun)
    try:
        for frame in contents.frames:
            if frame.kind == ENTRY:
                referee.admit_entry(frame.payload, verified=True)
            else:
                referee.admit_statement(frame.payload)
    except Refusal:
        return None
    outcome = referee.outcome
    if outcome is None or outcome.breach is not None:
        return None
    # An END vouches for the head that it names: one that a seat signed earlier says nothing of what follows.
    final = (Kind.END, referee.count, statements.end_content(outcome))
    if not all(final in [(s.kind, s.count, s.content) for s in known] for known in referee.statements):
        return None
    return concluded(examined(contents, referee, endorsed=True))


def _thorough(begun: Genesis, contents: transcript.Contents) -> Report:
    """Every signature checked, up to the first thing wrong."""
    referee = Referee(begun)
    for at, frame in enumerate(contents.frames):
        try:
            if frame.kind == ENTRY:
                referee.admit_entry(frame.payload)
            else:
                referee.admit_statement(frame.payload)
        except Refusal as refusal:
            return refusing(examined(contents, referee), refusal, frame, at)
    report = examined(contents, referee)
    if contents.damage is not None:
        return _breach(report) or spoilt(report, contents.damage, len(contents.frames))
    return concluded(report)


def refusing(report: Report, refusal: Refusal, frame: Frame, at: int) -> Report:
    """The verdict when `frame` was refused; what the records before it show comes first."""
    report = replace(report, refused=frame)
    earlier = _breach(report)
    if earlier is not None:
        return earlier
    body = report.genesis.body
    if isinstance(refusal, Violation):
        found = Fault(refusal.seat, refusal.what, refusal.number, refusal.rule)
        proof = proofs.prove_violation(body, _chain(report.referee), frame, refusal)
        return _faulty(report, Verdict.CHEATED, found, proof)
    if isinstance(refusal, Equivocation):
        found = Fault(refusal.seat, refusal.what, refusal.number, "equivocation")
        proof = proofs.prove(body, [Frame(frame.kind, payload) for payload in refusal.payloads])
        return _faulty(report, Verdict.EQUIVOCATED, found, proof)
    return spoilt(report, str(refusal), at)


def spoilt(report: Report, problem: str, at: int) -> Report:
    return replace(report, verdict=Verdict.TAMPERED, problem=problem, at=at)


def _breach(report: Report) -> Report | None:
    """The verdict if the rules found a breach, or a claim is shown to be false; else None."""
    referee = report.referee
    fault = proofs.final_fault(referee)
    if fault is None:
        return None
    # A false claim shows in what its owner revealed; the last REVEAL repeats what those before it held.
    revealed = [s.frame for s in referee.statements[fault.seat] if s.kind is Kind.REVEAL][-1:]
    beside = [] if referee.breach else revealed
    proof = proofs.prove(report.genesis.body, [*_chain(referee), *beside])
    return _faulty(report, Verdict.CHEATED, fault, proof)


def examined(contents: transcript.Contents, referee: Referee, *, endorsed: bool = False) -> Report:
    """What there is to say in any case: so far nothing is wrong, and nothing has ended."""
    return Report(
        Verdict.INCOMPLETE,
        referee.genesis,
        referee,
        _checks(referee, endorsed=endorsed),
        contents.size,
        owed=referee.owed if referee.agreed and referee.provisional is None else None,
        unsettled=referee.unsettled,
        torn=contents.torn,
    )


def concluded(report: Report) -> Report:
    """The verdict on a transcript in which every record is in order."""
    outcome = report.referee.outcome
    if outcome is None:
        return report
    breach = None if outcome.breach is None else _breach(report)
    if breach is not None:
        return breach
    verdict = Verdict.UNRESPONSIVE if outcome.reason == "unresponsive" else Verdict.COMPLETE
    return replace(report, verdict=verdict, outcome=outcome)


def _faulty(report: Report, verdict: Verdict, fault: Fault, proof: bytes) -> Report:
    outcome = report.referee.outcome
    if outcome is None or outcome.breach is None:
        outcome = cheated(len(report.genesis.players), fault.seat, fault.rule)
    return replace(report, verdict=verdict, outcome=outcome, fault=fault, proof=proof)


def _chain(referee: Referee) -> list[Frame]:
    return [entry.frame for entry in referee.entries]


def _checks(referee: Referee, *, endorsed: bool) -> Checks:
    table, count, outcome = referee.table, referee.count, referee.outcome
    end = None if outcome is None else (Kind.END, count, statements.end_content(outcome))
    said = [statement for known in referee.statements for statement in known]
    return Checks(
        entries=count,
        statements=len(said),
        signatures=len(said) + (0 if endorsed else count),
        endorsed=count if endorsed else 0,
        laid=len(table.hidden),
        opened=len(table.faces),
        closed=len(table.hidden) - len(table.faces),
        rolls=table.rolls,
        decisions=sum(map(len, referee.decided_at)),
        ends=len({s.seat for s in said if (s.kind, s.count, s.content) == end}),
    )
