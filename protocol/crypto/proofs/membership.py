"""Cards show one of several tuples of faces, and nobody learns which.

Cramer, Damgård and Schoenmakers, "Proofs of partial knowledge and simplified design of witness hiding
protocols", CRYPTO 1994.  True and simulated branches are computed in the order of the tuples, in one loop
with the same operations, so that the time tells nothing (threat 40).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p_stratego.core.game import Face, Slot
from protocol.crypto.group.backend import ORDER, group
from protocol.crypto.group.hashing import to_scalar
from protocol.crypto.group.received import ProofError, scalars, written
from protocol.crypto.proofs.card import FACES, Card, joined, marker
from protocol.crypto.proofs.party import Party, Prover
from protocol.crypto.proofs.sigma import base_commitment, commitment, respond
from protocol.crypto.proofs.verification import settle
from protocol.wire import labels

MOST: Final = 250
"""Tuples of one claim: their proof of 64 bytes each fits an entry."""

MOST_CARDS: Final = 32
MOST_POINTS: Final = 1_900
"""Points of one claim's commitments: with the rest of its statement they fit one encoding."""

_challenge = to_scalar(labels.PROOF_MEMBER)


class MembershipProof(NamedTuple):
    """Cards of the party, the tuples of faces of which they show one, and the proof, 64 bytes a tuple.

    `rule`: broken if the proof does not hold.
    """

    party: Party
    cards: tuple[Card, ...]
    tuples: tuple[bytes, ...]
    proof: bytes
    rule: str

    def verify(self) -> None:
        """Raise ProofError unless the proof holds."""
        received = scalars(self.proof, 2 * len(self.tuples))
        challenges, responses = received[::2], received[1::2]
        commitments = _commitments(self.party.key, self.cards, self.tuples, challenges, responses)
        if sum(challenges) % ORDER != _challenge((*self.party, joined(self.cards), self.tuples, commitments)):
            raise ProofError(self.rule)


def can_be(tuples: int, cards: int) -> bool:
    """Whether a claim can have so many tuples about so many cards."""
    return 0 < tuples <= MOST and 0 < cards <= MOST_CARDS and tuples * (cards + 1) <= MOST_POINTS


def proof_bytes(tuples: int) -> int:
    """The length of a proof over so many tuples."""
    return 64 * tuples


def lay(prover: Prover, slot: Slot, face: Face) -> Card:
    """A new card of the prover's own with `face`, for this slot."""
    r = prover.nonces.serve(labels.PROOF_MEMBER, (*prover.party, slot)).scalar()
    g = group()
    return Card(g.base(r), g.add(marker(face), g.multiply(r, prover.party.key)))


def prove(prover: Prover, cards: Sequence[Card], tuples: Sequence[Sequence[Face]], true_index: int) -> bytes:
    """The proof (64 bytes a tuple) that the prover's `cards` show, in order, one of `tuples`.

    `tuples`: 1 to MOST, each as long as `cards`; `true_index`: of the one that they show.
    """
    statement = (*prover.party, joined(cards), _faces(tuples))
    stream = prover.nonces.serve(labels.PROOF_MEMBER, statement)
    challenges, responses = stream.scalars(len(tuples)), stream.scalars(len(tuples))
    # The true branch begins with challenge 0: its commitments are then those of a fresh nonce.
    challenges[true_index] = 0
    commitments = _commitments(prover.party.key, cards, _faces(tuples), challenges, responses)
    c = (_challenge((*statement, commitments)) - sum(challenges)) % ORDER
    challenges[true_index] = c
    responses[true_index] = respond(responses[true_index], c, prover.x)
    return written(*(k for pair in zip(challenges, responses, strict=True) for k in pair))


def check(
    party: Party, cards: Sequence[Card], tuples: Sequence[Sequence[Face]], proof: bytes, rule: str
) -> None:
    """Raise ProofError(`rule`) unless the party's cards show one of `tuples` (1 to MOST), in order.

    The tuples are what the rules ask, with faces from 0 to 127, each as long as `cards`.
    """
    if not 0 < len(tuples) <= MOST or any(face >= FACES for faces in tuples for face in faces):
        raise ValueError("the rules ask no such claim")
    settle(MembershipProof(party, tuple(cards), _faces(tuples), proof, rule))


def _faces(tuples: Sequence[Sequence[Face]]) -> tuple[bytes, ...]:
    """Each tuple as a byte string, one byte a face."""
    return tuple(map(bytes, tuples))


def _commitments(
    key: bytes,
    cards: Sequence[Card],
    tuples: Sequence[bytes],
    challenges: Sequence[int],
    responses: Sequence[int],
) -> bytes:
    subtract = group().subtract
    terms = []
    for faces, c, z in zip(tuples, challenges, responses, strict=True):
        terms.append(base_commitment(z, c, key))
        for face, card in zip(faces, cards, strict=True):
            terms.append(commitment(z, card.a, c, subtract(card.b, marker(face))))
    return b"".join(terms)
