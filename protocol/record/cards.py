"""The public side of cards under keys: the keys, the cards of each deck, and which seat can read which card.

Only a match under the profile of proofs has cards under keys.  Everything here follows from the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from p2p_stratego.core.game import Deck, Face, Seat, Slot
from p2p_stratego.core.values import frozen
from protocol.crypto.group.backend import IDENTITY, total
from protocol.crypto.proofs import card
from protocol.crypto.proofs.card import Card
from protocol.crypto.proofs.escrow import Deal


@frozen
class Readable:
    """A card that `seat` alone can read: `card` lies under `slot`, or was shown to the seat there."""

    seat: Seat
    slot: Slot
    card: Card


@dataclass
class Cards:
    """All cards of a match that are under keys."""

    asked: bool = False
    """Whether the seats have been asked for their keys: the first Ask that lays or deals cards asks."""
    keys: dict[Seat, bytes] = field(default_factory=dict)
    """The seats' keys (32 bytes each), ascending; the identity for a seat that left before it sent a key."""
    share_keys: dict[Seat, bytes] = field(default_factory=dict)
    """The keys (32 bytes each) under which the seats are dealt shares, if the match has an escrow.

    These keys differ from `keys`: when a seat leaves, the secret of its key for cards becomes public, and the
    shares that it holds of other keys must stay closed (SPEC D12).
    """
    keys_at: dict[Seat, int] = field(default_factory=dict)
    """By seat: the number of the entry with its key."""
    sent: dict[Seat, bytes] = field(default_factory=dict)
    """By seat: the key (32 bytes) in that entry, also of a seat that is gone; it judges the seat's RESIGN."""
    missing: Seat | None = None
    """In a game with decks: the seat whose key cannot be recovered, which ended the match; else None."""
    lost: set[Seat] = field(default_factory=set)
    """In a game without decks: the seats whose keys cannot be recovered; their cards stay closed for ever."""
    released: dict[Seat, int] = field(default_factory=dict)
    """By seat that is gone: its public secret, with which all others act for its cards."""
    deals: dict[Seat, Deal] = field(default_factory=dict)
    """By dealer: its key in shares, if the match has an escrow."""
    deals_at: dict[int, Seat] = field(default_factory=dict)
    """By number of the entry: the seat that dealt its key in shares there."""
    shares: dict[Seat, dict[Seat, int]] = field(default_factory=dict)
    """By lost seat: the shares of its key that other seats gave."""
    decks: dict[Deck, tuple[Card, ...]] = field(default_factory=dict)
    """By deck: its cards under the joint key, the top one first."""
    log: list[Readable] = field(default_factory=list)
    """Every card that ever came under the key of one seat, in order."""
    looks: int = 0
    """Cards shown to one seat alone."""
    shuffled: int = 0
    """Shuffles that the rules have asked for."""
    shuffles: int = 0
    mixes: int = 0
    claims: int = 0
    """Claims that were proved."""
    proofs: int = 0
    """Proofs about cards in the record, each checked before its entry was admitted."""

    def kept(self) -> Cards:
        """A copy whose decks stay as they are; its keys and its log go on with these."""
        return replace(self, decks={**self.decks})

    @property
    def joint(self) -> bytes:
        """The key (32 bytes) under which nobody reads a card alone."""
        return total(list(self.keys.values()))

    def without_key(self, seat: Seat) -> None:
        """Give `seat`, which left before it had any card, a public key: all can read what it draws."""
        self.keys[seat], self.released[seat] = IDENTITY, 0

    def public(self, face: Face, seat: Seat | None) -> Card:
        """The card of a face that all know, under the key of `seat`; None: under the joint key."""
        return card.public(face, self.joint if seat is None else self.keys[seat])

    def read(self, seat: Seat, unread: Card) -> Face:
        """The face of a card under the key of `seat`, whose secret is released."""
        return _sound(card.read(self.released[seat], unread))

    def opened(self, unread: Card, tokens: Mapping[Seat, bytes]) -> Face:
        """The face of a card for which all seats gave their tokens (32 bytes each)."""
        return _sound(card.face_of(card.without(unread, list(tokens.values())).b))

    def top(self, deck: Deck, number: int) -> tuple[Card, ...]:
        """The top `number` cards of `deck`.  Raises RuntimeError if it has fewer, a bug of the rules."""
        if number > len(self.decks[deck]):
            raise RuntimeError(f"the rules take {number} cards of deck {deck}, which has fewer")
        return self.decks[deck][:number]


def _sound(face: Face | None) -> Face:
    if face is None:
        raise RuntimeError("a card has no face, though all was proved")
    return face
