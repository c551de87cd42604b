"""Shuffled: cards in another order, with the proof: the answer to Shuffle, Mix and Commit of an exact set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, cast

from p2p_stratego.core.game import Ask, Commit, Face, Mix, Seat, Shuffle, Slot
from p2p_stratego.core.values import frozen
from protocol.crypto.proofs import shuffle
from protocol.crypto.proofs.card import CARD_BYTES, Card, joined
from protocol.crypto.proofs.shuffle import ShuffleJob, proof_bytes
from protocol.crypto.proofs.verification import CardProof
from protocol.record.asks.base import (
    MessageKind,
    Obligation,
    RemoteReply,
    Script,
    Secrets,
    Table,
)
from protocol.record.asks.commit import faces_laid
from protocol.record.asks.proofs.ground import context, own, part_bytes, require_bytes
from protocol.record.entries import SHUFFLE
from protocol.wire.messages import Message, Shape

MOST: Final = 168
"""Cards of one shuffle: with their proof they fill 32 KiB."""


@frozen
class Shuffled(Message):
    """Cards in a new order (64 bytes each), and the proof that their faces are the same."""

    cards: bytes
    proof: bytes


def shuffled(table: Table, seat: Seat, whole: Ask, part: Shuffle | Mix | Commit) -> Script[tuple[Card, ...]]:
    """One message of `seat`: the cards that `part` is about, two or more, in another order."""
    key, before = subject(table, seat, part)
    ctx, count = context(table, seat), len(before)
    if not shuffle.FEWEST <= count <= MOST:
        raise RuntimeError(f"the rules shuffle {count} cards at once")

    def statement(message: Shuffled) -> CardProof | None:
        fits = len(message.cards) == CARD_BYTES * count and len(message.proof) == proof_bytes(count)
        return shuffle.ShuffleProof(ctx, key, joined(before), message.cards, message.proof) if fits else None

    message: Shuffled = yield Obligation(seat, Shuffled, whole, part, statement)
    require_bytes(message.cards, CARD_BYTES * count)
    require_bytes(message.proof, proof_bytes(count))
    after = shuffle.check(ctx, key, before, message.cards, message.proof)
    table.cards.proofs += 1
    return after


def subject(table: Table, seat: Seat, part: Shuffle | Mix | Commit) -> tuple[bytes, tuple[Card, ...]]:
    """The key (32 bytes) of the cards that `part` is about, and these cards."""
    cards = table.cards
    if isinstance(part, Shuffle):
        return cards.joint, cards.decks[part.deck]
    if isinstance(part, Mix):
        return cards.keys[seat], own(table, seat, part.old)
    return cards.keys[seat], tuple(cards.public(face, seat) for face in sorted(part.faces))


def order_of(wanted: Sequence[Face], faces: Sequence[Face]) -> tuple[int, ...]:
    """By place of `wanted`, the place of the same face among `faces`, which hold as many of each."""
    places: defaultdict[Face, list[int]] = defaultdict(list)
    for place, face in enumerate(faces):
        places[face].append(place)
    return tuple(places[face].pop(0) for face in wanted)


def _job(secrets: Secrets, table: Table, owed: Obligation, known: Mapping[Slot, Face]) -> ShuffleJob | None:
    part = cast("Shuffle | Mix | Commit", owed.part)
    order: tuple[int, ...] | None = None
    if isinstance(part, Commit) or (isinstance(part, Mix) and part.chosen):
        decided = (
            faces_laid(secrets, table.genesis.id, table.serial, part)
            if isinstance(part, Commit)
            else cast("tuple[Face, ...] | None", secrets.decided.get(table.serial))
        )
        if decided is None:
            return None
        faces = sorted(part.faces) if isinstance(part, Commit) else [known[slot] for slot in part.old]
        order = order_of(decided, faces)
    key, before = subject(table, owed.seat, part)
    nonces = secrets.nonces(table.genesis.id, owed.seat)
    return ShuffleJob(context(table, owed.seat), key, joined(before), order, nonces)


def _message(result: tuple[bytes, bytes]) -> Shuffled:
    return Shuffled(*result)


def _shuffled(
    secrets: Secrets, table: Table, owed: Obligation, known: Mapping[Slot, Face]
) -> Shuffled | None:
    job = _job(secrets, table, owed, known)
    return None if job is None else _message(job.run())


KIND: Final = MessageKind(
    Shape(SHUFFLE, Shuffled, (part_bytes(64), part_bytes(32))),
    _shuffled,
    "its shuffle of cards",
    ("cards", "proof"),
    decision=True,
    job=RemoteReply(_job, _message),
)
