"""The common ground of Asks about cards: the prover, the place of a proof, and the card under a slot."""

from __future__ import annotations

from collections.abc import Sequence

from p2p_stratego.core.game import Seat, Slot
from protocol.crypto.group.hashing import Context
from protocol.crypto.group.received import NOT_A_MESSAGE, ProofError
from protocol.crypto.proofs.card import Card, unchecked
from protocol.crypto.proofs.party import Party, Prover
from protocol.errors import Malformed
from protocol.record.asks.base import Secrets, Table
from protocol.wire.messages import FieldCheck


def context(table: Table, seat: Seat) -> Context:
    """The context in which a proof of `seat` holds: this match, the Ask under way, this seat."""
    return Context(table.genesis.id, table.serial, seat)


def party(table: Table, seat: Seat) -> Party:
    """`seat` as a prover whose key the others know."""
    return Party(context(table, seat), table.cards.keys[seat])


def prover(secrets: Secrets, table: Table, seat: Seat) -> Prover:
    """`seat`, the owner of `secrets`, as a prover."""
    game = table.genesis.id
    return Prover(context(table, seat), secrets.deck_key(game, seat), secrets.nonces(game, seat))


def card_under(table: Table, slot: Slot) -> Card:
    """The card under a live slot.  Raises RuntimeError for any other slot, a bug of the rules."""
    return unchecked(table.live(slot).commitment)[0]


def closed(table: Table, slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """The slots among `slots` that are not open to all, in order."""
    if len(set(slots)) != len(slots):
        raise RuntimeError("the rules name a slot twice")
    return tuple(slot for slot in slots if table.live(slot) and slot not in table.faces)


def holder(table: Table, slots: Sequence[Slot]) -> Seat | None:
    """The seat that can read the cards under `slots` (at least one slot); None if no seat can alone."""
    holders = {table.live(slot).seat for slot in slots}
    if len(holders) != 1:
        raise RuntimeError(f"the rules ask one thing of slots {slots}, which have several holders")
    return holders.pop()


def own(table: Table, seat: Seat, slots: Sequence[Slot]) -> tuple[Card, ...]:
    """The cards under `slots`, which `seat` holds."""
    if any(table.live(slot).seat != seat for slot in slots) or len(set(slots)) != len(slots):
        raise RuntimeError(f"the rules ask seat {seat} about slots {slots}, which are not all its own")
    return tuple(card_under(table, slot) for slot in slots)


def require_bytes(data: bytes, length: int) -> None:
    """Raise ProofError unless a field has the length that the Ask calls for.

    This check comes before that of any point (SPEC P4.1).
    """
    if len(data) != length:
        raise ProofError(NOT_A_MESSAGE)


def part_bytes(unit: int) -> FieldCheck:
    """The check of a field that is made of whole units of `unit` bytes; the Ask fixes their number."""

    def check(value: object) -> bytes:
        if type(value) is bytes and value and len(value) % unit == 0:
            return value
        raise Malformed(f"A field about cards is not made of whole {unit} bytes.")

    return check


def exact_bytes(*lengths: int) -> FieldCheck:
    """The check of a field that has one of these lengths."""

    def check(value: object) -> bytes:
        if type(value) is bytes and len(value) in lengths:
            return value
        raise Malformed(f"A field about cards is not {' or '.join(map(str, lengths))} bytes.")

    return check
