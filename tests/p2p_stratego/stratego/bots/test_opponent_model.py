"""What an enemy's conduct tells of its closed pieces."""

from __future__ import annotations

from p2p_stratego.stratego.bots.opponent_model import LEAST, MOST, Conduct
from p2p_stratego.stratego.bots.placement_data import shares
from p2p_stratego.stratego.rules.pieces import (
    BLUE,
    BOMB,
    CAPTAIN,
    FLAG,
    GENERAL,
    MARSHAL,
    MINER,
    SERGEANT,
)
from p2p_stratego.stratego.rules.state import slot
from tests.helpers.stratego.boards import Table

FIRST = slot(BLUE, 0)


def watched(red: str, blue: str, *steps: str) -> dict[int, list[float]]:
    """Blue's leanings after some moves, red's first, as red's agent learns them when its turn comes."""
    table, conduct = Table(red, blue), Conduct(BLUE)
    conduct.watch(table.state)
    for number, move in enumerate(steps, 1):
        table.play(move)
        if not number % 2:
            conduct.watch(table.state)
    return conduct.leanings


def test_a_piece_that_stands_where_it_was_set_up_is_judged_by_its_place() -> None:
    leanings = watched("a1 flag, a4 captain", "a10 bomb, e7 marshal, b10 flag")
    common = shares(40)
    corner, front = leanings[FIRST], leanings[slot(BLUE, 1)]
    assert (corner[FLAG] > front[FLAG]) == (common[FLAG][9] > common[FLAG][35])
    assert corner[BOMB] > front[BOMB]
    assert front[MARSHAL] > corner[MARSHAL]


def test_a_piece_that_moved_before_anybody_watched_leans_to_nothing() -> None:
    leanings = watched("a1 flag, a4 captain", "e6 marshal*, e7 scout*, b10 flag")
    assert set(leanings[FIRST]) == set(leanings[slot(BLUE, 1)]) == {1.0}


def test_a_piece_that_has_just_moved_is_judged_by_where_it_came_from() -> None:
    table, conduct = Table("a1 flag, a4 captain", "e7 marshal, b10 flag"), Conduct(BLUE)
    table.play("a4a5", "e7e6")
    conduct.watch(table.state)
    assert conduct.leanings[FIRST] == [row[35] ** 0.7 for row in shares(40)]


def test_who_goes_up_to_an_open_piece_is_likelier_to_beat_it() -> None:
    pieces = ("a1 flag, e6 captain*, a4 scout", "e7 scout, g8 general*, b10 flag")
    before = watched(*pieces, "e6e7", "g8f8")[slot(BLUE, 1)]
    after = watched(*pieces, "e6e7", "g8f8", "a4a5", "f8e8")[slot(BLUE, 1)]
    assert after[GENERAL] > before[GENERAL]
    assert after[CAPTAIN] < before[CAPTAIN]
    assert after[SERGEANT] < before[SERGEANT]


def test_who_runs_from_an_open_piece_is_likelier_to_lose_to_it() -> None:
    after = watched("a1 flag, e6 captain*, a4 scout", "e7 scout, f7 miner*, b10 flag", "e6e7", "f7g7")
    assert after[slot(BLUE, 1)][MINER] > 1 > after[slot(BLUE, 1)][GENERAL]


def test_who_stands_next_to_an_open_piece_and_leaves_it_alone_is_likelier_to_be_weak_or_rooted() -> None:
    pieces = ("a1 flag, e6 captain*, a4 scout", "e7 scout, e8 bomb, b10 flag, j7 miner*")
    before, after = watched(*pieces), watched(*pieces, "e6e7", "j7j6")
    ratio = [now / then for now, then in zip(after[slot(BLUE, 1)], before[slot(BLUE, 1)], strict=True)]
    assert ratio[BOMB] == ratio[MINER] > ratio[GENERAL]


def test_a_leaning_stays_within_bounds_however_often_it_is_confirmed() -> None:
    pieces = ("a1 flag, e6 captain*, a4 scout", "e7 scout, e8 bomb, b10 flag, j7 miner*")
    steps = ["e6e7", "j7j6"]
    for turn in range(20):
        steps += [("a4a5", "a5a6", "a6a5", "a5a4")[turn % 4], ("j6j5", "j5j4", "j4j5", "j5j6")[turn % 4]]
    leanings = watched(*pieces, *steps)
    assert all(LEAST <= weight <= MOST for row in leanings.values() for weight in row)
    assert leanings[slot(BLUE, 1)][GENERAL] == LEAST


def test_an_attack_that_opens_the_attacker_tells_nothing_of_it() -> None:
    leanings = watched(
        "a1 flag, e6 captain*, a4 scout", "e8 scout*, b10 flag", "a4a5", "e8e7", "a5a4", "e7e6"
    )
    assert leanings.keys() == {FIRST, slot(BLUE, 1)}


def test_a_side_that_could_not_move_tells_nothing() -> None:
    conduct = Conduct(BLUE)
    table = Table("a1 flag, e6 captain*", "a10 flag, b10 bomb")
    table.play("e6e7")
    conduct.watch(table.state)
    state = table.play("none")
    before = {name: list(row) for name, row in conduct.leanings.items()}
    conduct.watch(state)
    assert conduct.leanings == before
