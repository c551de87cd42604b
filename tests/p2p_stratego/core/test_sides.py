"""Who wins when a seat leaves or cheats."""

from __future__ import annotations

from p2p_stratego.core.sides import each_alone, last_side, side_of, without

TEAMS = (frozenset({0, 2}), frozenset({1, 3}))


def test_the_side_of_a_seat() -> None:
    assert side_of(TEAMS, 3) == {1, 3}
    assert side_of(each_alone(3), 1) == {1}


def test_a_side_is_last_when_every_seat_of_the_others_is_gone() -> None:
    assert last_side(each_alone(3), {0}) is None
    assert last_side(each_alone(3), {0, 2}) == frozenset({1})
    assert last_side(TEAMS, {0, 3}) is None
    assert last_side(TEAMS, {1, 3}) == frozenset({0, 2})
    assert last_side(TEAMS, []) is None


def test_of_all_that_leave_in_one_step_the_last_one_has_won() -> None:
    assert last_side(TEAMS, [0, 1, 2, 3]) == frozenset({1, 3})
    assert last_side(TEAMS, {3: 5, 1: 6, 0: 7, 2: 8}) == frozenset({0, 2})


def test_of_two_sides_the_other_one_wins_by_a_fault() -> None:
    assert without(each_alone(2), 0) == {1}
    assert without(TEAMS, 2) == {1, 3}
    assert without(TEAMS, 2, ranked={0, 2}) == {1, 3}


def test_nobody_gains_by_the_sacrifice_of_a_friend() -> None:
    assert without(each_alone(3), 0) == frozenset()
    assert without(each_alone(3), 0, ranked={1}) == {1}
    assert without(each_alone(3), 0, ranked={0, 1}) == {1}
