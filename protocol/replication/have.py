"""HAVE: what an end of a link tells the other one about its copy and its links, among three or more seats.

It is hints only.  A false one costs its sender records that it then lacks, or everybody a moment (reach.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2p_stratego.core.game import Seat
from protocol.channel.channel import HAVE
from protocol.errors import Malformed
from protocol.record.entries import Entry
from protocol.record.position import Position
from protocol.record.statements import MAX_STATEMENTS, Statement
from protocol.wire.encoding import MAX_INT, Frame, Value, decode, encode


@dataclass(slots=True)
class Counts:
    """How far a copy goes, without heads: the number of entries, and by seat the number of statements."""

    entries: int
    statements: list[int]
    unsure: int | None = field(default=None, compare=False)
    """From this place on the entries within may be others than ours: a silent seat's own, or a Gone."""

    def has(self, record: Entry | Statement) -> bool:
        """Whether `record` lies within."""
        if isinstance(record, Entry):
            return record.number < (self.entries if self.unsure is None else min(self.entries, self.unsure))
        return record.index < self.statements[record.seat]

    def add(self, record: Entry | Statement) -> None:
        """Its owner has `record` of our copy, and so the entries that it stands over."""
        if isinstance(record, Entry):
            count = record.number + 1
        else:
            count = record.count
            self.statements[record.seat] = max(self.statements[record.seat], record.index + 1)
        self.entries = max(self.entries, count)
        if self.unsure is not None:
            self.alike(max(self.unsure, count))

    def differ(self, number: int) -> None:
        """Its owner may have another record than ours at that place, and other ones behind it."""
        self.unsure = number if self.unsure is None else min(self.unsure, number)

    def other(self, number: int) -> None:
        """Its owner has shown another record than ours at that place."""
        self.entries = max(self.entries, number + 1)
        self.differ(number)

    def alike(self, count: int) -> None:
        """Its owner has the same first `count` entries as our copy, as far as it has them."""
        self.unsure = count if count < self.entries else None

    def join(self, other: Counts) -> None:
        """Its owner has also all that lies within `other`."""
        self.entries = max(self.entries, other.entries)
        self.statements = [max(one, two) for one, two in zip(self.statements, other.statements, strict=True)]

    def covers(self, other: Counts) -> bool:
        """Whether all that lies within `other` lies within."""
        return self.entries >= other.entries and all(
            one >= two for one, two in zip(self.statements, other.statements, strict=True)
        )


def counts(position: Position) -> Counts:
    """The counts of `position`."""
    return Counts(position.count, [said.count for said in position.statements])


@dataclass(frozen=True, slots=True)
class Have:
    """The content of a HAVE.

    `counts`: of the sender's copy; `receipts`: the highest count of which it holds a receipt; `hops`: by seat
    the links from the sender to it, the number of seats if there is no way; `wanted`: the seats, ascending,
    whose records it wants passed on at once.
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
