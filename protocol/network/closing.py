"""What the other side of a link is told when it ends."""

from __future__ import annotations

from protocol.errors import Refusal, Stale
from protocol.failures import Code, Failure, Refused, StorageFailure


def closing_code(error: Failure | Refusal) -> int:
    """The code to send when `error` ends the connection."""
    if isinstance(error, Refused):
        return error.code
    if isinstance(error, Stale):
        return Code.STALE
    if isinstance(error, StorageFailure):
        return Code.FAILED
    return Code.PROTOCOL
