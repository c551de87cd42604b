"""Games that go on later: which one, with whom, from where."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest
import trio
import trio.testing

from cli.commands.host import host_match
from cli.commands.join import join_match
from cli.play import resuming
from cli.play.runner import PlaySession
from cli.reports import describe, own_games
from cli.shell.exit_codes import Exit, Sorry
from p2p_stratego.conquest.bots.recruit import Recruit
from p2p_stratego.registry import GAMES
from protocol.audit import verdict
from protocol.failures import NoSuchMatch
from protocol.limits import CLAIM_WHEN_AWAY
from protocol.network.transport.relay_server import Relay
from protocol.rendezvous import invite as invites
from protocol.rendezvous.relay_switchboard import Limits
from protocol.replication.replica import Status
from protocol.wire.addresses import Relayed
from tests.golden.dialogues import assert_told
from tests.helpers.links.ends import Ends
from tests.helpers.links.many import Many
from tests.helpers.program.commands import Call
from tests.helpers.program.playing import (
    PATIENCE,
    Answer,
    Answering,
    arguments,
    bot_answers,
    both,
    lines,
    play_session,
    printed,
    record,
    seen,
)

# One player


async def test_row_104_a_match_that_a_host_called_void_is_taken_up_by_its_name(tmp_path: Path) -> None:
    """It is no game that goes on until then; its player asks for it by the id that it was told."""
    many = Many(tmp_path / "many", GAMES["spies-and-lies"], 3)
    own, game = many.homes[1], many.homes[1].games()[0].id
    store = many.replicas[1].store
    for replica in (many.replicas[0], many.replicas[2]):
        replica.close()
    own.set_aside(store)
    assert own.games() == []
    for home in many.homes:
        home.close()
    session = play_session(tmp_path / "many" / "seat1", lines(), interactive=True)
    with pytest.raises(NoSuchMatch):
        await resuming.unfinished(session, "0" * 8)
    for _ in range(2):  # it stays one
        assert await resuming.unfinished(session, game[:8]) == game
        assert [saved.id for saved in session.home.games()] == [game]


# Two players


def until(seed: int, entries: int) -> Answer:
    """Plays until the record is so long, then leaves."""
    plays = bot_answers(seed)

    def answer(of: PlaySession) -> str | None:
        if of.table is not None and of.table.replica.session.referee.count >= entries:
            return "yes" if of.table.pending is not None else "leave"
        return plays(of)

    return answer


async def half_a_game(tmp_path: Path) -> tuple[str, PlaySession, PlaySession]:
    """The id of a game that both have left in the middle, and the evenings when they are to go on with it."""
    first, second = await both(tmp_path, until(1, 20), until(2, 20))
    id_ = first.home.games()[0].id
    for of in (first, second):
        assert f"resume {id_[:8]}" in printed(of).getvalue()
        of.home.close()
    return (
        id_,
        play_session(tmp_path / "host", Answering(bot_answers(3))),
        play_session(tmp_path / "guest", Answering(bot_answers(4))),
    )


async def test_an_unfinished_game_goes_on_after_both_have_left(tmp_path: Path) -> None:
    id_, first, second = await half_a_game(tmp_path)
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(resuming.resume_match, arguments("resume"), first)
            nursery.start_soon(resuming.resume_match, arguments("resume", id_[:6]), second)
    for of in (first, second):
        assert verdict.audit(record(of).read_bytes(), GAMES).verdict.value == "complete"
        assert_told("resuming", "from the record", printed(of).getvalue(), "Day 1: both")
        with pytest.raises(Sorry, match="No game waits"):
            await resuming.resume_match(arguments("resume"), of)
        with pytest.raises(ExceptionGroup) as ended:
            await resuming.resume_match(arguments("resume", id_), of)
        assert ended.group_contains(Sorry, match="has ended")
        of.home.close()


async def test_a_tail_that_a_power_cut_spoilt_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    id_, first, second = await half_a_game(tmp_path)
    with (tmp_path / "host" / "games" / id_ / "transcript.p2ps").open("ab") as file:
        file.write(bytes(512))
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(resuming.resume_match, arguments("resume"), first)
            nursery.start_soon(resuming.resume_match, arguments("resume"), second)
    assert_told(
        "resuming",
        "a spoilt tail",
        printed(first).getvalue(),
        "set aside",
        PLACE=re.compile(r"\S*/home folder\S*|\S*/host/\S*"),
    )
    assert "set aside" not in printed(second).getvalue()
    for of in (first, second):
        assert verdict.audit(record(of).read_bytes(), GAMES).verdict.value == "complete"
        of.home.close()


async def test_a_game_goes_on_when_its_host_has_moved_to_another_port(tmp_path: Path) -> None:
    id_, first, second = await half_a_game(tmp_path)
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(resuming.resume_match, arguments("resume", "--port", "0"), first)
            port = await seen(first, r"--at \S+:(\d+)")
            here = f"127.0.0.1:{port[1]}"
            nursery.start_soon(resuming.resume_match, arguments("resume", id_, "--at", here), second)
    for of in (first, second):
        assert verdict.audit(record(of).read_bytes(), GAMES).verdict.value == "complete"
        of.home.close()


async def test_row_88_a_game_over_a_relay_goes_on_there_and_hidden_as_it_was(tmp_path: Path) -> None:
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as relaying:
            relay = Relay(Limits())
            await relay.listen(relaying, 0, ["127.0.0.1"])
            hidden = ("--relay-only", "--relay", f"127.0.0.1:{relay.port}")
            session = play_session(tmp_path / "host", Answering(until(1, 20)), name="Anna")
            two = play_session(tmp_path / "guest", Answering(until(2, 20)), name="Boris")
            async with trio.open_nursery() as nursery:
                nursery.start_soon(host_match, arguments("host", *hidden), session)
                word = await seen(session, r"P2PS\w+")
                [address] = invites.read(word[0]).addresses
                assert isinstance(address, Relayed)
                await join_match(arguments("join", word[0], *hidden), two)
            for of in (session, two):
                of.home.close()
            before = relay.counts.joined
            session = play_session(tmp_path / "host", Answering(bot_answers(3)))
            two = play_session(tmp_path / "guest", Answering(bot_answers(4)))
            with pytest.raises(Sorry, match="--show-address"):
                await resuming.resume_match(arguments("resume", "--no-relay"), two)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(resuming.resume_match, arguments("resume"), session)
                nursery.start_soon(resuming.resume_match, arguments("resume", "--relay-only"), two)
            assert relay.counts.joined > before
            relaying.cancel_scope.cancel()
    for of in (session, two):
        assert verdict.audit(record(of).read_bytes(), GAMES).verdict.value == "complete"
        of.home.close()


def test_nobody_is_sent_back_to_an_old_copy(tmp_path: Path) -> None:
    ends = Ends(tmp_path / "ends")
    table = ends.table(0)
    session = play_session(tmp_path / "home", lines())
    session.goodbye(table)
    assert "resume" in printed(session).getvalue()
    table.replica.status = Status.STALE
    session = play_session(tmp_path / "home too", lines())
    session.goodbye(table)
    assert_told("resuming", "good bye in an old copy", printed(session).getvalue())
    ends.close()


def test_a_player_whom_the_others_took_out_is_told_so_and_not_sent_back_to_play(tmp_path: Path) -> None:
    many = Many(tmp_path / "table", GAMES["conquest"], 3)
    tables = [many.table(seat) for seat in many.seats]
    many.connect()
    bots = [Recruit(random.Random(seat)) for seat in many.seats]
    many.play_on(bots, lambda: many.replicas[0].session.claimable == 1)
    many.cut((0, 1), (1, 2))
    many.clock.now += CLAIM_WHEN_AWAY
    for seat in (0, 2):
        many.replicas[seat].claim_away()
        many.pump()
    many.connect((0, 1), (1, 2))
    assert tables[1].session.referee.taken_out == (1,)
    goodbyes = {}
    for seat in many.seats:
        session = play_session(tmp_path / f"home of {seat}", lines())
        session.goodbye(tables[seat])
        goodbyes[seat] = printed(session).getvalue()
    assert_told("resuming", "good bye of one who was taken out", goodbyes[1])
    for seat, name in ((0, "first"), (2, "last")):
        assert_told("resuming", f"good bye of the {name} of the others", goodbyes[seat])
    report = verdict.audit(Path(many.replicas[1].store.path).read_bytes(), GAMES)
    assert "Boris" in describe.verdict(report).rpartition("]. ")[2]
    assert_told("resuming", "the verdict on who was taken out", describe.verdict(report))
    home = many.homes[1].path
    many.close()
    assert_told("resuming", "the list of one who was taken out", own_games.listed(home)[0]["status"])


# Against a bot


def test_a_game_against_a_bot_is_saved_when_the_input_ends_and_can_be_resumed(call: Call) -> None:
    first = call("play", "--name", "Anna", stdin=b"")
    assert first.code == Exit.OK
    assert "is saved" in first.out
    second = call("resume", stdin=b"resign\nyes\nleave\n")
    assert second.code == Exit.OK
    assert "Agent bot wins" in second.out
    third = call("resume")
    assert third.code == Exit.IO


def test_a_game_that_has_ended_is_not_resumed_with_a_bot_either(call: Call, home: Path) -> None:
    call("play", "--name", "Anna", stdin=b"resign\nyes\nleave\n")
    (saved,) = home.glob("games/*")
    run = call("resume", saved.name)
    assert_told("resuming", "a game that has ended", run, SAVED=saved.name[:8])


# Which game


def test_of_several_unfinished_games_a_person_picks_one(call: Call, tmp_path: Path) -> None:
    for _ in range(2):
        call("play", "--name", "Anna", "--home", tmp_path)
    typed = iter(["3", "two", "2"])
    of = play_session(tmp_path, Answering(lambda _: next(typed, None)), interactive=True, name="Anna")
    rows = list(own_games.listed(tmp_path))
    assert trio.run(resuming.unfinished, of, None) == rows[1]["id"]
    out = printed(of).getvalue()
    for number, row in enumerate(rows, start=1):  # whose turn it is hangs on how far the bot came
        assert f"{number}  {row['id'][:8]}  " in out
        assert f"with Agent bot: {row['status']}" in out
    assert_told("resuming", "which of two", out, "type a number")
    with pytest.raises(Sorry):
        trio.run(resuming.unfinished, of, None)
    of.home.close()


def test_a_game_that_one_has_claimed_is_offered_again(call: Call, home: Path, records: Path) -> None:
    report = verdict.audit((records / "unresponsive.p2ps").read_bytes(), GAMES)
    assert report.outcome is not None
    of = play_session(home, lines())
    folder = home / "games" / ("0" * 32)
    folder.mkdir(parents=True, mode=0o700)
    shutil.copy(records / "unresponsive.p2ps", folder / "transcript.p2ps")
    for player in report.genesis.players:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(own_games, "own_key", lambda _, key=player.key: key)
            assert trio.run(resuming.unfinished, of, None) == "0" * 32
            assert "1  00000000" in call().out
    with pytest.raises(Sorry, match="No game waits"):
        trio.run(resuming.unfinished, of, None)
    of.home.close()


def test_of_several_unfinished_games_one_must_be_named(call: Call) -> None:
    for _ in range(2):
        assert call("play", "--name", "Anna").code == Exit.OK
    run = call("resume")
    assert run.code == Exit.USAGE
    assert run.err.count("Agent bot") == 2


def test_to_resume_what_is_not_there_makes_nothing_and_has_one_code(call: Call, home: Path) -> None:
    for words in (["resume"], ["resume", "abcd"]):
        assert call(*words).code == Exit.IO
        assert not home.exists()
    call("play", "--name", "Anna")
    assert call("resume", "zzzz").code == Exit.IO
    (folder,) = home.glob("games/*")
    shutil.copytree(folder, folder.with_name(folder.name[:8] + "0" * 24))
    run = call("resume", folder.name[:8])
    assert run.code == call("audit", folder.name[:8]).code == Exit.USAGE
    assert_told("resuming", "two ids begin so", run)
