"""Where pieces may go, and the first reason why they may not."""

from __future__ import annotations

import pytest

from p2p_stratego.stratego.rules.board import (
    CRATERS,
    HOME,
    NAMES,
    NEIGHBOURS,
    RAYS,
    SQUARE_NAMED,
    SQUARES,
    way,
)
from p2p_stratego.stratego.rules.movement import closed_reach, illegal, movers
from p2p_stratego.stratego.rules.pieces import BLUE, RED
from tests.helpers.stratego.boards import after, at, moves, position, report, rule

FAR_OFF = "j10 flag"


def test_the_craters_are_two_squares_of_four_in_the_middle_rows() -> None:
    assert {NAMES[square] for square in CRATERS} == {"c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"}


def test_no_line_of_sight_enters_a_crater_and_all_are_seen_from_both_ends() -> None:
    for square in SQUARES:
        for ray in RAYS[square]:
            assert not CRATERS & set(ray)
            for seen in ray:
                assert any(square in back for back in RAYS[seen])
        assert (square in CRATERS) == (not RAYS[square])
        assert all(square in NEIGHBOURS[near] for near in NEIGHBOURS[square])


def test_each_side_sees_its_own_forty_squares_from_behind() -> None:
    assert [NAMES[HOME[RED][i]] for i in (0, 9, 30, 39)] == ["a1", "j1", "a4", "j4"]
    assert [NAMES[HOME[BLUE][i]] for i in (0, 9, 30, 39)] == ["j10", "a10", "j7", "a7"]


def test_a_way_is_what_lies_between_two_squares_of_one_line() -> None:
    assert way(0, 3) == (1, 2)
    assert way(30, 0) == (20, 10)
    assert way(5, 5) == ()
    assert way(0, 11) is None


@pytest.mark.parametrize(
    "name",
    ["spy", "miner", "sergeant", "lieutenant", "captain", "major", "colonel", "general", "marshal"],
)
def test_most_pieces_go_one_square_along_row_or_column(name: str) -> None:
    state = position(f"b2 {name}", FAR_OFF)
    assert moves(state) == {"b2a2", "b2c2", "b2b1", "b2b3"}


@pytest.mark.parametrize("name", ["flag", "bomb"])
def test_flag_and_bombs_never_move(name: str) -> None:
    state = position(f"b2 {name}", FAR_OFF)
    assert moves(state) == set()
    assert rule(state, "b2b3") == "bomb-or-flag"


def test_a_scout_goes_as_far_as_it_is_free_and_attacks_at_the_end() -> None:
    state = position("b2 scout, b5 miner, e2 bomb", "a2 spy, b1 flag")
    assert moves(state) >= {"b2a2", "b2b1", "b2b3", "b2b4", "b2c2", "b2d2"}
    assert {move for move in moves(state) if move.startswith("b2")} == {
        "b2a2", "b2b1", "b2b3", "b2b4", "b2c2", "b2d2",
    }  # fmt: skip
    assert at(after(state, "b2a2"), "a2") == "red scout"


def test_a_scout_attacks_from_afar() -> None:
    state = after(position("a1 scout, j1 flag", "a10 spy, j10 flag"), "a1a10")
    assert report(state).result == "won"
    assert at(state, "a10") == "red scout"


def test_a_scout_jumps_over_nothing() -> None:
    state = position("e1 scout, e4 miner, f5 scout", "f7 flag, f8 spy")
    assert rule(state, "e1e5") == "blocked"
    assert rule(state, "f5f8") == "blocked"
    assert rule(state, "f5f7") is None


def test_nobody_enters_or_crosses_a_crater() -> None:
    state = position("c4 miner, d4 scout, b6 scout", FAR_OFF)
    assert rule(state, "c4c5") == "crater"
    assert rule(state, "d4d7") == "crater"
    assert rule(state, "b6e6") == "crater"
    assert moves(state) & {"d4d5", "d4d7", "b6c6", "b6e6"} == set()


def test_the_first_reason_that_fits_is_given() -> None:
    state = position("a1 flag, b1 bomb, b2 miner, c3 scout, c2 spy", "j10 flag, a3 miner")
    for move, reason in {
        "a3a4": "not-yours",
        "e5e6": "not-yours",
        "c5c6": "not-yours",  # a crater is nobody's source
        "b1c5": "bomb-or-flag",  # although it is a crater, and too far, too
        "b2c5": "crater",  # although too far, too
        "b2c3": "too-far",
        "b2b4": "too-far",
        "c3e4": "too-far",
        "c3c7": "crater",
        "c3c1": "blocked",
        "c3c2": "blocked",
        "b2b1": "blocked",
        "b2b2": "blocked",
    }.items():
        assert rule(state, move) == reason, move


def test_what_is_no_move_at_all_is_not_judged() -> None:
    with pytest.raises(ValueError, match="no move"):
        illegal(position("a1 flag", FAR_OFF), "none", closed_reach(RED, 0))


def test_moves_are_sorted_by_the_piece_that_makes_them() -> None:
    state = position("a1 miner, c1 spy", FAR_OFF)
    assert {NAMES[square]: set(faces) for square, faces in movers(state, closed_reach(RED, 0)).items()} == {
        "a1": {"a1a2", "a1b1"},
        "c1": {"c1b1", "c1d1", "c1c2"},
    }


def test_the_other_side_moves_next_and_plies_are_counted() -> None:
    state = after(position("a1 miner", "j10 spy"), "a1a2", "j10j9", "a2a3")
    assert (state.seat, state.plies, state.calm) == (BLUE, 3, 3)
    assert rule(state, "a3a4") == "not-yours"


def test_who_has_no_move_has_no_legal_move() -> None:
    assert moves(position("a1 miner, a2 bomb, b1 flag", FAR_OFF)) == set()
    assert SQUARE_NAMED["j10"] == 99
