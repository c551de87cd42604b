"""Answers spelt word by word: each way leads to one answer, and every answer has a way."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from cli.research.tables import END, laying, listed, picking
from tests.helpers.games.spelling import ways


def test_faces_are_laid_in_every_order_and_none_too_often() -> None:
    laid = [answer for _, answer in ways(lambda: laying(3, (1, 1, 2), once=True))]
    assert sorted(laid) == sorted({*permutations((1, 1, 2))})
    free = [answer for _, answer in ways(lambda: laying(2, (0, 1, 2), once=False))]
    assert len({*free}) == len(free) == 9


def test_places_are_picked_with_one_of_each_group_at_least() -> None:
    groups = [("a", "b"), ("c", "d")]
    picked = [frozenset(answer) for _, answer in ways(lambda: picking(3, "abcde", groups))]
    wanted = [frozenset(trio) for trio in combinations("abcde", 3)]
    assert {*picked} == {trio for trio in wanted if all(trio & {*group} for group in groups)}


def test_a_move_that_begins_another_is_ended() -> None:
    moves = ["stand", "stand 0", "stand 0 12", "stand 3", "end"]
    spelt = dict(ways(lambda: listed((move.split(" "), move) for move in moves)))
    assert sorted(spelt.values()) == sorted(moves)
    assert spelt["stand", END] == "stand"
    assert spelt["stand", "0", END] == "stand 0"
    assert spelt["stand", "3"] == "stand 3"


@pytest.mark.parametrize("options", [["only"], ["two words"]])
def test_the_only_move_is_not_asked_for(options: list[str]) -> None:
    assert [*ways(lambda: listed((move.split(" "), move) for move in options))] == [((), options[0])]
