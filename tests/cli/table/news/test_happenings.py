"""Nothing of what happened is gone before it was read: pages that close a day, and a mark of what is new."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.games.interface import Page
from cli.shell.settings import Settings
from cli.table.orders import actions
from cli.table.seat.controller import TableController
from cli.text.layout import words
from p2p_stratego.registry import make_bot
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.ends import Ends
from tests.helpers.program.terminal import ENTER, Player, at_screen

GAME = "spies-and-lies"


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path, "closing")
    yield both
    both.close()


def played(ends: Ends, table: TableController, *, days: int = 9, rounds: int = 1000) -> list[Page]:
    """Bots play, each at most once in each of `rounds`; the pages that Anna sees, each closed at once."""
    bots = [make_bot(GAME, "recruit", random.Random(seat)) for seat in (0, 1)]
    pages: list[Page] = []
    while not all(replica.finished for replica in ends.replicas) and len(pages) < days and rounds:
        rounds -= 1
        for seat, replica in enumerate(ends.replicas):
            if replica.session.decision is not None:
                decided = bots[seat].decide(replica.session.view)
                (replica.decide if seat else table.decide)(decided)
                ends.pump()
                table.refresh()
                while table.page is not None and table.page.title.startswith("Day"):
                    pages.append(table.page)
                    table.page = None
                    table.turn_page()
    return pages


def text(page: Page) -> str:
    return "\n".join(words(line) for line in page.lines)


def test_each_day_closes_with_who_gained_what_and_by_what(ends: Ends, chronicle: Chronicle) -> None:
    table = ends.table(0, Settings(animation=False))
    ends.connect()
    closings = played(ends, table)
    for page in closings[:2]:
        chronicle.show(page.title, text(page))
    assert all(page.aside for page in closings)
    assert_as_kept(chronicle)


def test_points_of_a_day_are_those_of_its_turns(ends: Ends) -> None:
    table = ends.table(0, Settings(animation=False))
    ends.connect()
    (page,) = played(ends, table, days=1)
    scored = [line for line in text(page).splitlines() if " point" in line and ": " in line]
    assert scored
    for line in scored[:2]:
        total, _colon, why = line.partition(": ")[2].partition(": ")
        if why and "  " not in why:
            assert int(total.split()[0]) >= int(why.split()[0])


def test_lines_are_told_the_gains_alone_and_a_player_can_do_without(ends: Ends) -> None:
    table = ends.table(0, Settings(), keys=False)
    ends.connect()
    (page,) = played(ends, table, days=1)
    assert "What happened" not in text(page)
    actions.enter(table, "settings summary off")
    assert played(ends, table) == []


def test_the_history_marks_what_is_new_since_the_player_looked(ends: Ends) -> None:
    table = ends.table(0)
    ends.connect()
    table.refresh()
    assert table.log.fresh > 0
    actions.enter(table, "history")
    assert table.log.fresh == 0
    assert table.page is not None
    before = text(table.page)
    actions.enter(table, "history")
    assert "new since you looked" not in text(table.page)
    played(ends, table, days=1)
    ends.pump()
    actions.enter(table, "history")
    assert text(table.page) != before


def test_a_resumed_match_opens_no_page_and_plays_nothing(ends: Ends) -> None:
    table = ends.table(0, Settings())
    ends.connect()
    played(ends, table, days=1)
    table.unread.take_events()
    again = ends.table(0, Settings())
    again.refresh()
    assert again.page is None
    assert again.unread.take_events() == []
    assert again.log.fresh == 0


def test_the_page_of_a_day_in_which_a_match_was_resumed_holds_that_day_and_all_of_it(ends: Ends) -> None:
    """It told the whole game from its beginning, and counted only the gains since it was resumed."""
    table = ends.table(0, Settings(animation=False))
    ends.connect()
    played(ends, table, days=1)
    assert played(ends, table, rounds=3) == []
    again = ends.table(0, Settings(animation=False))
    again.refresh()
    (page,) = played(ends, table, days=1)
    again.refresh()
    assert again.page is not None
    assert "What happened" in text(page)
    assert text(again.page) == text(page)


def test_enter_closes_a_page_and_sends_nothing(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.look()
        table = player.front.table
        table.unread.waiting += [Page("First page"), Page("Second page")]
        table.turn_page()
        assert "First page" in await player.look()
        shown = await player.press(ENTER)
        assert "Second page" in shown
        shown = await player.press(ENTER)
        assert "page" not in shown
        assert "Nothing is typed" not in shown

    at_screen(ends, ends.table(0), play)
