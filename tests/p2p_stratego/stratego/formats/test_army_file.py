"""Files of armies."""

from __future__ import annotations

import pytest

from p2p_stratego.stratego.formats.army_file import ArmyError, read, write
from p2p_stratego.stratego.rules.armies import ARMIES, army


@pytest.mark.parametrize("name", [*ARMIES, "0-0-0-0-0-0-0-0-0-1-0-1"])
def test_a_file_of_an_army_is_read_as_it_was_written(name: str) -> None:
    assert read(write(army(name))) == army(name)


def test_a_file_of_an_army_may_be_written_by_hand() -> None:
    text = "# my army\n\n  Flag 1\r\nspy:1\nSCOUT = 12\n"
    assert read(text).text == "0-0-0-0-0-0-0-0-12-1-0-1"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("flag 1\nspy", 2, "a piece and its number"),
        ("flag 1\n\nqueen 1", 3, "'queen' is no piece; the pieces are marshal, general, colonel, major,"),
        ("flag 1\nScouts 3", 2, "'scouts' is no piece"),
        ("flag 1\nspy -1", 2, "a piece and its number"),
        ("flag 1\nspy 1\nspy 2", 3, "named twice"),
        ("spy 1", 0, "exactly one flag"),
        ("", 0, "exactly one flag"),
    ],
)
def test_a_wrong_file_of_an_army_names_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(ArmyError, match=words) as error:
        read(text)
    assert error.value.line == line
    assert str(error.value).startswith(f"line {line}: " if line else "an army")
