"""What a claim amounts to once cards are face up."""

from __future__ import annotations

import random
from itertools import product
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.record.claims import ClaimLedger, RecordedClaim


def claim(
    *, exactly: bool = False, seat: int = 0, number: int = 4, slots: tuple[int, ...] = (1, 2, 3)
) -> RecordedClaim:
    return RecordedClaim(seat, "rule", slots, (5, 6, 6), exactly, number)


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


MIXED: Final = RecordedClaim(0, "mixed", (4, 5, 6), (), exactly=True, number=4, same_as=(1, 2, 3))


@pytest.mark.parametrize(
    ("shown", "holds"),
    [
        ({}, True),
        ({1: 5, 2: 5, 3: 6, 4: 6, 5: 5, 6: 5}, True),
        ({1: 5, 2: 5, 3: 6, 4: 6, 5: 6, 6: 5}, False),
        ({1: 5, 2: 5, 3: 5, 4: 6}, False),
        ({1: 5, 2: 5, 4: 6}, True),
        ({1: 5, 2: 5, 4: 6, 5: 6}, False),
        ({4: 7, 5: 7, 6: 7}, True),
        ({3: 8, 4: 7, 5: 7, 6: 7}, False),
        ({9: 1}, True),
    ],
)
def test_both_groups_show_the_same_as_a_whole(shown: dict[int, int], holds: bool) -> None:
    assert MIXED.holds(shown) is holds
    assert MIXED.all_slots == (4, 5, 6, 1, 2, 3)


@given(
    faces=st.lists(st.integers(0, 3), min_size=1, max_size=6),
    order=st.randoms(use_true_random=False),
    hidden=st.sets(st.integers(0, 11)),
    other=st.integers(0, 3),
)
def test_a_true_mixing_holds_however_much_of_it_is_shown_and_a_false_one_fails_when_all_is(
    faces: list[int], order: random.Random, hidden: set[int], other: int
) -> None:
    size = len(faces)
    old, new = tuple(range(size)), tuple(range(size, 2 * size))
    again = order.sample(faces, size)
    claim = RecordedClaim(0, "mixed", new, (), exactly=True, number=0, same_as=old)
    all_shown = dict(zip((*old, *new), (*faces, *again), strict=True))
    assert claim.holds({slot: face for slot, face in all_shown.items() if slot not in hidden})
    changed = {**all_shown, new[0]: other}
    assert claim.holds(changed) is (sorted(faces) == sorted(changed[slot] for slot in new))


def test_a_partly_shown_mixing_holds_if_and_only_if_some_hidden_faces_make_it_true() -> None:
    """By trying all of them, for three slots and two faces."""
    slots = MIXED.same_as + MIXED.slots
    for shown in product((0, 1, None), repeat=6):
        known = {slot: face for slot, face in zip(slots, shown, strict=True) if face is not None}
        fillings = product(*((face,) if face is not None else (0, 1) for face in shown))
        assert MIXED.holds(known) is any(sorted(f[:3]) == sorted(f[3:]) for f in fillings)


def test_what_is_due_comes_in_parts_and_no_claim_makes_more_of_them() -> None:
    ledger = ClaimLedger()
    ledger.add(claim(slots=tuple(range(600, 0, -1))))
    parts = [ledger.part(0, 5, number) for number in range(4)]
    assert list(map(len, parts)) == [256, 256, 88, 0]
    assert sum(parts, ()) == ledger.due(0, 5) == tuple(range(1, 601))
    assert ledger.part(0, 5, 2**32 - 1) == ()
    ledger.add(claim(slots=(700,), number=6))
    assert ledger.part(0, 5, 2) == parts[2]
    assert ledger.part(0, 7, 2) == (*parts[2], 700)


def test_a_mixing_makes_the_dead_slots_due_too() -> None:
    ledger = ClaimLedger([MIXED])
    assert ledger.due(0, 5) == (1, 2, 3, 4, 5, 6)
    assert ledger.about(2) == [MIXED]
    assert ledger.about(9) == ()


def test_what_is_due_depends_on_the_chain_and_on_how_far_it_goes() -> None:
    ledger = ClaimLedger([claim(slots=(3, 1)), claim(slots=(1, 7), number=6), claim(seat=1, slots=(20,))])
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
    ledger = ClaimLedger([first, second])
    assert ledger.broken({}) is None
    assert ledger.broken({2: 1}) is second
    assert ledger.broken({1: 1, 2: 1}) is first
    ledger.add(claim(slots=(3,), number=0))
    assert ledger.broken({1: 1, 2: 1, 3: 1}) is first
