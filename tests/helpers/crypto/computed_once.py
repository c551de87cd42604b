"""Cryptography and parsing that tests ask for again and again with the same bytes, done once a process.

Matches of tests begin from a few seeds, and all ends of a match live in one process: the same products of
points, signatures, chains of hashes and records come up tens of thousands of times.  Each is a function of
its arguments alone, so the result that is kept is the result, and what differs in one bit is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, lru_cache
from typing import Any, Final
from unittest.mock import patch

from nacl.bindings import crypto_sign, crypto_sign_open

from protocol.crypto import keys
from protocol.crypto.group.backend import Group, using
from protocol.crypto.group.ristretto import load
from protocol.record import statements
from protocol.rendezvous import short_code
from protocol.seat import secrets

KEPT: Final = 50_000
"""Results of each kind: a few hundred bytes each."""
CHAINS: Final = 128
"""Chains: two hundred kilobytes each."""
CODES: Final = 100
"""Codes, of which both ends work out the same scalar: a tenth of a second."""
RECORDS: Final = 5_000
"""Records as they were parsed: values, so that all who read the same bytes may have the same one."""


class Keeping:
    """A group that computes each result once."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.is_point = lru_cache(KEPT)(group.is_point)
        self.add = lru_cache(KEPT)(group.add)
        self.subtract = lru_cache(KEPT)(group.subtract)
        self.multiply = lru_cache(KEPT)(group.multiply)
        self.base = lru_cache(KEPT)(group.base)
        self.from_hash = lru_cache(KEPT)(group.from_hash)


@cache
def libsodium() -> Keeping:
    return Keeping(load())


_signed: Final[set[tuple[bytes, bytes]]] = set()
"""What was signed in this process, with the key that verifies it."""


def _sign(message: bytes, secret: bytes) -> bytes:
    signed = crypto_sign(message, secret)
    if len(_signed) == KEPT:
        _signed.clear()
    _signed.add((signed, secret[32:]))  # the second half of a secret key is the public one
    return signed


def _open(signed: bytes, key: bytes) -> bytes:
    """The message, if `key` signed it: these very bytes were just made with it, or they are verified."""
    return signed[keys.SIGNATURE_BYTES :] if (signed, key) in _signed else crypto_sign_open(signed, key)


COMPUTED: Final = [
    (keys, "crypto_sign", KEPT),
    (keys, "crypto_sign_open", KEPT),
    (secrets, "chain", CHAINS),
    (short_code, "password_scalar", CODES),
    (statements, "parse", RECORDS),
    (statements, "parse_entry", RECORDS),
]
"""Functions by module and name, and how many results are kept."""
ANEW: Final = [getattr(module, name) for module, name, _ in COMPUTED]
COMPUTING: Final[dict[str, Callable[..., Any]]] = {"crypto_sign": _sign, "crypto_sign_open": _open}
"""What computes a result in the place of the function itself."""
ONCE: Final = [
    lru_cache(kept)(COMPUTING.get(name, f)) for (_, name, kept), f in zip(COMPUTED, ANEW, strict=True)
]


@contextmanager
def computed_once() -> Iterator[None]:
    """Until the end of the block nothing is computed twice in this process."""
    with ExitStack() as stack:
        stack.enter_context(using(libsodium()))
        for (module, name, _), kept in zip(COMPUTED, ONCE, strict=True):
            stack.enter_context(patch.object(module, name, kept))
        yield


@contextmanager
def computed_anew() -> Iterator[None]:
    """Until the end of the block everything is computed, however often: for tests that look at the work."""
    with ExitStack() as stack:
        stack.enter_context(using(libsodium().group))
        for (module, name, _), function in zip(COMPUTED, ANEW, strict=True):
            stack.enter_context(patch.object(module, name, function))
        yield
