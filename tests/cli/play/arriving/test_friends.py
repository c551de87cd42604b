"""Friends in lines: two homes play, one lets the other ask, and they play again without an invite."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
import trio

from cli.commands.again import ask_again
from cli.commands.host import host_match
from cli.play.arriving import friends
from cli.play.runner import PlaySession
from cli.shell.exit_codes import Sorry
from cli.shell.explain import explain
from protocol.crypto.keys import Identity
from protocol.storage.contacts import Contact, Door, LastMatch
from protocol.wire.addresses import Endpoint
from tests.golden.dialogues import assert_told
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
    seen,
)

PORT = re.compile(r"(?<=127\.0\.0\.1:)\d+|(?<=[Pp]ort )\d+")
HERE: Final = ("--address", "127.0.0.1")


def befriending(answer: Answer, *others: str) -> Answer:
    """Says friend, and `others`, as soon as a match is there, and then plays on."""
    left = ["friend", *others]

    def say(of: PlaySession) -> str | None:
        if left and of.table is not None and of.table.replica.exchange.compared:
            return left.pop(0)
        return answer(of)

    return say


def known(of: PlaySession) -> Contact:
    return of.home.contacts().all[0]


async def friends_of_before(tmp_path: Path) -> None:
    """Anna and Boris have played, and Anna has let Boris ask."""
    first, second = await both(tmp_path, befriending(bot_answers(1)), bot_answers(2), "--wall", "2")
    assert known(first).friend
    assert not known(second).friend
    assert known(first).door is None
    door = known(second).door
    assert door is not None
    assert door.addresses == (Endpoint("127.0.0.1", first.home.doorstep().port),)
    assert_told("friends", "Boris may ask", printed(second).getvalue(), "Anna lets")
    for of in (first, second):
        met = known(of).met
        assert met is not None
        assert (met.game, met.via) == ("spies-and-lies", "nearby")
        of.home.close()


async def test_they_play_and_end_and_one_plays_again_with_the_other_without_an_invite(tmp_path: Path) -> None:
    await friends_of_before(tmp_path)
    session = play_session(tmp_path / "host", Answering(bot_answers(3)), name="Anna")
    two = play_session(tmp_path / "guest", Answering(bot_answers(4)), name="Boris")
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(friends.wait_for_friends, arguments("wait", *HERE), session)
            await seen(session, "Boris may ask you for a game now.")
            await ask_again(arguments("again", "anna", *HERE), two)
    for of in (session, two):
        met = known(of).met
        assert met is not None
        assert dict(met.options)["wall"] == 2  # as in the game before, though nobody said so again
        output = printed(of).getvalue()
        assert "P2PS" not in output
        assert "Audit: " not in output  # that all is in order needs no word
        assert len(of.home.games()) == 2
        of.home.close()
    assert_told("friends", "Boris asks", printed(session).getvalue(), "Boris asks")
    assert "Play? (yes/no)" in printed(session).getvalue()


@pytest.mark.parametrize(("typed", "table"), [((), (4, 2, "cadet")), (("--seats", "3"), (3, 0, "agent"))])
async def test_bots_of_the_last_game_with_a_friend_sit_down_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: tuple[str, ...], table: tuple[int, int, str]
) -> None:
    tables: list[tuple[int, int, str]] = []

    async def host_match(arguments: argparse.Namespace, _session: PlaySession) -> None:
        tables.append((arguments.seats, arguments.bots, arguments.level))

    monkeypatch.setattr("cli.commands.again.host_match", host_match)
    session = play_session(tmp_path, lines(), name="Anna")
    key = Identity(b"b" * 32).key
    met = LastMatch(1_700_000_000, "spies-and-lies", "", (), 4, 2, "cadet")
    session.home.remember(key, "Ben")
    door = Door((Endpoint("127.0.0.1", 4000),), bytes(16))
    session.home.change_contact(key, lambda contact: replace(contact, met=met, door=door))
    await ask_again(arguments("again", "Ben", *typed), session)
    assert tables == [table]
    session.home.close()


async def test_a_person_who_says_no_is_told_to_the_asker_and_waits_on(tmp_path: Path) -> None:
    await friends_of_before(tmp_path)
    session = play_session(tmp_path / "host", Answering(bot_answers(3, confirm="no")), name="Anna")
    two = play_session(tmp_path / "guest", Answering(bot_answers(4)), name="Boris")
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(friends.wait_for_friends, arguments("wait", *HERE), session)
            await seen(session, "Boris may ask you for a game now.")
            for _ in range(2):  # the second time Anna is not even asked
                with pytest.raises(ExceptionGroup) as caught:
                    await ask_again(arguments("again", "Anna", *HERE), two)
                assert_told("friends", "Anna says no", sentence_of(caught.value))
            nursery.cancel_scope.cancel()
    assert printed(session).getvalue().count("asks you") == 1
    assert len(session.home.games()) == 1
    session.home.close()
    two.home.close()


def sentence_of(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    explanation = explain(error)
    assert explanation is not None
    return explanation[0]


async def test_a_friend_who_does_not_wait_cannot_be_reached_and_that_is_said(tmp_path: Path) -> None:
    await friends_of_before(tmp_path)
    two = play_session(tmp_path / "guest", lines(), name="Boris")
    with trio.fail_after(PATIENCE), pytest.raises(ExceptionGroup) as caught:
        await ask_again(arguments("again", "Anna", *HERE), two)
    assert_told("friends", "Anna does not wait", sentence_of(caught.value), PORT=PORT)
    two.home.close()


async def test_who_cannot_be_asked_is_refused_before_anybody_is_called(tmp_path: Path) -> None:
    session = play_session(tmp_path / "home", lines(), name="Boris")
    home = session.home
    key = home.identity().key
    home.remember(key, "Anna")
    for door in (None, Door((), b"t" * 16)):
        home.change_contact(key, lambda contact, door=door: replace(contact, door=door))  # type: ignore[misc]
        with pytest.raises(Sorry, match="has not told you where to ask"):
            friends.friend(home, "Anna")
    home.change_contact(key, lambda contact: replace(contact, blocked=True))
    with pytest.raises(Sorry, match="You have blocked Anna"):
        friends.friend(home, "Anna")
    door = Door((Endpoint("192.0.2.1", 4000),), b"t" * 16)
    home.change_contact(key, lambda contact: replace(contact, blocked=False, door=door))
    with pytest.raises(Sorry, match="room"):
        await host_match(arguments("host", "--with", "Anna", "--bots", "1"), session)
    home.close()


async def test_one_who_waits_twice_is_told_that_it_waits_already(tmp_path: Path) -> None:
    first, second = (play_session(tmp_path / "home", lines(), name="Anna") for _ in range(2))
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(friends.wait_for_friends, arguments("wait", *HERE), first)
            await seen(first, "Nobody may ask you yet")
            with pytest.raises(ExceptionGroup) as caught:
                await friends.wait_for_friends(arguments("wait", *HERE), second)
            assert_told("friends", "Anna waits twice", sentence_of(caught.value), PORT=PORT)
            nursery.cancel_scope.cancel()
    for of in (first, second):
        of.home.close()
