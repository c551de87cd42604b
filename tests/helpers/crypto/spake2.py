"""SPAKE2 over edwards25519 in plain integers, after RFC 9382: slow, and independent of the program."""

from __future__ import annotations

import hashlib
from typing import Final

from tests.helpers.crypto import edwards
from tests.helpers.crypto.edwards import IDENTITY, L, P, Point


def point_of(seed: bytes) -> bytes:
    """The point that comes from `seed` (RFC 9382, appendix A), encoded."""
    digest = hashlib.sha256(seed).digest()
    while True:
        number = int.from_bytes(digest, "little")
        y = number % 2**255
        x = edwards.recover_x(y, number >> 255) if y < P else None
        if x is not None and (x, y) != IDENTITY and edwards.multiply(L, (x, y)) == IDENTITY:
            return digest
        digest = hashlib.sha256(digest).digest()


M: Final = edwards.decode(point_of(b"edwards25519 point generation seed (M)"))
N: Final = edwards.decode(point_of(b"edwards25519 point generation seed (N)"))


def share(w: int, secret: int, blind: Point) -> Point:
    """pA with M, pB with N: the base point times `secret`, hidden behind w times `blind`."""
    return edwards.add(edwards.multiply(w, blind), edwards.multiply(secret, edwards.BASE))


def common(w: int, secret: int, other: Point, blind: Point) -> Point:
    """K, from the `other` end's share, which it has hidden behind w times `blind`."""
    x, y = edwards.multiply(w, blind)
    return edwards.multiply(8 * secret, edwards.add(other, (-x % P, y)))
