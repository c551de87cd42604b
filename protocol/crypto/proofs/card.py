"""Cards: a face under a key, so that only its holder can read it (ElGamal, CRYPTO 1984, additively).

A card under the key K is (a, b) with a = r·G and b = M(f) + r·K.  Under the joint key of all seats nobody
can read it; taking away the other seats' tokens x·a leaves a card under the one remaining key (Barnett and
Smart, "Mental poker revisited", 2003).  Faces are multiples of G, so that cards can be subtracted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

from p2p_stratego.core.game import Face
from protocol.crypto.group.backend import group
from protocol.crypto.group.received import cut, points

CARD_BYTES: Final = 64
FACES: Final = 128
"""Faces are 0 to 127."""


class Card(NamedTuple):
    """A face under a key; two points of 32 bytes."""

    a: bytes
    b: bytes


def joined(cards: Iterable[Card]) -> bytes:
    """Cards as one byte string, 64 bytes each."""
    return b"".join([part for card in cards for part in card])


def parse(data: bytes, count: int) -> tuple[Card, ...]:
    """The `count` cards that stand joined in `data`, their points checked.  Raises ProofError."""
    halves = points(data, 2 * count)
    return tuple(map(Card, halves[::2], halves[1::2]))


def unchecked(data: bytes) -> tuple[Card, ...]:
    """The cards that stand joined in `data`, whose points this program wrote or has checked already."""
    halves = cut(data)
    return tuple(map(Card, halves[::2], halves[1::2]))


@cache
def marker(face: Face) -> bytes:
    """M(face) = (face + 1)·G, the point that stands for a face (0 to 127)."""
    return group().base(face + 1)


@cache
def _faces() -> dict[bytes, Face]:
    return {marker(face): face for face in range(FACES)}


def public(face: Face, key: bytes) -> Card:
    """The card of a face that all know, under `key`: with randomness 1, so anybody computes the same."""
    return Card(group().base(1), group().add(marker(face), key))


def without(card: Card, tokens: Sequence[bytes]) -> Card:
    """The card without the other seats' tokens (x·a each, 32 bytes): under the one key that is left."""
    b = card.b
    for token in tokens:
        b = group().subtract(b, token)
    return Card(card.a, b)


def read(x: int, card: Card) -> Face | None:
    """The face of a card under the key x·G; None only by a bug, since every card was proved."""
    return face_of(group().subtract(card.b, group().multiply(x, card.a)))


def face_of(point: bytes) -> Face | None:
    """The face for which a point stands, or None."""
    return _faces().get(point)
