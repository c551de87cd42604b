"""ristretto255 by libsodium, through `rbcl`: the only module that calls the library, and knows its traps.

- The library accepts the identity, and its libsodium (1.0.18) ignores bit 255, so that every point has a
  second encoding.  `is_point` refuses both.
- `add` and `sub` return the identity for an argument that is no point, and rbcl ignores the return code.
  This module checks the code: arithmetic on such an argument is a bug of ours and raises ValueError.
- The library calls it an error to multiply by 0, or the identity; the answer here is the identity.
- The library accepts scalars over L, and ignores their bit 255; `written` never makes such a scalar.
- Each import leaves a file of 2.8 MB behind; `library` prevents that.
- An import takes 90 ms, so `backend` imports this module when a match first needs the group.
"""

from __future__ import annotations

from ctypes import c_char
from typing import Any, Final

from protocol.crypto.group.library import library
from protocol.failures import NoGroup

_Point: Final = c_char * 32
_IDENTITY: Final = bytes(32)


def load() -> Sodium:
    """The group by libsodium.  Raises NoGroup if the library cannot be loaded, or answers wrongly."""
    try:
        sodium = Sodium(library())  # itself, since rbcl's functions hide its return codes
    except (ImportError, OSError) as error:
        raise NoGroup(str(error)) from error
    if (
        sodium.base(1) != _GENERATOR
        or sodium.is_point(_NOT_SQUARE)
        or sodium.add(_GENERATOR, _GENERATOR) != _TWICE
    ):
        raise NoGroup("libsodium computes wrongly")
    return sodium


_GENERATOR: Final = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
_TWICE: Final = bytes.fromhex("6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919")
_NOT_SQUARE: Final = bytes.fromhex("26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371")
"""From RFC 9496, appendix A: 1·G, 2·G, and an encoding that is none."""


class Sodium:
    """The group by libsodium: constant-time in scalars and points."""

    def __init__(self, library: Any) -> None:
        self._valid = library.crypto_core_ristretto255_is_valid_point
        self._add = library.crypto_core_ristretto255_add
        self._sub = library.crypto_core_ristretto255_sub
        self._multiply = library.crypto_scalarmult_ristretto255
        self._base = library.crypto_scalarmult_ristretto255_base
        self._from_hash = library.crypto_core_ristretto255_from_hash

    def is_point(self, data: bytes) -> bool:
        """Whether 32 bytes are the one encoding of a point other than the identity."""
        return data[31] < 128 and data != _IDENTITY and self._valid(data) == 1

    def add(self, p: bytes, q: bytes) -> bytes:
        """p + q."""
        out = _Point()
        if self._add(out, p, q):
            raise ValueError("a term is no point")
        return out.raw

    def subtract(self, p: bytes, q: bytes) -> bytes:
        """p − q."""
        out = _Point()
        if self._sub(out, p, q):
            raise ValueError("a term is no point")
        return out.raw

    def multiply(self, k: int, p: bytes) -> bytes:
        """k·p for a scalar k."""
        out = _Point()
        if self._multiply(out, k.to_bytes(32, "little"), p):
            if k == 0 or p == _IDENTITY:
                return _IDENTITY
            raise ValueError("the factor is no point")
        return out.raw

    def base(self, k: int) -> bytes:
        """k·G for a scalar k."""
        out = _Point()
        if self._base(out, k.to_bytes(32, "little")) and k:
            raise ValueError("not a scalar")
        return out.raw

    def from_hash(self, digest: bytes) -> bytes:
        """The one-way map of 64 bytes."""
        if len(digest) != 64:
            raise ValueError("the map takes 64 bytes")
        out = _Point()
        self._from_hash(out, digest)
        return out.raw
