"""How many games of so many moves there are from a position: pinned, and counted by the naive rules too."""

from __future__ import annotations

from copy import deepcopy
from typing import Final

import pytest

from p2p_stratego.stratego.rules.state import State
from p2p_stratego.stratego.rules.transitions import moved
from tests.helpers.stratego.boards import moves, position
from tests.helpers.stratego.naive import Naive
from tests.helpers.stratego.walks import naive_of

ARMY: Final = (
    ("flag", "bomb", "miner", "bomb", "spy", "miner", "bomb", "scout", "miner", "bomb"),
    (
        *("bomb", "scout", "sergeant", "miner", "lieutenant"),
        *("bomb", "sergeant", "miner", "captain", "scout"),
    ),
    (
        *("captain", "colonel", "scout", "lieutenant", "major"),
        *("sergeant", "captain", "scout", "sergeant", "major"),
    ),
    (
        *("scout", "marshal", "lieutenant", "scout", "general"),
        *("captain", "scout", "major", "lieutenant", "colonel"),
    ),
)
"""A classic army from its back row on; both sides have it as they see it."""
NAIVE_UP_TO: Final = 5_000


def whole(rows: tuple[int, ...], columns: str) -> str:
    return ", ".join(
        f"{column}{row} {name}"
        for row, names in zip(rows, ARMY, strict=True)
        for column, name in zip(columns, names, strict=True)
    )


POSITIONS: Final = {
    "two whole armies": (
        whole((1, 2, 3, 4), "abcdefghij"),
        whole((10, 9, 8, 7), "jihgfedcba"),
        (8, 63, 722, 8_257),
    ),
    "scouts, miners and a spy in the open": (
        "a1 flag, b1 bomb, d4 marshal, e4 scout, f3 spy, j2 miner",
        "j10 flag, i10 bomb, d7 general, f7 scout, e9 spy, a8 miner",
        (22, 483, 10_378, 222_652),
    ),
    "a scout after a sergeant": ("e5 scout, a1 flag", "f7 sergeant, j10 flag", (10, 40, 588, 2_019, 28_767)),
    "little to do, so that it repeats itself": (
        "a1 flag, a2 bomb, b1 miner, c1 bomb, b3 bomb, j5 general",
        "j10 flag, j9 bomb, i10 spy, h10 bomb, i8 bomb, i6 captain",
        (4, 16, 68, 253, 1_167, 4_722, 22_638),
    ),
    "a chase round four squares without a way out": (
        "e7 general, a1 flag, d7 bomb, e6 bomb, d8 bomb, e9 bomb",
        "f8 captain, j10 flag, f6 bomb, g7 bomb, g8 bomb, f9 bomb",
        (2, 4, 12, 20, 36, 40, 68, 70, 114, 130, 192, 182),
    ),
}
"""Red's pieces, blue's pieces, and the counts for 1, 2, 3 ... moves."""


def count(state: State, depth: int) -> int:
    """Games that end before their last move count for nothing."""
    by_names = moves(state)
    if depth == 1:
        return len(by_names)
    states = (moved(state, move) for move in by_names)
    return sum(count(then, depth - 1) for then in states if then.ended is None)


def naive_count(game: Naive, depth: int) -> int:
    by_rules = game.legal()
    if depth == 1:
        return len(by_rules)
    total = 0
    for move in by_rules:
        then = deepcopy(game)
        if then.play(move) != "flag":
            total += naive_count(then, depth - 1)
    return total


@pytest.mark.parametrize("name", POSITIONS)
def test_there_are_as_many_games_as_ever(name: str) -> None:
    red, blue, counts = POSITIONS[name]
    state = position(red, blue)
    assert tuple(count(state, depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize("name", POSITIONS)
def test_the_naive_rules_count_as_many(name: str) -> None:
    red, blue, counts = POSITIONS[name]
    for depth, expected in enumerate(counts, 1):
        if expected <= NAIVE_UP_TO:
            assert naive_count(naive_of(position(red, blue)), depth) == expected
