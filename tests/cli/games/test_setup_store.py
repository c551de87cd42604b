"""What a player keeps for setting up: by name, for its owner only, in the home folder and nowhere else."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from cli.games.interface import NotPossible
from cli.games.setup_store import LONGEST, SetupStore, from_file
from protocol.failures import Unsafe

GAME = "some-game"
MATCH = "ab" * 16


@pytest.fixture
def setups(tmp_path: Path) -> SetupStore:
    return SetupStore(tmp_path / "home")


def test_what_is_saved_is_found_again_by_its_name_in_any_case(setups: SetupStore) -> None:
    setups.save(GAME, "Left-Wing", "one")
    setups.save(GAME, "right", "two")
    assert setups.names(GAME) == ["left-wing", "right"]
    assert (setups.load(GAME, "LEFT-wing"), setups.load(GAME, "right")) == ("one", "two")
    setups.save(GAME, "right", "three")
    assert setups.load(GAME, "right") == "three"


def test_nothing_is_there_before_something_was_saved_and_looking_makes_no_folder(
    setups: SetupStore, tmp_path: Path
) -> None:
    assert setups.names(GAME) == []
    assert setups.load(GAME, "left") is None
    assert setups.plan(MATCH) is None
    setups.drop_plan(MATCH)
    assert not (tmp_path / "home" / "setups").exists()
    assert not (tmp_path / "home" / "plans").exists()


def test_games_do_not_see_each_others(setups: SetupStore) -> None:
    setups.save(GAME, "left", "one")
    assert setups.names("another-game") == []
    assert setups.load("another-game", "left") is None


@pytest.mark.parametrize(
    "name", ["", "..", "../x", "a/b", "/etc/passwd", ".hidden", "-x", "a b", "x" * 33, "ä", "a\0"]
)
def test_row_36_a_name_is_a_name_and_never_a_path(setups: SetupStore, tmp_path: Path, name: str) -> None:
    with pytest.raises(NotPossible):
        setups.save(GAME, name, "text")
    assert setups.load(GAME, name) is None
    assert not (tmp_path / "home").exists() or list((tmp_path / "home").rglob("*.txt")) == []


def test_what_nobody_else_may_know_is_for_its_owner_only(setups: SetupStore, tmp_path: Path) -> None:
    setups.save(GAME, "left", "secret")
    setups.keep_plan(MATCH, "secret")
    for path in (tmp_path / "home").rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path


def test_a_plan_is_kept_replaced_and_dropped(setups: SetupStore) -> None:
    setups.keep_plan(MATCH, "one")
    setups.keep_plan(MATCH, "two")
    assert setups.plan(MATCH) == "two"
    assert setups.plan("cd" * 16) is None
    setups.drop_plan(MATCH)
    assert setups.plan(MATCH) is None


def test_row_36_a_link_in_the_place_of_a_file_is_not_followed(setups: SetupStore, tmp_path: Path) -> None:
    setups.save(GAME, "left", "one")
    other = tmp_path / "other.txt"
    other.write_text("elsewhere")
    (tmp_path / "home" / "setups" / GAME / "right.txt").symlink_to(other)
    with pytest.raises(Unsafe):
        setups.load(GAME, "right")


def test_bytes_that_are_no_text_are_read_as_something_and_endless_files_are_not(tmp_path: Path) -> None:
    file = tmp_path / "bytes"
    file.write_bytes(b"a\xff\xfe")
    assert from_file(str(file)).startswith("a")
    file.write_bytes(b"a" * (LONGEST + 1))
    with pytest.raises(NotPossible, match="far too long"):
        from_file(str(file))
    with pytest.raises(FileNotFoundError):
        from_file(str(tmp_path / "nothing"))
