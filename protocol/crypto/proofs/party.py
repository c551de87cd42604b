"""The party of a proof: a seat in a context, with its public key for verifiers, its secret for the prover."""

from __future__ import annotations

from typing import NamedTuple

from protocol.crypto.group.backend import group
from protocol.crypto.group.hashing import Context
from protocol.crypto.group.nonces import Nonces


class Party(NamedTuple):
    """A seat in the context of a proof, and its key for cards (32 bytes that have passed `keys.check`)."""

    ctx: Context
    key: bytes


class Prover:
    """A party with its secret x and its source of nonces.  Its repr shows nothing of them (threat 38)."""

    __slots__ = ("nonces", "party", "x")

    def __init__(self, ctx: Context, x: int, nonces: Nonces) -> None:
        """`x`: the secret of the seat's key, 1 to L − 1."""
        self.party = Party(ctx, group().base(x))
        self.x = x
        self.nonces = nonces

    def __repr__(self) -> str:
        return f"<prover in seat {self.party.ctx.seat}>"
