"""Points and scalars in bytes from elsewhere, checked before anything computes with them.

A received point is the canonical encoding of RFC 9496 and not the identity; a received scalar is below L.  If
a point had two encodings, a statement would have two hashes (SPEC D1).
"""

from __future__ import annotations

from protocol.crypto.group.backend import ORDER, group

NOT_A_MESSAGE = "not-a-message"


class ProofError(Exception):
    """Received bytes prove nothing.  `rule`: a key of `protocol.errors.RULES`, or the rule of a claim.

    The caller knows who signed these bytes, and blames that seat.
    """

    def __init__(self, rule: str) -> None:
        self.rule = rule
        super().__init__(rule)


def points(data: bytes, count: int) -> list[bytes]:
    """The `count` points that stand joined in `data`.  Raises ProofError("not-a-message")."""
    if len(data) != 32 * count:
        raise ProofError(NOT_A_MESSAGE)
    received = cut(data)
    if not all(map(group().is_point, received)):
        raise ProofError(NOT_A_MESSAGE)
    return received


def scalars(data: bytes, count: int) -> list[int]:
    """The `count` scalars that stand joined in `data`.  Raises ProofError("not-a-message")."""
    if len(data) != 32 * count:
        raise ProofError(NOT_A_MESSAGE)
    received = [int.from_bytes(part, "little") for part in cut(data)]
    if any(k >= ORDER for k in received):
        raise ProofError(NOT_A_MESSAGE)
    return received


def cut(data: bytes) -> list[bytes]:
    """`data` in pieces of 32 bytes."""
    return [data[i : i + 32] for i in range(0, len(data), 32)]


def written(*numbers: int) -> bytes:
    """Scalars joined, 32 bytes little-endian each."""
    return b"".join([number.to_bytes(32, "little") for number in numbers])
