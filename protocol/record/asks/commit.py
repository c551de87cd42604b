"""Commit: a seat lays faces under slots, with one commitment for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from p2p_stratego.core.game import Ask, Commit, Face, Slot
from p2p_stratego.core.values import frozen
from protocol.crypto.commitment import hide_face
from protocol.record.asks.base import (
    AskKind,
    BrokenRule,
    MessageKind,
    Obligation,
    Script,
    SeatLeft,
    Secrets,
    Table,
)
from protocol.record.claims import RecordedClaim
from protocol.wire.messages import Message, Shape, digests


@frozen
class Commitments(Message):
    """One commitment (32 bytes) for each slot of a Commit, in its order; 1 to 256."""

    digests: tuple[bytes, ...]


def script(table: Table, ask: Commit, whole: Ask | None = None) -> Script[None]:
    """One message: a commitment for each slot.  `whole`: the Together that `ask` is part of, or None."""
    try:
        message: Commitments = yield Obligation(ask.seat, Commitments, whole or ask, ask)
    except SeatLeft:
        table.never_laid.update(ask.slots)
        return
    if len(message.digests) != len(ask.slots):
        raise BrokenRule("wrong-count")
    table.lay(ask.seat, ask.slots, message.digests, ask.faces)
    if ask.exactly:
        table.ledger.add(
            RecordedClaim(ask.seat, "wrong-faces", ask.slots, ask.faces, exactly=True, number=table.number)
        )


def _commitments(
    secrets: Secrets, table: Table, owed: Obligation, _: Mapping[Slot, Face]
) -> Commitments | None:
    game, seat, decided = table.genesis.id, owed.seat, secrets.decided.get(table.serial)
    if decided is None:
        return None
    laid = zip(cast("Commit", owed.part).slots, cast("tuple[Face, ...]", decided), strict=True)
    return Commitments(
        tuple(hide_face(game, seat, slot, face, secrets.salt(game, seat, slot)) for slot, face in laid)
    )


KIND: Final = AskKind(
    Commit,
    script,
    (
        MessageKind(
            Shape(4, Commitments, (digests,)),
            _commitments,
            "what it lays face down",
            ("digests",),
            decision=True,
        ),
    ),
)
