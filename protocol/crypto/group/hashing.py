"""Hashes to scalars and points, and the context in which a proof holds.

Every proof is a sigma protocol made non-interactive with the whole statement inside the hash (Fiat and
Shamir, CRYPTO 1986; Bernhard, Pereira and Warinschi, "How not to prove yourself", ASIACRYPT 2012): it means
nothing in another match, Ask or seat, nor for another key, card or order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple

from p2p_stratego.core.game import Seat
from protocol.crypto.group.backend import ORDER, group
from protocol.wire.encoding import encode


class Context(NamedTuple):
    """Where a proof holds.  `game`: the match's id, 32 bytes; `serial`: of the Ask; `seat`: the prover."""

    game: bytes
    serial: int
    seat: Seat


def to_scalar(label: bytes) -> Callable[[Any], int]:
    """The hash of an encodable value to a scalar: H512(label, value), little-endian, mod L.

    512 bits leave a bias below 2^-250.
    """
    digest = _h512(label)

    def scalar(value: Any) -> int:
        return int.from_bytes(digest(encode(value)), "little") % ORDER

    return scalar


def to_point(label: bytes) -> Callable[[Any], bytes]:
    """The hash of an encodable value to a point, of which nobody knows a discrete logarithm."""
    digest = _h512(label)

    def point(value: Any) -> bytes:
        return group().from_hash(digest(encode(value)))

    return point


def to_bytes(label: bytes) -> Callable[[Any], bytes]:
    """The hash of an encodable value: H512(label, value), 64 bytes."""
    digest = _h512(label)
    return lambda value: digest(encode(value))


def _h512(label: bytes) -> Callable[[bytes], bytes]:
    """SHA-512(T ‖ T ‖ data), T = SHA-512(label): the tag fills one block, as BIP-340's does of SHA-256."""
    tag = hashlib.sha512(label).digest()
    start = hashlib.sha512(tag + tag)

    def digest(data: bytes) -> bytes:
        state = start.copy()
        state.update(data)
        return state.digest()

    return digest
