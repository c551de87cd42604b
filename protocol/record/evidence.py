"""Evidence: the records that prove a fault behind some entries that two copies have in common.

A seat can break a rule on another chain than the one that a copy holds: a Gone has taken the place of that
seat's record.  So a proof of a fault carries all its records, except the entries that both copies have.
"""

from __future__ import annotations

from p2p_stratego.core.values import frozen
from protocol.errors import Malformed
from protocol.record.statements import Record, parse_record
from protocol.wire.encoding import (
    ENTRY,
    MAX_ARRAY,
    MAX_PAYLOAD,
    PROOF,
    STATEMENT,
    Frame,
    Value,
    decode,
    encode,
)


@frozen
class Evidence:
    """A proof of a fault without the first `shared` entries of its chain; `head`: the head after these.

    `records`: all frames behind the shared entries, the record that breaks the rule last; or, with no shared
    entries, the two versions of one record.
    """

    shared: int
    head: bytes
    records: tuple[Frame, ...]

    @property
    def frame(self) -> Frame | None:
        """The PROOF as a frame, or None if it is longer than any frame can be."""
        if len(self.records) > MAX_ARRAY or sum(map(len, self.records)) > MAX_PAYLOAD:
            return None
        records: list[Value] = [[frame.kind, frame.payload] for frame in self.records]
        return Frame(PROOF, encode([self.shared, self.head, records]))


@frozen
class Proof:
    """A PROOF as it was received, and the evidence in it."""

    frame: Frame
    evidence: Evidence


def read_record(frame: Frame) -> Record | Proof:
    """The record in a frame of a match, or the proof that ends it; nothing is verified.  Raises Malformed."""
    return Proof(frame, read_proof(frame.payload)) if frame.kind == PROOF else parse_record(frame)


def read_proof(payload: bytes) -> Evidence:
    """The evidence in a PROOF, unverified.  Raises Malformed."""
    match decode(payload):
        case [int() as shared, bytes() as head, list() as records] if len(head) == 32:
            if records:
                return Evidence(shared, head, tuple(map(_frame, records)))
    raise Malformed("A proof is not a count, a head, and records.")


def _frame(value: Value) -> Frame:
    match value:
        case [int() as kind, bytes() as payload] if kind in (ENTRY, STATEMENT):
            return Frame(kind, payload)
    raise Malformed("A proof holds what is neither an entry nor a statement.")
