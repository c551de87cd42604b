"""Receipts of seats that have all the entries, for the seat that will accuse them of being away."""

from __future__ import annotations

from collections.abc import Mapping

from protocol.crypto.keys import Identity
from protocol.record import receipts
from protocol.seat.session import Session


def give_receipts(session: Session, identities: Mapping[int, Identity]) -> None:
    """Give `session` the receipts of all other seats; `identities`: their keys, by seat."""
    referee = session.referee
    for seat, identity in identities.items():
        if seat != session.seat:
            receipt = receipts.sign(identity, session.genesis, seat, referee.count, referee.head)
            session.copy.acknowledged(seat, referee.count, receipt)
