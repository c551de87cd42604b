"""Puzzles of Spies & Lies: what can lie there, by hand."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from cli.studies.puzzles.collection import Puzzle, collection
from p2p_stratego.core.game import Choose
from p2p_stratego.spies_and_lies.lessons.puzzles import DEAREST, LIKELIEST, SURE, read, solve, themes, write
from p2p_stratego.spies_and_lies.rules.checks import falsely_marked, out_of_order
from p2p_stratego.spies_and_lies.rules.components import (
    BOMB,
    COLONEL,
    LIEUTENANT,
    MARSHAL,
    MISSIONS,
    RANKS,
    SERGEANT,
)
from p2p_stratego.spies_and_lies.rules.notation import KEEP, guess

OPEN = "activated"
LAST_CARD: dict[str, Any] = {
    "wall": 4,
    "day": 1,
    "turn": 6,
    "starter": 0,
    "agent": 0,
    "spare": 2,
    "first_starter": 0,
    "points": [5, 7],
    "tokens": [1, 1],
    "blast": [False, False],
    "caught": [False, False],
    "double": [False, False],
    "moved": [0, 0],
    "marks": [[], [3, 4]],
    "active": [[], []],
    "intel": [[1, 4], [7, 10]],
    "exhausted": [[4], [6]],
    "cards": [
        [[1, OPEN], [2, OPEN], [3, OPEN], None],
        [[1, OPEN], [2, OPEN], [9, OPEN], None],
    ],
    "own": [1, 2, 3, 5],
    "token": KEEP,
}
"""Behind a General only the Marshal is in order, since the mark forbids the Sergeant nothing."""


def test_a_position_is_read_back_as_it_was_written() -> None:
    view = read(LAST_CARD)
    assert write(view) == LAST_CARD
    assert isinstance(view.decision, Choose)
    assert themes(view) == (SURE, LIKELIEST, DEAREST)


def test_with_the_sergeant_exhausted_the_marshal_alone_is_left() -> None:
    solution = solve(read(LAST_CARD | {"exhausted": [[4], [4]]}), SURE)
    assert (solution.move, solution.ways, solution.clear) == (guess(MARSHAL), 1, True)


def test_a_sergeant_that_may_lie_there_spoils_a_sure_puzzle() -> None:
    solution = solve(read(LAST_CARD), SURE)
    assert not solution.clear
    likeliest = solve(read(LAST_CARD), LIKELIEST)
    assert (likeliest.move, likeliest.ways) == (guess(MARSHAL), 2)
    assert likeliest.worths[guess(MARSHAL)] == pytest.approx(2 / 3)


def test_the_dearest_guess_counts_what_the_soldier_would_do() -> None:
    position = LAST_CARD | {
        "turn": 2,
        "cards": [[[1, OPEN], None, None, None], [[3, OPEN], None, None, None]],
        "exhausted": [[6], [6]],
        "intel": [[1, 4], [4, 7]],
        "marks": [[], [2]],
    }
    solution = solve(read(position), DEAREST)
    odds = solution.facts["odds"]
    assert odds[LIEUTENANT] == pytest.approx(odds[BOMB])
    assert COLONEL not in odds
    assert solution.worths[guess(COLONEL)] == 0.0
    assert solution.worths[guess(LIEUTENANT)] > 0
    assert solution.worths[guess(BOMB)] > 0


SHIPPED = [puzzle for puzzle in collection() if puzzle.game == "spies-and-lies"]


@pytest.mark.parametrize("puzzle", SHIPPED[::50])
def test_the_odds_are_those_of_all_honest_lines_by_the_rules(puzzle: Puzzle) -> None:
    """Of four soldiers in any order, those that the rules' own checks let pass."""
    state, odds = puzzle.view().state, Counter[int]()
    enemy = 1 - state.guesser
    shown = [card and card.rank for card in state.cards[enemy]]
    hand = [rank for rank in RANKS if rank not in state.exhausted[enemy]]
    for line in permutations(hand, len(MISSIONS)):
        fits = all(seen in (None, rank) for seen, rank in zip(shown, line, strict=True))
        if fits and not out_of_order(line) and not falsely_marked(line, state.marks[enemy], state.intel[-1]):
            odds[line[state.mission - 1]] += 1 if SERGEANT in line else 2  # its mark may be either
    whole = sum(odds.values())
    expected = {rank: count / whole for rank, count in odds.items()}
    assert dict(puzzle.solved().facts["odds"]) == pytest.approx(expected)


def test_another_task_is_refused() -> None:
    with pytest.raises(ValueError, match="no task"):
        solve(read(LAST_CARD), "other")
