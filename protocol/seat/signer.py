"""The hand of one seat: it signs what the session has decided to say, and nothing else."""

from __future__ import annotations

from p2p_stratego.core.game import Seat
from protocol.crypto.keys import Identity
from protocol.record import receipts, statements
from protocol.record.genesis import Genesis
from protocol.record.referee import Referee
from protocol.record.statements import Content, Kind
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame
from protocol.wire.messages import Message


class Signer:
    """Signs for `seat` of a match, each record in the place that the record so far leaves for it."""

    def __init__(self, identity: Identity, genesis: Genesis, seat: Seat) -> None:
        self._identity, self._genesis, self._seat = identity, genesis, seat

    def entry(self, referee: Referee, message: Message) -> Frame:
        """The next entry, which our seat owes."""
        body = referee.entry_body(message)
        return Frame(ENTRY, body + self._sign(labels.SIGN_ENTRY, body))

    def gone(self, referee: Referee) -> Frame:
        """The entry that takes the seat which owes it out of the match; our seat is the decider."""
        body = referee.gone_body()
        return Frame(ENTRY, body + self._sign(labels.SIGN_ENTRY, body))

    def statement(self, referee: Referee, kind: Kind, content: Content = ()) -> Frame:
        """The next statement of our seat, over all entries."""
        after = (len(referee.statements[self._seat]), referee.said[self._seat][-1])
        body = statements.body(self._seat, after, (referee.count, referee.head), kind, content)
        return Frame(STATEMENT, body + self._sign(labels.SIGN_STATEMENT, body))

    def receipt(self, referee: Referee) -> bytes:
        """Our receipt (64 bytes) for all entries."""
        return receipts.sign(self._identity, self._genesis, self._seat, referee.count, referee.head)

    def _sign(self, label: bytes, body: bytes) -> bytes:
        return self._identity.sign(label, self._genesis.id + body)
