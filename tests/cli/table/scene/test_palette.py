"""All commands can be searched; what does something now comes first, and the others say why they do not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.shell.settings import Settings
from cli.table.orders import actions
from cli.table.scene import palette, preferences
from cli.table.scene.preferences import PREFERENCES
from cli.table.seat.controller import TableController
from cli.table.words import commands
from cli.table.words.commands import Order
from cli.text import language
from p2p_stratego.stratego.rules.game import GAME as STRATEGO
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.ends import Ends
from tests.helpers.spies_and_lies.typing_in import honest_line


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path)
    yield both
    both.close()


def pending(table: TableController) -> bool:
    return table.pending is not None


def words(table: TableController, query: str) -> list[str]:
    return [item.words[0] for item in palette.hits(palette.items(table), query)]


def test_every_command_of_the_game_is_there_once(ends: Ends) -> None:
    ends.connect()
    listed = words(ends.table(0), "")
    assert sorted(listed) == sorted(entry.words[0] for entry in commands.TABLE)


@pytest.mark.parametrize(
    ("code", "query", "first"),
    [
        ("en", "theme", "settings theme"),
        ("en", "colours", "settings theme"),
        ("de", "farb", "settings theme"),
    ],
)
def test_a_setting_is_found_by_its_word_and_by_what_it_does(
    ends: Ends, code: str, query: str, first: str
) -> None:
    ends.connect()
    table = ends.table(0)
    language.install(code)
    assert words(table, query)[0] == first


@pytest.mark.parametrize(
    ("query", "first"),
    [("his", "history"), ("hsty", "history"), ("verify", "checks"), ("invite", "watch"), ("QUIT", "leave")],
)
def test_a_command_is_found_by_its_words_its_letters_and_what_it_does(
    ends: Ends, query: str, first: str
) -> None:
    ends.connect()
    table = ends.table(0)
    item = palette.hits(palette.items(table), query)
    assert first in [hit.words[0] for hit in item[:2]]
    assert words(table, "zzz") == []
    assert palette.overlay(table, "zzz", 3).empty


def test_what_does_nothing_now_comes_last_and_says_why(ends: Ends, chronicle: Chronicle) -> None:
    table = ends.table(0)
    ends.connect()
    hits = palette.hits(palette.items(table), "re")
    reasons = [item.why_not for item in hits]
    assert reasons == sorted(reasons, key=bool)

    def unfit() -> list[str]:
        return [f"{item.words[0]:<9} {item.why_not}" for item in palette.items(table) if item.why_not]

    chronicle.show("Anna is asked: what does nothing", *unfit())
    actions.enter(table, "resign")
    chronicle.show("Anna is to say yes or no: what does nothing", *unfit())
    actions.enter(table, "yes")
    ends.pump()
    table.refresh()
    chronicle.show("Anna has resigned: what does nothing", *unfit())
    assert_as_kept(chronicle)


@given(st.text(max_size=12), st.sampled_from([entry.words for entry in commands.TABLE]))
def test_a_score_is_highest_for_the_word_itself(query: str, of: tuple[str, ...]) -> None:
    assert 0.0 <= palette.score(query, of, "what it does") <= palette.score(of[0], of, "what it does") == 2.0


def test_settings_change_at_once_and_are_remembered(ends: Ends) -> None:
    saved = []
    table = ends.table(0, Settings())
    object.__setattr__(table.environment, "remember", lambda before, after: saved.append((before, after)))
    ends.connect()
    for line, field, value in (
        ("settings theme light", "theme", "light"),
        ("set animation", "animation", False),
        ("set anim on", "animation", True),
        ("notes off", "notes", False),
        ("coach", "coach", True),
        ("settings notify osc9", "notify", "osc9"),
    ):
        actions.enter(table, line)
        assert getattr(table.settings, field) == value, line
        assert getattr(saved[-1][1], field) == value
    for line in ("set pink", "set theme pink", "set n on", "set notify command", "set mouse maybe"):
        before = table.settings
        actions.enter(table, line)
        assert table.notice is not None
        assert table.notice[0] == "warn", line
        assert table.settings == before
    actions.enter(table, "settings")
    assert table.page is not None
    assert table.page.title == "Settings"
    assert len(table.page.lines) > len(PREFERENCES)


@pytest.mark.parametrize("preference", PREFERENCES, ids=lambda preference: preference.field)
def test_every_setting_goes_through_all_its_values_and_back(preference: preferences.Preference) -> None:
    settings = Settings(notify_command=("beep",))
    values = preferences.possible(preference, settings)
    assert [preferences.stepped(preference, settings, step) for step in range(len(values))] != []
    seen = {preferences.stepped(preference, settings, step) for step in range(len(values))}
    assert seen == set(values)
    assert preferences.stepped(preference, settings, len(values)) == getattr(settings, preference.field)


def test_undo_takes_back_what_is_not_sent_and_says_that_nothing_else_can_be(
    ends: Ends, chronicle: Chronicle
) -> None:
    table = ends.table(0, Settings(confirm=True))
    ends.connect()
    actions.enter(table, "undo")
    assert table.notice is not None
    chronicle.show("undo, and nothing is decided", table.notice[1])
    line = honest_line(table)
    actions.enter(table, line)
    asked = table.pending
    assert asked is not None
    assert asked.light
    actions.enter(table, "undo")
    assert not pending(table)
    assert table.returned == line
    assert table.session.decision is not None
    for typed in (line, "yes", "undo"):
        actions.enter(table, typed)
    assert table.notice is not None
    chronicle.show("undo, and all is sent", table.notice[1])
    assert_as_kept(chronicle)


def test_a_move_to_confirm_goes_out_with_the_second_enter(ends: Ends) -> None:
    table = ends.table(0, Settings(confirm=True))
    ends.connect()
    actions.enter(table, honest_line(table))
    before = table.session.referee.count
    assert pending(table)
    actions.enter(table, "perhaps")
    assert pending(table)
    assert table.session.referee.count == before
    actions.enter(table, "")
    assert not pending(table)
    assert table.session.decision is None


def test_a_set_up_to_confirm_is_laid_with_the_second_enter(tmp_path: Path) -> None:
    ends = Ends(tmp_path, options={"army": "duel"}, game=STRATEGO)
    table = ends.table(0, Settings(confirm=True))
    ends.connect()
    actions.enter(table, "ready")
    assert [asked.light for asked in (table.pending,) if asked is not None] == [True]
    before = table.session.decision
    actions.enter(table, "")
    assert before is not None
    assert table.session.decision is None
    ends.close()


def test_every_order_can_be_done() -> None:
    assert set(actions.ACTIONS) == set(Order)
