"""Armies: the boxed ones, and one's own."""

from __future__ import annotations

import pytest

from p2p_stratego.core.game import OptionError
from p2p_stratego.stratego.rules.armies import ARMIES, army
from p2p_stratego.stratego.rules.pieces import FACE_NAMED, FLAG, NAMES


@pytest.mark.parametrize(("name", "size"), [("quickplay", 20), ("classic", 40), ("barrage", 8), ("duel", 10)])
def test_a_boxed_army_has_its_size_and_one_flag(name: str, size: int) -> None:
    boxed = army(name)
    assert boxed.size == len(boxed.faces) == size
    assert boxed.faces.count(FLAG) == 1
    assert boxed.text == name
    assert boxed.faces[0] == FACE_NAMED["marshal"]


def test_an_army_of_ones_own_is_twelve_counts_from_marshal_to_flag() -> None:
    own = army("0-0-0-0-0-0-0-1-2-3-4-1")
    counts = {NAMES[face]: count for face, count in enumerate(own.counts) if count}
    assert counts == {"miner": 1, "scout": 2, "spy": 3, "bomb": 4, "flag": 1}
    assert army(own.text) == own


def test_an_army_that_has_a_name_is_called_by_it() -> None:
    assert army("1-1-2-3-4-4-4-5-8-1-6-1") is ARMIES["classic"]


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("", "one of quickplay"),
        ("Classic", "one of quickplay"),
        ("1-1-1", "twelve counts"),
        ("01-0-0-0-0-0-0-0-0-1-0-1", "twelve counts"),
        ("1-0-0-0-0-0-0-0-0-1-0-1-0", "twelve counts"),
        ("1-0-0-0-0-0-0-0-0-1-0-", "twelve counts"),
        ("٣-0-0-0-0-0-0-0-0-1-0-1", "twelve counts"),
        (None, "text"),
        (12, "text"),
        ("0-0-0-0-0-0-0-0-0-1-0-0", "exactly one flag"),
        ("0-0-0-0-0-0-0-0-0-1-0-2", "exactly one flag"),
        ("0-0-0-0-0-0-0-0-0-0-0-1", "2 to 40"),
        ("0-0-0-0-0-0-0-0-99-0-0-1", "2 to 40"),
        ("0-0-0-0-0-0-0-0-40-0-0-1", "2 to 40"),
        ("0-0-0-0-0-0-0-0-0-0-6-1", "at least one piece that moves"),
    ],
)
def test_what_nobody_could_play_with_is_refused(option: object, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        army(option)
