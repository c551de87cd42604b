"""Claim and ClaimOneOf under proofs: the seat proves the claim at once, so nothing is left to settle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from p2p_stratego.core.game import Claim, ClaimOneOf, Face, Slot
from p2p_stratego.core.values import frozen
from protocol.crypto.proofs import membership
from protocol.crypto.proofs.verification import CardProof
from protocol.record.asks.base import AskKind, MessageKind, Obligation, Script, Secrets, Table
from protocol.record.asks.proofs.ground import own, part_bytes, party, prover, require_bytes
from protocol.record.claims import RecordedClaim
from protocol.wire.messages import Message, Shape

Tuples = tuple[tuple[Face, ...], ...]
HEAVY: Final = 16
"""Tuples: a proof over so many takes 2 ms to check, and another process checks it beforehand."""


@frozen
class Proved(Message):
    """The proof (64 bytes a tuple) that cards show one of the tuples of a claim."""

    proof: bytes


def script(table: Table, ask: Claim) -> Script[None]:
    """One message for each closed slot.  For open slots the claim is settled as with commitments."""
    shown = tuple(slot for slot in ask.slots if table.live(slot) and slot in table.faces)
    if shown:
        claim = RecordedClaim(ask.seat, ask.rule, shown, ask.faces, exactly=False, number=table.number)
        table.ledger.add(claim)
    for slot in ask.slots:
        if slot not in shown:
            yield from _proved(table, replace(ask, slots=(slot,)), ask)
    table.cards.claims += len(shown) < len(ask.slots)


def one_of(table: Table, ask: ClaimOneOf) -> Script[None]:
    """One message: the proof."""
    yield from _proved(table, ask, ask)
    table.cards.claims += 1


def _proved(table: Table, part: Claim | ClaimOneOf, whole: Claim | ClaimOneOf) -> Script[None]:
    cards, tuples = own(table, part.seat, part.slots), _tuples(part)
    if not membership.can_be(len(tuples), len(cards)) or any(len(faces) != len(cards) for faces in tuples):
        raise RuntimeError(f"the rules ask a claim that nobody can prove: {part!r}")
    claimant = party(table, part.seat)

    def statement(message: Proved) -> CardProof | None:
        if len(tuples) < HEAVY or len(message.proof) != membership.proof_bytes(len(tuples)):
            return None
        return membership.MembershipProof(
            claimant, cards, tuple(map(bytes, tuples)), message.proof, part.rule
        )

    message: Proved = yield Obligation(part.seat, Proved, whole, part, statement)
    require_bytes(message.proof, membership.proof_bytes(len(tuples)))
    membership.check(claimant, cards, tuples, message.proof, part.rule)
    table.cards.proofs += 1


def _tuples(part: Claim | ClaimOneOf) -> Tuples:
    """The tuples, one of which the cards show; the tuples of a Claim have one face each, ascending."""
    return part.tuples if isinstance(part, ClaimOneOf) else tuple((face,) for face in sorted(part.faces))


def _proof(secrets: Secrets, table: Table, owed: Obligation, known: Mapping[Slot, Face]) -> Proved | None:
    """The proof of a true claim; None for a false claim, which has no proof: the seat can only resign."""
    part = cast("Claim | ClaimOneOf", owed.part)
    true, tuples = tuple(known[slot] for slot in part.slots), _tuples(part)
    if true not in tuples:
        return None
    cards, claimant = own(table, owed.seat, part.slots), prover(secrets, table, owed.seat)
    return Proved(membership.prove(claimant, cards, tuples, tuples.index(true)))


KINDS: Final = (
    AskKind(
        Claim,
        script,
        (MessageKind(Shape(22, Proved, (part_bytes(64),)), _proof, "the proof of a claim", ("proof",)),),
    ),
    AskKind(ClaimOneOf, one_of),
)
