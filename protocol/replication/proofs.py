"""The proof of a fault on its way to the other side of one link, which may hold another chain than ours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from protocol.channel.limits import MAX_PROOFS
from protocol.record.gathering import differs_at
from protocol.record.statements import Record
from protocol.seat.follower import Follower
from protocol.wire.encoding import Frame


@dataclass(slots=True)
class Outgoing:
    """What has gone over one link of the proof that our copy holds."""

    begun: bool = False
    forked: int | None = None
    """The lowest place where a record from there stands beside another one of ours."""
    sent_for: int | None = None
    """For which such place the last PROOF went there."""
    sent: int = 0
    """How many went there."""

    def came(self, copy: Follower, record: Record) -> None:
        """`record` came from there after our match had ended: it can show where the other chain parts."""
        place = differs_at(copy.referee, record)
        if place is not None and (self.forked is None or place < self.forked):
            self.forked = place

    def due(self, copy: Follower) -> Iterator[Frame]:
        """The frames to send now: the records that prove the fault, once; then all, for another chain."""
        if self.begun and self.sent_for == self.forked:
            return
        if not self.begun:
            yield from copy.evidence
        if self.sent < MAX_PROOFS and (proof := copy.proof(self.forked)) is not None:
            self.sent += 1
            yield proof
        self.begun, self.sent_for = True, self.forked
