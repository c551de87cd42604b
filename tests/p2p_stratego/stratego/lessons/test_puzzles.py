"""Puzzles of Stratego: positions and their count, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from cli.studies.puzzles.collection import collection
from p2p_stratego.stratego.bots.beliefs import even_chances
from p2p_stratego.stratego.bots.piece_values import FLAG_WORTH, worth
from p2p_stratego.stratego.lessons.counting import Count
from p2p_stratego.stratego.lessons.puzzles import MOVE, read, solve, themes, write
from p2p_stratego.stratego.rules.pieces import FACES, FLAG, GENERAL, MINER
from tests.helpers.stratego.count_by_rules import brings

LAST_MINER: dict[str, Any] = {
    "army": "duel",
    "seat": 0,
    "plies": 60,
    "own": "j1F e59*",
    "enemy": "e63* a10?",
    "lost": ["M3322SBB", "M9322SBB"],
}
"""The enemy's last piece that moves stands beside our General."""
GUARDED = LAST_MINER | {"enemy": "e63* e7M* a10?", "lost": ["M3322SBB", "9322SBB"]}
FORK = LAST_MINER | {"own": "j1F e79*", "enemy": "d83* f83* i92* a10?", "lost": ["M3322SBB", "M92SBB"]}
"""One step ahead our General stands between two Miners."""
DOUBT = LAST_MINER | {"own": "b12* j1F e59*", "enemy": "e6?' h8?' a10?", "lost": ["M332SBB", "M322SBB"]}
"""Of two closed pieces that moved one is the General, one a Miner."""


FEW = [
    puzzle.position
    for puzzle in collection()
    if puzzle.game == "stratego" and puzzle.position["enemy"].count("?") <= 3
][:3]
"""Shipped ones that can be counted by the rules themselves in no time."""


def test_a_position_is_read_back_as_it_was_written() -> None:
    for position in (LAST_MINER, GUARDED, FORK, DOUBT):
        assert write(read(position)) == position


def test_taking_the_last_piece_that_moves_wins_the_game() -> None:
    solution = solve(read(LAST_MINER), MOVE)
    assert (solution.move, solution.kind, solution.ways, solution.clear) == ("e5e6", "capture", 1, True)
    taken = worth(read(LAST_MINER).state, 1)[MINER]
    assert solution.worths["e5e6"] == pytest.approx(taken + FLAG_WORTH)


def test_a_piece_that_is_retaken_counts_as_lost() -> None:
    view = read(GUARDED)
    taken, lost = worth(view.state, 1)[MINER], worth(view.state, 0)[GENERAL]
    assert Count(view).brings("e5e6") == pytest.approx(taken - lost)


def test_a_fork_is_found_though_it_attacks_nothing() -> None:
    solution = solve(read(FORK), MOVE)
    assert (solution.move, solution.kind, solution.clear) == ("e7e8", "threat", True)
    assert len(solution.facts["threats"]) == 2
    assert solution.worths["e7e8"] == pytest.approx(worth(read(FORK).state, 1)[MINER])


def test_a_gamble_is_weighed_over_every_way() -> None:
    count = Count(read(DOUBT))
    assert sorted(count.ways) == [(MINER, GENERAL, FLAG), (GENERAL, MINER, FLAG)]
    assert count.wins("e5e6") == 0.5


@pytest.mark.parametrize("position", [DOUBT, FORK])
def test_the_ways_have_the_exact_chances(position: dict[str, Any]) -> None:
    view = read(position)
    count = Count(view)
    even = even_chances(view.state, 1)
    for n, square in enumerate(count.closed):
        piece = view.state.at(square)
        assert piece is not None
        shares = [sum(way[n] == face for way in count.ways) / len(count.ways) for face in FACES]
        assert shares == pytest.approx(even[piece.moved])


@pytest.mark.parametrize("position", [LAST_MINER, GUARDED, FORK, DOUBT, *FEW])
def test_the_count_is_that_of_the_rules(position: dict[str, Any]) -> None:
    view = read(position)
    count = Count(view)
    assert {move: count.brings(move) for move in count.moves} == pytest.approx(
        {move: brings(view, move) for move in count.moves}
    )


def test_no_puzzle_comes_of_a_position_before_play_or_of_another_task() -> None:
    view = read(FORK)
    assert themes(view) == (MOVE,)
    assert themes(type(view)(view.seat, view.state, view.known)) == ()
    with pytest.raises(ValueError, match="no task"):
        solve(view, "other")
