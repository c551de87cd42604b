"""A place of a match of four, and every record about who is away there that some key could sign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from protocol.record import statements
from protocol.record.asks.registry import CODEC
from protocol.record.silence.gone import Gone
from protocol.record.statements import Kind
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, encode
from tests.helpers.seats.pair import Table


@dataclass
class Scene:
    """A match of four under way: `owner` owes entry `number`, and `follower` the one behind it."""

    mesh: Table
    number: int
    owner: int
    follower: int

    @property
    def decider(self) -> int:
        return max({0, 1, 2, 3} - {self.owner})

    @property
    def accusers(self) -> list[int]:
        return sorted({0, 1, 2, 3} - {self.owner, self.decider})

    @property
    def before(self) -> list[Frame]:
        """A whole copy up to entry `number`."""
        return [frame for frame in self.mesh.seats[0].log if not self._later(frame)]

    def _later(self, frame: Frame) -> bool:
        later = self.mesh.seats[0].session.referee.entries[self.number :]
        return frame.payload in {entry.payload for entry in later}

    def entries(self, count: int = 2) -> list[Frame]:
        """The honest entries from `number` on."""
        return [e.frame for e in self.mesh.seats[0].session.referee.entries[self.number :]][:count]

    def says(
        self, seat: int, kind: Kind, *content: object, over: int = 0, after: Sequence[Frame] = ()
    ) -> Frame:
        """The next statement of `seat`, `over` entries behind `number`; `after`: its own forged ones."""
        referee = self.mesh.seats[seat].session.referee
        made = [statements.parse(frame.payload) for frame in after]
        index = len(referee.statements[seat]) + len(made)
        head = statements.statement_hash(made[-1].body) if made else referee.statement_heads[seat][-1]
        count = self.number + over
        body = statements.body(seat, (index, head), (count, referee.heads[count]), kind, content)
        return Frame(STATEMENT, body + self.sign(seat, labels.SIGN_STATEMENT, body))

    def away(self, seat: int) -> Frame:
        return self.says(seat, Kind.AWAY, self.owner, 60, b"")

    def gone(self, seat: int, aways: Sequence[Frame]) -> Frame:
        heads = self.mesh.seats[seat].session.referee.heads
        message = CODEC.value(Gone(self.owner, tuple(frame.payload for frame in aways)))
        body = encode((self.number, seat, heads[self.number], message))
        return Frame(ENTRY, body + self.sign(seat, labels.SIGN_ENTRY, body))

    def sign(self, seat: int, label: bytes, body: bytes) -> bytes:
        return self.mesh.seats[seat].identity.sign(label, self.mesh.begun.id + body)


def scenes(mesh: Table) -> list[Scene]:
    """All places of a match behind which an entry of another seat stands, if nobody has said anything yet."""
    if any(len(seat.session.referee.statements[seat.seat]) != 1 for seat in mesh.seats):
        return []
    return [
        Scene(mesh, entry.number, entry.seat, following.seat)
        for entry, following in pairwise(mesh.seats[0].session.referee.entries)
        if entry.seat != following.seat
    ]
