"""Tokens: what a seat gives so that another one can read cards, with one proof for all of them.

The batched proof of equal discrete logarithms of RFC 9497, section 2.2.  A token decrypts: it is given for
nothing but what the Ask under way names, out of the deck that was verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from protocol.crypto.group.backend import group, total
from protocol.crypto.group.hashing import to_scalar
from protocol.crypto.group.received import ProofError, points, scalars, written
from protocol.crypto.proofs.party import Party, Prover
from protocol.crypto.proofs.sigma import base_commitment, commitment, respond
from protocol.wire import labels

PROOF_BYTES: Final = 64

_seed = to_scalar(labels.TOKEN_WEIGHTS)
_weight = to_scalar(labels.TOKEN_WEIGHT)
_challenge = to_scalar(labels.PROOF_TOKENS)


def compute(x: int, firsts: Sequence[bytes]) -> tuple[bytes, ...]:
    """The tokens x·a for the first points a of cards: also of a seat whose secret is public."""
    return tuple(group().multiply(x, a) for a in firsts)


def give(prover: Prover, firsts: Sequence[bytes]) -> tuple[bytes, bytes]:
    """The tokens (32 bytes each, joined) for the first points of at least one card, and their proof (64)."""
    g = group()
    tokens = compute(prover.x, firsts)
    a, d = b"".join(firsts), b"".join(tokens)
    weights = _weights(prover.party, a, d, len(firsts))
    sum_a = total([g.multiply(weight, first) for weight, first in zip(weights, firsts, strict=True)])
    w = prover.nonces.serve(labels.PROOF_TOKENS, (*prover.party, a, d)).scalar()
    c = _challenge((*prover.party, a, d, g.base(w), g.multiply(w, sum_a)))
    return d, written(c, respond(w, c, prover.x))


def check(party: Party, firsts: Sequence[bytes], tokens: bytes, proof: bytes) -> tuple[bytes, ...]:
    """The tokens in `tokens` (32 bytes for each of `firsts`, at least one).  Raises ProofError."""
    found = points(tokens, len(firsts))
    c, z = scalars(proof, 2)
    g = group()
    a = b"".join(firsts)
    weights = _weights(party, a, tokens, len(firsts))
    sum_a = total([g.multiply(weight, first) for weight, first in zip(weights, firsts, strict=True)])
    sum_d = total([g.multiply(weight, token) for weight, token in zip(weights, found, strict=True)])
    if c != _challenge((*party, a, tokens, base_commitment(z, c, party.key), commitment(z, sum_a, c, sum_d))):
        raise ProofError("wrong-token")
    return tuple(found)


def _weights(party: Party, firsts: bytes, tokens: bytes, count: int) -> list[int]:
    root = written(_seed((*party, firsts, tokens)))
    return [_weight((root, i)) for i in range(count)]
