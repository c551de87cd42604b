"""Mix: a seat lays faces of its own again under new slots, in an order that nobody else learns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from p2p_stratego.core.game import Face, Mix, Slot
from p2p_stratego.core.values import frozen
from protocol.record.asks.base import (
    AskKind,
    BrokenRule,
    MessageKind,
    Obligation,
    Script,
    SeatLeft,
    Secrets,
    Table,
    commitments,
)
from protocol.record.claims import RecordedClaim
from protocol.wire.messages import MAX_SLOTS, Message, Shape, digests


@frozen
class Mixed(Message):
    """One commitment (32 bytes) for each new slot of a Mix, in its order; 1 to 256."""

    digests: tuple[bytes, ...]


def script(table: Table, ask: Mix) -> Script[None]:
    """One message: a commitment for each new slot.  Afterwards the old slots are dead."""
    old = [table.live(slot) for slot in ask.old]
    if any(hidden.seat != ask.seat for hidden in old) or len(set(ask.old)) != len(ask.old):
        raise RuntimeError("the rules mix slots that are not the seat's own, or one of them twice")
    if len(ask.new) != len(ask.old) or not 0 < len(ask.new) <= MAX_SLOTS:
        raise RuntimeError("the rules mix more slots into fewer, or too many at once")
    try:
        message: Mixed = yield Obligation(ask.seat, Mixed, ask, ask)
    except SeatLeft:
        table.leave_out(*ask.new)
        return
    if len(message.digests) != len(ask.new):
        raise BrokenRule("wrong-count")
    shown = [table.faces.get(slot) for slot in ask.old]
    faces = frozenset[Face]().union(
        *(hidden.faces if face is None else (face,) for hidden, face in zip(old, shown, strict=True))
    )
    table.lay(ask.seat, ask.new, message.digests, faces)
    table.bury(*ask.old)
    table.ledger.add(
        RecordedClaim(ask.seat, ask.rule, ask.new, (), exactly=True, number=table.number, same_as=ask.old)
    )


def faces_laid(
    secrets: Secrets, game: bytes, serial: int, ask: Mix, own: Mapping[Slot, Face]
) -> tuple[Face, ...] | None:
    """The faces that the seat of `ask` lays, by new slot; None until its player decides.

    If the player does not choose the order, the seat's secrets fix it: uniform, and the same after a crash.
    """
    if ask.chosen:
        return cast("tuple[Face, ...] | None", secrets.decided.get(serial))
    order = secrets.mix_order(game, ask.seat, serial, len(ask.old))
    return tuple(own[ask.old[place]] for place in order)


def _mixed(secrets: Secrets, table: Table, owed: Obligation, own: Mapping[Slot, Face]) -> Mixed | None:
    ask = cast("Mix", owed.part)
    faces = faces_laid(secrets, table.genesis.id, table.serial, ask, own)
    return None if faces is None else Mixed(commitments(secrets, table, ask.seat, ask.new, faces))


KIND: Final = AskKind(
    Mix,
    script,
    (
        MessageKind(
            Shape(9, Mixed, (digests,)),
            _mixed,
            "what it lays again, mixed",
            ("digests",),
            decision=True,
        ),
    ),
)
