"""Every card: when it may be played, what it asks for and in which order, and what it does."""

from __future__ import annotations

import pytest

from p2p_stratego.conquest.rules.atlas import NAMES
from p2p_stratego.conquest.rules.cards import NEW_SPY, SECRET
from p2p_stratego.conquest.rules.observation import could_be, own_possible
from p2p_stratego.core.game import Choose, Claim, Mix, Open, OpenTo, Outcome, Roll
from tests.helpers.conquest.acts import Acts

RED = {"a1": "flag", "b2": "duke", "c2": "count"}
BLUE = {"l6": "flag", "l5": "prince", "d2": "king"}
ALL_BUT = frozenset(range(12))


def drawn(
    card: str, bag: list[str] | None = None, red: dict[str, str] = RED, blue: dict[str, str] = BLUE
) -> Acts:
    return Acts({"red": red, "blue": blue}, {"red": bag or []}, cards=[card])


def offered(acts: Acts, card: str) -> bool:
    return f"play {card}" in acts.offered


def test_blitz_always_two_more_moves_which_need_not_be_made() -> None:
    acts = drawn("blitz")
    acts.act("play blitz")
    assert acts.state.moves == 1 + 2
    acts.act("b2b3")
    acts.act("stop")
    assert acts.state.seat == 1


def test_regroup_may_be_played_with_three_own_pieces_on_the_board() -> None:
    assert offered(drawn("regroup"), "regroup")
    assert not offered(drawn("regroup", red={"a1": "flag", "b2": "duke"}), "regroup")


def test_regroup_lays_three_pieces_back_closed_fixed_ones_too_in_the_players_own_order() -> None:
    acts = drawn("regroup")
    acts.act("play regroup", "regroup a1 b2 c2", [6, 11, 7])
    assert acts.asks[1:] == [
        Choose(0, acts.asks[1].options if isinstance(acts.asks[1], Choose) else ()),
        Mix(0, (0, 1, 2), (36, 37, 38), "changed-pieces", chosen=True),
    ]
    assert [acts.board[zone] for zone in ("a1", "b2", "c2")] == ["red count", "red flag", "red duke"]
    assert acts.state.next_slot == 39
    assert {acts.at(zone).mixed for zone in ("a1", "b2", "c2")} == {1}


def test_regroup_mixes_what_was_known_an_open_piece_is_one_of_the_three() -> None:
    acts = drawn("blitz", red={**RED, "e1": "spy"})
    acts.act("play none")
    acts.act("c2d2")  # the count falls to the king
    assert acts.bag("red") == ["count!"]
    acts.state = acts.state._replace(seat=1)
    acts.drawn("regroup")
    acts.act("play regroup", "regroup d2 l5 l6", [8, 11, 10])
    could = [could_be(acts.at(zone), {}) for zone in ("d2", "l5", "l6")]
    assert all(10 in faces and 11 in faces for faces in could)
    assert acts.at("d2").face is None


def test_reinforce_may_be_played_with_a_bag_and_a_free_zone_next_to_an_own_piece() -> None:
    assert not offered(drawn("reinforce"), "reinforce")
    assert offered(drawn("reinforce", ["queen"]), "reinforce")
    walled = {"a1": "flag", "a2": "duke", "b1": "count"}
    around = {"a3": "spy", "b2": "baron", "c1": "king", "l6": "flag"}
    assert not offered(drawn("reinforce", ["queen"], walled, around), "reinforce")
    assert offered(drawn("surprise", ["queen"], walled, around), "surprise")


@pytest.mark.parametrize(("card", "zone"), [("reinforce", "b1"), ("surprise", "g4")])
def test_a_draw_from_the_bag_mixes_it_rolls_and_places_the_piece_closed(card: str, zone: str) -> None:
    acts = drawn(card, ["queen", "scout", "baron"])
    acts.act(f"play {card}", 1, f"place {zone}")
    assert acts.asks[1:3] == [Mix(0, (3, 4, 5), (36, 37, 38), "changed-pieces"), Roll(3)]
    assert acts.board[zone] == "red scout"
    assert acts.at(zone).slot == 37
    assert acts.bag("red") == ["queen", "baron"]
    assert acts.state.hand is None


@pytest.mark.parametrize(("card", "zones"), [("reinforce", ["a2", "b1", "b3", "c3"]), ("surprise", None)])
def test_reinforce_only_next_to_an_own_piece_surprise_anywhere(card: str, zones: list[str] | None) -> None:
    acts = drawn(card, ["queen"])
    free = [zone for zone in NAMES if zone not in acts.board]
    acts.act(f"play {card}", 0, "place b1")
    place = acts.asks[-1]
    assert isinstance(place, Choose)
    assert [option.removeprefix("place ") for option in place.options] == (zones or free)


def test_secret_shows_the_closed_bag_in_order_then_looks_at_two_neighbours() -> None:
    acts = drawn("secret", ["queen", "scout"], {**RED, "a3": "spy"})
    acts.act("play secret", "look c2 d2")
    assert acts.asks[1:3] == [Open(4), Open(5)]
    assert acts.asks[4:] == [OpenTo(20, 0)]  # c2 is red's own
    assert acts.at("d2").seen == 1
    assert acts.at("d2").face is None
    assert acts.bag("red") == ["queen!", "scout!"]


def test_secret_looks_at_pieces_of_two_owners_but_at_one_enemy_at_least() -> None:
    acts = Acts(
        {
            "red": {"a1": "flag", "a2": "spy"},
            "blue": {"c2": "duke", "l6": "flag"},
            "green": {"d2": "king", "h1": "flag"},
        },
        cards=["secret"],
    )
    acts.act("play secret", "look c2 d2")
    assert acts.asks[2:] == [OpenTo(18, 0), OpenTo(36, 0)]
    pairs = acts.asks[1]
    assert isinstance(pairs, Choose)
    assert list(pairs.options) == ["look c2 d2"]  # a1 and a2 are both red's


def test_secret_needs_two_neighbouring_pieces_and_no_spy_open_in_the_bag() -> None:
    assert not offered(
        drawn("secret", red={"a1": "flag", "g4": "spy"}, blue={"l6": "flag", "d2": "duke"}), "secret"
    )
    acts = drawn("secret", ["spy"])
    assert offered(acts, "secret")  # it lies closed: the others cannot tell
    assert not own_possible(acts.state, acts.faces, SECRET)
    bag = tuple(piece._replace(face=1) for piece in acts.state.bags[0])
    acts.state = acts.state._replace(bags=(bag, *acts.state.bags[1:]))
    assert not offered(acts, "secret")


def test_secret_with_the_spy_in_the_bag_is_a_breach_at_its_opening() -> None:
    acts = drawn("secret", ["queen", "spy", "scout"])
    acts.act("play secret")
    assert acts.breach == ("red", "no-spy")
    assert acts.kinds == ["Choose", "Open", "Open"]


def test_new_spy_is_offered_unless_all_know_that_it_is_not_in_the_bag() -> None:
    assert not offered(drawn("new-spy"), "new-spy")
    acts = drawn("new-spy", ["queen"], {**RED, "a3": "spy"})
    assert offered(acts, "new-spy")
    assert not own_possible(acts.state, acts.faces, NEW_SPY)
    board = tuple(
        piece._replace(face=1) if piece and acts.faces[piece.slot] == 1 else piece
        for piece in acts.state.board
    )
    acts.state = acts.state._replace(board=board)
    assert not offered(acts, "new-spy")


def test_new_spy_shows_a_closed_piece_of_the_bag_and_puts_it_anywhere_open() -> None:
    acts = drawn("new-spy", ["queen", "spy"])
    acts.act("play new-spy", "draw 1", "place g4")
    assert acts.asks[2] == Open(4)
    assert acts.board["g4"] == "red spy!"
    assert acts.bag("red") == ["queen"]


def test_new_spy_asks_for_no_draw_if_the_spy_lies_open() -> None:
    acts = drawn("new-spy", ["queen", "spy"])
    bag = (acts.state.bags[0][0], acts.state.bags[0][1]._replace(face=1))
    acts.state = acts.state._replace(bags=(bag, *acts.state.bags[1:]))
    acts.act("play new-spy", "place g4")
    assert acts.kinds == ["Choose", "Choose"]
    assert acts.board["g4"] == "red spy!"


def test_new_spy_that_is_no_spy_is_a_breach() -> None:
    acts = drawn("new-spy", ["queen", "spy"])
    acts.act("play new-spy", "draw 0")
    assert acts.breach == ("red", "no-spy")


def test_traitor_right_the_piece_goes_open_to_its_owners_bag() -> None:
    acts = drawn("traitor")
    acts.act("play traitor", "accuse d2 king", "yes")
    assert acts.asks[2:] == [Choose(1, ("yes", "no")), Open(20)]
    assert "d2" not in acts.board
    assert acts.bag("blue") == ["king!"]
    assert acts.events == ["played", "hit"]


def test_traitor_wrong_it_stays_and_the_accuser_alone_looks() -> None:
    acts = drawn("traitor")
    acts.act("play traitor", "accuse d2 queen", "no")
    assert acts.asks[3:] == [Claim(1, "false-miss", (20,), ALL_BUT - {9}), OpenTo(20, 0)]
    assert acts.board["d2"] == "blue king"
    assert 9 not in could_be(acts.at("d2"), {})
    assert acts.at("d2").seen == 1


def test_traitor_an_open_piece_is_judged_without_asking() -> None:
    for guess, result in (("king", "hit"), ("queen", "missed")):
        acts = drawn("traitor")
        board = tuple(
            piece._replace(face=10) if piece and piece.slot == 20 else piece for piece in acts.state.board
        )
        acts.state = acts.state._replace(board=board)
        acts.act("play traitor", f"accuse d2 {guess}")
        assert acts.kinds == ["Choose", "Choose"]
        assert acts.events == ["played", result]


def test_traitor_captures_a_flag() -> None:
    acts = drawn("traitor")
    acts.act("play traitor", "accuse l6 flag", "yes")
    assert acts.state.ended is not None
    assert acts.state.ended == Outcome(frozenset({0}), "flag")


def test_traitor_false_yes_is_a_breach_of_the_owner() -> None:
    acts = drawn("traitor")
    acts.act("play traitor", "accuse d2 queen", "yes")
    assert acts.breach == ("blue", "false-hit")
    assert acts.state.ended is not None
    assert acts.state.ended.winners == {0}


def test_traitor_names_enemy_pieces_only_with_every_kind() -> None:
    acts = drawn("traitor")
    acts.act("play traitor", "accuse d2 queen", "no")
    accusations = acts.asks[1]
    assert isinstance(accusations, Choose)
    assert len(accusations.options) == len(set(accusations.options)) == 3 * 12
    assert "accuse b2 duke" not in accusations.options
