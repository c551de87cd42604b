"""What calls a player to the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.table.scene.calls import Calls
from cli.table.seat.controller import TableController
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.ends import Ends
from tests.helpers.spies_and_lies.typing_in import type_in


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path)
    yield both
    both.close()


def test_a_turn_an_offer_and_the_wish_for_a_return_match_call_once_each(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, boris = tables
    calls = Calls(boris)
    chronicle.show("it is Boris's turn", calls.news(turn=True))
    assert calls.news(turn=False) == ""
    type_in(ends, anna, "draw", "yes")
    chronicle.show("Anna offers a draw", calls.news(turn=False))
    assert calls.news(turn=False) == ""
    type_in(ends, anna, "resign", "yes")
    assert calls.news(turn=False) == ""
    type_in(ends, anna, "rematch")
    chronicle.show("Anna wants a return match", calls.news(turn=False))
    assert calls.news(turn=False) == ""
    assert_as_kept(chronicle)


def test_a_game_that_begins_with_somebody_elses_turn_calls_too(ends: Ends, chronicle: Chronicle) -> None:
    table = ends.table(0)
    calls = Calls(table)
    assert calls.news(turn=False) == "", "chance is still to be drawn"
    ends.connect()
    chronicle.show("the game begins, with Boris's turn", calls.news(turn=False))
    assert Calls(table).news(turn=False) == "", "it goes on, it does not begin"
    assert_as_kept(chronicle)


def test_how_one_is_called_is_switched_at_the_table(
    tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    anna, _ = tables
    chronicle.watch(anna)
    for line, notify in (
        ("notify osc9", "osc9"),
        ("notify shout", "osc9"),
        ("notify command", "osc9"),
        ("bell", "off"),
        ("bell", "bell"),
        ("bell off", "off"),
        ("notify", "off"),
    ):
        chronicle.type(anna, line)
        assert anna.settings.notify == notify
    anna.settings = replace(anna.settings, notify_command=("x",))
    chronicle.happen("Anna's settings name a command")
    chronicle.type(anna, "notify command")
    assert anna.settings.notify == "command"
    assert_as_kept(chronicle)
