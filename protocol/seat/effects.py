"""What passes between a session and whoever persists and sends for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from protocol.record.referee import Entry
from protocol.record.statements import Statement


class Duty(Enum):
    """What must be done with an Output before the next one is looked at."""

    SECRET = "secret"  # noqa: S105  # the name of a duty, no password
    """Append to the secrets file and sync."""
    RECORD = "record"
    """Append to the log and sync; it came from another seat."""
    SEND = "send"
    """Append to the log and sync, then send."""


@dataclass(frozen=True, slots=True)
class Output:
    """One thing to persist; `data` is a record of the secrets file for SECRET, else a whole frame."""

    duty: Duty
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Position:
    """How far a seat's record goes: count and head (32 bytes) of the chain, statements held of each seat."""

    count: int
    head: bytes
    statements: tuple[int, ...]

    def covers(self, other: Position) -> bool:
        """Whether whoever stands here has at least as much of everything."""
        return self.count >= other.count and all(
            ours >= theirs for ours, theirs in zip(self.statements, other.statements, strict=True)
        )

    def lacks(self, record: Entry | Statement) -> bool:
        """Whether `record` is not part of it yet."""
        if isinstance(record, Entry):
            return record.number >= self.count
        return record.index >= self.statements[record.seat]
