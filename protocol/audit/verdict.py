"""The audit: the verdict that a transcript proves to anybody, offline, without secrets.

It replays every record through the referee that the players used.  In a complete transcript every seat has
signed an END, which endorses the whole hash chain, and the last statement of a seat endorses its earlier
statements, the END too.  Then the audit verifies only these last signatures, and no proof about cards: each
seat has checked all such proofs.  If a record is wrong, or on request, the audit verifies every signature.
Blame needs bytes signed by the accused; the earliest fault counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import chain
from typing import Any, Final, TypeVar

from p2p_stratego.core.game import Commit, Game, Outcome, Seat
from p2p_stratego.core.values import frozen
from protocol.audit import proof as proofs
from protocol.audit.proof import Fault
from protocol.crypto.proofs.verification import CardProof, all_hold, deferring
from protocol.errors import Equivocation, Refusal, Violation
from protocol.record import genesis, judgement, statements
from protocol.record.asks.base import Obligation
from protocol.record.asks.proofs.shuffled import Shuffled
from protocol.record.entries import parse_entry
from protocol.record.evidence import read_proof, read_record
from protocol.record.gathering import full_proof, outcome_with_fault
from protocol.record.genesis import Genesis
from protocol.record.referee import Referee
from protocol.record.statements import Kind
from protocol.wire import labels, transcript
from protocol.wire.encoding import ENTRY, PROOF, STATEMENT, Frame
from protocol.wire.messages import Message

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ProofPolicy:
    """How proofs about cards are checked.

    `every`: whether to check proofs for which all seats vouch; `hold`: whether some proofs all hold, perhaps
    checked in other processes.
    """

    every: bool = False
    hold: Callable[[Sequence[CardProof]], bool] = all_hold


WHERE_NEEDED: Final = ProofPolicy()
"""Proofs are checked if a seat's END is missing, if a record is wrong, or if every signature is verified."""


class Verdict(Enum):
    """The result of an audit."""

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


@frozen
class Checks:
    """Counts of all checks made.

    `signatures`: verified one by one; `endorsed`: records whose hashes the verified ones cover; `laid`:
    commitments; `opened`: commitments with a right opening; `closed`: commitments without an opening;
    `rolls`: joint rolls; `decisions`: legal choices; `takebacks`: how often one was taken back, with all
    behind it; `looks`: openings sealed to one seat; `mixes`: lots of slots laid again; `claims`: about hidden
    slots, of which `settled` were shown to be true; `shuffles`: of decks, by all seats together; `proofs`:
    about cards, of which the audit itself checked `proven`.
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
    takebacks: int = 0
    looks: int = 0
    mixes: int = 0
    claims: int = 0
    settled: int = 0
    shuffles: int = 0
    proofs: int = 0
    proven: int = 0
    ends: int = 0


_FREE: Final = frozenset({Kind.AGREE, Kind.CHAT, Kind.SEALED, Kind.REVEAL, Kind.END})
"""The statements of a match whose audit can be free of order."""


@dataclass(frozen=True, slots=True)
class Due:
    """The next entry: the seat that owes it, and the kind of its message.

    `lays`: whether a shuffle is to lay something face down.
    """

    seat: Seat
    message: type[Message]
    lays: bool = field(default=False, compare=False)


@frozen
class Report:
    """The findings of one audit: a plain value, without the replayed match.

    `outcome`: how the game ended, if it did; `owed`: the next entry of an unfinished game; `waited_for`: the
    seats that owe an entry or, play being over, a REVEAL; `unsettled`: those that owe a REVEAL;
    `never_settled`: those that are gone, so that their claims stay unproven; `silent`: of three or more, the
    two without whom an unresponsive match cannot go on; `resigned` and `taken_out`: of three or more, those
    that had left before the end, by their own word or by the others'; `keyless`: the seat without whose key a
    match with decks could not go on; `out_of_time`: of the seats that are called
    silent or were taken out, those whose clocks ran out by the word of others; `agreed`: the seats
    that signed the genesis; `fault` and `proof`: who broke what, and bytes that proof.check accepts;
    `problem`: why a transcript counts as tampered with; `at`: the record concerned, from 0 after the genesis;
    `refused`: that record, or the record of a fault that earlier records do not prove; `torn`: the audit
    ignored an incomplete last record.
    """

    verdict: Verdict
    genesis: Genesis
    checks: Checks
    size: int = 0
    outcome: Outcome | None = None
    owed: Due | None = None
    waited_for: tuple[Seat, ...] = ()
    unsettled: tuple[Seat, ...] = ()
    never_settled: tuple[Seat, ...] = ()
    silent: tuple[Seat, ...] = ()
    resigned: tuple[Seat, ...] = ()
    taken_out: tuple[Seat, ...] = ()
    keyless: Seat | None = None
    out_of_time: tuple[Seat, ...] = ()
    agreed: tuple[Seat, ...] = ()
    contested: tuple[Seat, ...] = ()
    fault: Fault | None = None
    proof: bytes | None = field(default=None, repr=False)
    problem: str | None = None
    at: int | None = None
    refused: Frame | None = None
    torn: bool = False

    @property
    def exit_code(self) -> int:
        """The exit code of the command line."""
        return EXIT_CODES[self.verdict]


@dataclass(frozen=True, slots=True)
class Replayed:
    """A report, and the match up to the first wrong record: for replays, exports and comparison."""

    report: Report
    referee: Referee


def audit(
    data: bytes,
    games: Mapping[str, Game[Any]],
    *,
    every_signature: bool = False,
    proving: ProofPolicy = WHERE_NEEDED,
) -> Report:
    """Audit a transcript of one of `games`.

    Raises transcript.NotATranscript, Unsupported (another version, an unknown game), and Malformed if a
    damaged genesis leaves the match unknown.
    """
    return replay(data, games, every_signature=every_signature, proving=proving, history=False).report


def replay(
    data: bytes,
    games: Mapping[str, Game[Any]],
    *,
    every_signature: bool = False,
    proving: ProofPolicy = WHERE_NEEDED,
    history: bool = True,
) -> Replayed:
    """Audit a transcript and keep the match; `history`: keep every step.  Raises the same as audit."""
    records = transcript.Records(data)
    begun = genesis.parse(records.genesis, games)
    if not every_signature:
        hold = proving.hold if proving.every else accept_all
        replayed = run_deferred(lambda: _endorsed(records, Referee(begun, history=history)), hold)
        if replayed is not None:
            return replayed if proving.every else Replayed(without_proofs(replayed.report), replayed.referee)
    replayed = run_deferred(lambda: _thorough(records, Referee(begun, history=history)), proving.hold)
    if replayed is not None:
        return replayed
    # Some proof does not hold, or the rules failed: proof by proof now, to find the entry and its seat.
    return _thorough(records, Referee(begun, history=history))


def is_free_of_order(copy: Replayed) -> bool:
    """Whether the audit of `copy` holds for its records in every order in which they can be admitted.

    So it is of a match that is complete by the short way, whose statements are consents, talk, REVEALs, and
    one END of each seat: such an END stands over the last entry, and nothing waits for talk.  A seat that is
    gone went by an order of records.
    """
    referee = copy.referee
    known = copy.report.checks.endorsed and not referee.table.gone
    return bool(known) and all(kinds.keys() <= _FREE and kinds[Kind.END] == 1 for kinds in referee.kinds)


def reordered(copy: Replayed, data: bytes) -> Replayed | None:
    """The audit of a transcript that holds the records of `copy`, which is free of order, in another order.

    None for every other transcript.  The bytes are equal, and so are hashes, signatures and the steps of the
    rules; what the order decides is looked at here: each record stands behind those that it rests on.
    """
    referee = copy.referee
    with suppress(Refusal):
        records = transcript.Records(data)
        if records.genesis == referee.genesis.body and _same_records(records, referee):
            return Replayed(replace(copy.report, size=records.size, torn=records.torn), referee)
    return None


def _same_records(records: transcript.Records, referee: Referee) -> bool:
    """Whether these are all records of the match, and each stands where it can be admitted."""
    entries = referee.entries
    statements_by_payload = {made.payload: made for known in referee.statements for made in known}
    missing = len(referee.statements)
    """Seats whose consent has not come."""
    closed = sum(kinds[Kind.REVEAL] for kinds in referee.kinds)
    """REVEALs that have not come."""
    made, count = [0] * missing, 0
    for kind, payload in records.payloads():
        if kind == ENTRY:
            if missing or count == len(entries) or entries[count].payload != payload:
                return False
            count += 1
            continue
        statement = statements_by_payload.get(payload) if kind == STATEMENT else None
        if statement is None or statement.index != made[statement.seat] or statement.count > count:
            return False
        last = statement.kind in (Kind.REVEAL, Kind.END)
        if (statement.index and missing) or (last and count < len(entries)):
            return False
        if statement.kind is Kind.END and closed:
            return False
        closed -= statement.kind is Kind.REVEAL
        made[statement.seat] += 1
        missing -= not statement.index
    whole = made == [len(known) for known in referee.statements] and count == len(entries)
    return whole and records.damage is None


def accept_all(_: Sequence[CardProof]) -> bool:
    """Take all proofs about cards as holding: every seat has checked them, and signed the end."""
    return True


def without_proofs(report: Report) -> Report:
    """The report of an audit that left the proofs about cards to the seats."""
    checks = report.checks
    return replace(report, checks=replace(checks, proven=0)) if checks.proofs else report


def run_deferred(way: Callable[[], T | None], hold: Callable[[Sequence[CardProof]], bool]) -> T | None:
    """The result of `way` if all proofs about cards hold, else None; `hold` checks some proofs at a time.

    None also for any exception: behind a false proof the rules may meet a state that no game has, such as a
    face of none of its pieces.  The caller then judges with every check, and meets the culprit, or the bug
    again.
    """
    try:
        with deferring(hold) as left:
            result = way()
    except Exception:
        return None
    return result if result is not None and hold(left) else None


def _endorsed(records: transcript.Records, referee: Referee) -> Replayed | None:
    """The short way, for a faultless transcript with an END of every seat; None for any other transcript.

    A verdict of this way blames nobody.  It rests on the last statement of each seat, whose signature is
    verified: that statement holds the hash of the statement before it, and so on down to the END, which holds
    the hash of the chain.
    """
    admit_entry, admit_statement = referee.admit_entry, referee.admit_statement
    try:
        for kind, payload in records.payloads():
            if kind == ENTRY:
                admit_entry(parse_entry(payload), verified=True)
            elif kind == STATEMENT:
                admit_statement(statements.parse(payload), verified=True)
            else:
                return None
    except Refusal:
        return None
    begun, outcome = referee.genesis, referee.outcome
    for seat, known in enumerate(referee.statements):
        if not known or not begun.signed(seat, labels.SIGN_STATEMENT, known[-1].payload):
            return None
    if records.damage is not None or outcome is None or outcome.breach is not None:
        return None
    # An END endorses the head that it names: an END over fewer entries vouches for no later entry.
    final = (Kind.END, referee.count, statements.end_content(outcome))
    if not all(final in [(s.kind, s.count, s.content) for s in known] for known in referee.statements):
        return None
    report = conclude(referee, endorsed=True, records=records)
    return Replayed(report, referee)


def _thorough(records: transcript.Records, referee: Referee) -> Replayed:
    """Verify every signature, up to the first wrong record."""
    report = None
    frames = iter(records)
    at = 0
    for at, frame in enumerate(frames, 1):
        try:
            judgement.admit(referee, read_record(frame))
        except Refusal as refusal:
            report = refusal_report(referee, refusal, frame, at - 1)
            break
    deque(frames, maxlen=0)  # read to the end: the report says how much of the file is whole
    if report is None and records.damage is not None:
        interim = interim_report(referee)
        report = _breach(referee, interim) or tampered_report(interim, records.damage, at)
    elif report is None:
        report = conclude(referee)
    return Replayed(replace(report, size=records.size, torn=records.torn), referee)


def refusal_report(referee: Referee, refusal: Refusal, frame: Frame, at: int) -> Report:
    """The verdict on a refused `frame`; a fault that earlier records prove takes precedence."""
    report = replace(interim_report(referee), refused=frame)
    earlier = _breach(referee, report)
    if earlier is not None:
        return earlier
    if isinstance(refusal, Violation | Equivocation):
        return fault_report(referee, report, proofs.fault_of(refusal), _proof(referee, refusal, frame))
    return tampered_report(report, str(refusal), at)


def _proof(referee: Referee, fault: Violation | Equivocation, frame: Frame) -> bytes:
    """The bytes of a proof of the `fault` with which a frame was refused."""
    body, known = referee.genesis.body, referee.undone
    if frame.kind == PROOF:
        return proofs.prove(body, full_proof(referee, read_proof(frame.payload)))
    if known is not None and known[0] is fault:
        return proofs.prove(body, full_proof(referee, known[1]))
    if isinstance(fault, Equivocation):
        return proofs.prove(body, [Frame(frame.kind, payload) for payload in fault.payloads])
    return proofs.prove_violation(body, _chain(referee), frame, fault)


def tampered_report(report: Report, problem: str, at: int) -> Report:
    """The verdict if record `at` is wrong and no seat can be blamed."""
    return replace(report, verdict=Verdict.TAMPERED, problem=problem, at=at)


def _breach(referee: Referee, report: Report) -> Report | None:
    """The verdict if the rules found a breach or a claim is proven false; else None."""
    fault = proofs.final_fault(referee)
    if fault is None:
        return None
    # One REVEAL of the owner proves a claim false, or all its parts together: the proof takes them all.
    revealed = [s.frame for s in referee.statements[fault.seat] if s.kind is Kind.REVEAL]
    beside = [] if referee.breach else revealed
    proof = proofs.prove(report.genesis.body, chain(_chain(referee), beside))
    return fault_report(referee, report, fault, proof)


def interim_report(
    referee: Referee,
    verdict: Verdict = Verdict.INCOMPLETE,
    outcome: Outcome | None = None,
    *,
    endorsed: bool = False,
    records: transcript.Records | None = None,
) -> Report:
    """The report of a match that is in order so far; with `verdict` and `outcome`, if it has ended."""
    owed = referee.owed if referee.agreed and referee.provisional is None else None
    return Report(
        verdict,
        referee.genesis,
        _checks(referee, outcome or referee.outcome, endorsed=endorsed),
        outcome=outcome,
        owed=None if owed is None else _due(owed),
        waited_for=referee.waited_for,
        unsettled=referee.unsettled,
        never_settled=referee.never_settled,
        silent=tuple(sorted(referee.silent)),
        resigned=referee.resigned,
        taken_out=referee.taken_out,
        keyless=referee.keyless,
        out_of_time=referee.out_of_time,
        agreed=tuple(seat for seat, known in enumerate(referee.statements) if known),
        contested=referee.contested,
        size=0 if records is None else records.size,
        torn=records is not None and records.torn,
    )


def conclude(
    referee: Referee, *, endorsed: bool = False, records: transcript.Records | None = None
) -> Report:
    """The verdict on a match in which every record is in order."""
    # A claim can be disproven while play goes on.
    if proofs.final_fault(referee) and (breach := _breach(referee, interim_report(referee))) is not None:
        return breach
    outcome, verdict = referee.outcome, Verdict.COMPLETE
    if outcome is None:
        verdict = Verdict.INCOMPLETE
    elif outcome.reason == "unresponsive":
        verdict = Verdict.UNRESPONSIVE
    return interim_report(referee, verdict, outcome, endorsed=endorsed, records=records)


def _due(owed: Obligation) -> Due:
    """The next entry; a shuffle for a Commit lays cards face down, in an order that only its seat knows."""
    return Due(owed.seat, owed.message, owed.message is Shuffled and isinstance(owed.part, Commit))


def fault_report(referee: Referee, report: Report, fault: Fault, proof: bytes) -> Report:
    """The verdict on a match with a proven fault; `proof`: as proof.check accepts it."""
    verdict = Verdict.EQUIVOCATED if fault.rule == "equivocation" else Verdict.CHEATED
    outcome = outcome_with_fault(referee, fault.seat, fault.rule)
    return replace(report, verdict=verdict, outcome=outcome, fault=fault, proof=proof)


def _chain(referee: Referee) -> Iterator[Frame]:
    return chain.from_iterable(map(referee.support, referee.entries))


def _checks(referee: Referee, outcome: Outcome | None, *, endorsed: bool) -> Checks:
    table, count = referee.table, referee.count
    end = None if outcome is None else (Kind.END, count, statements.end_content(outcome))
    statements_made = [statement for known in referee.statements for statement in known]
    records = count + len(statements_made)
    verified = len(referee.statements) if endorsed else records
    return Checks(
        entries=count,
        statements=len(statements_made),
        signatures=verified,
        endorsed=records - verified,
        laid=len(table.hidden),
        opened=len(table.faces),
        closed=len(table.hidden) - len(table.faces),
        rolls=table.rolls,
        decisions=sum(map(len, referee.decided_at)),
        takebacks=table.taken_back,
        looks=len(table.looks) + table.cards.looks,
        mixes=sum(bool(claim.same_as) for claim in table.ledger.claims) + table.cards.mixes,
        claims=len(table.ledger.claims) + table.cards.claims,
        settled=table.ledger.settled(table.faces) + table.cards.claims,
        shuffles=table.cards.shuffles,
        proofs=table.cards.proofs,
        proven=table.cards.proofs,
        ends=len({s.seat for s in statements_made if (s.kind, s.count, s.content) == end}),
    )
