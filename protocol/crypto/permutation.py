"""A uniform permutation, fixed by a secret seed.

The shuffle of Fisher and Yates as Durstenfeld has it ("Algorithm 235", CACM 1964; Knuth, TAOCP 2, 3.4.2,
algorithm P); each draw is a hash of the seed, made uniform by rejection.
"""

from __future__ import annotations

from typing import Final

from protocol.wire import labels
from protocol.wire.encoding import encode, tagged

SPACE: Final = 2**256
"""The number of values of a draw."""

_draw = tagged(labels.MIX_DRAW)


def permutation(seed: bytes, length: int) -> list[int]:
    """The numbers 0 to `length` − 1 in an order that the seed (32 bytes) fixes, each order equally likely."""
    order = list(range(length))
    for last in range(length - 1, 0, -1):
        chosen = uniform(seed, last, last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def uniform(seed: bytes, place: int, sides: int) -> int:
    """A number, 0 to `sides` − 1, for this place: uniform, by rejection."""
    bound = SPACE - SPACE % sides
    attempt = 0
    while True:
        value = int.from_bytes(_draw(encode((seed, place, attempt))), "big")
        if value < bound:
            return value % sides
        attempt += 1
