"""Set-ups at the table: saved, loaded, listed and refused, by name and out of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.games.setup_store import SetupStore
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from p2p_stratego.stratego.formats.setups import write
from p2p_stratego.stratego.rules.game import GAME
from tests.helpers.links.ends import Ends
from tests.helpers.stratego.boards import write_line
from tests.helpers.stratego.moments import CORNER, CRATERS
from tests.helpers.stratego.typing_in import Make, notice, page, type_in


def test_set_ups_are_saved_and_loaded_under_names(
    ends: Ends, tables: tuple[TableController, TableController], tmp_path: Path
) -> None:
    anna, _ = tables
    type_in(ends, anna, "load corner", "save My-Corner")
    assert notice(anna) == "Saved as my-corner."
    saved = tmp_path / "0" / "seat0" / "setups" / "stratego" / "my-corner.txt"
    assert saved.read_text() == write(CORNER)
    assert saved.stat().st_mode & 0o777 == 0o600
    type_in(ends, anna, "load craters", "save My-Corner")
    assert notice(anna) == "Saved as my-corner, in place of the one before."
    type_in(ends, anna, "load corner", "save my-corner", "load craters", "load my-corner")
    assert notice(anna) == "This is my-corner; undo takes it back."
    assert anna.context is not None
    assert anna.context.draft.setup == CORNER
    type_in(ends, anna, "setups")
    assert "Saved by you: my-corner." in page(anna)
    assert "corner, craters, scattered" in page(anna)
    assert [choice.word for choice in presentation.choices(anna, "load c")] == ["load corner", "load craters"]
    assert [choice.word for choice in presentation.choices(anna, "lo")] == ["load "]


def test_what_was_saved_for_another_army_is_counted_and_not_offered(make: Make) -> None:
    ends = make(army="classic")
    setups = SetupStore(ends.homes[0].path)
    setups.save(GAME.name, "quick", write(CORNER))
    anna = ends.table(0)
    ends.connect()
    type_in(ends, anna, "setups")
    assert "Saved by you: 1 for another army." in page(anna)
    type_in(ends, anna, "load citadel", "save big", "setups")
    assert "Saved by you: big, 1 more for another army." in page(anna)
    assert [choice.word for choice in presentation.choices(anna, "load ")][:2] == ["load big", "load citadel"]


def test_set_ups_are_read_from_files(
    ends: Ends, tables: tuple[TableController, TableController], tmp_path: Path
) -> None:
    anna, _ = tables
    file = tmp_path / "mine.txt"
    file.write_text(write_line(CORNER) + "\n" + write_line(CRATERS) + "\n")
    type_in(ends, anna, f"load {file} 2")
    assert f"number 2 of the 2 in {file}"[:40] in notice(anna)
    assert anna.context is not None
    assert anna.context.draft.setup == CRATERS
    type_in(ends, anna, f"load {file} 3")
    assert "it holds 2" in notice(anna)
    file.write_text("\ufeff" + write_line(CRATERS), encoding="utf-8")
    type_in(ends, anna, f"load {file}")
    assert notice(anna).startswith("This is ")
    file.write_text(write_line(CORNER) + "\n" + write_line(CRATERS) + "\n")
    assert anna.context.draft.setup == CRATERS
    type_in(ends, anna, f"load {file}")
    assert anna.context.draft.setup == CORNER


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("load", "Say which"),
        ("load nothing", "Templates: corner"),
        ("load /no/such/file", "There is no"),
        ("load \0", "Nothing is called"),
        ("save", "Say under which name"),
        ("save Corner", "Corner is the name of a template"),
        ("save citadel", "citadel is the name of a template"),  # of another army, but a name is a name
        ("load citadel", "citadel is a template for classic only"),
        ("load corner 2", "it holds 1"),
        ("save ../x", "letters, digits and hyphens"),
        ("save -x", "letters, digits and hyphens"),
        ("save " + "x" * 40, "1 to 32"),
    ],
)
def test_names_and_files_that_will_not_do_are_refused(
    ends: Ends, tables: tuple[TableController, TableController], line: str, part: str
) -> None:
    type_in(ends, tables[0], line)
    assert part in notice(tables[0])
    assert len(notice(tables[0])) < 250


def test_a_file_that_is_wrong_is_refused_by_line_and_square(
    ends: Ends, tables: tuple[TableController, TableController], tmp_path: Path
) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(write(CORNER).replace("M", "X"))
    type_in(ends, tables[0], f"load {file}")
    assert "line 2, b3: 'X' is no piece" in notice(tables[0])
