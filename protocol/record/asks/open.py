"""Open: the owner of a slot turns it up for all."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Final, cast

from p2p_stratego.core.game import Face, Open, Seat, Slot
from p2p_stratego.core.values import frozen
from protocol.crypto.commitment import hide_face
from protocol.record.asks.base import AskKind, BrokenRule, MessageKind, Obligation, Script, Secrets, Table
from protocol.wire.messages import Message, Shape, bytes32, face


@frozen
class Opening(Message):
    """The face (0 to 127) under a slot and its salt (32 bytes): equally long for all faces (threat 39)."""

    face: Face
    salt: bytes


def script(table: Table, ask: Open) -> Script[Face]:
    """One message: the owner's opening."""
    opening: Opening = yield Obligation(table.owner(ask.slot), Opening, ask, ask)
    check_opening(table, ask.slot, opening)
    table.faces[ask.slot] = opening.face
    table.ledger.open(ask.slot, table.number)
    return opening.face


def check_opening(table: Table, slot: Slot, opening: Opening) -> None:
    """Raise BrokenRule unless `opening` fits the commitment under `slot` and shows a face allowed there."""
    hidden = table.hidden[slot]
    seat = hidden.seat or 0  # never None: a salted hash always has a holder
    digest = hide_face(table.genesis.id, seat, slot, opening.face, opening.salt)
    if not hmac.compare_digest(digest, hidden.commitment):
        raise BrokenRule("wrong-opening")
    if opening.face not in hidden.faces:
        raise BrokenRule("impossible-face")


def opening_of(secrets: Secrets, table: Table, seat: Seat, slot: Slot, own: Mapping[Slot, Face]) -> Opening:
    """The opening of `slot`, which `seat` laid, from its secrets."""
    salt = secrets.salt(table.genesis.id, seat, slot, table.hidden[slot].taken_back)
    return Opening(own[slot], salt)


def _opening(secrets: Secrets, table: Table, owed: Obligation, own: Mapping[Slot, Face]) -> Opening:
    return opening_of(secrets, table, owed.seat, cast("Open", owed.part).slot, own)


KIND: Final = AskKind(
    Open,
    script,
    (
        MessageKind(
            Shape(5, Opening, (face, bytes32)), _opening, "the opening of a hidden card", ("face", "salt")
        ),
    ),
)
