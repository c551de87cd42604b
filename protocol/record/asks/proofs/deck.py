"""NewDeck, Shuffle, Draw and Lay: a deck that no seat deals."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Draw, Lay, NewDeck, Shuffle
from protocol.crypto.proofs import card
from protocol.crypto.proofs.shuffle import FEWEST
from protocol.record.asks.base import AskKind, Script, SeatLeft, Table
from protocol.record.asks.proofs import keys, shuffled, tokens

MOST_DECKS: Final = 256


def new_deck(table: Table, ask: NewDeck) -> Script[None]:
    """No message, but once a match the keys: every seat computes the public cards by itself."""
    yield from keys.ready(table, ask, ask)
    cards = table.cards
    if ask.deck in cards.decks or not 0 <= ask.deck < MOST_DECKS or not 0 < len(ask.faces) <= shuffled.MOST:
        raise RuntimeError(f"the rules lay deck {ask.deck} twice, or with too many cards")
    key = cards.joint
    public = {face: card.public(face, key) for face in set(ask.faces)}
    cards.decks[ask.deck] = tuple(public[face] for face in ask.faces)


def shuffle(table: Table, ask: Shuffle) -> Script[None]:
    """One message of each seat, in order; none for fewer than two cards, which have no order to hide."""
    cards = table.cards
    if cards.shuffled >= table.genesis.game.most_shuffles:
        raise RuntimeError("the rules shuffle more often than they may")
    cards.shuffled += 1
    for seat in tuple(cards.keys):
        if seat in table.gone or len(cards.decks[ask.deck]) < FEWEST:
            continue
        try:
            cards.decks[ask.deck] = yield from shuffled.shuffled(table, seat, ask, ask)
        except SeatLeft:
            continue
        cards.shuffles += 1


def draw(table: Table, ask: Draw) -> Script[None]:
    """One message of each seat that gives tokens; afterwards each card is under the key of its drawer.

    A seat that is gone still draws, so that the deck stays as the rules count it; all can read those cards.
    """
    cards = table.cards
    slots = [(seat, slot) for seat, hand in ask.hands for slot in hand]
    top = cards.top(ask.deck, len(slots))
    given = yield from tokens.given(table, ask)
    cards.decks[ask.deck] = cards.decks[ask.deck][len(slots) :]
    for (seat, slot), drawn, by_seat in zip(slots, top, given, strict=True):
        table.lay_card(seat, slot, card.without(drawn, list(by_seat.values())))


def lay(table: Table, ask: Lay) -> Script[None]:
    """No message: the cards lie there under the joint key."""
    cards = table.cards
    for slot, top in zip(ask.slots, cards.top(ask.deck, len(ask.slots)), strict=True):
        table.lay_card(None, slot, top)
    cards.decks[ask.deck] = cards.decks[ask.deck][len(ask.slots) :]
    yield from ()


KINDS: Final = (
    AskKind(NewDeck, new_deck, keys.KINDS),
    AskKind(Shuffle, shuffle, (shuffled.KIND,)),
    AskKind(Draw, draw, (tokens.KIND,)),
    AskKind(Lay, lay),
)
