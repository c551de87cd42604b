"""The implementation of the group in use: libsodium's; tests compute with others.

Points are 32 bytes, the canonical encoding of RFC 9496; scalars are integers from 0 to ORDER − 1.  Arithmetic
takes only points that passed `is_point` or came from arithmetic.  Received bytes are checked first
(`received`), since a library may compute on garbage in silence (SPEC D14).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
"""L, the number of points (RFC 9496, section 4)."""
IDENTITY: Final = bytes(32)


class Group(Protocol):
    """The operations of an implementation.  None raises for the arguments that the module allows."""

    def is_point(self, data: bytes) -> bool:
        """Whether 32 bytes are the one encoding of a point other than the identity."""

    def add(self, p: bytes, q: bytes) -> bytes:
        """p + q."""

    def subtract(self, p: bytes, q: bytes) -> bytes:
        """p − q."""

    def multiply(self, k: int, p: bytes) -> bytes:
        """k·p for a scalar k."""

    def base(self, k: int) -> bytes:
        """k·G for a scalar k and the generator G."""

    def from_hash(self, digest: bytes) -> bytes:
        """The one-way map of RFC 9496, section 4.3.4, of 64 bytes."""


class _Chosen:
    group: Group | None = None


def group() -> Group:
    """The implementation in use; libsodium is loaded at the first call.  Raises NoGroup if it cannot be."""
    if _Chosen.group is None:
        from protocol.crypto.group.ristretto import load  # noqa: PLC0415  # 90 ms that most matches never need

        _Chosen.group = load()
    return _Chosen.group


@contextmanager
def using(implementation: Group) -> Iterator[None]:
    """Compute with `implementation` until the end of the block."""
    before, _Chosen.group = _Chosen.group, implementation
    try:
        yield
    finally:
        _Chosen.group = before


def total(terms: list[bytes]) -> bytes:
    """The sum of at least one point."""
    add = group().add
    sum_ = terms[0]
    for term in terms[1:]:
        sum_ = add(sum_, term)
    return sum_
