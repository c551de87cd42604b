"""What a seat's secrets answer to what it owes: pure functions of the record and the secrets.

Nothing here takes a path that depends on a face still hidden (threat 40).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from p2p_stratego.core.game import Commit, Face, Move, Open, Roll, Seat, Slot
from protocol.crypto.commitment import hide_choice
from protocol.record.asks import Owed
from protocol.record.referee import Referee
from protocol.seat.secrets import MatchSecrets
from protocol.wire.messages import (
    Choice,
    Commitments,
    HiddenChoice,
    Message,
    Opening,
    Share,
    ShownChoice,
)


def reply(secrets: MatchSecrets, referee: Referee, owed: Owed, own: Mapping[Slot, Face]) -> Message | None:
    """The message that `owed.seat`, whose secrets these are, owes; None while its player has not decided.

    `own`: the faces it laid.
    """
    game, seat, table = referee.genesis.id, owed.seat, referee.table
    part = owed.part
    if isinstance(part, Open):
        return _opening(secrets, referee, seat, part.slot, own)
    if isinstance(part, Roll):
        return Share(secrets.link(seat, referee.genesis.game.most_rolls, table.rolls + 1))
    decided = secrets.decided.get(table.serial)
    if decided is None:
        return None
    if isinstance(part, Commit):
        laid = zip(part.slots, cast("tuple[Face, ...]", decided), strict=True)
        salted = ((slot, face, secrets.salt(game, seat, slot)) for slot, face in laid)
        return Commitments(tuple(table.hiding.commit(game, seat, *one) for one in salted))
    move = cast("Move", decided)
    if owed.message is Choice:
        return Choice(move)
    salt = secrets.choice_salt(game, seat, table.serial)
    if owed.message is HiddenChoice:
        return HiddenChoice(hide_choice(game, seat, table.serial, move, salt))
    return ShownChoice(move, salt)


def openings(
    secrets: MatchSecrets, referee: Referee, seat: Seat, own: Mapping[Slot, Face]
) -> tuple[Opening, ...]:
    """The openings with which `seat`, whose secrets these are, settles its claims."""
    slots = referee.table.ledger.due(seat, referee.count)
    return tuple(_opening(secrets, referee, seat, slot, own) for slot in slots)


def _opening(
    secrets: MatchSecrets, referee: Referee, seat: Seat, slot: Slot, own: Mapping[Slot, Face]
) -> Opening:
    return Opening(own[slot], secrets.salt(referee.genesis.id, seat, slot))
