"""A turn, step by step: count, fix, draw, play, put away, move, end; rounds and the ranking."""

from __future__ import annotations

import pytest

from p2p_stratego.conquest.rules.cards import CARD_NAMED
from p2p_stratego.conquest.rules.state import ON_BOARD
from p2p_stratego.core.game import Choose, Roll
from tests.helpers.conquest.acts import Acts

WEST = {
    "a1": "flag",
    "b1": "duke",
    "b2": "count",
    "c3": "spy",
}  # Reedhaven, Mammoth Bay (city), Oxenfield, Stonecradle
BLUE = {"l6": "flag", "l5": "prince"}


def test_count_a_territory_is_yours_while_you_alone_have_pieces_in_it() -> None:
    acts = Acts({"red": {"a1": "flag", "a5": "duke"}, "blue": {"a6": "spy", "l6": "flag"}})
    assert acts.state.owned(0) == (12,)  # M; A is contested, and all others are nobody's
    assert acts.state.owned(1) == (5,)


def test_count_territories_change_hands_at_the_end_of_the_turn_only() -> None:
    acts = Acts({"red": WEST, "blue": {**BLUE, "d1": "baron"}})
    assert acts.state.owned(0) == (12, 13, 14)  # W is contested
    acts = Acts({"red": WEST, "blue": BLUE}, first="red", cards=["blitz"])
    acts.act("play none")
    acts.act("c3d3")
    assert acts.state.owned(0) == (12, 13, 14, 22)
    acts.act("b2a2")  # out of Oxenfield
    assert acts.state.seat == 1  # both moves are made, so the turn has ended
    assert acts.state.owned(0) == (12, 14, 22)


def test_fix_cards_are_half_the_territories_and_moves_one_more_than_the_cities() -> None:
    acts = Acts({"red": WEST, "blue": BLUE}, due=True)
    assert (acts.state.due, acts.state.moves, acts.state.phase) == (2, 2, "cards")
    acts = Acts({"red": {"a1": "flag"}, "blue": BLUE}, due=True)
    assert (acts.state.due, acts.state.moves, acts.state.phase) == (0, 1, "move")


def test_fix_none_without_the_own_flag_but_moves_for_cities() -> None:
    acts = Acts(
        {"red": {**WEST, "k6": "spy"}, "blue": BLUE, "green": {"f6": "flag", "a2": "scout"}}, first="green"
    )
    acts.act("a2a1")
    assert acts.state.flags == (2, ON_BOARD, ON_BOARD)
    assert acts.state.seat == 0
    assert (acts.state.due, acts.state.moves) == (0, 3)  # Mammoth Bay and Rocky Wild


def test_fix_both_stay_whatever_happens_in_the_turn() -> None:
    acts = Acts({"red": WEST, "blue": {**BLUE, "c2": "king"}}, cards=["blitz"])
    acts.act("play blitz")
    assert acts.state.moves == 4
    acts.act("b1c1")
    acts.act("c1d1")
    assert acts.state.moves == 4


@pytest.mark.parametrize(("territories", "rolls"), [(2, 1), (12, 1), (14, 2), (24, 2)])
def test_draw_one_roll_for_the_first_six_one_for_the_rest(territories: int, rolls: int) -> None:
    acts = Acts({"red": {"a1": "flag"}, "blue": BLUE}, due=True)
    acts.state = acts.state._replace(due=territories // 2, phase="cards")
    acts.act(*[0] * rolls)
    assert acts.kinds == ["Roll"] * rolls
    assert len(acts.state.drawn) == territories // 2
    assert acts.state.pile.size == 42 - territories // 2
    assert acts.asks[0] == Roll(
        {2: 41, 12: 41 * 40 * 39 * 38 * 37 * 36}.get(territories, 41 * 40 * 39 * 38 * 37 * 36)
    )


def test_play_one_of_the_drawn_cards_or_none_each_kind_once_in_the_order_of_the_page() -> None:
    acts = Acts(
        {"red": WEST, "blue": BLUE}, cards=["traitor", "regroup", "blitz", "blitz", "surprise", "new-spy"]
    )
    assert acts.offered == ("play none", "play blitz", "play regroup", "play traitor")  # the bag is empty


def test_put_away_all_cards_go_to_the_discards() -> None:
    acts = Acts({"red": WEST, "blue": BLUE}, due=True)
    acts.act(0)
    assert list(acts.state.drawn) == [CARD_NAMED["blitz"]] * 2
    after = acts.act("play none")
    assert list(after.drawn) == []
    assert after.pile.size == 40
    assert after.pile.traitor_last


def test_put_away_with_the_traitor_played_or_not_all_42_are_shuffled() -> None:
    acts = Acts({"red": WEST, "blue": BLUE}, cards=["traitor", "blitz"])
    acts.act("play none")
    assert acts.state.pile.size == 42
    assert not acts.state.pile.traitor_last


def test_move_blitz_adds_two() -> None:
    acts = Acts({"red": WEST, "blue": BLUE}, cards=["blitz"])
    acts.act("play blitz")
    assert (acts.state.phase, acts.state.moves_left) == ("move", 4)


def test_end_the_next_seat_still_in_is_to_move() -> None:
    acts = Acts({"red": {"a1": "flag", "b3": "duke"}, "blue": BLUE, "green": {"h3": "flag"}})
    acts.state = acts.state._replace(status=("in", "out", "in"), moves=1)
    acts.act("b3b4")
    assert acts.state.seat == 2


def test_a_round_begins_at_the_starters_place() -> None:
    acts = Acts({"red": {"a1": "flag"}, "blue": BLUE, "green": {"h3": "flag"}}, first="blue")
    rounds = []
    for move in ("l5k5", "none", "none", "k5l5", "none", "none"):
        rounds.append((acts.state.seat, acts.state.round, acts.state.turn))
        acts.act(move)
    assert rounds == [(1, 1, 1), (2, 1, 2), (0, 1, 3), (1, 2, 4), (2, 2, 5), (0, 2, 6)]


def ranked(
    red: dict[str, str], blue: dict[str, str], green: dict[str, str], flags: tuple[int, int, int]
) -> object:
    acts = Acts({"red": red, "blue": blue, "green": green}, first="green", rounds=1)
    acts.state = acts.state._replace(flags=flags, seat=1, moves=1, due=0, phase="move")
    acts.act("none")
    assert acts.state.ended is not None
    return acts.state.ended.reason, acts.state.ended.winners


def test_after_the_last_round_most_captured_flags_come_first() -> None:
    ended = ranked({"a1": "flag"}, {"b1": "flag", "b3": "cursed"}, {"l1": "spy"}, (ON_BOARD, ON_BOARD, 0))
    assert ended == ("rounds", {0})


def test_after_the_last_round_then_most_territories() -> None:
    ended = ranked({"a1": "flag"}, {"b1": "flag", "b3": "cursed"}, {"l1": "flag"}, (ON_BOARD,) * 3)
    assert ended == ("rounds", {1})


def test_after_the_last_round_then_most_pieces_on_the_board() -> None:
    ended = ranked({"a1": "flag", "a2": "spy"}, {"b1": "flag"}, {"l1": "flag"}, (ON_BOARD,) * 3)
    assert ended == ("rounds", {0})


def test_after_the_last_round_equal_ones_win_together_and_all_of_them_draw() -> None:
    ended = ranked({"a1": "flag"}, {"b1": "flag"}, {"l1": "spy", "l2": "duke"}, (ON_BOARD, ON_BOARD, 1))
    assert ended == ("rounds", {1})
    ended = ranked({"a1": "flag"}, {"b1": "flag"}, {}, (ON_BOARD, ON_BOARD, -2))
    assert ended == ("rounds", {0, 1})
    assert ranked({"a1": "flag"}, {"b1": "flag"}, {"l1": "flag"}, (ON_BOARD,) * 3) == ("draw", frozenset())


def test_every_choice_of_a_turn_is_asked_of_the_player_to_move() -> None:
    acts = Acts({"red": WEST, "blue": BLUE}, cards=["blitz"])
    acts.act("play none")
    assert all(isinstance(ask, Choose) and ask.seat == 0 for ask in acts.asks)
