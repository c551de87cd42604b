"""The boards of a chase: against a plain tuple, which is what they stand for."""

from __future__ import annotations

import tracemalloc
from copy import deepcopy
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.stratego.rules.cells import Board
from p2p_stratego.stratego.rules.repetition import NO_PAST, Past, past_of

LONG = 3000


def board(number: int) -> Board:
    return number.to_bytes(100, "big")


@given(
    steps=st.lists(st.tuples(st.integers(0, 40), st.sampled_from([0, 1, 5, 33, 70, 10**6])), max_size=300),
    asked=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 300)), max_size=20),
)
def test_a_past_is_the_tuple_of_its_last_boards(
    steps: list[tuple[int, int]], asked: list[tuple[int, int]]
) -> None:
    past, plain = NO_PAST, tuple[Board, ...]()
    for number, most in steps:
        past = past.then(board(number), most)
        plain = (*plain, board(number))[-most:] if most else ()
        assert len(past) == len(plain)
    assert tuple(past) == plain
    assert past == past_of(plain)
    assert hash(past) == hash(past_of(plain))
    assert deepcopy(past) == past
    for number, last in asked:
        assert past.holds(board(number), last) == (board(number) in plain[max(0, len(plain) - last) :])
    assert tuple(past.recoded(b"\1", b"\2")) == tuple(state.replace(b"\1", b"\2") for state in plain)


def test_a_long_past_is_asked_for_any_length() -> None:
    random = Random(1)
    numbers = [random.randrange(LONG) for _ in range(LONG)]
    past = past_of(map(board, numbers))
    for last in (0, 1, 31, 32, 33, 511, 512, 513, 1024, LONG - 1, LONG, LONG + 1):
        recent = set(numbers[max(0, LONG - last) :])
        assert [past.holds(board(number), last) for number in range(LONG)] == [
            number in recent for number in range(LONG)
        ]


def test_pasts_that_grew_from_one_do_not_disturb_each_other() -> None:
    past = past_of(map(board, range(500)))
    first, two = (past.then(board(number), 10**6) for number in (1000, 2000))
    for number in range(100):
        first = first.then(board(number), 10**6)
    assert tuple(two) == (*past, board(2000))
    assert len(past) == 500


def test_row_47_all_pasts_of_a_long_chase_share_their_boards() -> None:
    """Kept whole in every state, 4,000 boards would take 60 MiB."""
    boards = [board(number) for number in range(4000)]
    tracemalloc.start()
    try:
        kept, past = [], NO_PAST
        for position in boards:
            past = past.then(position, 10**6)
            kept.append(past)
        assert tracemalloc.get_traced_memory()[0] < 4 << 20
    finally:
        tracemalloc.stop()
    assert isinstance(kept[-1], Past)
