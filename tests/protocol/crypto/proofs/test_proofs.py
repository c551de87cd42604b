"""Tokens, openings, moves and claims: true ones pass for any cards, and no proof serves twice.

Each way in which one fails is a vector (tests/vectors/test_cards.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from protocol.crypto.group.backend import IDENTITY, ORDER, Group, group, using
from protocol.crypto.group.received import ProofError, written
from protocol.crypto.proofs import card, keys, membership, move, opening, shuffle, tokens
from protocol.crypto.proofs.card import Card
from protocol.crypto.proofs.party import Party
from tests.helpers.crypto.deck import Seats
from tests.helpers.machine.examples import examples

SEATS = Seats(3)
RULE = "a rule of the game"


def assert_refused(rule: str, check: Callable[..., Any], *arguments: Any) -> None:
    with pytest.raises(ProofError) as error:
        check(*arguments)
    assert error.value.rule == rule


@examples(10, 60)
@given(some.integers(0, 127), some.integers(0, 2), some.integers(0, 2**53 - 1))
def test_any_card_is_opened_and_moved_by_its_holder(face: int, seat: int, serial: int) -> None:
    own, prover, party = SEATS.own(seat, face), SEATS.prover(serial, seat), SEATS.party(serial, seat)
    opening.check(party, own, face, opening.open_card(prover, own, face))
    for to in (*SEATS.keys, SEATS.joint):
        new = move.check(party, own, to, *move.move(prover, own, to))
        assert new.a != own.a
        if to in SEATS.keys:
            assert card.read(SEATS.secrets[SEATS.keys.index(to)], new) == face


@examples(10, 60)
@given(some.data())
def test_any_true_claim_passes_whichever_tuple_is_the_true_one(data: some.DataObject) -> None:
    width = data.draw(some.integers(1, 3), "cards")
    faces = some.lists(some.integers(0, 127), min_size=width, max_size=width)
    tuples = data.draw(some.lists(faces, min_size=1, max_size=5), "tuples")
    true = data.draw(some.integers(0, len(tuples) - 1), "true one")
    own = [SEATS.own(1, face, place) for place, face in enumerate(tuples[true])]
    proof = membership.prove(SEATS.prover(4, 1), own, tuples, true)
    assert len(proof) == membership.proof_bytes(len(tuples))
    membership.check(SEATS.party(4, 1), own, tuples, proof, RULE)


def test_row_73_a_false_claim_breaks_its_rule() -> None:
    """A prover who simulates all branches has no true one left for the hash."""
    own = [SEATS.own(1, 5)]
    tuples = [(1,), (2,), (3,)]
    for pretended in range(3):
        proof = membership.prove(SEATS.prover(4, 1), own, tuples, pretended)
        assert_refused(RULE, membership.check, SEATS.party(4, 1), own, tuples, proof, RULE)


@pytest.mark.parametrize("tuples", [[], [(0,)] * 251, [(128,)]])
def test_a_claim_that_no_rules_can_ask_is_a_bug_of_theirs(tuples: list[tuple[int, ...]]) -> None:
    with pytest.raises(ValueError, match="no such claim"):
        membership.check(SEATS.party(4, 1), [SEATS.own(1, 5)], tuples, bytes(64 * len(tuples)), RULE)


def test_row_40_every_tuple_costs_the_same_operations_wherever_the_true_one_is() -> None:
    """The order of the operations, and so the time, does not tell which tuple is true."""

    class Noted:
        def __init__(self, inner: Group) -> None:
            self._inner = inner
            self.calls: list[str] = []

        def __getattr__(self, name: str) -> Any:
            def call(*arguments: Any) -> Any:
                self.calls.append(name)
                return getattr(self._inner, name)(*arguments)

            return call

    tuples = [(1, 2), (3, 4), (5, 6)]
    runs = []
    for true, faces in enumerate(tuples):
        own = [SEATS.own(1, face, place) for place, face in enumerate(faces)]
        noted = Noted(group())
        prover = SEATS.prover(4, 1)
        with using(noted):
            membership.prove(prover, own, tuples, true)
        runs.append(noted.calls)
    assert runs[0] == runs[1] == runs[2]
    assert runs[0].count("multiply") == 3 * (1 + 2 * 2)


def test_row_69_tokens_are_given_for_their_cards_only() -> None:
    deck = SEATS.shuffled(SEATS.deck(range(4)))
    firsts = [closed.a for closed in deck]
    made, proof = tokens.give(SEATS.prover(2, 1), firsts)
    assert tokens.check(SEATS.party(2, 1), firsts, made, proof) == tokens.compute(SEATS.secrets[1], firsts)
    others = [closed.a for closed in SEATS.shuffled(SEATS.deck(range(4)))]
    assert_refused("wrong-token", tokens.check, SEATS.party(2, 1), others, made, proof)
    for place in range(4):
        g = group()
        spoilt = (
            made[: 32 * place]
            + g.add(made[32 * place : 32 * place + 32], g.base(1))
            + made[32 * place + 32 :]
        )
        assert_refused("wrong-token", tokens.check, SEATS.party(2, 1), firsts, spoilt, proof)


def test_row_70_nobody_moves_a_card_that_another_holds() -> None:
    """A copy of another's card, handed in as one's own, would have tokens given for it."""
    theirs = SEATS.own(2, 9)
    made, proof = move.move(SEATS.prover(3, 2), theirs, SEATS.joint)
    assert_refused("wrong-move", move.check, SEATS.party(3, 1), theirs, SEATS.joint, made, proof)
    g, r = group(), 77
    copied = card.joined((Card(g.add(theirs.a, g.base(r)), g.add(theirs.b, g.multiply(r, SEATS.keys[2]))),))
    _, own_proof = move.move(SEATS.prover(3, 1), SEATS.own(1, 9), SEATS.keys[2])
    assert_refused(
        "wrong-move", move.check, SEATS.party(3, 1), SEATS.own(1, 9), SEATS.keys[2], copied, own_proof
    )


def test_row_70_an_opening_of_another_face_or_card_is_refused() -> None:
    own, other = SEATS.own(1, 9), SEATS.own(1, 4, 2)
    for face in (8, 10, 4):
        proof = opening.open_card(SEATS.prover(3, 1), own, face)
        assert_refused("wrong-opening", opening.check, SEATS.party(3, 1), own, face, proof)
    assert_refused(
        "wrong-opening",
        opening.check,
        SEATS.party(3, 1),
        other,
        9,
        opening.open_card(SEATS.prover(3, 1), own, 9),
    )


def test_row_71_a_proof_holds_in_one_match_ask_and_seat() -> None:
    own = SEATS.own(1, 9)
    first, prover = SEATS.party(3, 1), SEATS.prover(3, 1)
    deck = SEATS.deck((1, 2))
    firsts = [deck[0].a]
    made = {
        "wrong-opening": (opening.check, (own, 9, opening.open_card(prover, own, 9))),
        "wrong-move": (move.check, (own, SEATS.joint, *move.move(prover, own, SEATS.joint))),
        "wrong-token": (tokens.check, (firsts, *tokens.give(prover, firsts))),
        RULE: (membership.check, ([own], [(9,)], membership.prove(prover, [own], [(9,)], 0), RULE)),
    }
    ctx = first.ctx
    elsewhere = (ctx._replace(game=bytes(32)), ctx._replace(serial=4), ctx._replace(seat=0))
    for rule, (check, fields) in made.items():
        check(first, *fields)  # type: ignore[operator]  # each with the fields of its own
        for place in elsewhere:
            assert_refused(rule, check, Party(place, first.key), *fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "hostile", [written(0, 0), written(0, 1), written(1, 0), written(ORDER - 1, ORDER - 1)]
)
def test_row_72_scalars_that_make_the_identity_prove_nothing_and_break_nothing(hostile: bytes) -> None:
    """Multiplying by zero is an error of libsodium's: a verifier must neither stumble nor believe."""
    own, party, ctx = SEATS.own(1, 9), SEATS.party(3, 1), SEATS.context(3, 1)
    assert_refused("wrong-key", keys.check, ctx, SEATS.keys[1], hostile)
    assert_refused("wrong-opening", opening.check, party, own, 9, hostile)
    assert_refused("wrong-token", tokens.check, party, [own.a], own.a, hostile)
    assert_refused(RULE, membership.check, party, [own], [(9,)], hostile, RULE)
    assert_refused(
        "wrong-move", move.check, party, own, SEATS.joint, card.joined((own,)), hostile + hostile[:32]
    )
    deck = SEATS.deck((1, 2))
    zeros = card.joined(deck) + hostile[:32] + bytes(32) * 8
    assert_refused("wrong-shuffle", shuffle.check, ctx, SEATS.joint, deck, card.joined(deck), zeros)
    assert IDENTITY not in zeros[:128]


def test_every_label_is_what_keeps_two_proofs_apart() -> None:
    """An opening of a card and a token for it are both proofs of one logarithm; neither is the other."""
    own, party = SEATS.own(1, 9), SEATS.party(3, 1)
    proof = opening.open_card(SEATS.prover(3, 1), own, 9)
    shared = group().multiply(SEATS.secrets[1], own.a)
    assert_refused("wrong-token", tokens.check, party, [own.a], shared, proof)
