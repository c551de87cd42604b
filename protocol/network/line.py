"""One link of a copy: what its other side has, and what is still to go there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

from p2p_stratego.core.game import Seat
from protocol.network.have import Counts
from protocol.network.proofs import Outgoing
from protocol.record import statements
from protocol.record.entries import Entry, parse_entry
from protocol.record.statements import Statement
from protocol.wire.encoding import ENTRY, Frame

End: TypeAlias = int
"""The other end of a link: a seat or, from the number of seats on, a spectator."""
Record: TypeAlias = Entry | Statement
Send: TypeAlias = Callable[[bytes], None]
Queued: TypeAlias = Callable[[], int]
"""The bytes that wait for the other side of a link to read."""
Key: TypeAlias = tuple[int, Seat]
"""Names a note: the kind of its frame, and its author."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A receipt of `seat` for `count` entries; `signature`: 64 bytes."""

    seat: Seat
    count: int
    signature: bytes


@dataclass(slots=True)
class Line:
    """One link: what its other side has, and what is still to go there."""

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
    """Of a spectator's link: only so much is queued there; a player's gets all at once."""
    at: int = 0
    """How many of our records were looked at for this link."""
    more_at: float = inf
    """When to look whether there is room for more of them."""
    crossed: set[int] = field(default_factory=set)
    """The places where a late record from there met a Gone here."""
    aside: set[bytes] = field(default_factory=set)
    """The payloads that were passed on there though our copy does not hold them yet."""
    later: deque[tuple[float, Record | Receipt]] = field(default_factory=deque)
    """Records to send at their time, unless the other side shows that it has them."""
    wants: frozenset[Seat] | None = None
    """The seats whose records are to go there at once; None: all."""
    acknowledged: dict[Seat, int] = field(default_factory=dict)
    """By seat, the count of its newest receipt that the other side has or was sent."""
    noted: dict[Key, int] = field(default_factory=dict)
    """The versions of the notes that the other side has or was sent."""
    proof: Outgoing = field(default_factory=Outgoing)
    early: dict[bytes, Record] = field(default_factory=dict)
    """The records from there that do not follow yet, by payload; parsed, as each new one tries them all."""
    early_bytes: int = 0
    early_receipts: dict[Seat, Receipt] = field(default_factory=dict)
    reported: tuple[tuple[int, ...], tuple[Seat, ...]] = ((), ())
    """The distances and wishes that the other side knows."""
    due: float = inf
    """When the next HAVE is to go there."""
    quiet_until: float = -inf
    vain: float = 0.0
    """Frames from there that brought nothing, less those forgiven."""
    forgiven: float = inf
    """When some were forgiven last."""


def parse_record(frame: Frame) -> Record:
    """The entry or statement in `frame`; its signature is not checked.  Raises Malformed."""
    return parse_entry(frame.payload) if frame.kind == ENTRY else statements.parse(frame.payload)
