"""Shuffles: true ones are cards in another order, and no crooked one passes."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, cast

import pytest

from protocol.crypto.group.backend import ORDER, Group, group, using
from protocol.crypto.group.nonces import Nonces
from protocol.crypto.group.received import ProofError
from protocol.crypto.proofs import card, shuffle
from protocol.crypto.proofs.card import Card
from protocol.crypto.proofs.shuffle import (
    Preparation,
    PreparationJob,
    ShuffleJob,
    ShuffleProof,
)
from tests.helpers.crypto.crooked import WAYS, crooked, lie
from tests.helpers.crypto.deck import Seats

SEATS = Seats(3)
CTX = SEATS.context(1, 0)
ORDERS = 400


def faces(cards: tuple[Card, ...] | list[Card], seats: Seats = SEATS) -> list[int | None]:
    """What is on cards under the joint key, by all keys together."""
    return [card.read(sum(seats.secrets) % ORDER, closed) for closed in cards]


@pytest.mark.parametrize("count", [2, 3, 5, 13])
def test_a_shuffled_deck_holds_the_same_cards(count: int) -> None:
    dealt = [number // 2 for number in range(count)]
    deck = SEATS.shuffled(SEATS.deck(dealt))
    assert Counter(faces(deck)) == Counter(dealt)
    assert len({point for closed in deck for point in closed}) == 2 * count


def test_a_given_order_is_the_order() -> None:
    deck = SEATS.deck(range(5))
    after, proof = shuffle.arrange(CTX, SEATS.joint, deck, (3, 0, 4, 1, 2), SEATS.nonces[0])
    assert faces(list(shuffle.check(CTX, SEATS.joint, deck, after, proof))) == [3, 0, 4, 1, 2]
    assert len(after) == 64 * 5
    assert len(proof) == shuffle.proof_bytes(5) == 800


def test_one_card_is_no_shuffle() -> None:
    (single,) = deck = SEATS.deck((7,))
    with pytest.raises(ValueError, match="order"):
        shuffle.shuffle(CTX, SEATS.joint, deck, SEATS.nonces[0])
    with pytest.raises(ProofError, match="not-a-message"):
        shuffle.check(CTX, SEATS.joint, deck, card.joined((single,)), bytes(shuffle.proof_bytes(1)))


def test_cards_under_ones_own_key_are_mixed_and_a_public_list_is_laid_in_secret() -> None:
    own = SEATS.keys[1]
    listed = tuple(card.public(face, own) for face in (4, 4, 9))
    after, proof = shuffle.arrange(SEATS.context(1, 1), own, listed, (2, 0, 1), SEATS.nonces[1])
    laid = shuffle.check(SEATS.context(1, 1), own, listed, after, proof)
    assert [card.read(SEATS.secrets[1], closed) for closed in laid] == [9, 4, 4]


def test_the_same_deck_shuffled_twice_has_no_point_in_common() -> None:
    deck = SEATS.deck(range(4))
    first, second = (shuffle.shuffle(CTX, SEATS.joint, deck, SEATS.nonces[0])[0] for _ in range(2))
    points = [data[i : i + 32] for data in (first, second) for i in range(0, len(data), 32)]
    assert len(set(points)) == 16


def test_orders_are_uniform() -> None:
    """A sample; `make orders` takes 100,000, with whole shuffles."""
    source = SEATS.nonces[0]
    orders = Counter(tuple(source.serve(b"test", number).permutation(4)) for number in range(ORDERS))
    expected = ORDERS / 24
    distance = sum((count - expected) ** 2 / expected for count in orders.values())
    assert len(orders) == 24
    assert distance < 49.7  # chi-square with 23 degrees of freedom, 0.1 %; the bytes are fixed


def test_the_prover_of_the_tests_is_honest_if_it_is_let() -> None:
    """Otherwise the crooked ones below would be refused for another reason."""
    for count in (2, 3, 6):
        deck = SEATS.shuffled(SEATS.deck(range(count)))
        made = lie(CTX, SEATS.joint, deck, Random(count)).message()
        after = shuffle.check(made.ctx, made.key, deck, made.after, made.proof)
        assert card.joined(after) == made.after


@pytest.mark.parametrize("why", WAYS)
def test_row_68_no_crooked_shuffle_passes(why: str) -> None:
    """A sample; `make crooked` takes 1,000 or more."""
    way, rule = WAYS[why]
    rng = Random(why)
    for count in (2, 4):
        deck = SEATS.deck(range(count)) if count == 2 else SEATS.shuffled(SEATS.deck(range(count)))
        for _ in range(3):
            made = way(lie(CTX, SEATS.joint, deck, rng))
            with pytest.raises(ProofError) as refused:
                shuffle.check(made.ctx, made.key, card.unchecked(made.before), made.after, made.proof)
            assert refused.value.rule == rule


def test_row_72_every_scalar_of_a_proof_counts_and_has_one_form() -> None:
    after, proof = shuffle.shuffle(CTX, SEATS.joint, deck := SEATS.deck(range(3)), SEATS.nonces[0])
    true = ShuffleProof(CTX, SEATS.joint, card.joined(deck), after, proof)
    for place in range(64 * 3, len(proof), 32):
        number = int.from_bytes(proof[place : place + 32], "little")
        for other, rule in ((number ^ 1, "wrong-shuffle"), (number + ORDER, "not-a-message")):
            changed = proof[:place] + other.to_bytes(32, "little") + proof[place + 32 :]
            with pytest.raises(ProofError) as refused:
                true._replace(proof=changed).verify()
            assert refused.value.rule == rule


def test_a_campaign_tries_every_way() -> None:
    decks = [SEATS.deck(range(3))]
    assert {why for why, _, _ in crooked(CTX, SEATS.joint, decks, 1, len(WAYS))} == set(WAYS)


def test_a_job_makes_a_shuffle_and_shows_no_secret() -> None:
    deck = SEATS.deck(range(4))
    job = ShuffleJob(
        CTX, SEATS.joint, card.joined(deck), (3, 2, 1, 0), Nonces(SEATS.masters[0], SEATS.game, 0)
    )
    assert faces(list(shuffle.check(CTX, SEATS.joint, deck, *job.run()))) == [3, 2, 1, 0]
    assert repr(job) == "<shuffling of 4 cards>"


def prepared(count: int) -> Preparation:
    """A preparation for so many cards under the joint key."""
    return PreparationJob(bytes(32), SEATS.joint, count, SEATS.nonces[0]).run()


@pytest.mark.parametrize("more", [0, 3])
def test_a_preparation_serves_a_shuffle_of_as_many_cards_or_fewer(more: int) -> None:
    deck = SEATS.shuffled(SEATS.deck(range(4)))
    after, proof = shuffle.arrange(CTX, SEATS.joint, deck, (3, 0, 2, 1), prepared(4 + more))
    before, laid = faces(deck), shuffle.check(CTX, SEATS.joint, deck, after, proof)
    assert faces(laid) == [before[place] for place in (3, 0, 2, 1)]


def test_a_prepared_shuffle_has_four_products_of_ten_left() -> None:
    deck, ready = SEATS.shuffled(SEATS.deck(range(9))), prepared(9)
    counting = _Counting()
    with using(cast("Group", counting)):
        shuffle.arrange(CTX, SEATS.joint, deck, range(9), ready)
    assert counting.calls["multiply"] == 4 * 9
    assert counting.calls["base"] == 0


class _Counting:
    """A group that counts what it is asked; `calls`: by the name of the operation."""

    def __init__(self) -> None:
        self.calls = Counter[str]()
        self._counted = group()

    def __getattr__(self, name: str) -> Any:
        operation = getattr(self._counted, name)

        def counted(*operands: Any) -> Any:
            self.calls[name] += 1
            return operation(*operands)

        return counted


def test_two_preparations_have_no_scalar_in_common_though_the_generator_fails() -> None:
    """A failed generator gives the same bytes for ever: another head has other scalars all the same."""
    stuck = Nonces(bytes(32), bytes(32), 0, bytes)
    first, again, second = (
        PreparationJob(bytes([head]) * 32, SEATS.joint, 2, stuck).run() for head in (1, 1, 2)
    )
    assert first == again
    scalars = [number for proof in (first, second) for place in proof.places for number in place[:5]]
    assert len(set(scalars)) == 20


def test_row_38_a_preparation_does_not_print_itself() -> None:
    ready = prepared(2)
    assert repr(ready) == "<prepared for 2 cards>"
    made = ShuffleJob(CTX, SEATS.joint, card.joined(SEATS.deck((1, 2))), None, SEATS.nonces[0], ready)
    assert str(ready.places[0].r) not in repr(made)
