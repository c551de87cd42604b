"""How far one copy of a match goes, so that two copies can be compared without sending them."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.record.entries import Entry
from protocol.record.statements import Statement


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
