"""Open under proofs: the holder shows the face with a proof; of a card without a holder, all give tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from p2p_stratego.core.game import Face, Open, Slot
from p2p_stratego.core.values import frozen
from protocol.crypto.proofs import opening
from protocol.record.asks.base import AskKind, MessageKind, Obligation, Script, SeatLeft, Secrets, Table
from protocol.record.asks.proofs.ground import card_under, part_bytes, party, prover, require_bytes
from protocol.record.asks.proofs.tokens import given
from protocol.wire.messages import Message, Shape


@frozen
class Opened(Message):
    """The face (one byte) and its proof (64 bytes): equally long for all faces (threat 39)."""

    faces: bytes
    proofs: bytes


def script(table: Table, ask: Open) -> Script[Face | None]:
    """One message of the holder, or one of each seat; no message if all can see the face already.

    Returns None if the slot was never laid, or if its holder is gone and nobody else can read the card.
    """
    if table.lacks(ask.slot):
        return None
    holder = table.live(ask.slot).seat
    face = table.faces.get(ask.slot)
    if face is None and holder is None:
        card = card_under(table, ask.slot)
        face = table.cards.opened(card, (yield from given(table, ask))[0])
    elif face is None and holder not in table.gone:
        face = yield from _shown(table, ask)
    if face is None and holder in table.cards.released:
        face = table.cards.read(holder, card_under(table, ask.slot))
    if face is not None and ask.slot not in table.faces:
        table.faces[ask.slot] = face
        table.ledger.open(ask.slot, table.number)
    return face


def _shown(table: Table, ask: Open) -> Script[Face | None]:
    """The face that the holder shows; None if it leaves."""
    holder = cast("int", table.live(ask.slot).seat)
    try:
        message: Opened = yield Obligation(holder, Opened, ask, ask)
    except SeatLeft:
        return None
    require_bytes(message.faces, 1)
    require_bytes(message.proofs, opening.PROOF_BYTES)
    opening.check(party(table, holder), card_under(table, ask.slot), message.faces[0], message.proofs)
    table.cards.proofs += 1
    return message.faces[0]


def _opened(secrets: Secrets, table: Table, owed: Obligation, known: Mapping[Slot, Face]) -> Opened:
    slot = cast("Open", owed.part).slot
    card, face = card_under(table, slot), known[slot]
    return Opened(bytes((face,)), opening.open_card(prover(secrets, table, owed.seat), card, face))


KIND: Final = AskKind(
    Open,
    script,
    (
        MessageKind(
            Shape(20, Opened, (part_bytes(1), part_bytes(64))),
            _opened,
            "the proved opening of a hidden card",
            ("faces", "proofs"),
        ),
    ),
)
