"""The maker of puzzles: the same ones from the same seed, and no game played twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.bots import puzzles
from cli.studies.puzzles.collection import Puzzle
from p2p_stratego.registry import ENTRIES

ENTRY = ENTRIES["spies-and-lies"]


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    items = puzzles.gathered(ENTRY, 1, 3, tmp_path)
    (path,) = tmp_path.iterdir()
    kept = path.read_text(encoding="utf-8")
    path.write_text(kept + '\n{"nth": 99, "it', encoding="utf-8")  # stopped in the middle of a line
    monkeypatch.setattr(puzzles, "candidates", lambda *_: pytest.fail("a game was played twice"))
    assert puzzles.gathered(ENTRY, 1, 3, tmp_path) == items
    assert {item["kind"] for item in items} == {*puzzles.KINDS[ENTRY.name]}


def test_what_is_written_is_read_back_the_easiest_first(tmp_path: Path) -> None:
    items = puzzles.gathered(ENTRY, 1, 3, tmp_path)
    chosen = [*puzzles.chosen(ENTRY, items, 1)]
    assert len(chosen) == len(puzzles.KINDS[ENTRY.name])
    read = [Puzzle(at, *row) for at, row in enumerate(json.loads(puzzles.write(chosen)), start=1)]
    assert [puzzle.rating for puzzle in read] == sorted(puzzle.rating for puzzle in chosen)
    for puzzle in read:
        solution = puzzle.solved()
        assert (solution.move, solution.clear) == (puzzle.move, True)
