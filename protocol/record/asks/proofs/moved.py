"""Moved: the same card under another key, proved by its holder: shown, given, or put back into a deck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from p2p_stratego.core.game import Back, Face, Give, Mix, OpenTo, Seat, Show, Slot
from p2p_stratego.core.sides import remaining
from p2p_stratego.core.values import frozen
from protocol.crypto.group.received import scalars
from protocol.crypto.proofs import card, move
from protocol.crypto.proofs.card import CARD_BYTES, Card
from protocol.record.asks.base import AskKind, MessageKind, Obligation, Script, SeatLeft, Secrets, Table
from protocol.record.asks.proofs.ground import (
    card_under,
    closed,
    holder,
    part_bytes,
    party,
    prover,
    require_bytes,
)
from protocol.record.asks.proofs.tokens import given
from protocol.record.cards import Readable
from protocol.wire.messages import Message, Shape

MOST: Final = 100
"""Cards of one message, which fill 16 KiB."""


@frozen
class Moved(Message):
    """Cards under another key (64 bytes each), each with the proof (96 bytes) that the face is the same."""

    cards: bytes
    proofs: bytes


def moved(table: Table, seat: Seat, part: OpenTo | Show | Give | Back | Mix) -> Script[list[Card] | None]:
    """One message of `seat`, which holds the cards: each card under the new key.

    If the seat is gone, all compute the cards from its released secret; None if there is no such secret.
    """
    key, slots = _subject(table, part)
    if len(slots) > MOST:
        raise RuntimeError(f"the rules move {len(slots)} cards at once")
    if seat not in table.gone:
        try:
            message: Moved = yield Obligation(seat, Moved, part, part)
        except SeatLeft:
            pass
        else:
            return _checked(table, seat, part, message)
    if seat not in table.cards.released:
        return None
    return [card.public(table.cards.read(seat, card_under(table, slot)), key) for slot in slots]


def _checked(table: Table, seat: Seat, part: OpenTo | Show | Give | Back | Mix, message: Moved) -> list[Card]:
    key, slots = _subject(table, part)
    require_bytes(message.cards, CARD_BYTES * len(slots))
    require_bytes(message.proofs, move.PROOF_BYTES * len(slots))
    # SPEC P4.2 before P4.3: every point and scalar of a message is checked before its first proof.
    card.parse(message.cards, len(slots))
    scalars(message.proofs, 3 * len(slots))
    cards = []
    for place, slot in enumerate(slots):
        new = message.cards[CARD_BYTES * place : CARD_BYTES * (place + 1)]
        proof = message.proofs[move.PROOF_BYTES * place : move.PROOF_BYTES * (place + 1)]
        cards.append(move.check(party(table, seat), card_under(table, slot), key, new, proof))
    table.cards.proofs += len(slots)
    return cards


def _subject(table: Table, part: OpenTo | Show | Give | Back | Mix) -> tuple[bytes, tuple[Slot, ...]]:
    """The new key (32 bytes), and the slots whose cards come under it."""
    cards = table.cards
    if isinstance(part, OpenTo):
        return cards.keys[part.seat], (part.slot,)
    if isinstance(part, Mix):
        return cards.keys[part.seat], part.old
    slots = closed(table, part.slots)
    return (cards.joint if isinstance(part, Back) else cards.keys[part.seat]), slots


def open_to(table: Table, ask: OpenTo) -> Script[None]:
    """One message of the holder: the card under the viewer's key.  No message if the holder is gone."""
    if table.lacks(ask.slot):
        return
    seat = table.live(ask.slot).seat
    if seat is None or seat == ask.seat or ask.slot in table.faces:
        raise RuntimeError(
            f"the rules show slot {ask.slot} to a seat that can read it, or out of nobody's hand"
        )
    new = yield from moved(table, seat, ask)
    if new is not None:
        table.cards.log.append(Readable(ask.seat, ask.slot, new[0]))
        table.cards.looks += 1


def pass_on(table: Table, ask: Show | Give) -> Script[None]:
    """For closed cards a message of their holder; if nobody holds them, a message of each other seat.

    A seat that is gone is shown and given nothing.
    """
    left = _remaining(table, ask)
    if not isinstance(left, Show | Give):
        return
    viewer, hidden = left.seat, closed(table, left.slots)
    new = {slot: table.cards.public(table.faces[slot], viewer) for slot in left.slots if slot in table.faces}
    giver = holder(table, hidden) if hidden else viewer
    under = {slot: card_under(table, slot) for slot in hidden}
    if giver is None:
        tokens_by_card = yield from given(table, left)
        for (slot, closed_card), tokens in zip(under.items(), tokens_by_card, strict=True):
            new[slot] = card.without(closed_card, list(tokens.values()))
    elif giver == viewer:
        new |= under
    elif (cards := (yield from moved(table, giver, left))) is not None:
        new |= zip(hidden, cards, strict=True)
    _lay(table, left, new, first=giver is None)


def _lay(table: Table, ask: Show | Give, new: Mapping[Slot, Card], *, first: bool) -> None:
    """Lay the cards that the viewer can read now; `first`: nobody held the closed cards before."""
    if isinstance(ask, Show):
        for slot, copy in zip(ask.slots, ask.copies, strict=True):
            if slot in new:
                table.lay_card(ask.seat, copy, new[slot])
                table.cards.log.append(Readable(ask.seat, slot, new[slot]))
            else:
                table.leave_out(copy)
        table.cards.looks += len(new)
    for slot, new_card in new.items():
        if isinstance(ask, Give) or (first and slot not in table.faces):
            table.put(ask.seat, slot, new_card)


def _remaining(table: Table, ask: Show | Give | Back) -> Show | Give | Back | None:
    """The part of `ask` that can still take place, or None; copies that it leaves out are noted."""
    missing = set(filter(table.lacks, ask.slots))
    left = remaining(ask, table.gone, missing)
    table.leave_out(*missing)
    return left


def back(table: Table, ask: Back) -> Script[None]:
    """For closed cards a message of their holder, if any; then all cards go to the bottom, in order."""
    left = _remaining(table, ask)
    if not isinstance(left, Back):
        return
    cards, hidden = table.cards, closed(table, left.slots)
    new = {slot: cards.public(table.faces[slot], None) for slot in left.slots if slot in table.faces}
    giver = holder(table, hidden) if hidden else None
    if giver is None:
        new |= {slot: card_under(table, slot) for slot in hidden}
    elif (cards_back := (yield from moved(table, giver, left))) is not None:
        new |= zip(hidden, cards_back, strict=True)
    cards.decks[ask.deck] += tuple(new[slot] for slot in left.slots if slot in new)
    table.bury(*left.slots)


def _moved(secrets: Secrets, table: Table, owed: Obligation, _: Mapping[Slot, Face]) -> Moved:
    key, slots = _subject(table, cast("OpenTo | Show | Give | Back | Mix", owed.part))
    giver = prover(secrets, table, owed.seat)
    moves = [move.move(giver, card_under(table, slot), key) for slot in slots]
    return Moved(b"".join(new for new, _ in moves), b"".join(proof for _, proof in moves))


MOVED: Final = MessageKind(
    Shape(21, Moved, (part_bytes(64), part_bytes(96))),
    _moved,
    "a card under another key",
    ("cards", "proofs"),
)
KINDS: Final = (
    AskKind(OpenTo, open_to, (MOVED,)),
    AskKind(Show, pass_on),
    AskKind(Give, pass_on),
    AskKind(Back, back),
)
