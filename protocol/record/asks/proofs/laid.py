"""Commit under proofs: an exact set is a shuffle of the public list, a free choice is proved card by card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from p2p_stratego.core.game import Ask, Commit, Face, Slot, Together
from p2p_stratego.core.values import frozen
from protocol.crypto.group.received import scalars
from protocol.crypto.proofs import card, membership
from protocol.crypto.proofs.card import CARD_BYTES, Card, parse
from protocol.record.asks.base import (
    AskKind,
    MessageKind,
    Obligation,
    Script,
    SeatLeft,
    Secrets,
    Table,
)
from protocol.record.asks.commit import faces_laid
from protocol.record.asks.proofs.ground import part_bytes, party, prover, require_bytes
from protocol.record.asks.proofs.keys import ready
from protocol.record.asks.proofs.shuffled import shuffled
from protocol.wire.messages import Message, Shape

MOST_BYTES: Final = 15_000
"""Bytes of the fields of one message; a seat lays more slots in several messages, one after the other."""


@frozen
class Laid(Message):
    """Cards of the seat's own (64 bytes each), each with the proof that it shows a permitted face.

    A proof has 64 bytes for each permitted face.
    """

    cards: bytes
    proofs: bytes


def script(table: Table, ask: Commit, whole: Ask | None = None) -> Script[None]:
    """One message, or several for many slots; none for a single card that all know.

    Once a match the keys come first.  `whole`: the Together that `ask` is part of, or None.
    """
    yield from ready(table, whole or ask, ask)
    if ask.exactly and len(ask.faces) != len(ask.slots):
        raise RuntimeError("the rules name an exact set that does not fit its slots")
    for part in (ask,) if ask.exactly else _parts(ask):
        if ask.seat in table.gone:
            table.leave_out(*part.slots)
            continue
        try:
            cards = yield from (_exactly if ask.exactly else _freely)(table, part, whole or ask)
        except SeatLeft:
            table.leave_out(*part.slots)
        else:
            for slot, laid in zip(part.slots, cards, strict=True):
                table.lay_card(ask.seat, slot, laid, ask.faces)


def _exactly(table: Table, part: Commit, whole: Ask) -> Script[tuple[Card, ...]]:
    if len(part.slots) == 1:
        return tuple(table.cards.public(face, part.seat) for face in part.faces)
    return (yield from shuffled(table, part.seat, whole, part))


def _freely(table: Table, part: Commit, whole: Ask) -> Script[tuple[Card, ...]]:
    message: Laid = yield Obligation(part.seat, Laid, whole, part)
    tuples, count = _tuples(part), len(part.slots)
    length = membership.proof_bytes(len(tuples))
    require_bytes(message.cards, CARD_BYTES * count)
    require_bytes(message.proofs, length * count)
    cards, layer = parse(message.cards, count), party(table, part.seat)
    # SPEC P4.2 before P4.3: every point and scalar of a message is checked before its first proof.
    scalars(message.proofs, 2 * len(tuples) * count)
    for place, laid in enumerate(cards):
        proof = message.proofs[length * place : length * (place + 1)]
        membership.check(layer, (laid,), tuples, proof, "impossible-face")
    table.cards.proofs += count
    return cards


def _tuples(part: Commit) -> tuple[tuple[Face, ...], ...]:
    """The faces that one card may show, ascending."""
    return tuple((face,) for face in sorted(set(part.faces)))


def _parts(ask: Commit) -> list[Commit]:
    """`ask` in parts whose slots each fit one message."""
    most = max(1, MOST_BYTES // (CARD_BYTES + membership.proof_bytes(len(_tuples(ask)))))
    return [replace(ask, slots=ask.slots[at : at + most]) for at in range(0, len(ask.slots), most)]


def _laid(secrets: Secrets, table: Table, owed: Obligation, _: Mapping[Slot, Face]) -> Laid | None:
    part = cast("Commit", owed.part)
    asks = owed.ask.asks if isinstance(owed.ask, Together) else (owed.ask,)
    whole = next(ask for ask in asks if isinstance(ask, Commit) and ask.seat == owed.seat)
    faces = faces_laid(secrets, table.genesis.id, table.serial, whole)
    if faces is None:
        return None
    laid = dict(zip(whole.slots, faces, strict=True))
    layer, tuples = prover(secrets, table, owed.seat), _tuples(part)
    cards, proofs = [], []
    for slot in part.slots:
        new = membership.lay(layer, slot, laid[slot])
        cards.append(new)
        proofs.append(membership.prove(layer, (new,), tuples, tuples.index((laid[slot],))))
    return Laid(card.joined(cards), b"".join(proofs))


KIND: Final = AskKind(
    Commit,
    script,
    (
        MessageKind(
            Shape(23, Laid, (part_bytes(64), part_bytes(64))),
            _laid,
            "what it lays face down, with proofs",
            ("cards", "proofs"),
            decision=True,
        ),
    ),
)
