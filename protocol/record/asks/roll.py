"""Roll: joint chance that no seat can steer or foresee (threats 6 and 7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2p_stratego.core.game import Face, Roll, Slot
from p2p_stratego.core.values import frozen
from protocol.crypto.coin_toss import MAX_SIDES, follows, result
from protocol.record.asks.base import (
    AskKind,
    BrokenRule,
    MessageKind,
    Obligation,
    Script,
    SeatLeft,
    Secrets,
    Table,
)
from protocol.record.genesis import chain_length
from protocol.wire.messages import Message, Shape, bytes32


@frozen
class Share(Message):
    """A seat's part in a Roll: the next link (32 bytes) of the hash chain whose anchor is in the genesis."""

    link: bytes


def script(table: Table, ask: Roll) -> Script[int]:
    """One message a seat: the next link of its chance chain.  If a seat leaves, the others begin again.

    Otherwise the last seat to show its share could choose between two known results, by leaving.
    """
    if not 0 < ask.sides <= MAX_SIDES or table.rolls >= table.genesis.game.most_rolls:
        raise RuntimeError("the rules roll more, or with more sides, than they may")
    shares = None
    while shares is None:
        table.tosses += 1
        if table.tosses > len(table.tossed):
            table.tossed.append((yield from _shares(table, ask)))
        shares = table.tossed[table.tosses - 1]  # a Roll that was taken back falls alike: nobody gains luck
    table.rolls += 1
    return result(table.genesis.id, table.tosses - 1, shares, ask.sides)


def _shares(table: Table, ask: Roll) -> Script[list[bytes] | None]:
    """The shares of all present seats, by seat; None if a seat leaves meanwhile.

    The first seat rotates: the last seat learns the result before the others, and can leave.
    """
    seats = len(table.links)
    first = (table.tosses - 1) % seats
    there = [seat for seat in (*range(first, seats), *range(first)) if seat not in table.gone]
    for seat in there:
        try:
            share: Share = yield Obligation(seat, Share, ask, ask)
        except SeatLeft:
            return None
        if not follows(seat, share.link, table.links[seat]):
            raise BrokenRule("wrong-link")
        table.links[seat] = share.link
        table.shares[seat] += 1
    return [table.links[seat] for seat in sorted(there)]


def _share(secrets: Secrets, table: Table, owed: Obligation, _: Mapping[Slot, Face]) -> Share:
    return Share(secrets.link(owed.seat, chain_length(table.genesis.game), table.shares[owed.seat] + 1))


KIND: Final = AskKind(
    Roll, script, (MessageKind(Shape(6, Share, (bytes32,)), _share, "its share of a roll", ("link",)),)
)
