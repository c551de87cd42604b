"""Receipts: a seat's signature that it has the record up to a head, and so knows its next obligation.

A receipt enters the record only inside an AWAY.  Only the accused's own signature over the head behind which
it owes proves a silence: without that signature the record may never have reached the seat (decision 12).

    receipt = sign(seat's key, "sign receipt", game id ‖ [seat, count, head])
"""

from __future__ import annotations

from p2p_stratego.core.game import Seat
from protocol.crypto.keys import Identity
from protocol.record.genesis import Genesis
from protocol.wire import labels
from protocol.wire.encoding import encode


def sign(identity: Identity, genesis: Genesis, seat: Seat, count: int, head: bytes) -> bytes:
    """The receipt (64 bytes) of `seat`, which has admitted `count` entries up to `head` (32 bytes)."""
    return identity.sign(labels.SIGN_RECEIPT, genesis.id + encode((seat, count, head)))


def is_signed(genesis: Genesis, seat: Seat, count: int, head: bytes, receipt: bytes) -> bool:
    """Whether `receipt` (64 bytes) is a receipt of `seat` over `count` entries and `head` (32 bytes)."""
    return genesis.signed(seat, labels.SIGN_RECEIPT, encode((seat, count, head)) + receipt)
