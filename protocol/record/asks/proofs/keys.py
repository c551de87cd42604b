"""The seats' keys for cards: sent before the first card is laid, and given to all when a seat is gone.

The keys come in the first Ask that lays or deals cards; with an escrow each seat then deals its key in
shares.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from p2p_stratego.core.game import Ask, Face, Seat, Slot
from p2p_stratego.core.values import frozen
from protocol.crypto.group.backend import group
from protocol.crypto.group.received import points, written
from protocol.crypto.proofs import escrow, keys
from protocol.record.asks.base import AskPart, MessageKind, Obligation, Script, SeatLeft, Secrets, Table
from protocol.record.asks.proofs.ground import context, exact_bytes, part_bytes, party, prover, require_bytes
from protocol.wire.messages import Message, Shape, bytes32


@frozen
class Keys(Message):
    """The seat's key for cards (32 bytes), and the proof (64 bytes) that it knows the secret.

    `share_key`: 32 bytes if the match has an escrow, else none.
    """

    key: bytes
    proof: bytes
    share_key: bytes


@frozen
class Escrowed(Message):
    """The seat's key in shares, for t seats to give it to all if the seat is gone.

    `commitments`: 32 bytes each, t − 1; `ephemeral`: a point and its proof, 96 bytes; `pads`: the hidden
    shares of the other seats in order, 32 bytes each.
    """

    commitments: bytes
    ephemeral: bytes
    pads: bytes


@frozen
class Released(Message):
    """The share (32 bytes) that the seat has of the key of a seat that is gone."""

    share: bytes


class KeyLost(Exception):
    """`seat` is gone, and without its key no card of a deck can be read any more."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        super().__init__(seat)


def ready(table: Table, whole: Ask, part: AskPart) -> Script[None]:
    """Before the first card: one message a seat, its key; with an escrow a second message a seat, the shares.

    If a seat left before it sent its key, no seat deals shares: the share of the seat that left would be open
    to all.
    """
    cards = table.cards
    if cards.asked:
        return
    cards.asked = True
    for seat in range(len(table.genesis.players)):
        if seat in table.gone:
            cards.without_key(seat)
            continue
        try:
            message: Keys = yield Obligation(seat, Keys, whole, part)
        except SeatLeft:
            cards.without_key(seat)
            continue
        require_bytes(message.share_key, 32 if table.genesis.escrow else 0)
        if table.genesis.escrow:
            (cards.share_keys[seat],) = points(message.share_key, 1)
        keys.check(context(table, seat), message.key, message.proof, tuple(cards.keys.values()))
        keys.joint([*cards.keys.values(), message.key])
        cards.keys[seat] = cards.sent[seat] = message.key
        cards.keys_at[seat] = table.number
        cards.proofs += 1
    if table.genesis.escrow and len(cards.keys_at) == len(table.genesis.players):
        for seat in tuple(cards.keys):
            if seat not in table.gone:
                yield from _deal(table, whole, part, seat)


def _deal(table: Table, whole: Ask, part: AskPart, seat: Seat) -> Script[None]:
    cards, seats, threshold = table.cards, len(table.genesis.players), table.genesis.escrow
    try:
        message: Escrowed = yield Obligation(seat, Escrowed, whole, part)
    except SeatLeft:
        return
    fields = message.commitments, message.ephemeral, message.pads
    cards.deals[seat] = escrow.check_deal(party(table, seat), seats, threshold, fields)
    cards.deals_at[table.number] = seat
    cards.proofs += 1


def recovered(table: Table, during: Obligation) -> Script[None]:
    """After a seat has left: with an escrow, the shares of other seats make its key public.

    One message of each seat that is still there, in order, until the threshold is reached.  Raises KeyLost if
    no card of a deck can be read any more.
    """
    cards = table.cards
    while (lost := _lost(table)) is not None:
        shares = cards.shares.setdefault(lost, {})
        missing = [seat for seat in cards.keys if seat not in table.gone and seat not in shares]
        threshold = table.genesis.escrow
        if lost not in cards.deals or len(shares) + len(missing) < threshold:
            _do_without(table, lost)
        elif len(shares) >= threshold:
            chosen = sorted(shares)[:threshold]
            cards.released[lost] = escrow.combine({seat: shares[seat] for seat in chosen})
        else:
            seat = missing[0]
            try:
                message: Released = yield Obligation(seat, Released, during.ask, during.part)
            except SeatLeft:
                continue
            shares[seat] = escrow.read_share(cards.deals[lost], seat, message.share)


def can_be_spared(table: Table, seat: Seat, left: Collection[Seat] = ()) -> bool:
    """Whether a match of three or more can go on if `seat` leaves now in silence: see `recovered`.

    `left`: seats that have resigned, and leave where they next owe an entry: they release no more shares.
    """
    cards = table.cards
    if not table.genesis.game.needs_proofs or seat not in cards.keys or seat in cards.released:
        return True
    if seat not in cards.deals:
        return not _counts(table, seat)
    there = cards.keys.keys() - table.gone.keys() - {seat, *left}
    return len(there | cards.shares.get(seat, {}).keys()) >= table.genesis.escrow


def can_spare(table: Table, present: Collection[Seat]) -> int:
    """How many of the `present` seats can leave in silence, one by one, before a game with decks ends.

    The least number: shares that were released in advance are not counted.
    """
    cards, threshold = table.cards, table.genesis.escrow
    coming = not cards.decks and len(cards.keys_at.keys() | table.gone.keys()) == len(cards.keys_at)
    serves = coming or all(seat in cards.deals for seat in present)
    return max(len(present) - threshold, 0) if threshold and serves else 0


def _counts(table: Table, seat: Seat) -> bool:
    """Whether anything was under the key of `seat`."""
    return bool(table.cards.decks) or any(hidden.seat == seat for hidden in table.hidden.values())


def _do_without(table: Table, lost: Seat) -> None:
    """Go on without a key that cannot be recovered: no card was under it, or its cards stay closed for ever.

    Raises KeyLost in a game with decks: its rules need every card.
    """
    cards = table.cards
    if not _counts(table, lost):
        cards.without_key(lost)
    elif table.genesis.game.needs_proofs:
        raise KeyLost(lost)
    else:
        cards.lost.add(lost)


def _lost(table: Table) -> Seat | None:
    """The first seat that is gone and whose key is still wanted, or None."""
    cards = table.cards
    wanted = cards.keys.keys() - cards.released.keys() - cards.lost
    return next((seat for seat in table.gone if seat in wanted), None)


def _keys(secrets: Secrets, table: Table, owed: Obligation, _: Mapping[Slot, Face]) -> Keys:
    game, seat = table.genesis.id, owed.seat
    key_and_proof = keys.prove(context(table, seat), secrets.deck_key(game, seat), secrets.nonces(game, seat))
    return Keys(*key_and_proof, group().base(secrets.share_key(game, seat)) if table.genesis.escrow else b"")


def _escrowed(secrets: Secrets, table: Table, owed: Obligation, _: Mapping[Slot, Face]) -> Escrowed:
    share_keys = [table.cards.share_keys[seat] for seat in range(len(table.genesis.players))]
    return Escrowed(*escrow.deal(prover(secrets, table, owed.seat), share_keys, table.genesis.escrow))


def _released(secrets: Secrets, table: Table, owed: Obligation, _: Mapping[Slot, Face]) -> Released:
    lost = _lost(table)
    if lost is None:
        raise RuntimeError("no seat is gone whose key is wanted")
    z = secrets.share_key(table.genesis.id, owed.seat)
    share = escrow.share(table.cards.deals[lost], owed.seat, z)
    if share is None:
        raise RuntimeError("our seat took a share that does not fit, and did not complain")
    return Released(written(share))


KINDS: Final = (
    MessageKind(
        Shape(16, Keys, (bytes32, exact_bytes(64), exact_bytes(0, 32))),
        _keys,
        "its key for cards",
        ("key", "proof", "share_key"),
    ),
    MessageKind(
        Shape(17, Escrowed, (part_bytes(32), exact_bytes(96), part_bytes(32))),
        _escrowed,
        "its key for cards, in shares",
        ("commitments", "ephemeral", "pads"),
    ),
    MessageKind(
        Shape(24, Released, (bytes32,)), _released, "its share of the key of a seat that is gone", ("share",)
    ),
)
