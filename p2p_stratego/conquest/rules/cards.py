"""The 42 action cards: their kinds, the pile, and the number that draws several of them.

Everybody knows the cards of the pile, nobody their order; so a pile is a count by kind.  A card is its kind,
0 to 6, in the order of the rule page; like cards are alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import prod
from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.core.language import mark

Card: TypeAlias = int
"""A kind of card, 0 to 6."""
Counts: TypeAlias = tuple[int, ...]
"""Seven numbers, by kind."""

BLITZ, REGROUP, REINFORCE, SECRET, SURPRISE, NEW_SPY, TRAITOR = range(7)
CARDS: Final[tuple[Card, ...]] = tuple(range(7))


class Kind(NamedTuple):
    """A kind of card."""

    name: str
    """As in moves and scenarios."""
    title: str
    """For people; marked, so that it is translated where it is shown."""
    in_all: int


KINDS: Final[tuple[Kind, ...]] = (
    Kind("blitz", mark("Blitz!"), 13),
    Kind("regroup", mark("Regroup"), 11),
    Kind("reinforce", mark("Reinforcement"), 6),
    Kind("secret", mark("Secret information"), 5),
    Kind("surprise", mark("Surprise attack"), 4),
    Kind("new-spy", mark("New spy"), 2),
    Kind("traitor", mark("Traitor"), 1),
)
CARD_NAMES: Final[tuple[str, ...]] = tuple(kind.name for kind in KINDS)
CARD_NAMED: Final[dict[str, Card]] = {name: card for card, name in enumerate(CARD_NAMES)}
IN_ALL: Final[Counts] = tuple(kind.in_all for kind in KINDS)
NUMBER: Final = sum(IN_ALL)
A_ROLL: Final = 6
"""Cards that one Roll draws at most: 42·41·40·39·38·37 sides are fewer than 2^32."""


class Pile(NamedTuple):
    """The cards that can still be drawn."""

    counts: Counts
    traitor_last: bool
    """The Traitor lies under all others."""

    @property
    def size(self) -> int:
        return sum(self.counts)

    def next_ones(self) -> Counts:
        """By kind, how many cards can be the next one; at least one in all unless the pile is empty."""
        if self.traitor_last and self.size > 1:
            return (*self.counts[:TRAITOR], 0)
        return self.counts

    def without(self, card: Card) -> Pile:
        """The pile after this card was drawn from it."""
        left = list(self.counts)
        left[card] -= 1
        return Pile(tuple(left), self.traitor_last and card != TRAITOR)


FULL: Final = Pile(IN_ALL, traitor_last=True)
"""At the start: the Traitor under the 41 others."""
SHUFFLED: Final = Pile(IN_ALL, traitor_last=False)


def refilled(pile: Pile, drawn: Iterable[Card]) -> Pile:
    """The pile from which the next card comes: if empty, the discards without the cards of this turn."""
    if pile.size:
        return pile
    held = Counter(drawn)
    return Pile(tuple(count - held[card] for card, count in enumerate(IN_ALL)), traitor_last=False)


def bases(pile: Pile, drawn: Iterable[Card], number: int) -> tuple[int, ...]:
    """For each of the next `number` cards, how many can be it; known before any of them is drawn."""
    size, last, spare = pile.size, pile.traitor_last, NUMBER - len(tuple(drawn))
    radices = []
    for taken in range(number):
        if not size:
            size, last = spare - taken, False
        radices.append(size - 1 if last and size > 1 else size)
        size -= 1
    return tuple(radices)


def sides(pile: Pile, drawn: Iterable[Card], number: int) -> int:
    """The sides of the Roll that draws `number` cards."""
    return prod(bases(pile, drawn, number))


def dealt(pile: Pile, drawn: tuple[Card, ...], number: int, rolled: int) -> tuple[Pile, tuple[Card, ...]]:
    """The pile, and all cards of this turn, after the Roll that draws `number` more came to `rolled`.

    A card is a digit of `rolled`, the first card the most significant.
    """
    digits = []
    for base in reversed(bases(pile, drawn, number)):
        rolled, digit = divmod(rolled, base)
        digits.append(digit)
    for digit in reversed(digits):
        pile = refilled(pile, drawn)
        card = _at(pile.next_ones(), digit)
        pile, drawn = pile.without(card), (*drawn, card)
    return pile, drawn


def _at(counts: Counts, place: int) -> Card:
    """The kind of the card at this place when the cards lie in the order of their kinds."""
    for card, count in enumerate(counts):
        if place < count:
            return card
        place -= count
    raise ValueError("a digit beyond the cards that can be next")


def number_of(pile: Pile, drawn: tuple[Card, ...], cards: Iterable[Card]) -> int | None:
    """The number whose Roll would draw `cards` in this order; None if the pile cannot give them."""
    rolled = 0
    for card in cards:
        pile = refilled(pile, drawn)
        counts = pile.next_ones()
        if not counts[card]:
            return None
        rolled = rolled * sum(counts) + sum(counts[:card])
        pile, drawn = pile.without(card), (*drawn, card)
    return rolled


def put_away(pile: Pile, drawn: Iterable[Card]) -> Pile:
    """The pile once the cards of a turn were discarded: all 42 anew if the Traitor was among them."""
    return SHUFFLED if TRAITOR in drawn else pile
