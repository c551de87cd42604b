"""The same face under another key, by the card's holder: shown to a seat, given to it, or put back unseen.

A proof of knowledge of the holder's secret and of the new card's randomness in three linear relations
(Maurer, "Unifying zero-knowledge proofs of knowledge", AFRICACRYPT 2009).  Since the mover has to know the
randomness, nobody can move another's card as its own, and so have tokens given for it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from protocol.crypto.group.backend import group
from protocol.crypto.group.hashing import to_scalar
from protocol.crypto.group.received import ProofError, scalars, written
from protocol.crypto.proofs.card import Card, joined, parse, unchecked
from protocol.crypto.proofs.party import Party, Prover
from protocol.crypto.proofs.sigma import base_commitment, respond
from protocol.crypto.proofs.verification import settle
from protocol.wire import labels

PROOF_BYTES: Final = 96

_challenge = to_scalar(labels.PROOF_MOVE)


class MoveProof(NamedTuple):
    """A card of the party, the key `to` (32 bytes), the moved card (64 bytes), the proof (96 bytes)."""

    party: Party
    card: Card
    to: bytes
    moved: bytes
    proof: bytes

    def verify(self) -> None:
        """Raise ProofError unless the proof holds."""
        (new,) = parse(self.moved, 1)
        c, z_1, z_2 = scalars(self.proof, 3)
        g = group()
        third = g.subtract(g.multiply(z_1, self.card.a), g.multiply(z_2, self.to))
        commitments = (
            base_commitment(z_1, c, self.party.key),
            base_commitment(z_2, c, new.a),
            g.subtract(third, g.multiply(c, g.subtract(self.card.b, new.b))),
        )
        if c != _challenge((*self.party, self.to, joined((self.card,)), self.moved, *commitments)):
            raise ProofError("wrong-move")


def move(prover: Prover, card: Card, to: bytes) -> tuple[bytes, bytes]:
    """The face of the prover's `card` as a card under `to` (64 bytes), and the proof (96 bytes)."""
    g = group()
    statement = (*prover.party, to, joined((card,)))
    r, w_1, w_2 = prover.nonces.serve(labels.PROOF_MOVE, statement).scalars(3)
    hidden = g.subtract(card.b, g.multiply(prover.x, card.a))
    moved = Card(g.base(r), g.add(hidden, g.multiply(r, to)))
    third = g.subtract(g.multiply(w_1, card.a), g.multiply(w_2, to))
    c = _challenge((*statement, joined((moved,)), g.base(w_1), g.base(w_2), third))
    return joined((moved,)), written(c, respond(w_1, c, prover.x), respond(w_2, c, r))


def check(party: Party, card: Card, to: bytes, moved: bytes, proof: bytes) -> Card:
    """The new card in `moved` (64 bytes), under `to`.  Raises ProofError unless `proof` (96 bytes) holds."""
    checked = settle(MoveProof(party, card, to, moved, proof))
    (new,) = unchecked(moved) if checked else parse(moved, 1)
    return new
