"""Proofs of faults: small and self-contained; `check` accepts or rejects them without a transcript.

A proof is a first line of its own, then frames: the genesis and the records concerned.  For an equivocation
the records are the two versions.  For any other fault they are the entries up to the offending entry, then
the statement that offends, that an entry contradicts, or that reveals a false claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from typing import Any, Final

from p2p_stratego.core.game import Game, Seat
from protocol.errors import Equivocation, Violation
from protocol.record.entries import parse_entry
from protocol.record.gathering import proven_fault
from protocol.record.genesis import parse
from protocol.record.judgement import NoProof, judge
from protocol.record.referee import Referee
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, GENESIS, STATEMENT, Frame, read_frame

MAGIC: Final = b"p2p-stratego proof %d\n" % labels.PROTOCOL_VERSION


@dataclass(frozen=True, slots=True)
class Fault:
    """A seat's offence: its place, and its rule, a key of errors.RULES or the game's own name.

    `what`: "entry" or "statement"; `number`: the entry's number; for a statement, the count of entries it
    stands over (for an equivocation: its index).
    """

    seat: Seat
    what: str
    number: int
    rule: str


def prove(genesis: bytes, records: Iterable[Frame]) -> bytes:
    """The bytes of a proof from `records`: two versions of one, or all up to the offending one."""
    data = BytesIO()
    data.write(MAGIC)
    for frame in chain([Frame(GENESIS, genesis)], records):
        data.write(bytes(frame))
    return data.getvalue()


def prove_violation(genesis: bytes, entries: Iterable[Frame], record: Frame, fault: Violation) -> bytes:
    """The bytes of a proof that `record`, refused with `fault` after `entries`, breaks a rule."""
    whole = record.kind == STATEMENT or fault.rule == "both-ways"
    before = list(entries if whole else _until(entries, fault.number))
    known = {
        frame.payload for frame in before
    }  # a draw that took the place of the entry stands there already
    beside = [Frame(STATEMENT, payload) for payload in fault.beside if payload not in known]
    return prove(genesis, [*before, *beside, record])


def _until(entries: Iterable[Frame], number: int) -> Iterator[Frame]:
    """The frames before entry `number`; the statements among them stand in the places of entries."""
    for frame in entries:
        if frame.kind == ENTRY and parse_entry(frame.payload).number >= number:
            return
        yield frame


def check(data: bytes, games: Mapping[str, Game[Any]]) -> Fault:
    """The fault that the bytes of a proof prove.

    Raises Unsupported by its genesis alone, whatever stands behind it (SPEC 12.8.11); NoProof; or another
    Refusal for broken frames.
    """
    if not data.startswith(MAGIC):
        raise NoProof("The file is not a proof of this version.")
    first = read_frame(data, len(MAGIC))
    if first is None or first.kind != GENESIS:
        raise NoProof("The proof holds no genesis.")
    genesis = parse(first.payload, games)
    records = _frames(data, len(MAGIC) + len(first))
    if not records or any(frame.kind not in (ENTRY, STATEMENT) for frame in records):
        raise NoProof("The proof holds no record, or what is neither an entry nor a statement.")
    return fault_of(judge(genesis, records))


def _frames(data: bytes, position: int) -> list[Frame]:
    frames = []
    while frame := read_frame(data, position):
        frames.append(frame)
        position += len(frame)
    if position != len(data):
        raise NoProof("The proof ends within a record.")
    return frames


def final_fault(referee: Referee) -> Fault | None:
    """The fault that the admitted records prove, or None: a breach, else the earliest false claim."""
    fault = proven_fault(referee)
    return None if fault is None else fault_of(fault)


def fault_of(fault: Violation | Equivocation) -> Fault:
    """The offence that a refusal of a record names."""
    rule = fault.rule if isinstance(fault, Violation) else "equivocation"
    return Fault(fault.seat, fault.what, fault.number, rule)
