"""Tokens: a seat gives them so that another seat can read cards, with one proof for all of them.

The batched proof of equal discrete logarithms of RFC 9497, section 2.2.  A token decrypts: a seat gives
tokens only for cards that the Ask under way names, out of a deck that it has verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from protocol.crypto.group.backend import group, total
from protocol.crypto.group.hashing import to_scalar
from protocol.crypto.group.received import ProofError, cut, points, scalars, written
from protocol.crypto.proofs.party import Party, Prover
from protocol.crypto.proofs.sigma import base_commitment, commitment, respond
from protocol.crypto.proofs.verification import settle
from protocol.wire import labels

PROOF_BYTES: Final = 64

_seed = to_scalar(labels.TOKEN_WEIGHTS)
_weight = to_scalar(labels.TOKEN_WEIGHT)
_challenge = to_scalar(labels.PROOF_TOKENS)


class TokenProof(NamedTuple):
    """Tokens of the party for the first points of cards, 32 bytes each and joined, with their proof."""

    party: Party
    firsts: bytes
    tokens: bytes
    proof: bytes

    def verify(self) -> None:
        """Raise ProofError unless the proof holds."""
        firsts = cut(self.firsts)
        tokens = points(self.tokens, len(firsts))
        c, z = scalars(self.proof, 2)
        multiply = group().multiply
        weights = _weights(self.party, self.firsts, self.tokens)
        sum_a = total(list(map(multiply, weights, firsts)))
        sum_d = total(list(map(multiply, weights, tokens)))
        commitments = base_commitment(z, c, self.party.key), commitment(z, sum_a, c, sum_d)
        if c != _challenge((*self.party, self.firsts, self.tokens, *commitments)):
            raise ProofError("wrong-token")


def compute(x: int, firsts: Sequence[bytes]) -> tuple[bytes, ...]:
    """The tokens x·a for the first points a of cards: also of a seat whose secret is public."""
    return tuple(group().multiply(x, a) for a in firsts)


def give(prover: Prover, firsts: Sequence[bytes]) -> tuple[bytes, bytes]:
    """The tokens (32 bytes each, joined) for the first points of at least one card, and their proof (64)."""
    g = group()
    tokens = compute(prover.x, firsts)
    a, d = b"".join(firsts), b"".join(tokens)
    sum_a = total(list(map(g.multiply, _weights(prover.party, a, d), firsts)))
    w = prover.nonces.serve(labels.PROOF_TOKENS, (*prover.party, a, d)).scalar()
    c = _challenge((*prover.party, a, d, g.base(w), g.multiply(w, sum_a)))
    return d, written(c, respond(w, c, prover.x))


def check(party: Party, firsts: Sequence[bytes], tokens: bytes, proof: bytes) -> tuple[bytes, ...]:
    """The tokens in `tokens` (32 bytes for each of `firsts`, at least one).  Raises ProofError."""
    checked = settle(TokenProof(party, b"".join(firsts), tokens, proof))
    return tuple(cut(tokens) if checked else points(tokens, len(firsts)))


def _weights(party: Party, firsts: bytes, tokens: bytes) -> list[int]:
    root = written(_seed((*party, firsts, tokens)))
    return [_weight((root, i)) for i in range(len(firsts) // 32)]
