"""Cards: read by the seats that may, and by no other; tokens that take the others' keys away."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from protocol.crypto.group.backend import ORDER, group
from protocol.crypto.group.received import ProofError
from protocol.crypto.proofs import card, move, tokens
from protocol.crypto.proofs.card import FACES, Card
from tests.helpers.crypto.deck import Seats
from tests.helpers.machine.examples import examples


def test_every_face_is_read_back_and_nothing_else_is() -> None:
    seats = Seats(2)
    for face in range(FACES):
        assert card.read(seats.secrets[0], card.public(face, seats.keys[0])) == face
    assert (
        card.read(seats.secrets[0], Card(group().base(1), group().add(seats.keys[0], group().base(129))))
        is None
    )
    assert card.read(seats.secrets[1], card.public(5, seats.keys[0])) is None


def test_cards_stand_joined() -> None:
    seats = Seats(2)
    deck = seats.deck((1, 2))
    data = card.joined(deck)
    assert card.parse(data, 2) == card.unchecked(data) == deck
    for wrong, count in ((data, 1), (data[:-1], 2), (bytes(64), 1), (data[:64] + data[32:64] + bytes(32), 2)):
        with pytest.raises(ProofError, match="not-a-message"):
            card.parse(wrong, count)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_a_card_is_read_by_its_drawer_and_by_nobody_else_s_keys(count: int) -> None:
    """All others together read nothing, with all tokens that were given for the card."""
    seats = Seats(count)
    faces = list(range(2 * count))
    deck = seats.shuffled(seats.deck(faces))
    seen = []
    for seat in range(count):
        hand = deck[2 * seat : 2 * seat + 2]
        for top, own in zip(hand, seats.drawn(hand, seat), strict=True):
            face = card.read(seats.secrets[seat], own)
            assert face is not None
            seen.append(face)
            others = [other for other in range(count) if other != seat]
            for size in range(1, count):
                for group_of in combinations(others, size):
                    secret = sum(seats.secrets[other] for other in group_of) % ORDER
                    assert card.read(secret, own) is None
                    assert card.read(secret, top) is None
    assert Counter(seen) == Counter(faces)


@examples(10, 48)
@given(some.data())
def test_the_cards_stay_the_same_ones_through_any_run_of_draws_shows_and_returns(
    data: some.DataObject,
) -> None:
    """A model of lists beside the cards; at the end every card is read."""
    count = data.draw(some.integers(2, 4), "seats")
    seats = Seats(count)
    deck = seats.deck(data.draw(some.lists(some.integers(0, 9), min_size=3, max_size=6), "faces"))
    dealt = Counter(card.read(sum(seats.secrets) % ORDER, closed) for closed in deck)
    hands: list[list[Card]] = [[] for _ in range(count)]
    for serial, act in enumerate(data.draw(some.lists(some.integers(0, 3), max_size=6), "acts"), 1):
        seat = serial % count
        if act == 0 and len(deck) > 1:
            deck = seats.shuffled(deck, serial)
        elif act == 1 and deck:
            hands[seat] += seats.drawn(deck[:1], seat, serial)
            deck = deck[1:]
        elif act in (2, 3) and hands[seat]:
            to = seats.joint if act == 2 else seats.keys[(seat + 1) % count]
            own = hands[seat].pop(0)
            made = move.move(seats.prover(serial, seat), own, to)
            new = move.check(seats.party(serial, seat), own, to, *made)
            if act == 2:
                deck = (*deck, new)
            else:
                hands[(seat + 1) % count].append(new)
    faces = [card.read(sum(seats.secrets) % ORDER, closed) for closed in deck]
    faces += [card.read(seats.secrets[seat], closed) for seat, hand in enumerate(hands) for closed in hand]
    assert Counter(faces) == dealt


def test_all_tokens_open_a_card_to_everybody() -> None:
    seats = Seats(3)
    (top, *_) = seats.shuffled(seats.deck((3, 8)))
    given_ones = [tokens.compute(x, [top.a])[0] for x in seats.secrets]
    assert card.face_of(card.without(top, given_ones).b) in (3, 8)


def test_the_difference_of_cards_is_a_card_of_the_difference() -> None:
    """So ranks can be subtracted under one key without a look."""
    seats = Seats(2)
    high, low = seats.own(0, 9, 1), seats.own(0, 4, 2)
    g = group()
    difference = Card(g.subtract(high.a, low.a), g.subtract(high.b, low.b))
    assert card.read(seats.secrets[0], difference) == 9 - 4 - 1
