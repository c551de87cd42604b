"""Commit: a seat lays faces under slots, with one commitment for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from p2p_stratego.core.game import Ask, Commit, Face, Slot
from p2p_stratego.core.values import frozen
from protocol.crypto.permutation import permutation, uniform
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
from protocol.wire.messages import Message, Shape, digests


@frozen
class Commitments(Message):
    """One commitment (32 bytes) for each slot of a Commit, in its order; 1 to 256."""

    digests: tuple[bytes, ...]


def script(table: Table, ask: Commit, whole: Ask | None = None) -> Script[None]:
    """One message: a commitment for each slot.  `whole`: the Together that `ask` is part of, or None."""
    try:
        message: Commitments = yield Obligation(ask.seat, Commitments, whole or ask, ask)
    except SeatLeft:
        table.leave_out(*ask.slots)
        return
    if len(message.digests) != len(ask.slots):
        raise BrokenRule("wrong-count")
    table.lay(ask.seat, ask.slots, message.digests, ask.faces)
    if ask.exactly:
        table.ledger.add(
            RecordedClaim(ask.seat, "wrong-faces", ask.slots, ask.faces, exactly=True, number=table.number)
        )


def faces_laid(secrets: Secrets, game: bytes, serial: int, ask: Commit) -> tuple[Face, ...] | None:
    """The faces that the seat of `ask` lays, by slot; None while its player has not decided.

    Faces that are not chosen come from the seat's secrets: uniform, and the same after a crash.
    """
    if ask.chosen:
        return cast("tuple[Face, ...] | None", secrets.decided.get(serial))
    seed = secrets.faces_seed(game, ask.seat, serial)
    if ask.exactly:
        faces = sorted(ask.faces)
        return tuple(faces[place] for place in permutation(seed, len(faces)))
    faces = sorted(set(ask.faces))
    return tuple(faces[uniform(seed, place, len(faces))] for place in range(len(ask.slots)))


def _commitments(
    secrets: Secrets, table: Table, owed: Obligation, _: Mapping[Slot, Face]
) -> Commitments | None:
    ask = cast("Commit", owed.part)
    faces = faces_laid(secrets, table.genesis.id, table.serial, ask)
    return None if faces is None else Commitments(commitments(secrets, table, owed.seat, ask.slots, faces))


KIND: Final = AskKind(
    Commit,
    script,
    (
        MessageKind(
            Shape(4, Commitments, (digests,)),
            _commitments,
            "what it lays face down",
            ("digests",),
            decision=True,
        ),
    ),
)
