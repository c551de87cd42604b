"""What an agent weighs by: worth, the pull of targets, and what the enemy could take."""

from __future__ import annotations

import pytest

from p2p_stratego.core.view import View
from p2p_stratego.stratego.bots.evaluation import Weigher
from p2p_stratego.stratego.bots.piece_values import alive, worth
from p2p_stratego.stratego.bots.position import IS_OPEN, Picture, Stand
from p2p_stratego.stratego.bots.potential_fields import field
from p2p_stratego.stratego.bots.threats import Replies
from p2p_stratego.stratego.rules.board import CRATERS, SQUARE_NAMED
from p2p_stratego.stratego.rules.pieces import (
    BLUE,
    BOMB,
    CAPTAIN,
    FLAG,
    GENERAL,
    LIEUTENANT,
    MAJOR,
    MARSHAL,
    MINER,
    RED,
    SERGEANT,
    SPY,
)
from tests.helpers.stratego.boards import position


def picture(red: str, blue: str) -> Picture:
    """Red's picture where everybody knows every piece."""
    return Picture(View(RED, position(red, blue), {}), {})


def cost(red: str, blue: str) -> float:
    seen = picture(red, blue)
    return Replies(seen).cost(seen.stand)


HOME = "j10 flag, i10 bomb, j9 bomb"


def test_a_rank_is_worth_more_the_fewer_enemies_stand_above_it() -> None:
    own = worth(position("a1 flag, a2 general", f"{HOME}, a9 marshal, b9 general, c9 major, d9 captain"), RED)
    ranks = [own[face] for face in (SERGEANT, LIEUTENANT, CAPTAIN, MAJOR, GENERAL, MARSHAL)]
    assert ranks == sorted(ranks)
    assert own[FLAG] > max(ranks)


def test_a_general_takes_the_place_of_a_marshal_that_nobody_can_meet() -> None:
    with_marshal = worth(position("a1 flag, a2 general", f"{HOME}, a9 marshal, b9 major"), RED)
    without = worth(position("a1 flag, a2 general", f"{HOME}, b9 major"), RED)
    assert without[GENERAL] > with_marshal[GENERAL]
    assert without[GENERAL] == without[MARSHAL]


def test_a_spy_is_worth_something_while_there_is_a_marshal_to_hunt() -> None:
    hunting = worth(position("a1 flag, a2 spy", f"{HOME}, a9 marshal"), RED)[SPY]
    idle = worth(position("a1 flag, a2 spy", f"{HOME}, a9 general"), RED)[SPY]
    assert hunting > 2 * idle


def test_miners_are_worth_more_the_more_bombs_there_are_for_each() -> None:
    few = worth(position("a1 flag, a2 miner, b2 miner", HOME), RED)[MINER]
    many = worth(position("a1 flag, a2 miner", HOME), RED)[MINER]
    none = worth(position("a1 flag, a2 miner", "j10 flag, a9 scout"), RED)[MINER]
    assert many > few > none


def test_who_is_alive_is_counted_on_the_board() -> None:
    state = position("a1 flag, a2 miner, b2 miner", HOME)
    assert alive(state, RED)[MINER] == 2
    assert alive(state, BLUE)[BOMB] == 2
    assert sum(alive(state, BLUE)) == 3


def test_a_pull_fades_with_the_way_that_a_piece_has_to_go() -> None:
    ways = field(picture("a1 flag, e1 captain", HOME), CAPTAIN, {SQUARE_NAMED["d7"]: 8.0})
    at = {name: ways[SQUARE_NAMED[name]] for name in ("d8", "c7", "e7", "e6", "e5", "e4", "d4")}
    assert at["d8"] == at["c7"] == at["e7"] > at["e6"] > at["e5"] > at["e4"] > at["d4"]  # round the crater
    assert not any(ways[crater] for crater in CRATERS)


def test_a_pull_passes_own_pieces_that_can_make_room_but_no_bomb() -> None:
    def felt(between: str) -> float:
        # a1 and a2 can be left by a3 alone
        seen = picture(f"j1 flag, a1 captain, b1 bomb, b2 bomb, a3 {between}", HOME)
        return field(seen, CAPTAIN, {SQUARE_NAMED["a9"]: 8.0})[SQUARE_NAMED["a1"]]

    assert felt("scout") > 0
    assert felt("bomb") == 0


def test_a_way_past_a_stronger_enemy_is_felt_less() -> None:
    def felt(beside: str) -> float:
        seen = picture("a1 flag, e1 captain", f"{HOME}, {beside}")
        return field(seen, CAPTAIN, {SQUARE_NAMED["a10"]: 8.0})[SQUARE_NAMED["a6"]]

    assert felt("b8 major") < felt("b8 sergeant") == felt("b8 bomb")


def test_only_what_is_beaten_by_what_stands_beside_it_is_in_danger() -> None:
    calm = cost("a1 flag, e4 captain", f"{HOME}, e5 sergeant")
    assert calm == 0
    assert cost("a1 flag, e4 captain", f"{HOME}, e6 major") == 0
    assert cost("a1 flag, e4 captain", f"{HOME}, e5 bomb") == 0
    assert cost("a1 flag, e4 captain", f"{HOME}, e5 major") > 0


def test_a_guard_makes_the_enemy_think_twice() -> None:
    alone = cost("a1 flag, e4 captain, j1 general", f"{HOME}, e5 major")
    guarded = cost("a1 flag, e4 captain, e3 general", f"{HOME}, e5 major")
    assert guarded < alone
    by_a_spy = cost("a1 flag, e4 captain, e3 spy", f"{HOME}, e5 marshal")
    assert by_a_spy < cost("a1 flag, e4 captain, j1 spy", f"{HOME}, e5 marshal")


def test_a_second_threat_counts_less_than_the_worst() -> None:
    price = cost("a1 flag, e4 captain", f"{HOME}, e5 major, j7 major")
    two = cost("a1 flag, e4 captain, i4 captain", f"{HOME}, e5 major, i5 major")
    assert price < two < 2 * price


def test_a_scout_from_afar_threatens_flag_and_spy_along_a_free_line_only() -> None:
    assert cost("e1 flag, j1 miner", f"{HOME}, e9 scout") > cost("e1 flag, e2 miner", f"{HOME}, e9 scout")
    assert cost("a1 flag, e1 spy", f"{HOME}, e9 scout") > cost("a1 flag, e1 spy", f"{HOME}, e9 miner") == 0
    assert cost("a1 flag, e1 spy", f"{HOME}, e9 scout, e8 miner") == 0


def test_an_enemy_is_the_worse_the_nearer_it_comes_to_the_flag() -> None:
    costs = [cost("a1 flag, j1 miner", f"{HOME}, {square} miner") for square in ("a8", "a6", "a4", "a2")]
    assert costs == sorted(costs)
    assert costs[0] == 0 < costs[1]
    assert cost("a1 flag, a2 bomb, b1 bomb", f"{HOME}, a3 captain") == 0


def test_a_piece_that_is_taken_threatens_nobody_any_more() -> None:
    seen = picture("a1 flag, e4 captain", f"{HOME}, e5 major")
    stand = Stand(seen.stand.mine, dict.fromkeys(seen.stand.mine, IS_OPEN), SQUARE_NAMED["e5"])
    assert Replies(seen).cost(stand) == 0


@pytest.mark.parametrize(
    ("better", "worse"),
    [("e4e5", "e4e3"), ("e4e5", "e4d4")],  # takes the sergeant; walks off
)
def test_taking_for_nothing_is_better_than_walking_off(better: str, worse: str) -> None:
    weigh = Weigher(picture("a1 flag, e4 captain", f"{HOME}, e5 sergeant")).weigh
    assert weigh(better) > weigh(worse)


def test_the_lead_is_a_share_of_what_moves() -> None:
    assert picture("a1 flag, a2 major", f"{HOME}, a9 major").lead == pytest.approx(0.5)
    assert picture("a1 flag, a2 major, b2 major", f"{HOME}, a9 major").lead > 0.6
    assert picture("a1 flag, a2 bomb", HOME).lead == 0.5
