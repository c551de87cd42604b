"""Gone: the entry that takes a silent seat out of the match, in the place of the entry that the seat owes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NoReturn

from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.core.values import frozen
from protocol.errors import Malformed
from protocol.record.asks.base import MessageKind, Obligation, Secrets, Table
from protocol.wire.messages import Message, Shape


@frozen
class Gone(Message):
    """The word of the decider that `seat`, which owes this entry, is gone.

    `aways`: the payloads of the AWAYs of all accusers, by seat ascending.
    """

    seat: Seat
    aways: tuple[bytes, ...]


def _seat(value: object) -> Seat:
    if type(value) is int:
        return value
    raise Malformed("A Gone names no seat.")


def _aways(value: object) -> tuple[bytes, ...]:
    payloads = [item for item in value if type(item) is bytes] if type(value) is list else []
    if payloads and payloads == value:
        return tuple(payloads)
    raise Malformed("A Gone does not hold the statements of others.")


def _never(_: Secrets, __: Table, ___: Obligation, ____: Mapping[Slot, Face]) -> NoReturn:
    raise RuntimeError("no rules ask for a Gone")


KIND: Final = MessageKind(
    Shape(15, Gone, (_seat, _aways)), _never, "word that a silent seat is gone", ("seat",)
)
