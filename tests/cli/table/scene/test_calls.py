"""What calls a player to the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.table.orders import actions
from cli.table.scene.calls import Calls
from cli.table.seat.controller import TableController
from tests.helpers.links.ends import Ends
from tests.helpers.spies_and_lies.typing_in import type_in


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path)
    yield both
    both.close()


def test_a_turn_an_offer_and_the_wish_for_a_return_match_call_once_each(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    anna, boris = tables
    calls = Calls(boris)
    assert calls.news(turn=True) == "Your turn: Spies & Lies with Anna"
    assert calls.news(turn=False) == ""
    type_in(ends, anna, "draw", "yes")
    assert calls.news(turn=False) == "A draw is offered by Anna"
    assert calls.news(turn=False) == ""
    type_in(ends, anna, "resign", "yes")
    assert calls.news(turn=False) == ""
    type_in(ends, anna, "rematch", "yes")
    assert calls.news(turn=False) == "A return match is wished for"
    assert calls.news(turn=False) == ""


def test_a_game_that_begins_with_somebody_elses_turn_calls_too(ends: Ends) -> None:
    table = ends.table(0)
    calls = Calls(table)
    assert calls.news(turn=False) == "", "chance is still to be drawn"
    ends.connect()
    assert calls.news(turn=False) == "The game begins: Spies & Lies with Boris"
    assert Calls(table).news(turn=False) == "", "it goes on, it does not begin"


def test_how_one_is_called_is_switched_at_the_table(
    tables: tuple[TableController, TableController],
) -> None:
    anna, _ = tables
    for line, notify, told in (
        ("notify osc9", "osc9", "if it knows OSC 9"),
        ("notify shout", "osc9", "Say how: bell, osc9, osc777, command, off."),
        ("notify command", "osc9", "Name your command in the settings"),
        ("bell", "off", "off"),
        ("bell", "bell", "on"),
        ("bell off", "off", "off"),
        ("notify", "off", "Say how"),
    ):
        actions.enter(anna, line)
        assert anna.settings.notify == notify
        assert told in str(anna.notice)
    anna.settings = replace(anna.settings, notify_command=("x",))
    actions.enter(anna, "notify command")
    assert anna.settings.notify == "command"
