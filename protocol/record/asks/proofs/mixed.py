"""Mix under proofs: a shuffle under the seat's own key; one card is moved."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Mix
from protocol.crypto.proofs.card import Card
from protocol.record.asks.base import AskKind, Left, Script, Table
from protocol.record.asks.proofs.ground import own
from protocol.record.asks.proofs.moved import moved
from protocol.record.asks.proofs.shuffled import shuffled


def script(table: Table, ask: Mix) -> Script[None]:
    """One message.  The old slots are dead from then on.

    If the seat is gone and all can read its cards, they lie under the new slots in order.
    """
    if not table.never_laid.isdisjoint(ask.old):
        table.never_laid.update(ask.new)
        return
    cards = own(table, ask.seat, ask.old)
    if len(ask.new) != len(ask.old) or not ask.old:
        raise RuntimeError("the rules mix more slots into fewer, or none")
    new = yield from _new(table, ask, cards)
    if new is None:
        table.never_laid.update(ask.new)
        return
    for slot, one in zip(ask.new, new, strict=True):
        table.lay_card(ask.seat, slot, one)
    table.dead.update(ask.old)
    table.cards.mixes += 1


def _new(table: Table, ask: Mix, cards: tuple[Card, ...]) -> Script[tuple[Card, ...] | None]:
    if ask.seat not in table.gone:
        try:
            if len(cards) > 1:
                return (yield from shuffled(table, ask.seat, ask, ask))
            found = yield from moved(table, ask.seat, ask)
        except Left:
            found = None
        if found is not None and ask.seat not in table.gone:
            return tuple(found)
    return cards if ask.seat in table.cards.released else None


KIND: Final = AskKind(Mix, script)
