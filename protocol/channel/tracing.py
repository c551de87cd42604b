"""Reports records and refusals to a Trace: their places, never their contents (threat 38)."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from protocol.errors import Equivocation, Refusal, Violation
from protocol.failures import Failure, LinkLost, Refused, StorageFailure
from protocol.record import statements
from protocol.record.entries import parse_entry
from protocol.seat.effects import Duty, Output
from protocol.trace import Trace, silent
from protocol.wire.encoding import ENTRY, Deframer, Frame

_DIGITS = 8
"""Hex digits of a record's hash: enough to find it in a transcript."""


def trace_records(trace: Trace, outputs: Iterable[Output]) -> None:
    """Report each record in `outputs`: its seat and its place."""
    if trace is silent:
        return
    for output in outputs:
        if output.duty is not Duty.SECRET:
            for frame in Deframer().feed(output.data):
                _trace_record(trace, frame, output.duty)


def _trace_record(trace: Trace, frame: Frame, duty: Duty) -> None:
    # The hash covers the signature: a reader of the trace cannot guess a chat or choice and test it.
    digest = sha256(frame.payload).hexdigest()[:_DIGITS]
    way = "own" if duty is Duty.SEND else "theirs"
    try:
        if frame.kind == ENTRY:
            entry = parse_entry(frame.payload)
            trace("record", kind="entry", by=way, seat=entry.seat, number=entry.number, hash=digest)
        else:
            statement = statements.parse(frame.payload)
            name = statement.kind.name.lower()
            trace("record", kind=name, by=way, seat=statement.seat, number=statement.index, hash=digest)
    except Refusal as refusal:  # evidence that does not parse
        trace("record", kind="evidence", by=way, hash=digest, why=type(refusal).__name__)


def trace_trouble(trace: Trace, event: str, error: Failure | Refusal) -> None:
    """Report a refusal or failure: its type, and the fields that hold no text of other people."""
    fields: dict[str, int | str] = {"why": type(error).__name__}
    if isinstance(error, Violation | Equivocation):
        fields |= {"seat": error.seat, "what": error.what, "number": error.number}
    if isinstance(error, Violation):
        fields["rule"] = error.rule
    if isinstance(error, Refused):
        fields["code"] = error.code
    if isinstance(error, LinkLost):
        fields["loss"] = error.loss.name.lower()
    if isinstance(error, StorageFailure):
        fields["errno"] = error.errno
    trace(event, **fields)
