"""What a claim amounts to once cards are face up."""

from __future__ import annotations

import pytest

from protocol.record.claims import Claimed, Ledger


def claim(
    *, exactly: bool = False, seat: int = 0, number: int = 4, slots: tuple[int, ...] = (1, 2, 3)
) -> Claimed:
    return Claimed(seat, "rule", slots, (5, 6, 6), exactly, number)


@pytest.mark.parametrize(
    ("shown", "holds"),
    [
        ({}, True),
        ({1: 5}, True),
        ({1: 6, 2: 6, 3: 6}, True),
        ({9: 1}, True),
        ({2: 7}, False),
        ({1: 5, 2: 6, 3: 7}, False),
    ],
)
def test_each_slot_shows_one_of_the_faces(shown: dict[int, int], holds: bool) -> None:
    assert claim().holds(shown) is holds


@pytest.mark.parametrize(
    ("shown", "holds"),
    [
        ({}, True),
        ({1: 6, 2: 6}, True),
        ({1: 6, 2: 5, 3: 6}, True),
        ({1: 5, 2: 5}, False),
        ({1: 6, 2: 6, 3: 6}, False),
        ({3: 7}, False),
        ({9: 5, 8: 5}, True),
    ],
)
def test_all_slots_together_show_exactly_the_faces(shown: dict[int, int], holds: bool) -> None:
    assert claim(exactly=True).holds(shown) is holds


def test_what_is_due_depends_on_the_chain_and_on_how_far_it_goes() -> None:
    ledger = Ledger([claim(slots=(3, 1)), claim(slots=(1, 7), number=6), claim(seat=1, slots=(20,))])
    assert ledger.due(0, 4) == ()
    assert ledger.due(0, 5) == (1, 3)
    assert ledger.due(0, 7) == (1, 3, 7)
    assert ledger.due(1, 7) == (20,)
    assert ledger.due(2, 7) == ()
    ledger.opened_at[3] = 5
    assert ledger.due(0, 5) == (1, 3)
    assert ledger.due(0, 6) == (1,)


def test_of_false_claims_the_earliest_counts() -> None:
    first, second = claim(slots=(1,)), claim(slots=(2,), number=6)
    ledger = Ledger([first, second])
    assert ledger.broken({}) is None
    assert ledger.broken({2: 1}) is second
    assert ledger.broken({1: 1, 2: 1}) is first
