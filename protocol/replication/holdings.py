"""HAVE: the report of one end of a link to the other about its copy and its links, among three or more seats.

It is a hint only.  A false HAVE costs its sender records that it then lacks, or all a moment
(`distance_vector`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2p_stratego.core.game import Seat
from protocol.channel.channel import HAVE
from protocol.errors import Malformed
from protocol.limits import MAX_STATEMENTS
from protocol.record.entries import Entry
from protocol.record.position import Position
from protocol.record.statements import Statement
from protocol.wire.encoding import MAX_INT, Frame, Value, decode, encode


@dataclass(slots=True)
class Counts:
    """The extent of a copy, without heads: the number of entries, and by seat the number of statements."""

    entries: int
    statements: list[int]
    unsure: int | None = field(default=None, compare=False)
    """From this place on the copy may hold other entries than ours: a silent seat's own, or a Gone."""

    def has(self, record: Entry | Statement) -> bool:
        """Whether the copy is sure to hold `record` of our copy."""
        if isinstance(record, Entry):
            return record.number < (self.entries if self.unsure is None else min(self.entries, self.unsure))
        return record.index < self.statements[record.seat]

    def add(self, record: Entry | Statement) -> None:
        """Note that the copy holds `record` of our copy, and so the entries below it."""
        if isinstance(record, Entry):
            count = record.number + 1
        else:
            count = record.count
            self.statements[record.seat] = max(self.statements[record.seat], record.index + 1)
        self.entries = max(self.entries, count)
        if self.unsure is not None:
            self.alike(max(self.unsure, count))

    def differ(self, number: int) -> None:
        """Note that the copy may hold another record than ours at that place, and behind it."""
        self.unsure = number if self.unsure is None else min(self.unsure, number)

    def other(self, number: int) -> None:
        """Note that the copy holds another record than ours at that place."""
        self.entries = max(self.entries, number + 1)
        self.differ(number)

    def forget(self, number: int) -> None:
        """Note that the copy follows a Gone at that place: its entries behind it were on another chain."""
        self.entries = min(self.entries, number)

    def alike(self, count: int) -> None:
        """Note that the first `count` entries of the copy are ours, as far as it has them."""
        self.unsure = count if count < self.entries else None

    def join(self, other: Counts) -> None:
        """Note that the copy has all within `other`, too."""
        self.entries = max(self.entries, other.entries)
        self.statements = [
            max(ours, theirs) for ours, theirs in zip(self.statements, other.statements, strict=True)
        ]

    def covers(self, other: Counts) -> bool:
        """Whether the copy has all within `other`."""
        return self.entries >= other.entries and all(
            ours >= theirs for ours, theirs in zip(self.statements, other.statements, strict=True)
        )


def counts(position: Position) -> Counts:
    """The counts of `position`."""
    return Counts(position.count, [newest.count for newest in position.statements])


@dataclass(frozen=True, slots=True)
class Have:
    """The content of a HAVE.

    `counts`: of the sender's copy; `receipts`: the highest count of a receipt that it holds; `hops`: by seat,
    the number of links from the sender to it, or the number of seats if there is no way; `wanted`: ascending,
    the seats whose records the sender wants passed on at once.
    """

    counts: Counts
    receipts: int
    hops: tuple[int, ...] = field(default=())
    wanted: tuple[Seat, ...] = field(default=())

    @property
    def frame(self) -> Frame:
        """The frame on the wire."""
        at = self.counts
        body: list[Value] = [at.entries, list(at.statements), self.receipts]
        return Frame(HAVE, encode([*body, list(self.hops), list(self.wanted)]))


def read_have(payload: bytes, seats: int) -> Have:
    """The HAVE in a payload, at a table of `seats`.  Raises Malformed."""
    match decode(payload):
        case [int() as entries, list() as statements, int() as receipts, list() as hops, list() as wanted]:
            held = _numbers(statements, seats, MAX_STATEMENTS)
            ways = _numbers(hops, seats, seats)
            seats_wanted = _numbers(wanted, None, seats - 1)
            if entries <= MAX_INT and seats_wanted == sorted(set(seats_wanted)):
                return Have(Counts(entries, held), receipts, tuple(ways), tuple(seats_wanted))
    raise Malformed("A HAVE is not counts, a receipt's count, distances and seats.")


def _numbers(values: list[Value], size: int | None, most: int) -> list[int]:
    numbers = [value for value in values if type(value) is int and value <= most]
    if len(numbers) != len(values) or size not in (None, len(numbers)):
        raise Malformed("A HAVE holds no numbers, or too many, where numbers belong.")
    return numbers
