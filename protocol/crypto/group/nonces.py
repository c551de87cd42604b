"""Secret scalars: a seat's key for cards, and the random scalars of its proofs.

A random scalar is a hash of a secret of the match, of fresh bytes, and of the statement it serves (hedged, as
in RFC 8937 and in "Public-key generation with verifiable randomness").  So a failing generator repeats no
scalar under another statement, which would give the key away.  No scalar is kept: a message is appended and
synced before it is sent, and read back after a crash.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import Any, Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from p2p_stratego.core.game import Seat
from protocol.crypto.group.backend import ORDER
from protocol.wire import labels
from protocol.wire.encoding import encode

FRESH_BYTES: Final = 32
_SPACE: Final = 2**512


def deck_key(master: bytes, game: bytes, seat: Seat) -> int:
    """The secret x of `seat`'s key in match `game` (32 bytes), 1 to L − 1; `master`: its 32 secret bytes."""
    return _key(master, labels.KDF_DECK_KEY, game, seat)


def share_key(master: bytes, game: bytes, seat: Seat) -> int:
    """The secret z with which `seat` opens its shares of other seats' keys; arguments as in `deck_key`."""
    return _key(master, labels.KDF_SHARE_KEY, game, seat)


def _key(master: bytes, label: bytes, game: bytes, seat: Seat) -> int:
    wide = _expand(master, label, 64, game, seat)
    x = int.from_bytes(wide, "little") % ORDER
    if x == 0:
        raise ArithmeticError("a key of zero, which nobody meets by chance")
    return x


def _expand(master: bytes, label: bytes, length: int, game: bytes, seat: Seat) -> bytes:
    info = label + b"\0" + encode((game, seat))
    return HKDFExpand(algorithm=SHA256(), length=length, info=info).derive(master)


class Nonces:
    """The source of one seat's random scalars in one match.  Its repr shows nothing of it."""

    __slots__ = ("_fresh", "_secret")

    def __init__(
        self, master: bytes, game: bytes, seat: Seat, fresh: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        """`master`: 32 bytes; `game`: the match's id, 32 bytes; `fresh`: gives so many random bytes."""
        self._secret = _expand(master, labels.KDF_DECK_NONCE, 32, game, seat)
        self._fresh = fresh

    def __repr__(self) -> str:
        return "<nonces>"

    def serve(self, label: bytes, statement: Any) -> Stream:
        """Random scalars for one proof of `statement` (encodable: all its public inputs) under `label`."""
        digest = hashlib.sha512(label + b"\0" + encode(statement)).digest()
        return Stream(self._secret + self._fresh(FRESH_BYTES) + digest)


class Stream:
    """Random numbers for one statement; no number is given twice.  Its repr shows nothing of it."""

    __slots__ = ("_count", "_start")

    def __init__(self, seed: bytes) -> None:
        """`seed`: 128 bytes, which fill one block of SHA-512."""
        self._start = hashlib.sha512(seed)
        self._count = 0

    def __repr__(self) -> str:
        return "<stream of nonces>"

    def _wide(self) -> int:
        state = self._start.copy()
        state.update(self._count.to_bytes(4, "big"))
        self._count += 1
        return int.from_bytes(state.digest(), "little")

    def scalar(self) -> int:
        """A scalar, 0 to L − 1, each equally likely but for a bias below 2^-250."""
        return self._wide() % ORDER

    def scalars(self, count: int) -> list[int]:
        """So many scalars."""
        return [self.scalar() for _ in range(count)]

    def below(self, bound: int) -> int:
        """A number, 0 to `bound` − 1 (at most 2^32), each equally likely: by rejection."""
        most = _SPACE - _SPACE % bound
        while (number := self._wide()) >= most:
            pass
        return number % bound

    def permutation(self, length: int) -> list[int]:
        """The numbers 0 to `length` − 1 in a uniform order (Fisher and Yates; Durstenfeld, CACM 1964)."""
        order = list(range(length))
        for last in range(length - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order
