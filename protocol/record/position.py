"""Positions: how far a copy of a match goes, so that two programs compare copies before they send records."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.record.entries import Entry
from protocol.record.statements import Statement


@dataclass(frozen=True, slots=True)
class StatementHead:
    """The statements of one seat: their number, and the head after them (32 bytes)."""

    count: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Position:
    """How far a copy goes: count and head (32 bytes) of the chain, and by seat the statements."""

    count: int
    head: bytes
    statements: tuple[StatementHead, ...]

    def covers(self, other: Position) -> bool:
        """Whether this position has at least as many entries, and statements of each seat, as `other`."""
        return self.count >= other.count and all(
            ours.count >= theirs.count for ours, theirs in zip(self.statements, other.statements, strict=True)
        )

    def lacks(self, record: Entry | Statement) -> bool:
        """Whether `record` lies beyond this position."""
        if isinstance(record, Entry):
            return record.number >= self.count
        return record.index >= self.statements[record.seat].count
