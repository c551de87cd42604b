"""Matches from their beginning: a host and a guest in one process, and bots."""

from __future__ import annotations

import json
import random
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from cli.commands import play
from cli.commands.host import host_match
from cli.commands.join import join_match
from cli.lines.console import Console
from cli.play.arriving import invitations
from cli.play.bots import bot_match
from cli.play.bots.bot_front import BotFront, steadily
from cli.play.runner import PlaySession
from cli.reports import history, sources
from cli.shell import parser
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.explain import explain
from cli.studies.playback import Replay
from cli.studies.statistics import ladder
from p2p_stratego.core.lesson import TUTOR
from p2p_stratego.core.view import View
from p2p_stratego.registry import ENTRIES, GAMES
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from protocol.audit import verdict
from protocol.channel import tls
from protocol.failures import Code, Refused
from protocol.lobby.introductions import Desk
from protocol.network.peer import Peer
from protocol.network.transport.relay_server import Relay
from protocol.record.asks.base import Decided
from protocol.rendezvous.relay_switchboard import Limits
from protocol.storage.home import Home, Owner
from protocol.storage.match_store import is_practice
from protocol.storage.route import Route
from protocol.wire.addresses import Endpoint
from tests.golden.dialogues import assert_told
from tests.helpers.links.founding import founded
from tests.helpers.links.peers import LOOPBACK
from tests.helpers.program.commands import Call
from tests.helpers.program.playing import (
    PATIENCE,
    Answering,
    Printed,
    arguments,
    bot_answers,
    both,
    lines,
    play_session,
    printed,
    record,
    seen,
)

INTEL = re.compile(r"(?<=intel is )\d+ to \d+")
CODE = re.compile(r"\b\d+-[a-z]+-[a-z]+\b")


# Two players


async def test_a_friend_is_invited_and_a_whole_game_is_played_and_audited(tmp_path: Path) -> None:
    first, second = await both(tmp_path, bot_answers(1), bot_answers(2), "--wall", "3")
    for of in (first, second):
        assert verdict.audit(record(of).read_bytes(), GAMES).verdict.value == "complete"
        output = printed(of).getvalue()
        assert_told("play", "a wall is chosen", output, "wall is", INTEL=INTEL)
        assert "THE END" in output
        assert "Audit: " not in output  # that all is in order needs no word
        assert len(of.home.contacts().all) == 1
        assert of.home.invites() == {}
    assert "you play red" in printed(first).getvalue()
    assert "you play blue" in printed(second).getvalue()
    assert record(first).parent.name == record(second).parent.name
    first.home.close()
    second.home.close()


async def test_a_guest_who_declines_is_told_so_and_the_lobby_goes_on(tmp_path: Path) -> None:
    """Nothing is kept of it, and the same guest may come again."""
    session = play_session(tmp_path / "host", Answering(bot_answers(1)), interactive=True, name="Anna")
    two = play_session(tmp_path / "guest", Answering(bot_answers(2, confirm="no")), name="Boris")
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host_match, arguments("host", "--address", "127.0.0.1"), session)
            word = await seen(session, r"P2PS\w+")
            with pytest.raises(ExceptionGroup) as caught:
                await join_match(arguments("join", word[0]), two)
            await seen(session, r"Boris is gone; seat 2, blue, is empty\.")
            assert session.home.games() == two.home.games() == []
            typed = Answering(bot_answers(2))
            typed.session = two
            two.talk = Console(typed, Printed())  # type: ignore[arg-type]
            await join_match(arguments("join", word[0]), two)
    explanation = explain(caught.value)
    assert explanation is not None
    assert_told("play", "a guest declines", explanation[0])
    assert explanation[1] == Exit.UNREACHABLE
    assert record(session).parent.name == record(two).parent.name
    session.home.close()
    two.home.close()


async def test_a_host_who_declines_is_believed(tmp_path: Path) -> None:
    with pytest.raises(ExceptionGroup) as caught:
        await both(tmp_path, bot_answers(1, confirm="no"), bot_answers(2))
    assert caught.group_contains(Refused, match=re.escape(str(Refused(Code.DECLINED))))


async def test_a_host_whom_nobody_comes_to_is_told_when_the_invite_expires(
    tmp_path: Path, autojump_clock: object
) -> None:
    of = play_session(tmp_path, Answering(lambda _: None), name="Anna")
    hosting = arguments("host", "--address", "127.0.0.1", "--minutes", "1")
    with pytest.RaisesGroup(Sorry, match=None, flatten_subgroups=True) as refusals:
        await host_match(hosting, of)
    explained = explain(refusals.value)
    assert explained is not None
    assert_told("play", "nobody comes", f"{printed(of).getvalue()}\n{explained[0]}", "good once", "Nobody")
    of.home.close()


@pytest.mark.parametrize("again", [True, False])
async def test_an_invite_that_was_given_out_before_can_be_waited_with_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    """The program was killed while it waited: the invite is on the disk, and not used."""
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    session = play_session(tmp_path, lines("yes" if again else "no"), interactive=True, name="Anna")
    killed = Desk(session.owner("Anna"), tls.make(), 4000)
    given = killed.invite((Endpoint("127.0.0.1", 4000),), 600.0, 0.0, now)
    kept = await invitations.kept_invite(session)
    if again:
        assert kept is not None
        assert kept.invite == given
        assert "another 10 minutes" in printed(session).getvalue()
    else:
        assert kept is None
        assert session.home.invites() == {}
    session.home.close()


# Against a bot


# One soldier is exhausted and spoils one of the two lines; the other one is refused then, or not needed.
LAID = "2 3 5 6\n7 8 9 10\n"


def test_a_bot_is_played_through_the_whole_protocol_and_both_records_agree(call: Call, home: Path) -> None:
    # Two guesses of the bot, which draws them by chance, cannot take a flag 8 steps away.
    script = f"{LAID}mark none\nyes\nguess 5\nno\nresign\nyes\nproof\nleave\n"
    run = call("play", "--name", "Anna", "--level", "recruit", "--wall", "8", stdin=script.encode())
    assert run.code == Exit.OK
    assert run.err == ""
    assert "wins: Anna has" in run.out
    assert "complete" in run.out
    records = sorted(home.rglob("transcript.p2ps"))
    assert len(records) == 2
    assert len({path.parent.name for path in records}) == 1
    first, second = (verdict.replay(path.read_bytes(), GAMES) for path in records)
    assert first.report.verdict.value == "complete"
    assert second.referee.head == first.referee.head


def test_against_bots_alone_a_decision_is_taken_back_and_the_record_says_so(call: Call, home: Path) -> None:
    script = f"{LAID}mark none\nyes\nback\nyes\nmark none\nyes\nresign\nyes\nleave\n"
    run = call("play", "--name", "Anna", "--level", "recruit", "--wall", "8", stdin=script.encode())
    assert (run.code, run.err) == (Exit.OK, "")
    assert "Take your last decision back?" in run.out
    assert "Anna takes a decision back" in run.out
    assert "so this game is practice and counts for no statistics" in " ".join(run.out.split())
    first, second = (verdict.replay(path.read_bytes(), GAMES) for path in home.rglob("transcript.p2ps"))
    assert first.report.verdict.value == "complete"
    assert first.report.checks.takebacks == second.report.checks.takebacks > 0
    counted = json.loads(call("stats", "--json").out)
    assert counted["games"] == []
    assert [left["why"] for left in counted["not_counted"]] == ["practice"]


@pytest.mark.parametrize("hint", [False, True])
def test_with_a_hint_a_game_is_practice_also_when_it_went_on_later(
    call: Call, home: Path, hint: bool
) -> None:
    # A line that is no command waits for a question; a hint would come while the bot still deploys.
    asked = "nothing\nhint\nyes\n" * hint
    call("play", "--name", "Anna", "--level", "recruit", "--wall", "8", stdin=f"{LAID}{asked}".encode())
    run = call("resume", stdin=b"mark none\nyes\nresign\nyes\nleave\n")
    assert (run.code, run.err) == (Exit.OK, "")
    assert ("A hint was shown, so this game is practice" in " ".join(run.out.split())) is hint
    (row,) = json.loads(call("games", "--json").out)["games"]
    assert row["practice"] is hint
    assert [*ladder.results(ENTRIES["spies-and-lies"], [row])] == ([] if hint else [("recruit", 0.0, 1)])
    counted = json.loads(call("stats", "--json").out)
    assert [left["why"] for left in counted["not_counted"]] == ["practice"] * hint
    assert {is_practice(path.parent) for path in home.rglob("transcript.p2ps")} == {hint}


def test_the_end_shows_what_bots_hid_to_their_own_player_and_no_export_does(call: Call, home: Path) -> None:
    """Not before the end, not beside other people, nor in a lesson, which can be tried again."""
    script = f"{LAID}mark none\nyes\nresign\nyes\nleave\n"
    run = call("play", "--name", "Anna", "--level", "recruit", "--wall", "8", stdin=script.encode())
    assert_told("play", "bots are open at the end", run.out, "kept hidden")
    (path,) = (home / "games").rglob("transcript.p2ps")
    match = verdict.replay(path.read_bytes(), GAMES)
    kept = sources.kept_by_bots(home, match.referee)
    closed = kept.keys() - match.referee.table.faces.keys()
    assert {match.referee.table.hidden[slot].seat for slot in closed} == {1}
    at_the_end = Replay.of(history.with_kept(history.of_match(match), kept)).go("last")
    assert at_the_end.known == kept
    assert at_the_end.go("back").known.keys().isdisjoint(closed)
    for lines_of_it in (call("replay", path.parent.name), call("export", path.parent.name, "--json")):
        assert "hidden" not in lines_of_it.out
    begun = verdict.replay(path.read_bytes()[:-400], GAMES)
    assert begun.referee.outcome is None
    assert sources.kept_by_bots(home, begun.referee) == {}
    with Home(home) as opened:
        store = opened.open(path.parent.name)
        for route in (Route(), Route(bots={1: TUTOR})):
            store.set_route(route)
            assert sources.kept_by_bots(home, match.referee) == {}
        store.close()


async def test_a_bot_that_still_thinks_when_its_player_has_left_says_nothing_more(tmp_path: Path) -> None:
    """Its thread cannot be stopped: the answer comes when its record is closed already."""
    thinking, closed = trio.Event(), threading.Event()
    with Home(tmp_path / "player") as home, bot_match.bot_home(home, "recruit") as bot_home:
        player, owner = Owner(home, home.identity(), "Anna", GAMES), bot_match.bot_owner(bot_home, "recruit")
        game = GAMES["spies-and-lies"]
        store, other = founded(game, game.options({}), [player, owner], "recruit")
        with trio.fail_after(PATIENCE):
            async with trio.open_nursery() as nursery:
                ours, theirs = Peer(nursery, player, store), Peer(nursery, owner, other)
                bot_match.link_up(nursery, ours, theirs)

                class Slow:
                    def decide(self, view: View[Any]) -> Decided:
                        trio.from_thread.run_sync(thinking.set)
                        assert closed.wait(PATIENCE)
                        return Recruit(random.Random(1)).decide(view)

                close = other.close

                def close_and_tell() -> None:
                    close()
                    closed.set()

                other.close = close_and_tell  # type: ignore[method-assign]
                bot = BotFront(theirs, Slow(), steadily(0.0))
                nursery.start_soon(ours.run)
                nursery.start_soon(bot.serve)
                await thinking.wait()
                nursery.cancel_scope.cancel()
    assert theirs.replica.closed
    assert theirs.replica.session.decision is not None


def test_switches_and_name_are_remembered(call: Call, home: Path) -> None:
    first = call("play", "--name", "Anna", stdin=b"notes off\nbell off\nmouse off\nleave\nyes\n")
    assert (first.code, first.err) == (Exit.OK, "")
    with Home(home) as opened:
        kept = opened.settings()
    assert kept == {"name": "Anna", "notify": "off", "notes": False, "mouse": False}
    run = call("play", stdin=b"mouse\nleave\nyes\n")  # switches the mouse, which was off, on
    assert_told("play", "the mouse is switched", run.out, "mouse")
    assert "Anna" in run.out


async def test_a_friend_who_was_told_the_code_comes_as_with_the_invite(tmp_path: Path) -> None:
    """Behind a word that is wrong, and typed as people do."""
    session = play_session(tmp_path / "host", Answering(lambda _: ""), name="Anna")
    codes = ["7", "", ""]

    def typed(of: PlaySession) -> str:
        return codes.pop(0) if printed(of).last.endswith("The code:") else "no"

    two = play_session(tmp_path / "guest", Answering(typed), interactive=True, name="Boris")
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            relay = Relay(Limits())
            await relay.listen(nursery, 0, [LOOPBACK])
            where = ("--relay", f"{LOOPBACK}:{relay.port}", "--hidden")
            nursery.start_soon(host_match, arguments("host", "--address", LOOPBACK, *where), session)
            code = await seen(session, r"10 minutes: (\d+)-(\w+)-(\w+)")
            number, first, second = code.groups()
            codes[1] = f"{number} {first[:4].upper()} {second}"
            with pytest.raises(ExceptionGroup) as caught:
                await join_match(arguments("join", f"{number}-{first}-{first}", *where), two)
            await seen(session, r"Boris is gone")
            nursery.cancel_scope.cancel()
    output = printed(two).getvalue()
    assert_told("play", "codes that will not do", output, "words of the code", "two words", CODE=CODE)
    assert_told(
        "play", "the host hears of wrong words", printed(session).getvalue(), "wrong words", CODE=CODE
    )
    explained = explain(caught.value)
    assert explained is not None
    assert_told("play", "a guest declines", explained[0])
    session.home.close()
    two.home.close()


@pytest.mark.parametrize(
    ("words", "interactive", "level"),
    [
        (("play",), True, "recruit"),
        (("play",), False, "agent"),
        (("play", "--level", "mathematician"), True, "equilibrium"),
    ],
)
async def test_who_names_no_bot_meets_the_right_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], *, interactive: bool, level: str
) -> None:
    """The agent, the strongest of four, was everybody's first opponent."""
    met: list[str] = []

    async def play_alone(_session: object, _terms: object, whom: str, **_besides: object) -> None:
        met.append(whom)

    monkeypatch.setattr("cli.commands.play.play_alone", play_alone)
    session = play_session(tmp_path / "home", lines(), interactive=interactive)
    await play.play_bots(parser.parsed(*words), session)
    assert met == [level]
    assert ("You meet" in printed(session).getvalue()) == (level == "recruit")
    session.home.close()
