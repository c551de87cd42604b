"""Moves written, read, and understood as people type them."""

from __future__ import annotations

import pytest

from p2p_stratego.stratego.rules.board import CRATERS, NAMES, NEIGHBOURS, RAYS, SQUARE_NAMED, SQUARES
from p2p_stratego.stratego.rules.notation import (
    FAR,
    NEAR,
    STEPS,
    MoveError,
    fill,
    filled,
    is_fill,
    parse,
    squares,
)
from p2p_stratego.stratego.rules.notation import move as written
from tests.helpers.stratego.boards import Table


def test_every_move_along_a_line_has_one_spelling() -> None:
    assert len(STEPS) == 100 * 18
    for move, (source, target, between) in STEPS.items():
        assert move == NAMES[source] + NAMES[target] == written(source, target)
        assert squares(move) == (source, target)
        assert len(between) == max(abs(source // 10 - target // 10), abs(source % 10 - target % 10)) - 1


@pytest.mark.parametrize(
    "text", ["", "a1", "a1a", "a0a1", "a1a11", "k1a1", "A1A2", "a1 a2", "a01a2", "none", "a10b100"]
)
def test_what_is_not_two_squares_is_no_move(text: str) -> None:
    assert squares(text) is None


def test_a_move_need_not_go_along_a_line() -> None:
    assert squares("a10j1") == (90, 9)
    assert "a10j1" not in STEPS


def test_targets_near_and_far_never_lie_in_a_crater() -> None:
    for square in SQUARES:
        near = {STEPS[move][1] for move in NEAR[square][0b1111]}
        far = {target for _, beyond in FAR[square][0b1111] for target, _ in beyond}
        assert near == set(NEIGHBOURS[square])
        assert far == {target for ray in RAYS[square] for target in ray[1:]}
        assert not CRATERS & (near | far)


def test_targets_are_sorted_by_the_side_on_which_they_lie() -> None:
    b2 = SQUARE_NAMED["b2"]
    assert [NEAR[b2][1 << side] for side in range(4)] == [("b2c2",), ("b2a2",), ("b2b3",), ("b2b1",)]
    assert NEAR[b2][0b0101] == ("b2c2", "b2b3")
    assert [first for first, _ in FAR[b2][0b1001]] == [SQUARE_NAMED["c2"]]


@pytest.mark.parametrize("places", [(), (0,), (39,), (0, 1, 2, 38, 39), tuple(range(40))])
def test_filled_squares_are_written_equally_long_and_read_back(places: tuple[int, ...]) -> None:
    filling = fill(places)
    assert len(filling) == 18
    assert filled(filling) == places
    assert is_fill(filling, len(places))
    assert not is_fill(filling, len(places) + 1)


def test_the_i_th_place_counts_two_to_the_i() -> None:
    assert fill([0, 4]) == "squares 0000000011"
    assert fill([39]) == "squares 8000000000"


OPTIONS = {"a4a5", "b4b5", "c4b4", "e4d4", "none"}


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("a4a5", "a4a5"),
        (" A4a5 ", "a4a5"),
        ("a4 a5", "a4a5"),
        ("a4-a5", "a4a5"),
        ("a4 x a5", "a4a5"),
        ("a4 to a5", "a4a5"),
        ("a4 -> a5", "a4a5"),
        ("a5", "a4a5"),
        ("D4", "e4d4"),
        ("None", "none"),
    ],
)
def test_what_people_type_is_understood(text: str, move: str) -> None:
    assert parse(text, OPTIONS) == move


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no move"),
        ("up", "no move"),
        ("a4 a5 a6", "no move"),
        ("a4 up", "no move"),
        ("a4a11", "no move"),
        ("xa4a5xx", "no move"),
        ("a4a5to", "no move"),
        ("x a4 a5", "no move"),
        ("a4a6", "not possible"),
        ("c7", "none of your pieces"),
        ("none", "not possible"),
    ],
)
def test_what_is_not_understood_is_refused_with_what_to_do(text: str, words: str) -> None:
    with pytest.raises(MoveError, match=words) as error:
        parse(text, OPTIONS - {"none"})
    assert error.value.text == text


def test_a_target_for_several_pieces_names_them() -> None:
    with pytest.raises(MoveError, match="a4a5, b5a5"):
        parse("a5", ["a4a5", "b5a5", "e4d4"])


def test_options_that_are_not_a_list_do_as_well() -> None:
    table = Table("a1 flag, e1 miner", "a10 flag, e10 scout")
    ask = table.ask
    assert parse("e1 e2", ask.options) == "e1e2"
