"""The public side of cards under keys: whose keys there are, what each deck holds, who can read what.

Only a match under the profile of proofs has any.  Everything here follows from the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2p_stratego.core.game import Deck, Face, Seat, Slot
from p2p_stratego.core.values import frozen
from protocol.crypto.group.backend import IDENTITY, total
from protocol.crypto.proofs import card
from protocol.crypto.proofs.card import Card
from protocol.crypto.proofs.escrow import Deal


@frozen
class Readable:
    """`seat` alone can read `card`, which lies under `slot`, or was shown to it there."""

    seat: Seat
    slot: Slot
    card: Card


@dataclass
class Cards:
    """All cards of a match that are under keys."""

    asked: bool = False
    """Whether the seats have been asked for their keys: in the first Ask that lays or deals cards."""
    keys: dict[Seat, bytes] = field(default_factory=dict)
    """The seats' keys (32 bytes each), ascending; the identity for a seat that is gone without having one."""
    share_keys: dict[Seat, bytes] = field(default_factory=dict)
    """The keys (32 bytes each) under which the seats are dealt shares, if the match has an escrow.

    They are others than `keys`: a seat that leaves gives the secret of that one away, and the shares of other
    seats' keys must stay closed.
    """
    keys_at: dict[Seat, int] = field(default_factory=dict)
    """By seat: the number of the entry with its key."""
    sent: dict[Seat, bytes] = field(default_factory=dict)
    """By seat: the key (32 bytes) in that entry, also of a seat that is gone; statements are judged by it."""
    missing: Seat | None = None
    """The seat of a game with decks whose key cannot be had: the match ended with that."""
    lost: set[Seat] = field(default_factory=set)
    """The seats of a game without decks that are gone with their keys: their cards stay closed for ever."""
    released: dict[Seat, int] = field(default_factory=dict)
    """The secrets of seats that are gone: everybody does for them what concerns their cards."""
    deals: dict[Seat, Deal] = field(default_factory=dict)
    """By seat: its key in shares, if the match has an escrow."""
    deals_at: dict[int, Seat] = field(default_factory=dict)
    """By entry: the seat that dealt its key in shares there."""
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

    @property
    def joint(self) -> bytes:
        """The key (32 bytes) under which nobody reads a card alone."""
        return total(list(self.keys.values()))

    def without_key(self, seat: Seat) -> None:
        """`seat` has left before anything was under a key of its own, so what it draws is open to all."""
        self.keys[seat], self.released[seat] = IDENTITY, 0

    def public(self, face: Face, seat: Seat | None) -> Card:
        """The card of a face that all know, under the key of `seat`, or of all."""
        return card.public(face, self.joint if seat is None else self.keys[seat])

    def read(self, seat: Seat, one: Card) -> Face:
        """The face of a card of a seat whose secret is released."""
        return _sound(card.read(self.released[seat], one))

    def opened(self, one: Card, tokens: Mapping[Seat, bytes]) -> Face:
        """The face of a card of which all seats gave their tokens."""
        return _sound(card.face_of(card.without(one, list(tokens.values())).b))

    def top(self, deck: Deck, number: int) -> tuple[Card, ...]:
        """The top cards of `deck`."""
        if number > len(self.decks[deck]):
            raise RuntimeError(f"the rules take {number} cards of deck {deck}, which has fewer")
        return self.decks[deck][:number]


def _sound(face: Face | None) -> Face:
    if face is None:
        raise RuntimeError("a card has no face, though all was proved")
    return face
