"""The pile: what can be next, one number for several cards, the Traitor at the bottom, shuffling."""

from __future__ import annotations

from random import Random

import pytest

from p2p_stratego.conquest.rules.cards import (
    A_ROLL,
    BLITZ,
    FULL,
    IN_ALL,
    NUMBER,
    REGROUP,
    SHUFFLED,
    TRAITOR,
    Pile,
    bases,
    dealt,
    number_of,
    put_away,
    sides,
)


def test_the_42_cards_of_the_page() -> None:
    assert IN_ALL == (13, 11, 6, 5, 4, 2, 1)
    assert NUMBER == 42
    assert FULL.size == SHUFFLED.size == 42


def test_at_the_start_the_traitor_lies_under_the_41_others() -> None:
    assert bases(FULL, (), 6) == (41, 40, 39, 38, 37, 36)
    assert bases(SHUFFLED, (), 6) == (42, 41, 40, 39, 38, 37)
    one_other = Pile((1, 0, 0, 0, 0, 0, 1), traitor_last=True)
    assert bases(one_other, (), 3) == (1, 1, 40)
    assert dealt(one_other, (), 2, 0)[1] == (BLITZ, TRAITOR)


def test_six_cards_never_need_more_sides_than_a_roll_has() -> None:
    worst = 42 * 41 * 40 * 39 * 38 * 37
    assert sides(SHUFFLED, (), A_ROLL) == worst < 2**32
    for counts in ((1, 0, 0, 0, 0, 0, 0), (13, 11, 6, 5, 4, 0, 0), (0, 0, 0, 0, 0, 0, 1)):
        assert sides(Pile(counts, traitor_last=False), (), A_ROLL) <= worst


def test_a_card_is_a_digit_the_first_the_most_significant_like_ones_together() -> None:
    assert dealt(FULL, (), 1, 12)[1] == (BLITZ,)
    assert dealt(FULL, (), 1, 13)[1] == (REGROUP,)
    assert dealt(FULL, (), 2, 13 * 40 + 12)[1] == (REGROUP, BLITZ)
    assert dealt(FULL, (), 2, 12 * 40 + 12)[1] == (BLITZ, REGROUP)  # one Blitz! is gone by then


def test_an_empty_pile_is_made_of_the_discards_without_the_cards_of_this_turn() -> None:
    last = Pile((1, 0, 0, 0, 0, 0, 0), traitor_last=False)
    pile, drawn = dealt(last, (TRAITOR,), 1, 0)
    assert pile.size == 0
    pile, drawn = dealt(pile, drawn, 1, 0)
    assert drawn == (TRAITOR, BLITZ, BLITZ)
    assert pile.counts == (11, 11, 6, 5, 4, 2, 0)
    assert pile.size == 42 - 3


def test_with_the_traitor_among_the_cards_all_42_are_shuffled() -> None:
    assert put_away(FULL, (BLITZ,)) is FULL
    assert put_away(Pile((0,) * 7, traitor_last=False), (BLITZ, TRAITOR)) is SHUFFLED


@pytest.mark.parametrize("seed", range(30))
def test_a_number_and_its_cards_say_the_same(seed: int) -> None:
    rng, pile = Random(seed), FULL
    for _ in range(30):
        number, drawn = rng.randint(1, 6), tuple[int, ...]()
        for _ in range(rng.randint(1, 2)):
            rolled = rng.randrange(sides(pile, drawn, number))
            after, all_drawn = dealt(pile, drawn, number, rolled)
            again = number_of(pile, drawn, all_drawn[len(drawn) :])  # another one, if it means like cards
            assert again is not None
            assert dealt(pile, drawn, number, again) == (after, all_drawn)
            pile, drawn = after, all_drawn
            assert all(0 <= count <= most for count, most in zip(pile.counts, IN_ALL, strict=True))
        pile = put_away(pile, drawn)


def test_what_the_pile_cannot_give_has_no_number() -> None:
    assert number_of(FULL, (), (TRAITOR,)) is None
    assert number_of(Pile((1, 0, 0, 0, 0, 0, 1), traitor_last=True), (), (TRAITOR,)) is None
    assert number_of(SHUFFLED, (), (TRAITOR, TRAITOR)) is None
