"""Choose: a seat names one of the options in public."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from p2p_stratego.core.game import Choose, Face, Move, Slot
from p2p_stratego.core.values import frozen
from protocol.record.asks.base import AskKind, BrokenRule, MessageKind, Obligation, Script, Secrets, Table
from protocol.wire.messages import Message, Shape, move


@frozen
class Choice(Message):
    """A public choice: 1 to 32 printable ASCII characters."""

    move: Move


def script(_: Table, ask: Choose) -> Script[Move]:
    """One message: the choice."""
    choice: Choice = yield Obligation(ask.seat, Choice, ask, ask)
    if choice.move not in ask.options:
        raise BrokenRule("illegal-choice")
    return choice.move


def _choice(secrets: Secrets, table: Table, _: Obligation, __: Mapping[Slot, Face]) -> Choice | None:
    decided = secrets.decided.get(table.serial)
    return None if decided is None else Choice(cast("Move", decided))


KIND: Final = AskKind(
    Choose,
    script,
    (MessageKind(Shape(1, Choice, (move,)), _choice, "a choice", ("move",), decision=True),),
)
