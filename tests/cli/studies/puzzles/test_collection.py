"""The shipped puzzles: solved anew by a sample, one a day, and the next for a player."""

from __future__ import annotations

import pytest

from cli.studies.puzzles.collection import FILE, collection, next_for, of_day, of_game
from cli.studies.puzzles.sitting import Position
from p2p_stratego.registry import ENTRIES

WITH_PUZZLES = [name for name, entry in ENTRIES.items() if entry.puzzles is not None]
SAMPLE = range(0, len(collection()), 25)
"""`python -m benchmarks.bots.puzzles --check` solves them all."""


@pytest.mark.parametrize("at", SAMPLE)
def test_the_solution_is_clear_and_the_one_that_is_shipped(at: int) -> None:
    puzzle = collection()[at]
    solution = puzzle.solved()
    assert solution.clear
    assert solution.move == puzzle.move
    assert puzzle.judge.write(puzzle.view()) == puzzle.position
    position = Position(puzzle)
    assert puzzle.move in position.view.asked.options  # type: ignore[union-attr]
    sentences = [position.task, *puzzle.judge.why(position.view, solution, position.names)]
    sentences.append(puzzle.judge.hint(position.view, solution))
    assert all(sentence and "{" not in sentence for sentence in sentences)


def test_a_few_hundred_are_shipped_in_a_small_file_the_easiest_first() -> None:
    puzzles = collection()
    assert len(puzzles) >= 200
    assert FILE.stat().st_size <= 300_000
    assert [puzzle.rating for puzzle in puzzles] == sorted(puzzle.rating for puzzle in puzzles)
    assert {puzzle.game for puzzle in puzzles} == {*WITH_PUZZLES}
    assert len({str(puzzle.position) + puzzle.theme for puzzle in puzzles}) == len(puzzles)


@pytest.mark.parametrize("game", [None, *WITH_PUZZLES])
def test_each_comes_once_before_any_comes_again(game: str | None) -> None:
    count = len(of_game(game))
    days = [of_day(day, game).number for day in range(739_000, 739_000 + count)]
    assert len({*days}) == count
    assert of_day(739_000 + count, game).number == days[0]


def test_the_next_one_is_the_nearest_that_is_new() -> None:
    hardest = collection()[-1]
    assert next_for(9999.0, (), None) == next_for(hardest.rating, (), None)
    everything = {puzzle.number for puzzle in collection()}
    assert next_for(1500.0, everything, None) is None
    left = next_for(1500.0, everything - {7}, None)
    assert left is not None
    assert left.number == 7
