"""Flags: captured, passed on, won back, and who is out."""

from __future__ import annotations

from p2p_stratego.conquest.rules.state import LOST, ON_BOARD
from p2p_stratego.core.game import Choose, Outcome
from tests.helpers.conquest.acts import Acts, held

FOUR = {
    "red": {"a1": "flag", "a2": "duke"},
    "blue": {"b2": "flag", "b3": "duke"},
    "green": {"g3": "flag", "g4": "duke"},
    "yellow": {"l1": "flag", "l2": "duke"},
}


def test_capture_c_has_its_own_flag_vs_flag_and_all_its_captives_go_to_c() -> None:
    acts = held(Acts(FOUR), green="blue")
    acts.act("a2b2")
    assert acts.state.flags == (ON_BOARD, 0, 0, ON_BOARD)
    assert acts.board["b2"] == "red duke!"
    assert acts.state.captives(0) == (1, 2)


def test_capture_cs_flag_is_vs_captive_all_go_to_c_and_its_own_comes_back_open() -> None:
    acts = held(Acts(FOUR), red="blue", green="blue")
    acts.act("a2b2", "flag h1")
    assert acts.state.flags == (ON_BOARD, 0, 0, ON_BOARD)
    assert acts.board["h1"] == "red flag!"
    assert acts.events == ["flag", "flag-back"]


def test_capture_cs_flag_is_vs_captive_it_goes_to_a_free_zone_the_one_left_too() -> None:
    acts = held(Acts(FOUR), red="blue")
    acts.act("a2b2", "flag a2")
    back = acts.asks[-1]
    assert isinstance(back, Choose)
    assert back.seat == 0
    assert "flag b3" not in back.options
    assert "flag b2" not in back.options  # the attacker stands there


def test_capture_cs_flag_is_anothers_captive_all_go_to_that_other() -> None:
    acts = held(Acts(FOUR), red="yellow", green="blue")
    acts.act("a2b2")
    assert acts.state.flags == (3, 3, 3, ON_BOARD)
    assert acts.state.ended is not None
    assert acts.state.ended.winners == {3}  # only yellow's is left


def test_one_flag_left_its_owner_wins_at_once() -> None:
    acts = Acts({"red": FOUR["red"], "blue": FOUR["blue"]})
    acts.act("a2b2")
    assert acts.state.ended is not None
    assert acts.state.ended == Outcome(frozenset({0}), "flag")
    assert acts.state.phase == "over"


def test_one_flag_left_counting_one_about_to_be_put_back_which_then_is_not() -> None:
    acts = held(Acts({name: FOUR[name] for name in ("red", "blue", "green")}), red="blue")
    acts.state = acts.state._replace(flags=(1, ON_BOARD, LOST), status=("in", "in", "gone"))
    acts.act("a2b2")
    assert acts.state.ended is not None
    assert acts.state.ended.winners == {0}
    assert acts.kinds == ["Choose", "Open", "Open"]


def test_without_its_flag_a_player_moves_on() -> None:
    acts = held(Acts(FOUR), red="blue")
    acts.act("a2a3")
    assert acts.events == ["moved"]


def test_out_without_flag_and_piece_at_the_end_of_a_turn() -> None:
    acts = held(Acts({**FOUR, "blue": {"a3": "count", "b2": "flag"}}), blue="green")
    acts.act("a2a3")
    assert acts.state.status == ("in", "out", "in", "in")
    assert acts.events == ["won", "out"]
    assert acts.state.seat == 2
    assert acts.state.flags[1] == 2  # its flag stays where it is


def test_out_though_pieces_lie_in_the_bag_and_not_with_a_flag_alone() -> None:
    acts = Acts({**FOUR, "blue": {"a3": "count", "b2": "flag"}})
    acts.act("a2a3")
    assert acts.state.status == ("in", "in", "in", "in")
    assert acts.bag("blue") == ["count!"]


def test_whoever_holds_a_captured_flag_has_its_own_on_the_board() -> None:
    acts = held(Acts(FOUR), red="yellow", green="yellow")
    acts.act("a2b2")
    for owner, where in enumerate(acts.state.flags):
        assert where == ON_BOARD or acts.state.flags[where] == ON_BOARD, owner
