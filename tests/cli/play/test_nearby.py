"""A host's player and those who come without an invite; a guest's player and the games nearby."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
import trio.testing

from cli.lines.console import Console
from cli.lines.lobby import LobbyLines
from cli.play.arriving import host_search
from cli.play.arriving.announcement import Announcement, announcement
from cli.play.arriving.host_search import compare_digits
from cli.play.arriving.lobby_places import HostPlace
from cli.play.arriving.network_options import OwnDoor, Ways
from cli.shell.explain import explain
from cli.table.words.nearby import NOT_THE_SAME, OTHER_NEWCOMER, QUESTION, SAID_SAME, STOPPED
from protocol.channel.channel import SAME
from protocol.crypto.keys import fingerprint
from protocol.failures import AnotherPlayer, Code, InviteFailure, NoNearby, NotTheSame
from protocol.lobby.handshake import Person
from protocol.lobby.meeting import Encounter, Meetings
from protocol.network.host import Host
from protocol.network.transport import nearby
from protocol.network.transport.choice import Wishes
from protocol.network.transport.proxied import read_proxy
from protocol.rendezvous.invite import Invite, write
from protocol.rendezvous.nearby import NearbyGames, OpenGame
from protocol.wire.addresses import Endpoint
from protocol.wire.encoding import Frame
from tests.golden.dialogues import assert_told
from tests.helpers.links.introductions import BEN
from tests.helpers.links.lobbies import Sitting, whole
from tests.helpers.program.playing import lines, play_session, printed

HERE = Endpoint("192.168.1.9", 4000)
GAME = OpenGame("0123456789abcdef", "Ada", "stratego", "ABCD-EFGH-JKMN-PQRS", 1, (HERE,))


class Asking:
    """A host whose callers are made up."""

    def __init__(self, key: bytes) -> None:
        self.encounter: Encounter | None = None
        self.on_encounter: Callable[[], None] = lambda: None
        self.desk = SimpleNamespace(
            meetings=Meetings(),
            port=4000,
            owner=SimpleNamespace(name="Ada", identity=SimpleNamespace(key=key)),
        )
        self.answers: list[object] = []

    def guarded(self, action: Callable[[], None]) -> None:
        action()

    def come(self, digits: str = "482 913") -> Encounter:
        """Somebody asks to be let in."""
        meeting: Any = SimpleNamespace(
            other=Person(BEN.key, "Ben"),
            digits=digits,
            same=lambda _: "SAME",
            check=lambda _: None,
            hosting=True,
        )
        say: Any = self.answers.append
        self.encounter = Encounter(meeting, BEN, say, self.answers.append)
        self.on_encounter()
        return self.encounter

    def go(self) -> None:
        """That is over."""
        self.encounter = None
        self.on_encounter()


@pytest.fixture
def sitting(tmp_path: Path) -> Sitting:
    table = whole(tmp_path / "table")
    table.go(table.guests[0])
    return table


@pytest.fixture
def host(sitting: Sitting) -> Asking:
    return Asking(sitting.host.identity.key)


@pytest.fixture
def place(tmp_path: Path, sitting: Sitting, host: Asking) -> HostPlace:
    session = play_session(tmp_path / "host", lines(), interactive=True)
    return HostPlace(session, cast("Host", host), sitting.lobby, sitting.host.identity.key)


def proven(encounter: Encounter) -> None:
    """The caller says SAME, which proves its key."""
    dialogue = encounter.attending()
    next(dialogue)
    with suppress(StopIteration):
        dialogue.send(Frame(SAME, b""))


def asked(place: HostPlace) -> str:
    """The digits that our player is asked about."""
    return "" if place.newcomer is None or not place.newcomer.asked else place.newcomer.digits


@pytest.mark.parametrize(
    ("word", "verdict"), [("yes", "SAME"), ("same", "SAME"), ("no", 16), ("different", 16)]
)
def test_a_player_says_whether_the_digits_are_the_same(
    place: HostPlace, host: Asking, word: str, verdict: object
) -> None:
    host.come()
    assert asked(place) == "482 913"
    place.enter(word, place.view.number, "482 913")
    assert host.answers == [verdict]
    assert asked(place) == ""
    assert place.notice == (SAID_SAME if verdict == "SAME" else NOT_THE_SAME)


@pytest.mark.parametrize("name", ["Ben", "Benno"])
def test_row_125_a_key_that_we_know_is_not_compared_and_its_digits_stay_in_sight(
    place: HostPlace, host: Asking, sitting: Sitting, name: str
) -> None:
    place.session.home.remember(BEN.key, name)
    knowing = HostPlace(place.session, cast("Host", host), sitting.lobby, sitting.host.identity.key)
    encounter = host.come()
    assert knowing.newcomer is not None
    assert (knowing.newcomer.asked, knowing.newcomer.digits) == (False, "482 913")
    assert host.answers == []  # anybody can name the key: whom we know is for its owner alone
    proven(encounter)
    assert host.answers == ["SAME"]
    assert knowing.newcomer is None


def test_row_125_a_key_that_we_do_not_know_has_no_answer_by_its_proof(place: HostPlace, host: Asking) -> None:
    proven(host.come())
    assert host.answers == []
    assert asked(place) == "482 913"


def test_row_125_another_key_of_a_known_name_is_compared(
    place: HostPlace, host: Asking, sitting: Sitting
) -> None:
    place.session.home.remember(sitting.guests[0].person.key, "Ben")
    knowing = HostPlace(place.session, cast("Host", host), sitting.lobby, sitting.host.identity.key)
    host.come()
    assert host.answers == []
    assert asked(knowing) == "482 913"


def test_row_84_a_word_counts_for_the_digits_that_were_seen_alone(place: HostPlace, host: Asking) -> None:
    """Another one may come while our player types."""
    host.come("482 913")
    host.go()
    newcomer = host.come("777 111")
    place.enter("yes", place.view.number, "482 913")
    assert newcomer.same is None
    assert host.answers == []
    assert place.notice == OTHER_NEWCOMER
    place.enter("yes", place.view.number, "")
    assert newcomer.same is None


def test_a_yes_to_a_full_table_is_none_to_somebody_who_came_too_late(
    place: HostPlace, host: Asking, sitting: Sitting
) -> None:
    newcomer = host.come()
    sitting.come(0)
    assert asked(place) == ""
    assert host.answers == [Code.NO_SEAT]
    place.enter("yes", place.view.number, "482 913")
    assert newcomer.same is None
    assert place.view.own.ready
    host.go()
    (remark,) = place.remarks
    assert_told("nearby", "too late", remark)


def test_a_player_learns_what_became_of_a_meeting(place: HostPlace, host: Asking) -> None:
    host.come()
    host.go()
    (remark,) = place.remarks
    assert_told("nearby", "digits not compared in time", remark)
    host.come().answer(same=False)
    host.go()
    assert len(place.remarks) == 1  # our player's own word
    meeting = host.come()
    meeting.answer(same=True)
    meeting.theirs = True
    host.go()
    assert len(place.remarks) == 1  # Ben sits down
    host.desk.meetings.stopped = True
    host.come()
    host.go()
    assert place.remarks[-1] == STOPPED


class Announced:
    """An announcer that announces nothing."""

    def __init__(self) -> None:
        self.game: OpenGame | None = None

    def show(self, game: OpenGame | None) -> None:
        self.game = game

    @property
    def seats(self) -> int:
        """Those that are announced to be free; 0: nothing is announced."""
        return 0 if self.game is None else self.game.seats

    async def run(self) -> None:
        await trio.sleep_forever()


def door(host: Asking, wishes: Wishes | None = None, *, shown: bool = True) -> OwnDoor:
    return OwnDoor(cast("Host", host), (), (), ways=Ways(wishes or Wishes(), shown=shown))


async def running(own: Announcement, nursery: trio.Nursery, patch: pytest.MonkeyPatch) -> Announced:
    made = Announced()

    async def places(port: int) -> tuple[Endpoint, ...]:
        return (Endpoint("192.168.1.9", port),)

    patch.setattr(nearby, "Announcer", lambda: made)
    patch.setattr(nearby, "own_places", places)
    nursery.start_soon(own.run)
    await trio.testing.wait_all_tasks_blocked()
    return made


async def test_a_game_is_announced_while_a_seat_is_free(
    place: HostPlace, host: Asking, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Announcement(door(host), sitting.lobby, place)
    assert not host.desk.meetings.open
    async with trio.open_nursery() as nursery:
        made = await running(own, nursery, monkeypatch)
        assert made.seats == 1
        assert made.game is not None
        assert (made.game.name, made.game.addresses) == ("Ada", (HERE,))
        assert host.desk.meetings.open
        place.enter("nearby off", 1)
        assert made.seats == 0
        assert not host.desk.meetings.open
        place.enter("nearby", 1)
        assert_told("nearby", "neither on nor off", place.notice)
        host.desk.meetings.stopped = True
        place.enter("nearby on", 1)
        assert not host.desk.meetings.stopped
        assert made.seats == 1
        sitting.come(0)
        assert made.seats == 0
        assert not host.desk.meetings.open
        nursery.cancel_scope.cancel()
    assert not host.desk.meetings.open


async def test_a_hidden_game_is_announced_once_its_player_wants_that(
    place: HostPlace, host: Asking, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Announcement(door(host, shown=False), sitting.lobby, place)
    async with trio.open_nursery() as nursery:
        made = await running(own, nursery, monkeypatch)
        assert made.seats == 0
        place.enter("nearby on", 1)
        await trio.testing.wait_all_tasks_blocked()
        assert made.seats == 1
        nursery.cancel_scope.cancel()


async def test_a_network_that_cannot_be_told_is_no_more_than_a_sentence(
    place: HostPlace, host: Asking, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def places(_: int) -> tuple[Endpoint, ...]:
        return ()

    own = Announcement(door(host), sitting.lobby, place)
    async with trio.open_nursery() as nursery:
        monkeypatch.setattr(nearby, "own_places", places)
        nursery.start_soon(own.run)
        await trio.testing.wait_all_tasks_blocked()
        (remark,) = place.remarks
        assert_told("nearby", "no network", remark)
        assert not own.on
        place.enter("nearby on", 1)
        await trio.testing.wait_all_tasks_blocked()
        assert len(place.remarks) == 2
        nursery.cancel_scope.cancel()


def test_who_hides_or_is_no_person_announces_nothing(
    place: HostPlace, host: Asking, sitting: Sitting
) -> None:
    proxy = Wishes(proxy=read_proxy("socks5://127.0.0.1:9050"))
    for wishes in (Wishes(straight=False), proxy):
        assert announcement(place.session, door(host, wishes), sitting.lobby, place) is None
    assert announcement(place.session, door(host), sitting.lobby, place) is not None
    place.session.interactive = False
    assert announcement(place.session, door(host), sitting.lobby, place) is None


# What is shown


async def test_the_question_stands_in_lines_and_on_the_screen(place: HostPlace, host: Asking) -> None:
    out = io.StringIO()
    typed = lines("yes")
    front = LobbyLines(place, Console(typed, out), interactive=True)
    front.show_news()
    host.come()
    front.show_news()
    output = out.getvalue()
    assert_told("nearby", "Ben wants to play", output, "Ben is")
    assert "    482 913\n" in output
    assert output.rstrip().endswith(QUESTION)
    front.take("yes")
    assert host.answers == ["SAME"]
    host.go()
    front.show_news()
    host.come("111 222")
    front.show_news()
    assert "111 222" in out.getvalue()


# Finding


class Listening:
    """A browser that hears what a test says."""

    def __init__(self, *games: OpenGame, fails: bool = False) -> None:
        self.heard = NearbyGames()
        self.on_change: Callable[[], None] = lambda: None
        self._games, self._fails = games, fails

    async def run(self) -> None:
        if self._fails:
            raise NoNearby("no network")
        self.heard.update(self._games)
        self.on_change()
        await trio.sleep_forever()


INVITE = Invite((HERE,), bytes(32), bytes(16))


class Slow:
    """Lines that are typed once everything else has been printed."""

    def __init__(self, *typed: str) -> None:
        self._typed = list(typed)

    async def read(self) -> str | None:
        await trio.testing.wait_all_tasks_blocked(0.01)
        return self._typed.pop(0) if self._typed else None

    def forget(self) -> None:
        pass


@pytest.mark.parametrize(
    ("typed", "lead", "words"),
    [
        (["1"], GAME, "Ada: Stratego; 1 seat free"),
        (["7", "", "1"], GAME, "No game nearby has the number 7."),
        ([write(INVITE)], INVITE, "Ada"),
        (["nonsense", "", write(INVITE)], INVITE, "This is no invite"),
        (["", "1"], GAME, "Ada"),
        ([], None, "Looking for games nearby"),
    ],
)
async def test_a_guest_picks_a_game_or_pastes_an_invite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: list[str], lead: object, words: str
) -> None:
    of = play_session(tmp_path, cast("Any", Slow(*typed)), interactive=True)
    monkeypatch.setattr(nearby, "Browser", lambda: Listening(GAME))
    assert await host_search.lead(of, nearby=True) == lead
    assert words in printed(of).getvalue()


async def test_a_guest_in_no_network_still_pastes_an_invite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = play_session(tmp_path, cast("Any", Slow(write(INVITE))), interactive=True)
    monkeypatch.setattr(nearby, "Browser", lambda: Listening(fails=True))
    assert await host_search.lead(of, nearby=True) == INVITE
    assert_told("nearby", "a guest in no network", printed(of).getvalue(), "found or")


async def test_a_script_asks_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearby, "Browser", None)
    of = play_session(tmp_path, lines(write(INVITE)), interactive=False)
    assert await host_search.lead(of, nearby=True) == INVITE
    hidden = play_session(tmp_path / "other", lines("1", "", write(INVITE)), interactive=True)
    assert await host_search.lead(hidden, nearby=False) == INVITE
    other = play_session(tmp_path / "third", lines("1"), interactive=False)
    with pytest.raises(InviteFailure):
        await host_search.lead(other, nearby=True)


# Comparing, as a guest


class Before:
    """A guest before a host whose key is Ben's; what becomes of it hangs on our player's word."""

    def __init__(self) -> None:
        self.answers: list[object] = []
        meeting: Any = SimpleNamespace(
            other=Person(BEN.key, "Ben"), digits="482 913", same=lambda _: "SAME", hosting=False
        )
        say: Any = self.answers.append
        self.encounter = Encounter(meeting, BEN, say, self.answers.append)

    def give_up(self) -> None:
        self.answers.append("gone")

    async def visitor(self) -> str:
        while self.encounter.same is None:
            await trio.lowlevel.checkpoint()
        if not self.encounter.same:
            raise NotTheSame
        return "visitor"


OF_BEN = replace(GAME, fingerprint=fingerprint(BEN.key))


async def test_a_guest_compares_the_digits_with_those_of_the_host(tmp_path: Path) -> None:
    of = play_session(tmp_path, lines("what?", "yes"), interactive=True)
    came: Any = Before()
    visitor: object = await compare_digits(of, OF_BEN, came)
    assert visitor == "visitor"
    assert came.answers == ["SAME"]
    output = printed(of).getvalue()
    assert f"Host: [{fingerprint(BEN.key)}] Ben." in output
    assert "    482 913\n" in output
    assert SAID_SAME in output


async def test_a_guest_who_sees_other_digits_is_told_what_that_means(tmp_path: Path) -> None:
    of = play_session(tmp_path, lines("no"), interactive=True)
    came: Any = Before()
    with pytest.raises(ExceptionGroup) as caught:
        await compare_digits(of, OF_BEN, came)
    explanation = explain(caught.value)
    assert explanation is not None
    assert_told("nearby", "other digits", explanation[0])
    assert came.answers == [Code.DIFFERENT]
    assert SAID_SAME not in printed(of).getvalue()


async def test_row_83_a_host_with_another_key_than_was_announced_is_not_even_shown(tmp_path: Path) -> None:
    of = play_session(tmp_path, lines("yes"), interactive=True)
    came: Any = Before()
    with pytest.raises(AnotherPlayer):
        await compare_digits(of, GAME, came)
    assert came.answers == ["gone"]
    assert "482 913" not in printed(of).getvalue()
