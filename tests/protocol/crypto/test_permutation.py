"""Orders from a seed: always whole, always the same, each as likely as any other."""

from __future__ import annotations

from collections import Counter
from math import factorial
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto import permutation as module
from protocol.crypto.permutation import permutation, uniform
from protocol.wire import labels
from protocol.wire.encoding import encode, tagged
from tests.helpers.machine.examples import examples

SEED: Final = bytes(range(32))
_draw: Final = tagged(labels.MIX_DRAW)


@given(seed=st.binary(min_size=32, max_size=32), length=st.integers(0, 256))
@examples(24, 240)
def test_an_order_holds_every_place_once_and_follows_from_the_seed(seed: bytes, length: int) -> None:
    order = permutation(seed, length)
    assert sorted(order) == list(range(length))
    assert order == permutation(seed, length)


def test_an_order_is_what_the_specification_gives() -> None:
    order = ["a", "b", "c", "d"]
    for last in (3, 2, 1):
        chosen = int.from_bytes(_draw(encode([SEED, last, 0])), "big") % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    assert [("a", "b", "c", "d")[place] for place in permutation(SEED, 4)] == order


@pytest.mark.parametrize("length", [2, 3, 4])
def test_every_order_comes_equally_often(length: int) -> None:
    """Chi-square over all orders; the seeds are fixed, so the test always sees the same draws.

    The bound is five standard deviations above the mean (df ± sqrt(2 df)).
    """
    kinds = factorial(length)
    runs = 500 * kinds
    seen = Counter(tuple(permutation(number.to_bytes(32, "big"), length)) for number in range(runs))
    assert len(seen) == kinds
    square = sum((count - 500) ** 2 / 500 for count in seen.values())
    df = kinds - 1
    assert square < df + 5 * (2 * df) ** 0.5


def test_every_thing_comes_to_every_place_equally_often() -> None:
    length, runs = 17, 3400
    seen = Counter(
        (thing, place)
        for number in range(runs)
        for place, thing in enumerate(permutation(number.to_bytes(32, "big"), length))
    )
    expected = runs / length
    square = sum((seen[i, j] - expected) ** 2 / expected for i in range(length) for j in range(length))
    df = (length - 1) ** 2
    assert abs(square - df) < 5 * (2 * df) ** 0.5


def test_a_draw_over_the_bound_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without rejection the low numbers would come more often."""
    monkeypatch.setattr(module, "SPACE", 2**256 // 2 + 1)  # about every second draw is rejected
    accepted = 2**256 // 2 + 1 - (2**256 // 2 + 1) % 3
    for place in range(40):
        values = (int.from_bytes(_draw(encode([SEED, place, attempt])), "big") for attempt in range(64))
        assert uniform(SEED, place, 3) == next(value for value in values if value < accepted) % 3
