"""A card shown to all: its holder proves which face it has, and gives no key away.

Chaum and Pedersen, "Wallet databases with observers", CRYPTO 1992.  Equally long for all faces (threat 39).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from p2p_stratego.core.game import Face
from protocol.crypto.group.backend import group
from protocol.crypto.group.hashing import to_scalar
from protocol.crypto.group.received import NOT_A_MESSAGE, ProofError, scalars, written
from protocol.crypto.proofs.card import FACES, Card, joined, marker
from protocol.crypto.proofs.party import Party, Prover
from protocol.crypto.proofs.sigma import base_commitment, commitment, respond
from protocol.crypto.proofs.verification import settle
from protocol.wire import labels

PROOF_BYTES: Final = 64

_challenge = to_scalar(labels.PROOF_OPENING)


class OpeningProof(NamedTuple):
    """A card of the party, its face, and the proof, 64 bytes."""

    party: Party
    card: Card
    face: Face
    proof: bytes

    def verify(self) -> None:
        """Raise ProofError unless the proof holds."""
        c, z = scalars(self.proof, 2)
        shared = group().subtract(self.card.b, marker(self.face))
        commitments = base_commitment(z, c, self.party.key), commitment(z, self.card.a, c, shared)
        if c != _challenge((*self.party, joined((self.card,)), self.face, *commitments)):
            raise ProofError("wrong-opening")


def open_card(prover: Prover, card: Card, face: Face) -> bytes:
    """The proof (64 bytes) that `card` under the prover's key has `face`."""
    g = group()
    statement = (*prover.party, joined((card,)), face)
    w = prover.nonces.serve(labels.PROOF_OPENING, statement).scalar()
    c = _challenge((*statement, g.base(w), g.multiply(w, card.a)))
    return written(c, respond(w, c, prover.x))


def check(party: Party, card: Card, face: Face, proof: bytes) -> None:
    """Raise ProofError unless `proof` (64 bytes) shows that the party's `card` has `face` (0 to 127)."""
    if face >= FACES:
        raise ProofError(NOT_A_MESSAGE)
    settle(OpeningProof(party, card, face, proof))
