"""Engines on seats of real matches: they play, they fail, they are left; the person's end never waits."""

from __future__ import annotations

import json
import shlex
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
import trio.testing

from cli.play.bots.bot_front import BotFront, steadily
from cli.play.bots.bot_match import link_up
from cli.play.bots.hired import EngineInMatch, HiredEngine, called, sentences
from cli.play.engines.consultation import LossCause, Lost
from cli.play.engines.engine_bot import EngineBot
from cli.play.runner import PlaySession
from cli.shell.arguments import MOST_SEATS
from cli.shell.exit_codes import Exit
from p2p_stratego.registry import GAMES, make_bot
from protocol.audit import verdict
from protocol.network.peer import Peer
from protocol.storage.home import Home, Owner
from tests.golden.dialogues import assert_said, assert_told
from tests.helpers.links.founding import founded
from tests.helpers.program.commands import Call
from tests.helpers.program.engines import EXAMPLE, FakePipe, Replies, Reply, obliging, polite, program
from tests.helpers.program.playing import bot_answers, both, printed, record

ENGINE = f"{sys.executable} {EXAMPLE}"


@asynccontextmanager
async def matched(
    folder: Path, replies: Replies, interrupted: Callable[[], None] = lambda: None
) -> AsyncIterator[tuple[BotFront, EngineInMatch, FakePipe, list[str]]]:
    """A match of a recruit and an engine: the engine's front, and what its player is told."""
    names = ("Anna", "Boris")
    homes = [Home(folder / name) for name in names]
    owners = [Owner(home, home.identity(), name, GAMES) for home, name in zip(homes, names, strict=True)]
    game = GAMES["spies-and-lies"]
    stores = founded(game, game.options({"starter": "red"}), owners, "agent")
    line = FakePipe(replies, interrupted)
    bot = EngineBot(lambda: line, {}, line.clock, Random(1))
    remarks: list[str] = []
    async with trio.open_nursery() as nursery:
        peers = [Peer(nursery, owner, store) for owner, store in zip(owners, stores, strict=True)]
        link_up(nursery, *peers)
        engine = EngineInMatch(peers[1], cast("HiredEngine", SimpleNamespace(bot=lambda: bot, seconds=10.0)))
        person = BotFront(peers[0], make_bot(game.name, "recruit", Random(2)), steadily(0.0))
        front = BotFront(peers[1], engine.bot, steadily(0.0))
        front.thinks, front.on_lost = engine.thinks, lambda lost: remarks.append(engine.lost(lost))
        for player in (person, front):
            nursery.start_soon(player.serve)
        yield front, engine, line, remarks
        nursery.cancel_scope.cancel()
    engine.close()
    for home in homes:
        home.close()


async def finished(front: BotFront) -> None:
    while not front.replica.finished:
        await trio.testing.wait_all_tasks_blocked()
        await trio.sleep(0)


async def test_an_engine_plays_a_match_and_hears_how_it_ended(tmp_path: Path) -> None:
    with trio.fail_after(120):
        async with matched(tmp_path, polite(obliging)) as (front, _engine, line, remarks):
            await finished(front)
            path, outcome = Path(front.replica.store.path), front.session.outcome
    assert remarks == []
    assert verdict.audit(path.read_bytes(), GAMES).verdict.value == "complete"
    assert line.closed
    (game,) = [message for message in line.received if message["type"] == "game"]
    assert (game["seat"], game["names"], game["seed"]) == (1, ["Anna", "Boris"], None)
    assert outcome is not None
    (end,) = [message for message in line.received if message["type"] == "end"]
    assert (end["winners"], end["reason"]) == (sorted(outcome.winners), outcome.reason)


async def test_an_engine_is_told_what_its_seat_sees_and_each_step_once(tmp_path: Path) -> None:
    with trio.fail_after(120):
        async with matched(tmp_path, polite(obliging)) as (front, _engine, line, _remarks):
            await finished(front)
            table = front.session.referee.table
            own = {slot for slot, hidden in table.hidden.items() if hidden.seat == 1}
            answers = sum(type(item).__name__ == "Answered" for item in table.history)
    asked = [message for message in line.received if message["type"] in ("decide", "end")]
    readable = set(own)
    for message in asked:
        readable |= {item["slot"] for item in message["happened"] if item["ask"] == "Open"}
        assert {*map(int, message.get("known", {}))} <= readable
    assert own < readable
    assert {*map(int, asked[1]["known"])} <= own < table.hidden.keys()
    assert [message["from"] for message in asked] == [
        sum(len(before["happened"]) for before in asked[:at]) for at in range(len(asked))
    ]
    assert sum(len(message["happened"]) for message in asked) == answers
    steps = [step["step"] for message in asked for step in message["steps"]]
    assert steps == list(range(1, len(steps) + 1))


@pytest.mark.parametrize(
    ("how", "reply"),
    [
        ("is late", 11.0),
        ("is gone", Lost(LossCause.GONE)),
        ("gives up", {"type": "error", "text": "too \x1b[31m hard."}),
        ("resigns", {"type": "resign", "number": 1}),
    ],
)
async def test_an_engine_that_fails_loses_and_nobody_waits(tmp_path: Path, how: str, reply: Reply) -> None:
    with trio.fail_after(120):
        async with matched(tmp_path, polite(lambda _message: [reply])) as (front, _engine, _line, remarks):
            await finished(front)
            outcome = front.session.outcome
    assert_told("engines", f"an engine {how}", "\n".join(remarks))
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == (frozenset({0}), "resigned")


async def test_who_leaves_need_not_wait_for_a_silent_engine(tmp_path: Path) -> None:
    """Only the end of the match ends the engine's silence."""
    asked, stopped = threading.Event(), threading.Event()

    def silent(message: dict[str, Any]) -> Iterable[Reply]:
        asked.set()
        assert stopped.wait(20)
        return obliging(message)

    with trio.fail_after(60):
        async with matched(tmp_path, polite(silent), stopped.set) as (front, _engine, line, _remarks):
            await trio.to_thread.run_sync(asked.wait)
            front.replica.say("still here")  # the match goes on beside it
    assert stopped.is_set()
    assert line.closed


def test_the_last_words_of_an_engine_are_told_escaped() -> None:
    sentence = sentences(Lost(LossCause.GONE), "Mine bot", "Traceback\nKeyError: '\x1b]52;c;x\x07'\n")
    assert "\x1b" not in sentence
    assert sentence.startswith("The program of Mine bot has ended. It wrote last: KeyError: ")
    assert len(sentences(Lost(LossCause.GAVE_UP, "x" * 10**5), "Mine bot", "y" * 10**5)) < 1000


# The commands


def test_a_person_plays_an_engine_leaves_and_goes_on(call: Call, home: Path) -> None:
    left = call("play", "--name", "Anna", "--engine", ENGINE, stdin=b"leave\nyes\n")
    assert (left.code, left.err) == (Exit.OK, "")
    assert "Random Player bot" in left.out
    without = call("resume", stdin=b"leave\nyes\n")
    assert_told("engines", "resumed without the engine", without)
    crowd = call("resume", *["--engine", ENGINE] * MOST_SEATS)
    assert_told("engines", "resumed with more engines than any table has seats for", crowd)
    resumed = call("resume", "--engine", ENGINE, stdin=b"leave\nyes\n")
    assert (resumed.code, resumed.err) == (Exit.OK, "")
    assert "Random Player bot" in resumed.out


def test_an_engine_that_cannot_play_is_told_before_the_match(call: Call, home: Path) -> None:
    for refusal in assert_said("engines", call, ENGINE=ENGINE):
        assert refusal.code in (Exit.USAGE, Exit.DATA, Exit.IO)
        assert refusal.out == ""
    assert not list(home.glob("games/*"))


def test_engines_sit_among_bots(call: Call) -> None:
    run = call("play", "--name", "Anna", "--seats", "3", "--engine", ENGINE, stdin=b"leave\nyes\n")
    assert (run.code, run.err) == (Exit.OK, "")
    (match,) = json.loads(call("games", "--json").out)["games"]
    assert sorted(match["others"]) == ["Agent bot", "Random Player bot"]


async def at_three(folder: Path, engine: str) -> tuple[PlaySession, PlaySession]:
    """A host, a friend and an engine: the host begins once the friend has said yes."""
    bots = bot_answers(1), bot_answers(2)

    def host(of: PlaySession) -> str | None:
        return "start" if of.table is None else bots[0](of)

    def friend(of: PlaySession) -> str | None:
        return "yes" if of.table is None else bots[1](of)

    return await both(folder, host, friend, "--seats", "3", "--bots", "1", "--engine", engine)


async def test_a_friend_and_an_engine_play_with_a_host_to_the_end(tmp_path: Path) -> None:
    for of in await at_three(tmp_path, ENGINE):
        report = verdict.audit(record(of).read_bytes(), GAMES)
        assert report.verdict.value == "complete"
        assert sorted(player.name for player in report.genesis.players) == [
            "Anna",
            "Boris",
            "Random Player bot",
        ]
        of.home.close()


async def test_the_host_of_an_engine_that_ends_is_told_and_the_friend_plays_on(tmp_path: Path) -> None:
    command = program(tmp_path, "greet()\nfor line in lines:\n    if line['type'] == 'decide': 1 / 0")
    first, second = await at_three(tmp_path, shlex.join(command.words))
    host, friend = (" ".join(printed(of).getvalue().split()) for of in (first, second))
    assert (
        "The program of Test Engine bot has ended. It wrote last: ZeroDivisionError: division by zero" in host
    )
    assert "Test Engine bot resigns." in friend
    for of in (first, second):
        assert verdict.audit(record(of).read_bytes(), GAMES).verdict.value == "complete"
        of.home.close()


@pytest.mark.parametrize("name", ["Agent", "agent", "MARSHAL", "\u202eMine"])
def test_no_engine_sits_under_the_name_of_a_bot_of_ours(name: str) -> None:
    """The record would tell that the Agent had played."""
    assert called(name) == "Engine bot"
    assert called("Agent Smith") == "Agent Smith bot"
