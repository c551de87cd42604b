"""Mix under proofs: a shuffle under the seat's own key; a single card is moved instead."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Mix
from protocol.crypto.proofs.card import Card
from protocol.record.asks.base import AskKind, Script, SeatLeft, Table
from protocol.record.asks.proofs.ground import own
from protocol.record.asks.proofs.moved import moved
from protocol.record.asks.proofs.shuffled import shuffled


def script(table: Table, ask: Mix) -> Script[None]:
    """One message.  Afterwards the old slots are dead.

    If the seat is gone and all can read its cards, the cards lie under the new slots in their old order.
    """
    if any(map(table.lacks, ask.old)):
        table.leave_out(*ask.new)
        return
    cards = own(table, ask.seat, ask.old)
    if len(ask.new) != len(ask.old) or not ask.old:
        raise RuntimeError("the rules mix more slots into fewer, or none")
    new = yield from _new(table, ask, cards)
    if new is None:
        table.leave_out(*ask.new)
        return
    for slot, card in zip(ask.new, new, strict=True):
        table.lay_card(ask.seat, slot, card)
    table.bury(*ask.old)
    table.cards.mixes += 1


def _new(table: Table, ask: Mix, cards: tuple[Card, ...]) -> Script[tuple[Card, ...] | None]:
    if ask.seat not in table.gone:
        try:
            if len(cards) > 1:
                return (yield from shuffled(table, ask.seat, ask, ask))
            moved_cards = yield from moved(table, ask.seat, ask)
        except SeatLeft:
            moved_cards = None
        if moved_cards is not None and ask.seat not in table.gone:
            return tuple(moved_cards)
    return cards if ask.seat in table.cards.released else None


KIND: Final = AskKind(Mix, script)
