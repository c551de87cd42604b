"""What an Opening shows, in the order in which a verifier looks, and who is to blame."""

from __future__ import annotations

from p2p_stratego.core.game import Breach
from tests.helpers.conquest.acts import Acts

RED = {"a1": "flag", "b2": "duke", "c2": "count"}
BLUE = {"l6": "flag", "b3": "prince", "d2": "king"}


def test_cheat_1_two_live_kings_open() -> None:
    acts = Acts({"red": {**RED, "e1": "spy"}, "blue": {**BLUE, "e2": "king"}})
    acts.act("c2d2")
    acts.state = acts.state._replace(seat=0, made=0)
    acts.act("e1e2")
    assert acts.breach == ("blue", "wrong-faces")


def test_cheat_1_a_captured_flag_counts_among_the_open_ones() -> None:
    acts = Acts({"red": RED, "blue": BLUE, "green": {"l1": "flag"}})
    acts.state = acts.state._replace(flags=(-1, 0, -1), flag_slots=(None, 99, None))
    acts.lie("b3", "flag")
    acts.act("b2b3")
    assert acts.breach == ("blue", "wrong-faces")


def test_cheat_13_a_step_with_cursed_land_when_it_is_opened() -> None:
    acts = Acts({"red": RED, "blue": BLUE})
    acts.lie("c2", "cursed")
    for step in ("c2c3", "d2d3", "d3c3"):
        acts.state = acts.state._replace(seat=int(step != "c2c3"), made=0)
        acts.act(step)
    assert acts.breach == ("red", "fixed-piece-moved")
    assert acts.kinds == ["Choose", "Open", "Open"]


def test_cheat_14_an_attack_with_the_flag_and_the_defender_stays_closed() -> None:
    acts = Acts({"red": RED, "blue": BLUE})
    acts.lie("c2", "flag")
    acts.lie("a1", "count")
    acts.act("c2d2")
    assert acts.breach == ("red", "fixed-piece-moved")
    assert acts.kinds == ["Choose", "Open"]
    assert acts.at("d2").face is None


def test_cheat_15_a_run_with_a_baron_and_with_the_flag() -> None:
    for piece, rule in (("baron", "ran-but-no-scout"), ("flag", "fixed-piece-moved")):
        acts = Acts({"red": RED, "blue": BLUE})
        acts.lie("a1", "count")
        acts.lie("c2", piece)
        acts.act("c2e4")
        assert acts.breach == ("red", rule)


def test_cheat_16_none_though_a_closed_knight_can_step_when_it_is_opened() -> None:
    acts = Acts({"red": RED, "blue": BLUE})
    acts.act("none")
    acts.act("d2c2")
    assert acts.breach == ("red", "false-no-move")


def test_cheat_16_the_claim_stays_with_the_slot_and_goes_with_a_mix() -> None:
    acts = Acts({"red": RED, "blue": BLUE})
    acts.act("none")
    acts.state = acts.state._replace(seat=0)
    acts.drawn("regroup")
    acts.act("play regroup", "regroup a1 b2 c2", [6, 11, 7])
    acts.state = acts.state._replace(seat=1, phase="move")
    acts.act("d2c2")
    assert (
        acts.breach is None
    )  # the new slot was never claimed to be fixed; the old one is settled at the end


def test_cheat_23_a_false_no_to_the_traitor_when_it_is_opened() -> None:
    acts = Acts({"red": RED, "blue": BLUE}, cards=["traitor"])
    acts.act("play traitor", "accuse d2 king", "no")
    acts.act("c2d2")
    assert acts.breach == ("blue", "false-miss")


def test_wrong_faces_come_before_a_broken_claim_and_that_before_fixed_and_run() -> None:
    acts = Acts({"red": {**RED, "c1": "cursed", "d1": "cursed"}, "blue": BLUE})
    acts.act("none")
    acts.state = acts.state._replace(seat=0)
    acts.lie("c2", "baron")  # claimed to be fixed, and it runs
    acts.act("c2c3")
    acts.state = acts.state._replace(seat=0, made=0)
    acts.act("c3g4")
    assert acts.breach == ("red", "false-no-move")


def test_two_seats_the_other_one_wins_of_more_nobody() -> None:
    for setup, winners in (
        ({"red": RED, "blue": BLUE}, {1}),
        ({"red": RED, "blue": BLUE, "green": {"l1": "flag"}}, set()),
    ):
        acts = Acts(setup)
        acts.lie("c2", "cursed")
        acts.act("c2d2")
        assert acts.state.ended is not None
        assert acts.state.ended.winners == winners
        assert acts.state.ended.breach == Breach(0, "fixed-piece-moved")
        assert acts.state.phase == "over"
