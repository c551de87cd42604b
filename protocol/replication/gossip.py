"""The records that the other side of each link has and lacks, and so the frames that go out, and when.

Every admitted record goes once over every compared link whose other side is not known to have it: at once if
the other side wants it from here, else PASS_ON_AFTER later, if the other side still seems to lack it
(distance_vector.py).  A record that does not follow yet is kept, within a bound for each link, and is no
fault of its carrier.  A proof of a fault goes out before all other frames.  The caller persists all bytes
before it calls `pass_on`.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

from p2p_stratego.core.game import Seat
from protocol.channel.channel import receipt_frame
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Malformed, Misplaced
from protocol.limits import (
    EARLY_BYTES,
    EARLY_RECORDS,
    FALSE_RECEIPT,
    HAVE_AFTER,
    HAVE_EVERY,
    PASS_ON_AFTER,
    RECORD_BACKLOG,
    RECORDS_EVERY,
    VAIN_FRAMES,
    VAIN_FRAMES_A_SECOND,
)
from protocol.record import receipts
from protocol.record.entries import Entry
from protocol.record.position import Position
from protocol.record.referee import Referee
from protocol.record.statements import Record
from protocol.replication.distance_vector import DistanceVector
from protocol.replication.holdings import Counts, Have, counts
from protocol.replication.proofs import Outgoing
from protocol.seat.follower import Follower
from protocol.seat.jobs import HEAVY
from protocol.wire.encoding import Frame

End: TypeAlias = int
"""The other end of a link: a seat or, from the number of seats on, a spectator."""
Send: TypeAlias = Callable[[bytes], None]
Queued: TypeAlias = Callable[[], int]
"""The bytes that wait for the other side of a link to read."""
NoteKey: TypeAlias = tuple[int, Seat]
"""The key of a note: the kind of its frame, and its author."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A receipt of `seat` for `count` entries; `signature`: 64 bytes."""

    seat: Seat
    count: int
    signature: bytes


@dataclass(frozen=True, slots=True)
class RipeRecord:
    """A record from `end` that came before its time, and can follow now."""

    end: End
    record: Record

    @property
    def heavy(self) -> bool:
        """Whether the record can hold a proof about cards whose check takes long."""
        return len(self.record.payload) >= HEAVY


@dataclass(slots=True)
class Line:
    """The state of one link: the records that its other side has, and those still to send."""

    send: Send
    has: Counts
    """The records that the other side has shown to have."""
    knows: Counts
    """The records that the other side knows us to have."""
    compared: bool = False
    """Whether the other side has sent its SYNC of this match."""
    switching: bool = False
    """Whether frames about the previous match may still come, right after agreeing on a return match."""
    queued: Queued | None = None
    """The queued bytes of the link; None: unbounded, as a post takes all records at once."""
    at: int = 0
    """The number of our records considered for this link."""
    more_at: float = inf
    """The time at which to look for room for more records."""
    crossed: set[int] = field(default_factory=set)
    """The places where a late record from there met a Gone here."""
    aside: set[bytes] = field(default_factory=set)
    """The payloads that went there though our copy does not hold them yet."""
    later: deque[tuple[float, Record | Receipt]] = field(default_factory=deque)
    """Records to send at their time, unless the other side shows that it has them."""
    wants: frozenset[Seat] | None = None
    """The seats whose records are to go there at once; None: all."""
    acknowledged: dict[Seat, int] = field(default_factory=dict)
    """By seat: the count of its newest receipt that the other side has, or was sent."""
    noted: dict[NoteKey, int] = field(default_factory=dict)
    """The versions of the notes that the other side has, or was sent."""
    proof: Outgoing = field(default_factory=Outgoing)
    early: dict[bytes, Record] = field(default_factory=dict)
    """By payload: the records from there that do not follow yet; parsed, as each new record tries them."""
    early_bytes: int = 0
    early_receipts: dict[Seat, Receipt] = field(default_factory=dict)
    reported: tuple[tuple[int, ...], tuple[Seat, ...]] = ((), ())
    """The distances and wishes that the other side knows."""
    rewound: bool = False
    """Whether our copy has forgotten entries since its SYNC or last HAVE there."""
    due: float = inf
    """The time of the next HAVE."""
    quiet_until: float = -inf
    vain: float = 0.0
    """The number of useless frames from there, less the forgiven frames."""
    forgiven: float = inf
    """The time of the last forgiving."""


class Gossip:
    """The links of one copy.  It has no clock of its own: `now` is always seconds on one monotonic clock."""

    def __init__(self, copy: Follower, own: Seat | None) -> None:
        """`own`: our seat; None for a spectator."""
        self.lines: dict[End, Line] = {}
        self.receipts: dict[Seat, Receipt] = {}
        """The newest receipt of each seat, not always verified."""
        self._copy = copy
        self._own = own
        self._seats = len(copy.genesis.players)
        self.reach = None if own is None else DistanceVector(self._seats, own)
        self._verified: set[Receipt] = set()
        self._held: dict[bytes, Record] = {}
        """By payload: the records that our copy does not take for now, and others may take."""
        self._notes: dict[NoteKey, tuple[int, Frame]] = {}
        self.words = Counter[Seat]()
        """By seat: the number of its signed records and receipts that were new when they came."""

    # Links

    def opened(self, end: End, send: Send, *, switching: bool = False, queued: Queued | None = None) -> Line:
        """Use a link to `end`; frames of this match wait for its SYNC.  `queued`: as in Line."""
        nothing = [0] * self._seats
        line = Line(send, Counts(0, nothing), Counts(0, nothing.copy()), switching=switching, queued=queued)
        self.lines[end] = line
        return line

    def closed(self, end: End) -> None:
        """Forget the link to `end`."""
        self.lines.pop(end, None)
        if self.reach is not None:
            self.reach.lost(end)

    def compared(self, end: End, theirs: Position, shown: bytes = b"") -> bool:
        """The copy of `end` is at `theirs`: it gets what it lacks with the next `pass_on`.

        `shown`: the newest entry of ours in that copy, as its payload, or empty.  Returns whether the two
        copies tell the same story as far as both reach.  If not, a seat signed two records for one place; a
        copy that sees both has the proof, so it gets everything.
        """
        line = self.lines[end]
        line.compared, line.switching = True, False
        line.knows.join(counts(self._copy.position()))
        try:
            self._copy.compare(theirs)
        except Misplaced:
            same = False
            line.has.differ(0)
        else:
            same = True
        common = self._copy.common(theirs, shown)
        if same:
            self._claims(line, counts(theirs), common)
        if not same or theirs.count > self._copy.referee.count:
            line.proof.common = common
        if self.reach is not None and end < self._seats:
            self.reach.joined(end)
            line.reported = self._unsaid
        return same

    # What comes

    def came(self, end: End, record: Record) -> None:
        """Note that `record` came from `end`, and is new in our copy."""
        line = self.lines[end]
        self.words[record.seat] += 1
        if isinstance(record, Entry) and record.number in self._copy.referee.table.gone.values():
            line.has.forget(record.number)
        line.has.add(record)
        line.knows.add(record)
        if self.reach is not None:
            self.reach.came(record.seat, end)

    def came_early(self, end: End, record: Record, *, again: bool = False) -> None:
        """Keep `record` from `end`, which is well signed and does not follow yet.

        `again`: it was kept before, and does not follow even now.  Raises Malformed for too many such
        records.
        """
        line = self.lines[end]
        if not again:
            self.vain(end)
        if record.payload in line.early or self._there(record) is not None:
            return
        size = len(record.frame)
        if len(line.early) >= EARLY_RECORDS or line.early_bytes + size > EARLY_BYTES:
            raise Malformed("The other side sends too many records that do not follow.")
        line.early[record.payload] = record
        line.early_bytes += size
        self.words[record.seat] += 1

    def came_aside(self, end: End, record: Record) -> None:
        """Note a `record` from `end` that our copy knows or, for now, does not take.

        A record that it may still take is passed on all the same, as others may take it.
        """
        line = self.lines[end]
        self.vain(end)
        there = self._there(record)
        if there is not None and there.body == record.body:  # whatever the signature: a carrier can spoil it
            line.has.add(record)
            line.knows.add(record)
        elif isinstance(record, Entry):
            line.has.other(record.number)
            if there is not None and record.number not in line.crossed:
                # Our Gone replaced their entry: their HAVEs for places behind it may mean other records.
                line.crossed.add(record.number)
                line.at = min(line.at, self._copy.referee.record.index(there))
        if there is None:
            self._hold(line, record)

    def _hold(self, line: Line, record: Record) -> None:
        """Keep `record` from `line` for others; of equal bodies the first, whose signature was verified."""
        first = next((known for known in self._held.values() if known.body == record.body), None)
        if first is not None:
            line.aside.add(first.payload)
        elif len(self._held) < EARLY_RECORDS:
            self._held[record.payload] = record
            self.words[record.seat] += 1
            line.aside.add(record.payload)

    def came_late(self, end: End, record: Record) -> None:
        """Note that `record` from `end` came after our match had ended with a proven fault."""
        self.vain(end)
        self.lines[end].proof.came(self._copy, record)

    @property
    def held(self) -> list[Record]:
        """The records that our copy did not take when they came, oldest first."""
        return [record for record in self._held.values() if self._there(record) is None]

    def rewound(self, number: int, before: list[Record]) -> None:
        """Follow another record that took the place `number` in our copy, whose record was `before`."""
        record = self._copy.referee.record
        self.receipts = {seat: receipt for seat, receipt in self.receipts.items() if receipt.count <= number}
        for line in self.lines.values():
            line.acknowledged = {seat: at for seat, at in line.acknowledged.items() if at <= number}
            seen = {other.payload for other in before[: line.at]}
            line.at = next((at for at, other in enumerate(record) if other.payload not in seen), len(record))
            line.has.differ(number)
            if line.proof.common is not None:  # our entries from there on were of the chain that we left
                line.proof.common = min(line.proof.common, number)
            line.rewound = True

    def ripe(self, reached: Referee) -> list[RipeRecord]:
        """The kept records that can follow now, no longer kept; `reached`: our copy, or the advance copy."""
        ripe = list[RipeRecord]()
        if not any(line.early for line in self.lines.values()):  # nearly always, and each record asks
            return ripe
        count, statements = reached.count, list(map(len, reached.statements))

        def is_ripe(record: Record) -> bool:
            if isinstance(record, Entry):
                return record.number <= count
            return record.count <= count and record.index <= statements[record.seat]

        for end, line in self.lines.items():
            for payload in [payload for payload, record in line.early.items() if is_ripe(record)]:
                record = line.early.pop(payload)
                line.early_bytes -= len(record.frame)
                ripe.append(RipeRecord(end, record))
        return ripe

    def vain(self, end: End, frames: float = 1.0) -> None:
        """Count a useless frame from `end` as so many `frames`.  Raises Malformed for too many."""
        line = self.lines[end]
        line.vain += frames
        if line.vain > VAIN_FRAMES + 2 * len(self._copy.referee.record):
            raise Malformed("The other side floods this link with what is known here.")

    def acknowledge(self, receipt: Receipt) -> None:
        """Take our own receipt; the entries are on our disk."""
        self._verified.add(receipt)
        self.receipts[receipt.seat] = receipt

    def acknowledged(self, end: End, receipt: Receipt) -> None:
        """Take a receipt from `end`.  Raises Malformed if it cannot come from there."""
        line, seat, count = self.lines[end], receipt.seat, self._copy.referee.count
        known = self.receipts.get(seat)
        if seat >= self._seats or seat == self._own or len(receipt.signature) != SIGNATURE_BYTES:
            raise Malformed("A receipt is of no seat whose receipts could come from there.")
        if receipt.count < count or (known is not None and known.count >= receipt.count):
            self.vain(end)
        elif receipt.count > count:
            line.early_receipts[seat] = receipt
        elif seat != end and not self._is_signed(receipt):
            self.vain(end, FALSE_RECEIPT)  # it can be true for another head: a Gone and an entry may cross
        else:
            self.words[seat] += 1
            self.receipts[seat] = receipt
            self._copy.acknowledged(seat, receipt.count, receipt.signature)
        if receipt in (self.receipts.get(seat), line.early_receipts.get(seat)):
            line.acknowledged[seat] = max(receipt.count, line.acknowledged.get(seat, -1))

    def note(self, author: Seat, version: int, frame: Frame, end: End | None = None) -> None:
        """Pass `frame`, a signed note of `author` beside the record, on to all seats.

        The newest note of each kind and author counts.  `end`: the carrier; None: the note is ours.
        """
        key = frame.kind, author
        if end is not None:
            self.lines[end].noted[key] = version
        if key not in self._notes or self._notes[key][0] < version:
            self._notes[key] = version, frame

    def noted(self, kind: int, author: Seat) -> int:
        """The version of the newest note of this kind and `author`; -1 if there is none."""
        return self._notes[kind, author][0] if (kind, author) in self._notes else -1

    def have(self, end: End, theirs: Have, now: float) -> None:
        """`end` says what it has and which way its links lead."""
        line = self.lines[end]
        self.vain(end)
        self._claims(line, theirs.counts, line.has.entries)
        line.wants = frozenset(theirs.wanted)
        for seat, receipt in self.receipts.items():
            if receipt.count <= theirs.receipts:
                line.acknowledged[seat] = max(receipt.count, line.acknowledged.get(seat, -1))
        if self.reach is not None:
            self.reach.update(end, theirs.hops)
        # Records that the other side now wants at once must not wait any longer.
        line.later = deque(
            (now if line.wants and item.seat in line.wants else at, item) for at, item in line.later
        )

    def _claims(self, line: Line, theirs: Counts, known: int) -> None:
        """Note that the other side says that it has `theirs`, and has shown that its first `known` entries
        are ours.

        Its later entries may differ from ours: those that we lack, and those where our copy has a Gone.
        """
        referee = self._copy.referee
        if theirs.entries > referee.count:
            line.has.differ(referee.count)
        for number in referee.table.gone.values():
            if known <= number < theirs.entries and not referee.absences.stands(number):
                line.has.differ(number)
        line.has.join(theirs)

    def _trust(self, line: Line) -> None:
        """Take entries as common where our copy has the own record of the seat that owed it: the other side
        has the same record, or a Gone, which it shows us.
        """
        referee, at = self._copy.referee, line.has.unsure
        if at is None or self._own is None:
            return
        while at < min(line.has.entries, referee.count) and referee.absences.stands(at):
            at += 1
        line.has.alike(at)

    # What goes

    def pass_on(self, now: float) -> None:
        """Send all frames that are due, on all links; all records are on the disk."""
        self._check_early_receipts()
        if self._held:
            self._held = {name: record for name, record in self._held.items() if self._there(record) is None}
        for end, line in self.lines.items():
            line.vain = max(0.0, line.vain - VAIN_FRAMES_A_SECOND * max(0.0, now - line.forgiven))
            line.forgiven = now
            if not line.compared:
                continue
            frames = [*self._records(line, now)]
            if end < self._seats:
                frames += [*self._aside(end, line), *self._receipts(end, line, now), *self._unnoted(line)]
            if frames:
                line.send(b"".join(map(bytes, frames)))
        for end, line in self.lines.items():
            if line.compared and end < self._seats:
                self._report(end, line, now)

    @property
    def due(self) -> float:
        """The time of the next call of `pass_on`, if nothing happens before."""
        times = [at for line in self.lines.values() for at, _ in line.later]
        return min([inf, *times, *(min(line.due, line.more_at) for line in self.lines.values())])

    def _records(self, line: Line, now: float) -> Iterable[Frame]:
        """The records to send now, oldest first, then the proof of a fault."""
        self._trust(line)
        record, proof = self._copy.referee.record, self._copy.fault is not None
        gone = self._copy.referee.table.gone.values()
        frames = []
        for _ in range(len(line.later)):
            at, item = line.later.popleft()
            if isinstance(item, Receipt) or (at > now and not proof):
                line.later.append((at, item))
            elif not line.has.has(item):
                frames.append(item.frame)
        room = inf if line.queued is None else RECORD_BACKLOG - line.queued()
        while line.at < len(record) and room > 0:
            item = record[line.at]
            line.at += 1
            if line.has.has(item) or item.payload in line.aside:
                continue
            # A Gone goes at once, as our own records behind it do: a copy that has another record in its
            # place would drop these.
            first = proof or (isinstance(item, Entry) and item.number in gone)
            if first or item.seat == self._own or line.wants is None or item.seat in line.wants:
                line.knows.add(item)
                frames.append(item.frame)
                room -= len(frames[-1])
            else:
                line.later.append((now + PASS_ON_AFTER, item))
        line.more_at = inf if line.at == len(record) else now + RECORDS_EVERY
        if self._copy.fault is not None and line.more_at == inf:
            frames += line.proof.due(self._copy)
        return frames

    def _aside(self, end: End, line: Line) -> Iterable[Frame]:
        """The records that our copy does not take for now, in the order in which they came."""
        for payload, record in self._held.items():
            if payload not in line.aside and record.seat != end:
                line.aside.add(payload)
                yield record.frame

    def _receipts(self, end: End, line: Line, now: float) -> Iterable[Frame]:
        """The receipts to send now: the newest of each seat, if no entry has followed it."""
        count = self._copy.referee.count
        due = {item.seat for at, item in line.later if at <= now and isinstance(item, Receipt)}
        if due:
            line.later = deque(
                (at, item) for at, item in line.later if at > now or not isinstance(item, Receipt)
            )
        for seat, receipt in self.receipts.items():
            if receipt.count != count or seat == end or line.acknowledged.get(seat, -1) >= count:
                continue
            if seat == self._own or line.wants is None or seat in line.wants or seat in due:
                if self._is_signed(receipt):
                    line.acknowledged[seat] = count
                    yield receipt_frame(self._copy.genesis.id, seat, count, receipt.signature)
            elif not any(item is receipt for _, item in line.later):
                line.later.append((now + PASS_ON_AFTER, receipt))

    def _unnoted(self, line: Line) -> Iterable[Frame]:
        for key, (version, frame) in self._notes.items():
            if line.noted.get(key, -1) < version:
                line.noted[key] = version
                yield frame

    def _check_early_receipts(self) -> None:
        count = self._copy.referee.count
        for line in self.lines.values():
            for seat, receipt in list(line.early_receipts.items()):
                if receipt.count <= count:
                    del line.early_receipts[seat]
                    if receipt.count == count and self._is_signed(receipt):
                        self.words[seat] += 1
                        self.receipts[seat] = receipt
                        self._copy.acknowledged(seat, count, receipt.signature)

    def _report(self, end: End, line: Line, now: float) -> None:
        """Send `end` a HAVE, if our distances or wishes have changed, or it must know our extent."""
        reach = self.reach
        if reach is None:
            return
        ways = reach.ways(end)
        news = ways != line.reported or line.rewound
        # A peer from which we want all records sends them at once, without a new report from us.
        if not news and len(ways[1]) == self._seats - 1:
            line.due = inf
            return
        here = counts(self._copy.position())
        if not news and line.knows.covers(here):
            line.due = inf
            return
        line.due = max(min(line.due, now + (0.0 if news else HAVE_AFTER)), line.quiet_until)
        if line.due > now:
            return
        line.due, line.quiet_until, line.reported, line.rewound = inf, now + HAVE_EVERY, ways, False
        line.knows.join(here)
        newest = max((receipt.count for receipt in self.receipts.values()), default=0)
        line.send(bytes(Have(here, newest, *ways).frame))

    # Helpers

    @property
    def _unsaid(self) -> tuple[tuple[int, ...], tuple[Seat, ...]]:
        """The distances and wishes that the other side assumes before the first HAVE."""
        nowhere = [self._seats] * self._seats
        others = [seat for seat in range(self._seats) if seat != self._own]
        if self._own is not None:
            nowhere[self._own] = 0
        return tuple(nowhere), tuple(others)

    def _there(self, record: Record) -> Record | None:
        """The record in our copy at the place of `record`, or None."""
        if isinstance(record, Entry):
            entries = self._copy.referee.entries
            return entries[record.number] if record.number < len(entries) else None
        known = self._copy.referee.statements[record.seat]
        return known[record.index] if record.index < len(known) else None

    def _is_signed(self, receipt: Receipt) -> bool:
        """Whether a receipt for our present count is well signed; each is checked once."""
        if receipt in self._verified:
            return True
        copy, seat, count = self._copy, receipt.seat, receipt.count
        if not receipts.is_signed(copy.genesis, seat, count, copy.referee.head, receipt.signature):
            return False
        if len(self._verified) >= self._seats:
            self._verified.clear()
        self._verified.add(receipt)
        return True
