"""Warnings before a rule is broken: the same questions that the rules ask afterwards."""

from __future__ import annotations

import pytest

from p2p_stratego.spies_and_lies.rules.checks import falsely_marked, impossible, out_of_order


@pytest.mark.parametrize(
    ("ranks", "missions"),
    [
        ((1, 2, 3, 5), ()),
        ((2, 7, 4, 10), ()),
        ((4, 1, 2, 3), ()),
        ((9, 4, 8, 10), (3,)),
        ((10, 9, 8, 7), (2, 3, 4)),
        ((5, 1, 3, 2), (2, 3, 4)),
    ],
)
def test_out_of_order_are_the_cards_lower_than_one_before_the_sergeant_aside(
    ranks: tuple[int, ...], missions: tuple[int, ...]
) -> None:
    assert out_of_order(ranks) == missions


def test_falsely_marked_are_all_wrong_marks_but_the_sergeants() -> None:
    assert falsely_marked((1, 4, 5, 9), {3}, (4, 7)) == ()
    assert falsely_marked((1, 4, 5, 9), {2, 3}, (4, 7)) == ()
    assert falsely_marked((1, 4, 5, 9), {1, 4}, (4, 7)) == (1, 3, 4)


def test_impossible_are_exhausted_cards_and_second_copies() -> None:
    assert impossible((1, 2, 3, 5), (7,)) == ()
    assert impossible((1, 1, 3, 7), (7,)) == (2, 4)
