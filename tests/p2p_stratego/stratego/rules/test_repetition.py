"""The two-squares rule, its tournament form and the pursuit rule, case by case."""

from __future__ import annotations

from itertools import cycle

import pytest

from p2p_stratego.core.game import Move
from p2p_stratego.stratego.rules.movement import illegal, possible_reach
from p2p_stratego.stratego.rules.repetition import FRESH, is_restricted
from tests.helpers.stratego.boards import Table, after, moves, position, rule

ROUND = ("j10j9", "j9i9", "i9i10", "i10j10")
"""What a blue piece does meanwhile: it never comes back the way it went."""
ALONE = "j10 miner, a10 flag"
RING = ("f7f8", "e7f7", "f8e8", "f7f8", "e8e7", "f8e8", "e7f7")
"""Blue flees round four squares, red after it; with "e8e7" red would be where it was at first."""


def meanwhile(*reds: Move) -> list[Move]:
    """Red's moves with blue's between them, blue's last."""
    return [move for pair in zip(reds, cycle(ROUND), strict=False) for move in pair]


# Two squares


def test_the_fourth_move_between_two_squares_is_one_too_many() -> None:
    state = after(position("a1 miner, e1 flag", ALONE), *meanwhile("a1a2", "a2a1", "a1a2"))
    assert rule(state, "a2a1") == "two-squares"
    assert "a2a1" not in moves(state)
    assert moves(state) == {"a2a3", "a2b2"}


def test_three_moves_to_and_fro_are_allowed() -> None:
    state = after(position("a1 miner, e1 flag", ALONE), *meanwhile("a1a2", "a2a1"))
    assert rule(state, "a1a2") is None


def test_a_move_of_another_piece_starts_the_count_anew() -> None:
    walk = ("a1a2", "a2a1", "a1a2", "f1f2", "a2a1", "a1a2", "a2a1")
    state = after(position("a1 miner, f1 spy", ALONE), *meanwhile(*walk))
    assert rule(state, "a1a2") == "two-squares"


def test_a_turn_of_direction_starts_the_count_anew() -> None:
    state = after(position("b2 miner, e1 flag", ALONE), *meanwhile("b2b3", "b3b2", "b2c2", "c2b2"))
    assert rule(state, "b2b3") is None
    assert rule(state, "b2c2") is None


def test_going_on_in_the_same_direction_starts_the_count_anew() -> None:
    state = after(position("b2 miner, e1 flag", ALONE), *meanwhile("b2b3", "b3b4", "b4b3"))
    assert rule(state, "b3b4") is None


def test_each_side_is_counted_for_itself() -> None:
    walk = ("a1a2", "j10j9", "a2a1", "j9j10", "a1a2", "j10j9")
    state = after(position("a1 miner, e1 flag", ALONE), *walk)
    assert rule(state, "a2a1") == "two-squares"
    assert rule(after(state, "a2b2"), "j9j10") == "two-squares"


def test_attacks_count_as_moves() -> None:
    state = position("a1 miner, e1 flag", "a2 spy, j10 scout, a10 flag")
    state = after(state, *meanwhile("a1a2", "a2a1", "a1a2"))
    assert rule(state, "a2a1") == "two-squares"


@pytest.mark.parametrize(
    ("walk", "legal"),
    [
        (("a1a4", "a4a1", "a1a4"), ("a4a2", "a4a3", "a4a5")),
        (("a1d1", "d1a1", "a1d1"), ("d1b1", "d1c1", "d1e1")),
    ],
)
def test_a_scout_too_may_not_go_a_fourth_time_between_the_same_squares(
    walk: tuple[Move, ...], legal: tuple[Move, ...]
) -> None:
    for tournament in (False, True):
        state = after(
            position(f"{walk[0][:2]} scout, j1 flag", ALONE, tournament=tournament), *meanwhile(*walk)
        )
        assert rule(state, walk[1]) == "two-squares"
    letter = after(position(f"{walk[0][:2]} scout, j1 flag", ALONE), *meanwhile(*walk))
    assert [move for move in legal if rule(letter, move) is not None] == []


def test_a_scout_that_turns_at_other_squares_goes_on_by_the_letter() -> None:
    """Five squares, b1 to b5, are not the same two."""
    walk = meanwhile("b1b5", "b5b2", "b2b4")
    assert rule(after(position("b1 scout, j1 flag", ALONE), *walk), "b4b3") is None
    strict = after(position("b1 scout, j1 flag", ALONE, tournament=True), *walk)
    assert rule(strict, "b4b3") == "scout-line"
    assert "b4b3" not in moves(strict)


@pytest.mark.parametrize(
    ("walk", "legal", "illegal"),
    [
        # d < c > b < a > d: not below the nearer of a and c
        (("a1a4", "a4a2", "a2a4"), (), ("a4a3", "a4a2", "a4a1")),
        (("a1a4", "a4a2", "a2a5"), ("a5a4", "a5a6"), ("a5a3", "a5a2", "a5a1")),
        (("a1a5", "a5a2", "a2a4"), ("a4a5", "a4a6"), ("a4a3", "a4a2", "a4a1")),
        (("a3a5", "a5a1", "a1a5"), ("a5a6", "a5b5"), ("a5a4", "a5a3", "a5a2")),
        # the mirror image
        (("a6a3", "a3a5", "a5a3"), ("a3a2", "a3a1"), ("a3a4", "a3a5", "a3a6", "a3a7")),
        (("a6a3", "a3a5", "a5a2"), ("a2a3", "a2a1"), ("a2a4", "a2a5", "a2a6")),
        (("a6a2", "a2a5", "a5a3"), ("a3a2", "a3a1"), ("a3a4", "a3a5", "a3a6")),
        # d > a: the last move did not come as far as the first had started
        (("a3a4", "a4a1", "a1a2"), ("a2a1",), ()),
        # two moves in one direction
        (("a1a4", "a4a6", "a6a5"), ("a5a4", "a5a6"), ()),
        # along a row
        (("a1d1", "d1b1", "b1d1"), ("d1e1", "d1d2"), ("d1c1", "d1b1", "d1a1")),
    ],
)
def test_at_tournaments_a_scout_may_not_pass_the_nearer_turning_point(
    walk: tuple[Move, ...], legal: tuple[Move, ...], illegal: tuple[Move, ...]
) -> None:
    state = after(position(f"{walk[0][:2]} scout, j1 flag", ALONE, tournament=True), *meanwhile(*walk))
    assert [move for move in legal if rule(state, move) is not None] == []
    assert [move for move in illegal if rule(state, move) != "scout-line"] == []
    letter = after(position(f"{walk[0][:2]} scout, j1 flag", ALONE), *meanwhile(*walk))
    assert [move for move in (*legal, *illegal) if rule(letter, move) is not None] == []


# Pursuit


def chase(*more: Move) -> list[Move]:
    """Red comes up to a blue piece, and on they go."""
    return ["e6e7", *more]


RED = "e6 general, a1 flag, a4 miner"
BLUE = "f7 captain, j10 flag, j8 miner"


def test_a_chase_may_not_come_back_to_where_it_was() -> None:
    state = after(position(RED, BLUE), *chase(*RING))
    assert rule(state, "e8e7") == "pursuit"
    assert "e8e7" not in moves(state)


def test_a_chase_may_go_on_where_it_was_not() -> None:
    state = after(position(RED, BLUE), *chase(*RING))
    assert rule(state, "e8f8") is None
    assert rule(after(position(RED, BLUE), *chase(*RING[:-2])), RING[-2]) is None


def test_an_attack_is_never_a_pursuit() -> None:
    state = after(position(RED, f"{BLUE}, g7 spy"), *chase(*RING[:-5]), "f8e8")
    assert state.memory.threats[0] > 1
    assert rule(state, "f7g7") is None


def test_a_move_that_threatens_nobody_is_no_pursuit() -> None:
    state = after(position(RED, BLUE), *chase(*RING))
    assert rule(state, "e8d8") is None
    assert rule(state, "a4a5") is None


def test_the_chase_is_broken_off_when_the_threatened_piece_stays() -> None:
    broken = (*RING[:3], "a4a5", "j8j9", "a5a4", "e8f8", "f7e7", "f8e8")
    state = after(position(RED, BLUE), *chase(*broken))
    assert state.memory.threats[0] < 3
    assert rule(state, "e7f7") is None


def test_an_attack_ends_every_chase() -> None:
    state = position(f"{RED}, h8 spy", f"{BLUE}, h9 scout")
    state = after(state, *chase(*RING[:-1]), "h9h8")
    assert state.memory.threats == (0, 0)
    assert len(state.memory.boards) == 0
    fought = after(position(f"{RED}, i8 marshal", BLUE), "i8j8")
    assert fought.memory.threats == (0, 0)
    assert after(position(f"{RED}, i8 marshal", f"{BLUE}, i9 spy"), "i8j8").memory.threats == (0, 0)
    assert after(position(f"{RED}, i8 marshal", f"{BLUE}, j7 spy"), "i8j8").memory.threats == (1, 0)


def test_straight_back_is_left_to_the_two_squares_rule() -> None:
    state = after(position("a5 general, a1 flag", "b6 spy, j10 flag"), "a5a6", "b6b5", "a6a5", "b5b6")
    assert state.memory.threats[0] == 4
    assert rule(state, "a5a6") is None
    state = after(state, "a5a6", "b6b5")
    assert rule(state, "a6a5") == "two-squares"


def test_two_pieces_known_to_be_alike_may_stand_for_each_other() -> None:
    """At the end the two captains have changed places; only who can tell them apart sees another position."""
    red, blue = "e8 general, a1 flag", "f10 captain, e10 captain, j1 flag"
    walk = (
        *(
            "e8e9",
            "e10d10",
            "e9f9",
            "f10e10",
            "f9f10",
            "e10e9",
            "f10e10",
            "d10c10",
            "e10d10",
            "c10c9",
            "d10d9",
        ),
        *("c9c10", "d9c9", "c10d10", "c9d9", "d10e10", "d9d10", "e10f10", "d10e10", "e9d9", "e10e9", "d9d10"),
    )
    assert rule(after(position(red, blue), *walk), "e9f9") == "pursuit"
    closed = Table(red, blue).play(*walk)
    assert illegal(closed, "e9f9", possible_reach(closed, closed.seat)) is None


def test_a_first_move_within_a_chase_does_not_hide_the_repetition() -> None:
    table = Table("e6 general, a1 flag, a4 miner", "f7 captain, j10 flag, j8 miner")
    state = table.play(*chase(*RING))
    assert illegal(state, "e8e7", possible_reach(state, 0)) == "pursuit"
    assert "e8e7" not in table.options


def test_nothing_is_restricted_before_anything_is_moved() -> None:
    assert not is_restricted(FRESH, 0)
    assert not is_restricted(FRESH, 1)
