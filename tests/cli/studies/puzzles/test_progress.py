"""What a player has solved: the streak of days, the strength, and a file that may be damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.studies.puzzles.progress import FILE, Progress, Try, load, save


def test_a_streak_counts_days_up_to_today_or_to_yesterday() -> None:
    progress = Progress((Try(10, 1, True), Try(11, 2, True), Try(11, 3, False), Try(12, 3, True)))
    assert [progress.streak(today) for today in (10, 11, 12, 13, 14)] == [1, 2, 3, 3, 0]
    assert Progress((Try(9, 1, False),)).streak(9) == 0


def test_only_the_first_try_counts_for_the_strength() -> None:
    progress = Progress().after(Try(5, 9, False)).after(Try(5, 9, False)).after(Try(5, 9, True))
    assert progress.tries == (Try(5, 9, False), Try(5, 9, True))
    assert progress.after(Try(5, 9, True)) == progress
    assert progress.solved == {9}
    assert progress.rating == Progress((Try(5, 9, False),)).rating
    assert progress.rating.rating < 1500 < Progress((Try(5, 9, True),)).rating.rating


def test_a_puzzle_that_is_shipped_no_more_counts_for_nothing() -> None:
    assert Progress((Try(5, 9999, True),)).rating == Progress().rating


def test_it_is_kept_in_the_home_folder(tmp_path: Path) -> None:
    assert load(tmp_path) == Progress()
    progress = Progress((Try(739_000, 4, True),))
    save(tmp_path, progress)
    assert load(tmp_path) == progress
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"[",
        b"{}",
        b"7",
        b"null",
        b"[[1]]",
        b"[[1,2,3]]",
        b"[[0,1,true]]",
        b'[["1",2,true]]',
        b"[[1,0,true]]",
    ],
)
def test_a_damaged_file_is_no_progress(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / FILE).write_bytes(damage)
    assert load(tmp_path) == Progress()
