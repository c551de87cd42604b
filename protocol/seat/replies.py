"""The messages that a seat owes: pure functions of the record and the seat's secrets."""

from __future__ import annotations

from collections.abc import Mapping

from p2p_stratego.core.game import Face, Seat, Slot
from protocol.crypto.group.received import written
from protocol.record.asks.base import Obligation
from protocol.record.asks.open import Opening, opening_of
from protocol.record.asks.registry import KINDS
from protocol.record.referee import Referee
from protocol.seat.secrets import MatchSecrets
from protocol.wire.messages import MAX_SLOTS, Message


def reply(
    secrets: MatchSecrets, referee: Referee, owed: Obligation, own: Mapping[Slot, Face]
) -> Message | None:
    """The message that `owed.seat`, the owner of `secrets`, owes; None until its player has decided.

    `own`: by slot, the faces that this seat laid.
    """
    return KINDS[owed.message].reply(secrets, referee.table, owed, own)


def parts(referee: Referee, seat: Seat) -> list[int]:
    """The numbers of the parts of its REVEAL that `seat` owes: each has a slot that is not open yet."""
    faces = referee.table.faces
    due = enumerate(referee.table.ledger.due(seat, referee.count))
    return sorted({place // MAX_SLOTS for place, slot in due if slot not in faces})


def openings(
    secrets: MatchSecrets, referee: Referee, seat: Seat, own: Mapping[Slot, Face], part: int = 0
) -> tuple[Opening, ...]:
    """The openings in part `part` of the REVEAL of `seat`, the owner of `secrets`."""
    slots = referee.table.ledger.part(seat, referee.count, part)
    return tuple(opening_of(secrets, referee.table, seat, slot, own) for slot in slots)


def key_to_give(secrets: MatchSecrets, referee: Referee, seat: Seat) -> tuple[bytes, ...]:
    """The content of a RESIGN of `seat`, the owner of `secrets`.

    In a game with decks, the secret of its key for cards (32 bytes): the others need it to go on alone.
    Otherwise nothing.
    """
    if not referee.gives_key(seat, referee.count):
        return ()
    return (written(secrets.deck_key(referee.genesis.id, seat)),)
