"""The one step that all proofs of knowledge share: z·P − c·Q, the commitment that a response belongs to.

Schnorr, "Efficient signature generation by smart cards", 1991; Chaum and Pedersen, CRYPTO 1992.
"""

from __future__ import annotations

from protocol.crypto.group.backend import ORDER, group


def respond(w: int, c: int, x: int) -> int:
    """w + c·x, the response to challenge `c` of a prover who knows `x`."""
    return (w + c * x) % ORDER


def base_commitment(z: int, c: int, key: bytes) -> bytes:
    """z·G − c·key."""
    g = group()
    return g.subtract(g.base(z), g.multiply(c, key))


def commitment(z: int, p: bytes, c: int, q: bytes) -> bytes:
    """z·p − c·q."""
    g = group()
    return g.subtract(g.multiply(z, p), g.multiply(c, q))
