"""Tokens: the other seats give them so that one seat, or all, can read cards that nobody can read alone.

A token decrypts.  So a seat gives tokens only for the cards that the Ask under way names, out of a deck that
it has verified.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2p_stratego.core.game import Draw, Face, Give, Open, Seat, Show, Slot
from p2p_stratego.core.values import frozen
from protocol.crypto.proofs import tokens
from protocol.crypto.proofs.card import Card
from protocol.record.asks.base import AskPart, MessageKind, Obligation, Script, SeatLeft, Secrets, Table
from protocol.record.asks.proofs.ground import (
    card_under,
    closed,
    exact_bytes,
    part_bytes,
    party,
    prover,
    require_bytes,
)
from protocol.wire.messages import Message, Shape


@frozen
class Tokens(Message):
    """One token (32 bytes) a card that is not for the seat itself, in order, and one proof (64 bytes)."""

    tokens: bytes
    proof: bytes


def wanted(table: Table, part: AskPart) -> list[tuple[Card, Seat | None]]:
    """The cards for which `part` asks tokens, each with the seat that is to read it; None: all seats."""
    if isinstance(part, Draw):
        viewers = [seat for seat, slots in part.hands for _ in slots]
        return list(zip(table.cards.top(part.deck, len(viewers)), viewers, strict=True))
    if isinstance(part, Open):
        return [(card_under(table, part.slot), None)]
    if isinstance(part, Show | Give):
        return [(card_under(table, slot), part.seat) for slot in closed(table, part.slots)]
    raise RuntimeError(f"nobody gives tokens for {part!r}")


def given(table: Table, part: Draw | Open | Show | Give) -> Script[list[dict[Seat, bytes]]]:
    """One message of each seat that has a token to give, in order.  Returns by card the tokens by seat."""
    cards, asked = table.cards, wanted(table, part)
    tokens_by_card: list[dict[Seat, bytes]] = [{} for _ in asked]
    for seat in tuple(cards.keys):
        places = [place for place, (_, viewer) in enumerate(asked) if viewer != seat]
        if not places:
            continue
        firsts = [asked[place][0].a for place in places]
        own_tokens: tuple[bytes, ...] | None = None
        if seat not in table.gone:
            try:
                message: Tokens = yield Obligation(seat, Tokens, part, part)
            except SeatLeft:
                pass
            else:
                require_bytes(message.tokens, 32 * len(firsts))
                own_tokens = tokens.check(party(table, seat), firsts, message.tokens, message.proof)
                cards.proofs += 1
        if own_tokens is None:
            own_tokens = tokens.compute(cards.released[seat], firsts)
        for place, token in zip(places, own_tokens, strict=True):
            tokens_by_card[place][seat] = token
    return tokens_by_card


def _tokens(secrets: Secrets, table: Table, owed: Obligation, _: Mapping[Slot, Face]) -> Tokens:
    firsts = [card.a for card, viewer in wanted(table, owed.part) if viewer != owed.seat]
    return Tokens(*tokens.give(prover(secrets, table, owed.seat), firsts))


KIND: Final = MessageKind(
    Shape(19, Tokens, (part_bytes(32), exact_bytes(64))),
    _tokens,
    "its part in turning cards up",
    ("tokens", "proof"),
)
