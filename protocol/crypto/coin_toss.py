"""Joint chance: Blum's coin flip ("Coin flipping by telephone", 1981) with a hash chain for each seat.

In the genesis every seat commits to the end of a chain of hashes (Lamport, "Password authentication with
insecure communication", 1981); each roll takes the next link of every chain.  All links were fixed before
the first roll, so nobody can steer a roll, and the unseen link of a single honest seat makes the result
unpredictable (threat 7).  The seat that sees a result first can still walk away (Cleve, STOC 1986); then the
transcript shows whose link is missing (threat 6).
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import Final

from p2p_stratego.core.game import Seat
from protocol.wire import labels
from protocol.wire.encoding import encode, tagged

MAX_SIDES: Final = 2**32
_SPACE: Final = 2**256

_link = tagged(labels.CHANCE_LINK)
_roll = tagged(labels.CHANCE_ROLL)


def chain(seat: Seat, seed: bytes, length: int) -> list[bytes]:
    """`length` + 1 links of 32 bytes in the order of their use; the first is the anchor for the genesis.

    The seat is inside every hash, so that nobody can use another seat's chain as its own (threat 5).
    """
    links = [seed]
    for _ in range(length):
        links.append(_link(encode((seat, links[-1]))))
    return links[::-1]


def follows(seat: Seat, link: bytes, previous: bytes) -> bool:
    """Whether `seat` committed to `link` as the next link after `previous` (32 bytes each)."""
    return hmac.compare_digest(_link(encode((seat, link))), previous)


def result(game: bytes, number: int, shares: Sequence[bytes], sides: int) -> int:
    """The outcome of roll `number` (from 0): uniform over 0 ≤ result < sides, by rejection."""
    bound = _SPACE - _SPACE % sides  # beyond this multiple of `sides`, low results would be likelier
    attempt = 0
    while True:
        value = int.from_bytes(_roll(encode((game, number, attempt, tuple(shares)))), "big")
        if value < bound:
            return value % sides
        attempt += 1
