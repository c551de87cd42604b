"""The bot as a front end: it answers every question, and leaves people time to read."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

import pytest
import trio
import trio.testing

from cli.games.interface import Limit
from cli.play.arriving.against_bots import reading_pace
from cli.play.bots import bot_front
from cli.play.bots.bot_front import NO_DRAWS, BotFront, ReadingPace, affordable, for_reading, steadily
from cli.play.bots.bot_match import link_up
from cli.reports.history import Step
from cli.shell.settings import Settings
from p2p_stratego.core.game import Choose
from p2p_stratego.core.view import View
from p2p_stratego.registry import GAMES
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from protocol.network.peer import Peer
from protocol.record.statements import Kind
from protocol.record.time_control import TimeControl
from protocol.replication.replica import Status
from protocol.storage.home import Home, Owner
from tests.helpers.links.founding import founded

LONG: Final = "Anna guesses the Captain (6) at Boris's mission 1. It is the Miner (3). Boris scores 3."


@asynccontextmanager
async def two_bots(
    folder: Path, pace: ReadingPace, on_step: Callable[[Step], None], *, takebacks: bool = False
) -> AsyncIterator[list[BotFront]]:
    """A match between two bots, the second of which has this pace and tells its steps."""
    names = ("Anna", "Boris")
    homes = [Home(folder / name) for name in names]
    owners = [Owner(home, home.identity(), name, GAMES) for home, name in zip(homes, names, strict=True)]
    game = GAMES["spies-and-lies"]
    stores = founded(game, game.options({"starter": "red"}), owners, "agent", takebacks=takebacks)
    async with trio.open_nursery() as nursery:
        peers = [Peer(nursery, owner, store) for owner, store in zip(owners, stores, strict=True)]
        link_up(nursery, *peers)
        bots = [Recruit(random.Random(seed)) for seed in (1, 2)]
        first = BotFront(peers[0], bots[0], steadily(0.0))
        two = BotFront(peers[1], bots[1], pace, on_step)
        for front in (first, two):
            nursery.start_soon(front.serve)
        yield [first, two]
        nursery.cancel_scope.cancel()
    for home in homes:
        home.close()


async def finished(front: BotFront) -> None:
    while not front.replica.finished:
        await trio.testing.wait_all_tasks_blocked()
        await trio.sleep(0)


async def test_two_bots_play_to_the_end_and_tell_every_step_once(tmp_path: Path) -> None:
    numbers: list[int] = []
    with trio.fail_after(120):
        async with two_bots(tmp_path, steadily(0.0), lambda step: numbers.append(step.number)) as fronts:
            await finished(fronts[1])
    assert numbers == sorted(set(numbers))
    assert len(numbers) > 10


async def test_a_tutor_whose_lesson_is_over_gives_up_though_it_is_not_asked(tmp_path: Path) -> None:
    """Red guesses first, and waits: blue, to whom the lesson is over, does not wait for red's answer."""

    def over(view: View[Any]) -> bool:
        return bool(view.state.phase == "mission" and view.decision is None)

    with trio.fail_after(120):
        async with two_bots(tmp_path, steadily(0.0), lambda _: None) as fronts:
            fronts[1].over = over
            await finished(fronts[1])
            outcome = fronts[0].session.outcome
            assert outcome is not None
            assert outcome.winners == {0}
            assert outcome.reason == "resigned"


async def test_a_tutor_who_waits_until_the_end_of_its_lesson_is_read_is_parting(tmp_path: Path) -> None:
    """Else the next question stood there, and whatever answered it came too late."""
    with trio.fail_after(120):
        async with two_bots(tmp_path, steadily(3600.0), lambda _: None) as fronts:
            tutor = fronts[1]
            tutor.over = lambda _view: True
            while not (tutor.parting and tutor.pausing):
                await trio.testing.wait_all_tasks_blocked()
                await trio.sleep(0)
            assert tutor.session.outcome is None
            tutor.go_on()
            await finished(tutor)
            assert tutor.session.outcome is not None


async def test_a_bot_begins_anew_behind_each_decision_that_was_taken_back(tmp_path: Path) -> None:
    steps, begun, taken = list[int](), 0, 0

    def anew() -> Recruit:
        nonlocal begun
        begun += 1
        return Recruit(random.Random(begun))

    with trio.fail_after(120):
        async with two_bots(
            tmp_path, steadily(3600.0), lambda step: steps.append(step.number), takebacks=True
        ) as fronts:
            first, second = fronts
            first.anew = anew
            while not first.replica.finished:
                await trio.testing.wait_all_tasks_blocked()
                if taken < 3 and second.pausing and second.session.referee.takeable(1) is not None:
                    second.replica.take_back()
                    taken += 1
                second.go_on()
                await trio.sleep(0)
            assert first.session.referee.table.taken_back == taken == 3
    assert begun == 3
    assert len(steps) > 10


async def test_a_pause_ends_when_the_player_says_so(tmp_path: Path) -> None:
    """The pauses would take hours; each is ended at once, and no clock is waited for."""
    ended = 0
    with trio.fail_after(120):
        async with two_bots(tmp_path, steadily(3600.0), lambda _: None) as fronts:
            while not fronts[1].replica.finished:
                await trio.testing.wait_all_tasks_blocked()
                await trio.sleep(0)
                if fronts[1].pausing:
                    fronts[1].go_on()
                    ended += 1
    assert ended > 10
    assert not fronts[1].pausing


async def test_a_bot_that_hurries_leaves_no_pause(tmp_path: Path) -> None:
    with trio.fail_after(120):
        async with two_bots(tmp_path, steadily(3600.0), lambda _: None) as fronts:
            for front in fronts:
                front.hurries = True
                front.go_on()
            while not fronts[1].replica.finished:
                await trio.sleep(0)
                assert not any(front.pausing for front in fronts)


@pytest.mark.parametrize(
    ("text", "own", "least", "most"),
    [
        (LONG, False, 2.0, 3.0),
        (LONG, True, 0.9, 0.9),
        ("a4-a5", False, 0.9, 0.9),
        (LONG * 9, False, 4.0, 4.0),
    ],
)
def test_a_pause_is_as_long_as_reading_takes(text: str, *, own: bool, least: float, most: float) -> None:
    assert least <= for_reading(Step(1, None, (text,), 0, {}), own=own) <= most


async def test_a_bot_refuses_a_draw_aloud_and_only_once(tmp_path: Path) -> None:
    with trio.fail_after(120):
        async with two_bots(tmp_path, steadily(3600.0), lambda _: None) as fronts:
            first, second = fronts
            offered = 0
            while not second.replica.finished:
                await trio.testing.wait_all_tasks_blocked()
                if offered < 2 and first.session.referee.standing_offer(0) is None and first.session.proven:
                    first.replica.offer_draw()
                    offered += 1
                for front in fronts:
                    front.go_on()
                await trio.sleep(0)
            statements = [
                statement for statement in first.session.referee.statements[1] if statement.kind is Kind.CHAT
            ]
            assert [statement.content[0] for statement in statements] == [NO_DRAWS]
            assert offered == 2


@pytest.mark.parametrize(
    ("decided", "undone", "held"), [("no", False, 7.0), ("cover", False, 0.0), ("cover", True, 0.0)]
)
async def test_a_pass_that_could_tell_something_is_held_back_as_people_s_are(
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: trio.testing.MockClock,
    decided: str,
    undone: bool,
    held: float,
) -> None:
    """`undone`: while the bot thinks a decision is taken back, and an equal question comes again."""
    limit = Limit("no", 30.0, "", hides=True)
    monkeypatch.setattr(bot_front, "terminal", lambda _: SimpleNamespace(limit=lambda _: limit))
    lines: list[str] = []
    view = SimpleNamespace(decision=Choose(0, ("no", "cover")))
    table = SimpleNamespace(serial=7)
    replica = SimpleNamespace(
        session=SimpleNamespace(
            decision=view.decision, view=view, long_view=view, referee=SimpleNamespace(table=table)
        ),
        match=SimpleNamespace(game=GAMES["spies"]),
        status=Status.CONNECTED,
        closed=False,
        clocks=None,
        decide=lines.append,
    )
    monkeypatch.setattr(bot_front, "Teller", lambda _: None)

    def decide(_: object) -> str:
        table.serial += undone
        return decided

    peer, bot = SimpleNamespace(replica=replica), SimpleNamespace(decide=decide)
    front = BotFront(cast("Peer", peer), cast("Any", bot), steadily(0.0), hold=lambda: 7.0)
    began = trio.current_time()
    await front.decide()
    assert (lines, trio.current_time() - began) == ([] if undone else [decided], held)


@pytest.mark.parametrize(
    "control",
    [TimeControl(5), TimeControl(60), TimeControl(10, 0), TimeControl(60, 1), TimeControl(10, 600)],
    ids=lambda control: f"{control.seconds}+{control.increment}",
)
@pytest.mark.parametrize("slower", [1, 5])
def test_a_bot_that_looks_ahead_never_uses_up_its_time(control: TimeControl, slower: int) -> None:
    left = float(control.seconds)
    for _ in range(1000):
        took = slower * min(10.0, affordable(control, left))
        assert 0 <= took < left
        left = control.seconds if control.increment is None else left - took + control.increment


@pytest.mark.parametrize(
    ("clock", "left", "looked_at"),
    [
        (None, 0.0, 8000),
        (TimeControl(60), 51.0, 8000),
        (TimeControl(60), 3.0, 3200),
        (TimeControl(60), 0.5, 0),
    ],
)
async def test_with_little_time_a_bot_looks_ahead_less(
    monkeypatch: pytest.MonkeyPatch, clock: TimeControl | None, left: float, looked_at: int
) -> None:
    monkeypatch.setattr(bot_front, "terminal", lambda _: SimpleNamespace(limit=None))
    monkeypatch.setattr(bot_front, "Teller", lambda _: None)
    asked = Choose(0, ("a", "b"))
    view = SimpleNamespace(decision=asked)
    clocks = None if clock is None else SimpleNamespace(control=clock, left=lambda _seat, _now: left)
    chosen: list[str] = []
    replica = SimpleNamespace(
        session=SimpleNamespace(
            seat=0,
            decision=asked,
            view=view,
            long_view=view,
            referee=SimpleNamespace(table=SimpleNamespace(serial=1)),
        ),
        match=SimpleNamespace(game=GAMES["stratego"]),
        status=Status.CONNECTED,
        closed=False,
        clocks=clocks,
        decide=chosen.append,
    )
    bot = SimpleNamespace(positions=8000, decide=lambda _: "a")
    front = BotFront(cast("Peer", SimpleNamespace(replica=replica)), cast("Any", bot), steadily(0.0))
    front.think = 1000
    await front.decide()
    assert (chosen, bot.positions) == (["a"], looked_at)


@pytest.mark.parametrize(("unhurried", "interactive"), [(True, True), (False, True), (True, False)])
def test_bots_wait_for_a_person_who_reads_unless_the_settings_say_no(
    unhurried: bool, interactive: bool
) -> None:
    pace = reading_pace(Settings(unhurried=unhurried), interactive=interactive)
    pause = pace(Step(1, None, ("A sentence that takes a moment.",) * 3, 0, {}), own=False)
    assert (pause > 0) == (unhurried and interactive)
