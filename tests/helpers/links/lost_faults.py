"""A culprit at a table of three that is taken out while what it signs goes to one seat, and PROOFs of it."""

from __future__ import annotations

from protocol.channel.channel import Sync
from protocol.record import statements
from protocol.record.evidence import Evidence
from protocol.record.genesis import chain_length
from protocol.record.statements import Kind
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame, encode
from tests.helpers.links.gossiping import Gossiping

CULPRIT = 1


class Dead:
    """What the culprit signs behind entry 0, in the place of which the others put a Gone."""

    def __init__(self, table: Gossiping) -> None:
        self._table = table
        self._referee = table.seats[0].session.referee
        self._identity = table.owners[CULPRIT].identity
        self.genesis = self._referee.genesis

    def entry(self, value: object, number: int = 1, previous: bytes | None = None) -> Frame:
        body = encode((number, CULPRIT, self._referee.heads[1] if previous is None else previous, value))
        return Frame(ENTRY, body + self._sign(labels.SIGN_ENTRY, body))

    @property
    def share(self) -> Frame:
        """The entry that it owes."""
        secrets = self._table.seats[CULPRIT].store.secrets
        link = secrets.link(CULPRIT, chain_length(self.genesis.game), 1)
        return self.entry([6, link])

    def says(self, count: int, head: bytes, kind: Kind, *content: object) -> Frame:
        known = self._referee.statement_heads[CULPRIT]
        body = statements.body(CULPRIT, (len(known) - 1, known[-1]), (count, head), kind, content)
        return Frame(STATEMENT, body + self._sign(labels.SIGN_STATEMENT, body))

    def _sign(self, label: bytes, body: bytes) -> bytes:
        return self._identity.sign(label, self.genesis.id + body)


def no_message(dead: Dead) -> list[Frame]:
    return [dead.entry(["nothing"])]


def call(table: Gossiping, seat: int) -> None:
    """The culprit calls an honest seat, and says that it has the same copy."""
    end = table.seats[seat]
    end.linked(lambda _: None, CULPRIT)
    end.received([Sync(end.match.id, end.session.position()).frame], CULPRIT)


def useless(table: Gossiping) -> Frame:
    """A PROOF over our own chain that proves nothing."""
    referee = table.seats[0].session.referee
    frame = Evidence(1, referee.heads[1], (Dead(table).share,)).frame
    assert frame is not None
    return frame
