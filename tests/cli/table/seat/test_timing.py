"""Clocks of questions: time that is up, passes that are held back, questions that are never asked."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from cli.games.interface import Limit
from cli.play.runner import keep_time
from cli.table.scene import presentation
from cli.table.scene.presentation import Typed
from cli.table.seat.timing import LEAST, MOST, Timing
from p2p_stratego.core.game import Choose
from p2p_stratego.core.view import View
from p2p_stratego.registry import GAMES
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from protocol.limits import CLAIM_WHEN_CONNECTED
from protocol.storage.route import Route
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.ends import Clock
from tests.helpers.links.many import Many

PASS = Limit("pass", 30.0, "your program passed for you.", frozenset({"papers", "escape"}), hides=True)
READY = Limit("ready", 90.0, "your program said that you are ready.", company=True)
FIRST, SECOND = (b"match", 1), (b"match", 2)
HOLD = 2.5


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timing(clock: Clock) -> Timing:
    return Timing(clock, lambda: HOLD)


def test_time_runs_from_the_question_and_then_the_program_answers(
    clock: Clock, timing: Timing, chronicle: Chronicle
) -> None:
    timing.follow(FIRST, PASS, alone=False)
    assert (timing.left, timing.passing, timing.answer()) == (30.0, False, None)
    clock.now += 29.9
    timing.follow(FIRST, PASS, alone=False)  # the same question: the clock goes on
    assert timing.answer() is None
    clock.now += 0.1
    answer, remark = timing.answer() or ("", "")
    assert answer == "pass"
    chronicle.show("30 seconds later", remark)
    timing.follow(SECOND, PASS, alone=False)
    assert (timing.left, timing.answer()) == (30.0, None)
    timing.follow(SECOND, None, alone=False)
    assert (timing.left, timing.due, timing.answer()) == (None, math.inf, None)
    assert_as_kept(chronicle)


def test_row_40_a_pass_of_the_players_own_goes_out_at_the_moment_that_was_drawn(
    clock: Clock, timing: Timing
) -> None:
    timing.follow(FIRST, PASS, alone=False)
    clock.now += 0.2
    assert timing.keeps("pass")
    assert timing.passing
    assert timing.due == 1000.0 + HOLD
    assert timing.answer() is None
    clock.now = 1000.0 + HOLD
    assert timing.answer() == ("pass", "")


def test_row_40_a_question_that_is_never_asked_is_passed_at_such_a_moment_too(
    clock: Clock, timing: Timing
) -> None:
    timing.never = frozenset({"papers", "escape", "cover"})
    timing.follow(FIRST, PASS, alone=False)
    assert timing.passing
    assert (timing.due, timing.answer()) == (1000.0 + HOLD, None)
    clock.now = 1000.0 + HOLD
    assert timing.answer() == ("pass", "")


def test_row_40_the_moment_is_drawn_once_a_question_whatever_the_player_wishes(clock: Clock) -> None:
    """Three players who get the same questions: one passes quickly, one is never asked, one was away."""
    went_out = []
    for habit in ("quick", "never", "time is up at once"):
        chance = random.Random(5)
        timer = Timing(clock, lambda chance=chance: chance.uniform(LEAST, MOST))  # type: ignore[misc]
        timer.never = PASS.kinds if habit == "never" else frozenset()
        limit = replace(PASS, seconds=0.1) if habit == "time is up at once" else PASS
        moments = []
        for number in range(50):
            clock.now = 0.0
            timer.follow((b"match", number), limit, alone=False)
            if habit == "quick":
                assert timer.keeps("pass")
            moments.append(timer.due if habit != "time is up at once" else timer.left or 0.0)
        went_out.append(moments)
    assert went_out[0] == went_out[1] == went_out[2]
    assert all(LEAST <= moment <= MOST for moment in went_out[0])
    assert len(set(went_out[0])) == 50


def test_a_chit_is_played_at_once_also_after_a_pass_that_is_held_back(clock: Clock, timing: Timing) -> None:
    timing.follow(FIRST, PASS, alone=False)
    assert not timing.keeps("papers 4096")
    assert timing.keeps("pass")
    assert not timing.keeps("papers 4096")


def test_a_pass_that_is_held_back_is_nobodys_yet_and_comes_back(clock: Clock, timing: Timing) -> None:
    """undo said that it was signed."""
    timing.follow(FIRST, PASS, alone=False)
    assert not timing.take_back()
    assert timing.keeps("pass")
    assert (timing.held, timing.take_back(), timing.held, timing.passing) == (True, True, False, False)
    clock.now += HOLD
    assert timing.answer() is None


def test_a_slow_pass_is_not_held_back(clock: Clock, timing: Timing) -> None:
    timing.follow(FIRST, PASS, alone=False)
    clock.now += HOLD
    assert not timing.keeps("pass")


def test_a_question_of_two_kinds_is_asked_while_one_of_them_is(clock: Clock, timing: Timing) -> None:
    timing.follow(FIRST, PASS, alone=False)
    passing = []
    for never in ({"papers"}, {"papers", "escape"}, {"cover"}, set[str]()):
        timing.never = frozenset(never)
        passing.append(timing.passing)
    assert passing == [False, True, False, False]


def test_a_question_of_no_kind_cannot_be_passed_for_good(timing: Timing) -> None:
    timing.never = frozenset({"papers", "escape"})
    timing.follow(FIRST, READY, alone=False)
    assert not timing.passing


def test_nothing_is_held_back_that_hides_nothing(timing: Timing) -> None:
    timing.follow(FIRST, READY, alone=False)
    assert not timing.keeps("ready")


def test_without_a_limit_a_player_has_all_the_time(clock: Clock, timing: Timing) -> None:
    timing.follow(FIRST, replace(PASS, seconds=0.0), alone=False)
    clock.now += 10_000
    assert (timing.left, timing.due, timing.answer()) == (None, math.inf, None)


def test_with_bots_alone_nobody_is_kept_waiting(timing: Timing) -> None:
    timing.follow(FIRST, PASS, alone=True)
    assert timing.left is None
    assert not timing.keeps("pass")
    timing.follow(SECOND, READY, alone=True)
    assert (timing.passing, timing.answer()) == (True, ("ready", ""))


def test_lines_tell_each_mark_once(clock: Clock, timing: Timing) -> None:
    timing.follow(FIRST, READY, alone=False)
    marks = []
    for _ in range(95):
        assert timing.due > clock.now or timing.left == 0
        left = timing.mark()
        if left is not None:
            marks.append(left)
        clock.now += 1
    assert marks == [60.0, 30.0, 10.0]
    timing.follow(SECOND, PASS, alone=False)
    assert timing.mark() is None  # it was told with the question


def test_no_clock_is_longer_than_a_player_who_is_there_may_be_silent() -> None:
    """Talks of 24 minutes are the longest (`allocation.TIMES`); a claim must not come before they end."""
    assert CLAIM_WHEN_CONNECTED > 24 * 60


# At a table


class At:
    """Anna's table in a match of three, at a choice, with a clock of its own kind."""

    def __init__(self, folder: Path) -> None:
        self.many = Many(folder, GAMES["spies-and-lies"], 3, {"starter": "red"})
        self.table = self.many.table(0)
        self.table.timing = Timing(self.many.clock, lambda: HOLD)
        bot = Recruit(random.Random(1))
        self.many.connect()
        session = self.many.replicas[0].session
        self.many.play_on([bot] * 3, lambda: isinstance(session.decision, Choose))
        decision: Any = session.decision
        self.options = list(decision.options)
        self.limit = replace(PASS, answer=self.options[-1])

        def limit(view: View[Any]) -> Limit | None:
            return self.limit if isinstance(view.decision, Choose) else None

        kinds = {"papers": "a search", "escape": "a search, or worse"}
        self.table.terminal = replace(self.table.terminal, limit=limit, interrupts=kinds)
        self.table.refresh()

    def answered(self) -> bool:
        return self.table.session.decision is None

    def asked(self) -> bool:
        return self.table.asked

    def later(self, seconds: float) -> None:
        self.many.clock.now += seconds
        self.table.refresh()
        self.many.pump()


@pytest.fixture
def at(tmp_path: Path) -> Iterator[At]:
    made = At(tmp_path)
    yield made
    made.many.close()


def test_the_screen_counts_down_and_tells_when_the_program_answered(at: At, chronicle: Chronicle) -> None:
    chronicle.watch(at.table, pump=at.many.pump)
    chronicle.show("Anna is asked", presentation.scene(at.table).question)
    at.later(20)
    chronicle.show("20 seconds later", presentation.scene(at.table, Typed()).question)
    assert not at.answered()
    at.table.replica.on_change = lambda: None  # lines read once, and then ask
    at.many.clock.now += 10
    at.table.refresh()
    assert at.answered()
    chronicle.happen("10 seconds later")
    assert presentation.scene(at.table).question == presentation.question(at.table)[0], "nothing is open"
    assert at.table.log.history[-1] in [text for _, text in at.table.log.recent]
    assert_as_kept(chronicle)


def test_a_quick_pass_waits_and_the_player_can_still_do_something_else(at: At, chronicle: Chronicle) -> None:
    chronicle.watch(at.table)
    at.table.decide(at.options[-1])
    at.later(0)
    chronicle.happen("Anna passes at once")
    assert not at.answered()
    assert not at.asked()
    at.later(HOLD)
    assert at.answered()
    assert_as_kept(chronicle)


def test_another_answer_goes_out_at_once(at: At) -> None:
    at.table.decide(at.options[-1])
    at.table.decide(at.options[0])
    at.many.pump()
    assert at.answered()


def test_never_and_ask_are_commands_that_show_what_holds(at: At, chronicle: Chronicle) -> None:
    chronicle.watch(at.table, pump=at.many.pump)
    chronicle.type(at.table, "never papers")
    assert at.asked()
    chronicle.type(at.table, "ask papers")
    assert at.table.timing.never == frozenset()
    chronicle.type(at.table, "never all")
    assert not at.asked()
    at.later(HOLD)
    chronicle.happen("a moment later")  # a time that is up is told of nobody
    assert at.answered()
    assert_as_kept(chronicle)


def test_a_kind_that_is_none_is_refused(at: At, chronicle: Chronicle) -> None:
    chronicle.watch(at.table)
    chronicle.type(at.table, "never hearts", "ask hearts")
    at.table.terminal = replace(at.table.terminal, interrupts={})
    chronicle.happen("a game in which nobody is asked in between")
    chronicle.type(at.table, "never", "never all", "ask all")
    assert_as_kept(chronicle)


def test_with_bots_of_this_program_alone_there_is_no_clock(at: At) -> None:
    at.many.replicas[0].exchange.route = Route(bots={1: "agent", 2: "recruit"})
    at.table.timing = Timing(at.many.clock, lambda: HOLD)
    at.later(10_000)
    assert not at.answered()
    assert at.table.timing.left is None


async def test_the_clock_of_the_program_wakes_the_table_when_something_is_due(
    at: At, autojump_clock: trio.testing.MockClock
) -> None:
    at.table.timing = Timing(trio.current_time, lambda: HOLD)
    woken = []

    def changed() -> None:
        woken.append(round(trio.current_time(), 3))
        at.table.refresh()

    async with trio.open_nursery() as nursery:
        at.table.refresh()
        start = trio.current_time()
        nursery.start_soon(keep_time, at.many.replicas[0], at.table, changed)
        await trio.testing.wait_all_tasks_blocked()
        with trio.move_on_after(60):
            await trio.sleep_forever()
        nursery.cancel_scope.cancel()
    assert at.answered()
    assert [round(at_ - start, 3) for at_ in woken][:2] == [20.0, 30.0]
    assert len(woken) < 12
