"""Joint chance: uniform, fixed before the first roll, and nobody's to steer (threat 7)."""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.coin_toss import MAX_SIDES, chain, follows, result
from protocol.wire import labels
from protocol.wire.encoding import encode, tagged
from tests.helpers.machine.examples import examples

GAME: Final = bytes(32)
_link: Final = tagged(labels.CHANCE_LINK)
_roll: Final = tagged(labels.CHANCE_ROLL)


@given(seat=st.integers(0, 4), seed=st.binary(min_size=32, max_size=32), length=st.integers(0, 20))
@examples(24, 240)
def test_each_link_follows_the_one_before_it_and_no_other(seat: int, seed: bytes, length: int) -> None:
    links = chain(seat, seed, length)
    assert len(links) == length + 1
    assert links[-1] == seed
    for place, link in enumerate(links[1:]):
        assert link_before(seat, link) == links[place]
        assert [follows(seat, link, previous) for previous in links] == [
            at == place for at in range(length + 1)
        ]
        assert not follows(seat + 1, link, links[place])


def link_before(seat: int, link: bytes) -> bytes:
    """As the specification has it."""
    return _link(encode([seat, link]))


def test_a_chain_used_by_another_seat_does_not_fit() -> None:
    links = chain(0, bytes(32), 4)
    assert all(not follows(1, link, links[place]) for place, link in enumerate(links[1:]))


def test_a_result_is_what_the_specification_gives() -> None:
    shares = [bytes([seat]) * 32 for seat in range(3)]
    value = int.from_bytes(_roll(encode([GAME, 4, 0, shares])), "big")
    assert result(GAME, 4, shares, 6) == value % 6


def test_every_part_of_a_roll_changes_it() -> None:
    shares = [bytes([1]) * 32, bytes([2]) * 32]
    base = result(GAME, 0, shares, MAX_SIDES)
    others = [
        result(bytes([1]) * 32, 0, shares, MAX_SIDES),
        result(GAME, 1, shares, MAX_SIDES),
        result(GAME, 0, shares[::-1], MAX_SIDES),
        result(GAME, 0, [shares[0], bytes(32)], MAX_SIDES),
        result(GAME, 0, shares[:1], MAX_SIDES),
    ]
    assert len({base, *others}) == 6


def test_values_that_would_favour_small_numbers_are_drawn_again() -> None:
    """With sides near 2^256 / 1.5 a third of all draws is refused: the loop that games hardly ever enter."""
    sides = 2**255 + 2**253
    attempts: Counter[int] = Counter()
    for number in range(200):
        attempt = 0
        while (value := int.from_bytes(_roll(encode([GAME, number, attempt, []])), "big")) >= sides:
            attempt += 1
        attempts[attempt] += 1
        assert result(GAME, number, [], sides) == value % sides
    assert attempts[0] > 100
    assert sum(attempts.values()) - attempts[0] > 40


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 1200, MAX_SIDES])
def test_a_result_is_below_its_sides(sides: int) -> None:
    assert all(0 <= result(GAME, number, [], sides) < sides for number in range(200))


@pytest.mark.parametrize(
    "habit", ["honest", "always zeros", "the other's last link", "the best of ten chains"]
)
def test_row_07_whatever_the_last_to_reveal_chose_before_the_rolls_stay_fair(habit: str) -> None:
    """25,000 rolls each.  It may choose its chain as it likes, but without the other's links; later it has no
    choice any more, which the tests of lies show.
    """
    rng = random.Random(habit)
    sides, rolls, counts = 6, 25_000, Counter[int]()
    honest = chain(0, rng.randbytes(32), rolls)
    other = {
        "honest": lambda: chain(1, rng.randbytes(32), rolls),
        "always zeros": lambda: [bytes(32)] * (rolls + 1),
        "the other's last link": lambda: honest[:1] + honest[:-1],
        "the best of ten chains": lambda: max(
            (chain(1, rng.randbytes(32), rolls) for _ in range(10)),
            key=lambda links: sum(x[0] % 6 == 0 for x in links),
        ),
    }[habit]()
    for number in range(rolls):
        counts[result(GAME, number, [honest[number + 1], other[number + 1]], sides)] += 1
    expected = rolls / sides
    chi_square = sum((counts[side] - expected) ** 2 / expected for side in range(sides))
    assert chi_square < 30  # five degrees of freedom: a fair die is above this once in 70,000 times


@pytest.mark.parametrize("seats", [3, 4])
def test_cheat_30_all_but_one_who_share_their_links_foresee_and_steer_nothing(seats: int) -> None:
    """Whatever they know and chose, the rolls are fair, and a guess of theirs is right one time in six."""
    rng = random.Random(seats)
    sides, rolls, counts, right = 6, 12_000, Counter[int](), 0
    chosen = [[bytes([seat]) * 32] * rolls for seat in range(1, seats)]
    honest = chain(0, rng.randbytes(32), rolls)
    for number in range(rolls):
        known = [links[number] for links in chosen]
        guess = result(GAME, number, [honest[number], *known], sides)  # with the last link that they saw
        rolled = result(GAME, number, [honest[number + 1], *known], sides)
        counts[rolled] += 1
        right += guess == rolled
    expected = rolls / sides
    assert sum((counts[side] - expected) ** 2 / expected for side in range(sides)) < 30
    assert abs(right - expected) < 6 * (expected * 5 / 6) ** 0.5


def test_row_07_seeing_the_others_share_leaves_no_choice() -> None:
    """Out of 10,000 other links, none passes for the one that was committed to."""
    links, rng = chain(1, bytes(32), 3), random.Random(7)
    assert follows(1, links[1], links[0])
    assert not any(follows(1, rng.randbytes(32), links[0]) for _ in range(10_000))
