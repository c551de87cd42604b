"""Roll: joint chance that no seat can steer or foresee."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2p_stratego.core.game import Face, Roll, Slot
from protocol.crypto.coin_toss import MAX_SIDES, follows, result
from protocol.record.asks.base import AskKind, Broken, MessageKind, Owed, Script, Secrets, Table
from protocol.wire.messages import Message, Shape, bytes32
from protocol.wire.values import frozen


@frozen
class Share(Message):
    """A seat's part in a Roll: the next link (32 bytes) of the hash chain it committed to in the genesis."""

    link: bytes


def script(table: Table, ask: Roll) -> Script[int]:
    """One message a seat, in their order: the next link of its chance chain."""
    if not 0 < ask.sides <= MAX_SIDES or table.rolls >= table.genesis.game.most_rolls:
        raise RuntimeError("the rules roll more, or with more sides, than they may")
    shares = []
    for seat, previous in enumerate(table.links):
        said: Share = yield Owed(seat, Share, ask, ask)
        if not follows(seat, said.link, previous):
            raise Broken("wrong-link")
        shares.append(said.link)
    table.links = shares
    table.rolls += 1
    return result(table.genesis.id, table.rolls - 1, shares, ask.sides)


def _share(secrets: Secrets, table: Table, owed: Owed, _: Mapping[Slot, Face]) -> Share:
    return Share(secrets.link(owed.seat, table.genesis.game.most_rolls, table.rolls + 1))


KIND: Final = AskKind(
    Roll, script, (MessageKind(Shape(6, Share, (bytes32,)), _share, "its share of a roll", ("link",)),)
)
