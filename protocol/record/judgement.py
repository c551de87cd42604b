"""Judging a proof of a fault: its records, replayed on a table of their own with every signature verified."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.crypto.proofs.verification import admitted_before
from protocol.errors import Equivocation, Malformed, Misplaced, Refusal, Violation
from protocol.record.entries import Entry
from protocol.record.evidence import Evidence, Proof
from protocol.record.gathering import full_proof, proven_fault
from protocol.record.genesis import Genesis
from protocol.record.referee import Referee
from protocol.record.statements import Record, parse_record
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, PROOF, Frame


class NoProof(Refusal):
    """The bytes prove no fault."""


def admit(referee: Referee, record: Record | Proof, *, verified: bool = False) -> None:
    """Admit a record, or judge a PROOF: a copy of any match of three or more can hold one, as its last frame.

    Raises the same as Referee.admit.  A PROOF always raises: the fault; Misplaced if the proof shares other
    entries than ours; NoProof if it proves nothing; or Malformed.  If a Gone in `record` makes the copy
    forget a fault, the Gone is admitted, and the fault is raised.
    """
    if isinstance(record, Proof):
        if not referee.many:
            raise Malformed(f"A record of kind {PROOF} has no place in a match.")
        if referee.breach is not None:
            raise Misplaced("The match ended with a breach; nothing is added to it.")
        raise fault_in_proof(referee, record.evidence)
    before = referee.undone
    referee.admit(record, verified=verified)
    if before is None and referee.undone is not None:
        raise referee.undone[0]


def fault_in_proof(referee: Referee, evidence: Evidence) -> Violation | Equivocation:
    """The fault that a PROOF shows, with the entries that it shares with our copy.  Raises as `admit`."""
    if not has_shared(referee, evidence):
        raise Misplaced("A proof shares entries with another chain than the one known here.")
    records = full_proof(referee, evidence)
    return judge(referee.genesis, records, len(records) - len(evidence.records))


def has_shared(referee: Referee, evidence: Evidence) -> bool:
    """Whether our copy has the entries that a proof shares."""
    return evidence.shared <= referee.count and referee.heads[evidence.shared] == evidence.head


def judge(genesis: Genesis, records: Sequence[Frame], known: int = 0) -> Violation | Equivocation:
    """The fault that the last of these records proves, or that two versions of a record prove.

    `known`: how many of the first records our copy has admitted: their proofs about cards need no second
    check.  Raises NoProof.
    """
    if len(records) == 2 and (fault := check_equivocation(genesis, records[0], records[1])):
        return fault
    return _violation(genesis, records, known)


def check_equivocation(genesis: Genesis, first: Frame, second: Frame) -> Equivocation | None:
    """The fault if the two records differ and are well signed by one seat for one place; otherwise None.

    Raises NoProof if a signature does not verify, and Malformed for what is no record.
    """
    if first.kind != second.kind or first.payload[:-SIGNATURE_BYTES] == second.payload[:-SIGNATURE_BYTES]:
        return None
    places = []
    for frame in (first, second):
        record = parse_record(frame)
        seat = record.seat
        if isinstance(record, Entry):
            number, label = record.number, labels.SIGN_ENTRY
        else:
            number, label = record.index, labels.SIGN_STATEMENT
        if seat >= len(genesis.players) or not genesis.signed(seat, label, frame.payload):
            raise NoProof("A signature in the proof does not verify.")
        places.append((seat, number))
    if places[0] != places[1]:
        return None
    kind = "entry" if first.kind == ENTRY else "statement"
    return Equivocation(places[0][0], kind, places[0][1], (first.payload, second.payload))


def _violation(genesis: Genesis, records: Sequence[Frame], known: int) -> Violation:
    """Replay the records, and return the fault of the last one."""
    referee = Referee(genesis, history=False, agreed=True)
    for at, frame in enumerate(records):
        last = at == len(records) - 1
        try:
            with admitted_before() if at < known else nullcontext():
                record = parse_record(frame)
                if isinstance(record, Entry):
                    referee.admit_entry(record, verified=at < known)
                else:
                    referee.judge_statement(record, last=last, verified=at < known)
        except Violation as violation:
            if not last:
                raise NoProof("The proof goes on after the record that breaks a rule.") from violation
            return violation
        except Refusal as refusal:
            raise NoProof("The records of the proof do not form a chain of their own.") from refusal
        if not last and referee.breach is not None:
            raise NoProof("The proof goes on after the record that breaks a rule.")
    fault = proven_fault(referee)
    if fault is None:
        raise NoProof("The last record breaks no rule.")
    return fault
