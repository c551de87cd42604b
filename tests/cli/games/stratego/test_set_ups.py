"""Set-ups at the table: saved, loaded, listed and refused, by name and out of files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.games.setup_store import SetupStore
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from p2p_stratego.stratego.formats.setups import write
from p2p_stratego.stratego.rules.game import GAME
from tests.golden.sentences import Row, Tables, assert_answers
from tests.helpers.links.ends import Ends
from tests.helpers.stratego.boards import write_line
from tests.helpers.stratego.moments import CORNER, CRATERS
from tests.helpers.stratego.typing_in import Make, type_in


def test_set_ups_are_saved_loaded_listed_and_refused_in_words(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    tables: list[Tables] = []

    def answer(row: Row) -> Iterator[str]:
        if row.typed is None:
            ends = make(army="classic" if "40" in row.place else "quickplay")
            SetupStore(ends.homes[0].path).save(GAME.name, "quick", write(CORNER))
            tables.append(Tables({"Anna": ends.table(0)}, ends.pump))
            ends.connect()
            tables[-1].news()
        else:
            yield from tables[-1].typed(row.who, row.typed)

    assert_answers("stratego-set-ups", answer, LONG="x" * 40)


def test_what_was_saved_for_another_army_is_not_offered(make: Make) -> None:
    ends = make(army="classic")
    SetupStore(ends.homes[0].path).save(GAME.name, "quick", write(CORNER))
    anna = ends.table(0)
    ends.connect()
    type_in(ends, anna, "load citadel", "save big")
    assert [choice.word for choice in presentation.choices(anna, "load ")][:2] == ["load big", "load citadel"]


FILES = {
    "two.txt": f"{write_line(CORNER)}\n{write_line(CRATERS)}\n",
    "wrong.txt": write(CORNER).replace("M", "X"),
}


def test_set_ups_are_saved_and_loaded_under_names(
    ends: Ends, tables: tuple[TableController, TableController], tmp_path: Path
) -> None:
    anna, _ = tables
    type_in(ends, anna, "load corner", "save My-Corner")
    saved = tmp_path / "0" / "seat0" / "setups" / "stratego" / "my-corner.txt"
    assert saved.read_text() == write(CORNER)
    assert saved.stat().st_mode & 0o777 == 0o600
    type_in(ends, anna, "load craters", "save My-Corner")
    assert saved.read_text() == write(CRATERS)
    type_in(ends, anna, "load corner", "save my-corner", "load craters", "load my-corner")
    assert anna.context is not None
    assert anna.context.draft.setup == CORNER
    assert [choice.word for choice in presentation.choices(anna, "load c")] == ["load corner", "load craters"]
    assert [choice.word for choice in presentation.choices(anna, "lo")] == ["load "]


def test_set_ups_are_read_from_files(
    ends: Ends, tables: tuple[TableController, TableController], tmp_path: Path
) -> None:
    anna, _ = tables
    file = tmp_path / "mine.txt"
    file.write_text(write_line(CORNER) + "\n" + write_line(CRATERS) + "\n")
    type_in(ends, anna, f"load {file} 2")
    assert anna.context is not None
    assert anna.context.draft.setup == CRATERS
    file.write_text("\ufeff" + write_line(CRATERS), encoding="utf-8")
    type_in(ends, anna, f"load {file}")
    assert anna.context.draft.setup == CRATERS
    file.write_text(write_line(CORNER) + "\n" + write_line(CRATERS) + "\n")
    type_in(ends, anna, f"load {file}")
    assert anna.context.draft.setup == CORNER


def test_a_return_match_begins_with_the_set_up_of_the_last_one(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    """The seats have changed, and a set-up is told as its owner sees it."""
    anna, boris = tables
    type_in(ends, anna, "mirror", "ready")
    laid = anna.setting_up.written if anna.setting_up else None
    assert laid
    type_in(ends, boris, "ready")
    type_in(ends, anna, "resign", "yes", "rematch")
    type_in(ends, boris, "rematch")
    assert anna.replica.seat == 1
    assert not anna.over
    draft = anna.setting_up.draft if anna.setting_up else None
    assert draft is not None
    assert write(draft.setup) == laid
