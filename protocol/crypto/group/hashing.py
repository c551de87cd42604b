"""Hashes to scalars and points, and the context in which a proof holds.

Every proof is a sigma protocol made non-interactive with the whole statement inside the hash (Fiat and
Shamir, CRYPTO 1986; Bernhard, Pereira and Warinschi, "How not to prove yourself", ASIACRYPT 2012).  So a
proof means nothing in another match, Ask or seat, and nothing for another key, card or order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from p2p_stratego.core.game import Seat
from protocol.crypto.group.backend import ORDER, group
from protocol.wire.encoding import encode, tagged


class Context(NamedTuple):
    """The context in which a proof holds.

    `game`: the match's id, 32 bytes; `serial`: of the Ask; `seat`: the prover's.
    """

    game: bytes
    serial: int
    seat: Seat


def to_scalar(label: bytes) -> Callable[[Any], int]:
    """The hash of an encodable value to a scalar: H512(label, value), little-endian, mod L.

    512 bits leave a bias below 2^-250.
    """
    digest = tagged(label, "sha512")

    def scalar(value: Any) -> int:
        return int.from_bytes(digest(encode(value)), "little") % ORDER

    return scalar


def to_point(label: bytes) -> Callable[[Any], bytes]:
    """The hash of an encodable value to a point, of which nobody knows a discrete logarithm."""
    digest = tagged(label, "sha512")

    def point(value: Any) -> bytes:
        return group().from_hash(digest(encode(value)))

    return point


def to_bytes(label: bytes) -> Callable[[Any], bytes]:
    """The hash of an encodable value: H512(label, value), 64 bytes."""
    digest = tagged(label, "sha512")
    return lambda value: digest(encode(value))
