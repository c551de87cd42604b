"""Clocks at the table: what the screen and line mode say, who is called, and how a claim is made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.screen.match import renderer
from cli.screen.match.renderer import draw
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.scene.calls import Calls
from cli.table.seat.controller import TableController
from cli.table.words import clocks
from cli.table.words.clocks import ScreenClock, face
from cli.text.layout import width, words
from p2p_stratego.stratego.rules.game import GAME as STRATEGO
from protocol.limits import CLAIM_AFTER_TIME
from protocol.record.time_control import TimeControl
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.ends import Ends
from tests.helpers.spies_and_lies.typing_in import honest_line, type_in


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    made = Ends(tmp_path, control=TimeControl(300, 5))
    made.connect()
    yield made
    made.close()


@pytest.fixture
def tables(ends: Ends) -> tuple[TableController, TableController]:
    anna, boris = ends.table(0), ends.table(1)
    for table in (anna, boris):
        table.refresh()
    return anna, boris


def to_a_turn(ends: Ends, tables: tuple[TableController, TableController]) -> tuple[TableController, ...]:
    """Play until one alone is to decide: it and the other one."""
    while True:
        asked = [table for table in tables if table.session.decision is not None]
        if len(asked) == 1 and asked[0].session.referee.owed.seat == asked[0].replica.seat:  # type: ignore[union-attr]
            return asked[0], next(table for table in tables if table is not asked[0])
        type_in(ends, asked[0], honest_line(asked[0]))


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (3723.9, "1:02:03"),
        (3600, "1:00:00"),
        (3599.9, "59:59"),
        (65.2, "1:05"),
        (10.0, "0:10"),
        (9.99, "0:09.9"),
        (0.04, "0:00.0"),
        (-5.0, "0:00.0"),
    ],
)
def test_the_face_of_a_clock(seconds: float, shown: str) -> None:
    assert face(seconds) == shown


def test_both_clocks_are_shown_and_the_running_one_is_marked(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    mover, other = to_a_turn(ends, tables)
    ends.clock.now += 30.0
    for table in tables:
        mine, theirs = presentation.scene(table).clocks
        assert (mine.own, theirs.own) == (True, False)
        assert mine.running == (table is mover)
        assert theirs.running == (table is other)
    assert presentation.scene(mover).clocks[0].time == presentation.scene(other).clocks[1].time
    for columns in (80, 120, 200):
        for ascii_only in (False, True):
            title = words(draw(presentation.scene(mover), columns, 24, ascii_only=ascii_only).title[0])
            assert f"{'>' if ascii_only else '▶'}You {presentation.scene(mover).clocks[0].time}" in title
            assert len(title) == columns


def test_a_screen_is_drawn_anew_with_each_second_and_then_with_each_tenth(
    ends: Ends, tables: tuple[TableController, TableController]
) -> None:
    mover, other = to_a_turn(ends, tables)
    for table in (mover, other):
        assert 0.0 < table.due - ends.clock.now <= 1.03
    left = clocks.own_left(mover.replica, ends.clock.now)
    assert left is not None
    ends.clock.now += left - 8.05
    assert 0.0 < mover.due - ends.clock.now <= 0.11
    assert presentation.scene(mover).clocks[0].low
    ends.clock.now += 8.05 + CLAIM_AFTER_TIME + 1.0
    assert mover.due > ends.clock.now + 1.0, "a clock at 0 needs no drawing"


def test_line_mode_is_told_at_a_few_marks_and_with_each_question(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    mover, _ = to_a_turn(ends, tables)
    marks, left = clocks.Marks(), clocks.own_left(mover.replica, ends.clock.now)
    assert left is not None
    shown = [marks.mark(mover.replica, mover.players, ends.clock.now)]
    for mark in (200.0, 60.0, 59.0, 30.0, 9.5, 9.0, 0.0, -5.0):
        now = ends.clock.now + left - mark
        shown.append(marks.mark(mover.replica, mover.players, now))
    chronicle.show("from 200 s on down to 0", *filter(None, shown))
    assert presentation.noticed(mover) is None
    ends.clock.now += left + 0.01
    over = next(line for line in reversed(shown) if line)
    assert presentation.noticed(mover) == ("warn", over), "on the screen, too"
    chronicle.show("in lines, with each question", presentation.clocks_sentence(mover))
    assert_as_kept(chronicle)


def test_the_player_is_called_when_ten_seconds_are_left_and_when_the_other_ones_time_is_over(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    mover, other = to_a_turn(ends, tables)
    calls = {table: Calls(table) for table in tables}
    for table in tables:
        calls[table].news(turn=False)
    left = clocks.own_left(mover.replica, ends.clock.now)
    assert left is not None
    ends.clock.now += left - 9.0
    chronicle.show("9 seconds are left: the player is called", calls[mover].news(turn=False))
    assert calls[mover].news(turn=False) == ""
    assert calls[other].news(turn=False) == ""
    ends.clock.now += 9.0 + CLAIM_AFTER_TIME
    called = calls[other].news(turn=False)
    chronicle.show("the time is over: the other one is called", called)
    assert presentation.alert(other) == ("warn", called)
    assert_as_kept(chronicle)


def test_a_claim_says_what_it_proves_and_the_accused_what_it_has_measured(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    mover, other = to_a_turn(ends, tables)
    chronicle.watch(*tables, pump=ends.pump)
    ends.clock.now += 299.0
    chronicle.type(other, "claim")
    ends.clock.now += 100.0
    chronicle.happen("399 seconds after the question")
    chronicle.type(other, "claim", "yes")
    chronicle.type(mover, "resign", "yes")
    assert "clock" not in str(presentation.alert(mover))
    assert_as_kept(chronicle)


def test_row_91_who_is_claimed_against_too_early_is_told_how_much_is_left(
    ends: Ends, tables: tuple[TableController, TableController], chronicle: Chronicle
) -> None:
    mover, other = to_a_turn(ends, tables)
    chronicle.watch(mover, pump=ends.pump)
    ends.clock.now += 100.0
    other.replica.session.claim_away(400, of_time=True)  # as a program that lies
    other.replica.exchange.flush()
    ends.pump()
    mover.refresh()
    chronicle.happen("100 seconds later the other program claims that the clock has run out")
    left = clocks.own_left(mover.replica, ends.clock.now)
    assert left is None, "the match has an end for now"
    assert re.search(r" [23]:\d\d", str(presentation.alert(mover)))
    chronicle.type(mover, honest_line(mover))
    assert all(table.session.outcome is None for table in tables)
    assert_as_kept(chronicle)


def test_clocks_fit_into_any_room_and_the_own_one_comes_first() -> None:
    own = ScreenClock(0, "", "12:05", running=False, low=False)
    others = [
        ScreenClock(seat, name, "0:09.4", running=seat == 2, low=True)
        for seat, name in ((1, "Benedikt der Grosse"), (2, "Cleo"), (3, "Dan"), (4, "Eva"))
    ]
    for room in range(90):
        line = renderer.clock_line([own, *others], room)
        assert width(line) <= room
        assert not line or "12:05" in words(line)
    assert words(renderer.clock_line([own, *others], 89)).count(":") == 5
    short = words(renderer.clock_line([own, *others], 30))
    assert "Cleo 0:09.4!" in short
    assert "Dan" not in short
    assert renderer.clock_line([], 80) == ()


def test_a_long_name_is_shortened_before_its_clock_is_left_out(chronicle: Chronicle) -> None:
    both = [
        ScreenClock(0, "", "4:43", running=False, low=False),
        ScreenClock(1, "Bén Müller RSTP4", "4:59", running=True, low=False),
    ]
    chronicle.show("in 40 columns", words(renderer.clock_line(both, 40)))
    for room in range(18, 40):
        assert "4:59" in words(renderer.clock_line(both, room)), room
    assert "▶Bén… 4:59" in words(renderer.clock_line(both, 22))
    assert_as_kept(chronicle)


def test_without_a_clock_nothing_is_said_of_one(tmp_path: Path) -> None:
    ends = Ends(tmp_path)
    ends.connect()
    table = ends.table(0)
    table.refresh()
    assert presentation.scene(table).clocks == ()
    assert presentation.clocks_sentence(table) == ""
    assert replace(presentation.scene(table), clocks=()) == presentation.scene(table)
    ends.close()


def test_who_claims_while_both_set_up_is_asked_again_when_a_late_answer_undoes_it(
    tmp_path: Path, chronicle: Chronicle
) -> None:
    """The claimant was shut out: its draft was gone, and nothing was asked of it any more."""
    ends = Ends(tmp_path, options={"army": "duel"}, game=STRATEGO, control=TimeControl(60, 5))
    tables = anna, boris = ends.table(0), ends.table(1)
    ends.connect()
    actions.enter(boris, "a10 j10")
    drafted = boris.setting_up.draft if boris.setting_up else None
    ends.clock.now += 900
    for line in ("claim", "yes"):
        for table in tables:
            table.refresh()
        actions.enter(boris, line)
        ends.pump()
    for table in tables:
        table.refresh()
    ended = boris.over
    chronicle.watch(*tables)
    actions.enter(anna, "ready")
    ends.pump()
    for table in tables:
        table.refresh()
    assert (ended, boris.over) == (True, False)
    assert boris.setting_up is not None
    assert boris.setting_up.draft == drafted is not None
    chronicle.happen("Anna's army is ready after all")
    undone = boris.log.history[-1]
    assert [table.log.history.count(undone) for table in tables] == [1, 1]
    actions.enter(boris, "ready")
    ends.pump()
    assert [table.session.decision is not None for table in tables] in ([True, False], [False, True])
    for table in tables:
        table.refresh()
    assert [table.log.history.count(undone) for table in tables] == [1, 1]
    ends.close()
    assert_as_kept(chronicle)
