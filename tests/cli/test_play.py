"""How players come to a match: bots, invites, introductions, resuming; two players in one process."""

from __future__ import annotations

import argparse
import io
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from cli import botmatch, commands, games, meet, menu, play
from cli.evening import Evening
from cli.exits import Exit, Sorry, explain
from cli.settings import Settings
from cli.terminal import Lines, Talk
from p2p_stratego import GAMES
from p2p_stratego.spies_and_lies.recruit import Recruit
from p2p_stratego.view import View
from protocol import audit, invite, tls
from protocol.contacts import Standing
from protocol.errors import Malformed
from protocol.failures import Code, InviteTypo, NotAnInvite, Refused
from protocol.handshake import Person
from protocol.home import Home, Owner
from protocol.keys import Identity
from protocol.meeting import Desk
from protocol.peer import Peer
from protocol.replica import Status
from protocol.secrets import Decided
from tests.cli.conftest import Call
from tests.cli.ends import Ends
from tests.cli.test_plain import spoken

KEY = Identity(b"k" * 32).key
OTHER_KEY = Identity(b"o" * 32).key
PATIENCE = 60.0
Answer = Callable[[Evening], str | None]


def arguments(*words: str) -> argparse.Namespace:
    """A command line as the program reads it."""
    return commands.parser().parse_args(list(words))


class Answering:
    """Standard input of somebody who looks at what was printed last, and answers it."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.evening: Evening | None = None

    async def read(self) -> str | None:
        assert self.evening is not None
        line: str | None = ""
        while line == "":
            await trio.testing.wait_all_tasks_blocked()
            line = self._answer(self.evening)
        return line

    def forget(self) -> None:
        """Nothing is typed before it is asked for."""


class Printed(io.StringIO):
    """Standard output that can be looked at."""

    @property
    def last(self) -> str:
        """The last line or question."""
        return self.getvalue().rstrip().rsplit("\n", 1)[-1]


def evening(folder: Path, source: object, *, interactive: bool = False, name: str = "") -> Evening:
    """An evening of one player in lines, with a home folder of its own."""
    talk = Talk(source, Printed())  # type: ignore[arg-type]  # anything with a `read`
    made = Evening(Home(folder), Settings(name=name, bell=False), talk, interactive, None)
    if isinstance(source, Answering):
        source.evening = made
    return made


def lines(*given: str) -> Lines:
    """Standard input that holds these lines."""
    return Lines(io.StringIO("".join(f"{line}\n" for line in given)))


def printed(of: Evening) -> Printed:
    out = of.talk._out
    assert isinstance(out, Printed)
    return out


# Names and introductions


async def test_a_name_is_asked_for_once_checked_and_remembered(tmp_path: Path) -> None:
    one = evening(tmp_path, lines("x" * 40, "a\u202eb", "Anna"), interactive=True)
    assert await meet.own_name(one) == "Anna"
    assert printed(one).getvalue().count("Your name") == 3
    assert one.home.settings()["name"] == "Anna"
    one.home.close()


async def test_without_a_person_at_the_terminal_the_login_name_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "anna")
    one = evening(tmp_path, lines())
    assert await meet.own_name(one) == "Anna"
    monkeypatch.setattr("getpass.getuser", lambda: "\x1b")
    assert await meet.own_name(evening(tmp_path, lines())) == "Player"
    with pytest.raises(Malformed):
        await meet.own_name(evening(tmp_path, lines(), name="a\nb"))


def met(tmp_path: Path, *known: tuple[bytes, str]) -> Evening:
    one = evening(tmp_path, lines())
    for key, name in known:
        one.home.remember(key, name)
    return one


def test_somebody_new_is_called_new_and_shown_with_a_fingerprint(tmp_path: Path) -> None:
    one = met(tmp_path)
    assert meet.introduce(one, Person(KEY, "Boris")).standing is Standing.NEW
    assert re.search(r"Opponent: Boris \[\w{4}(-\w{4}){3}\]", printed(one).getvalue())
    assert "NEW" in printed(one).getvalue()


def test_somebody_known_is_recognised_also_under_a_new_name(tmp_path: Path) -> None:
    one = met(tmp_path, (KEY, "Boris"))
    assert meet.introduce(one, Person(KEY, "Boris")).standing is Standing.KNOWN
    assert "met before: same name, same key" in printed(one).getvalue()
    meet.introduce(one, Person(KEY, "Bo"))
    assert "the name then was Boris" in printed(one).getvalue()


@pytest.mark.parametrize(
    ("name", "standing"),
    [("Boris", Standing.CHANGED), ("B0ris", Standing.LOOKALIKE), ("Воris", Standing.LOOKALIKE)],
)
def test_a_known_name_with_another_key_is_a_loud_warning(
    tmp_path: Path, name: str, standing: Standing
) -> None:
    one = met(tmp_path, (KEY, "Boris"))
    assert meet.introduce(one, Person(OTHER_KEY, name)).standing is standing
    told = printed(one).getvalue()
    assert told.count("!" * 72) == 2
    assert "WARNING" in told or "CAREFUL" in told


def test_row_23_what_a_stranger_calls_itself_is_escaped(tmp_path: Path) -> None:
    one = met(tmp_path)
    meet.introduce(one, Person(KEY, "\x1b]52;c;AAAA\x07\u202eEvil"))
    assert "\x1b" not in printed(one).getvalue()
    assert "\u202e" not in printed(one).getvalue()


async def test_only_a_yes_agrees_and_makes_a_contact(tmp_path: Path) -> None:
    game = GAMES["spies-and-lies"]
    for answer, agrees in (("no", False), ("", False), ("yes", True)):
        one = evening(tmp_path / (answer or "nothing"), lines(answer))
        options = game.options({"wall": 5})
        assert await meet.agreed(one, Person(KEY, "Boris"), game, options, 1) is agrees
        told = printed(one).getvalue()
        assert "Spies & Lies; you play blue" in told
        assert "5 steps from the middle" in told
        assert len(one.home.contacts().all) == agrees
        one.home.close()


# Invites

WORD = invite.write(invite.Invite(("127.0.0.1",), 4000, bytes(range(32)), bytes(range(16))))


@pytest.mark.parametrize(
    "given",
    [
        [WORD],
        [WORD.lower()],
        [f"  {WORD[:30]} {WORD[30:]}  "],
        [WORD[:20], WORD[20:50], "  " + WORD[50:]],
        [WORD[:40] + " ", "\t" + WORD[40:], "yes", "moves that follow"],
    ],
)
async def test_an_invite_is_read_over_as_many_lines_as_it_has(given: list[str]) -> None:
    talk = Talk(lines(*given), Printed())
    found = await meet.pasted(talk, interactive=False)
    assert found is not None
    assert found.port == 4000
    rest = given[given.index("yes") :] if "yes" in given else [None]
    assert await talk.line() == rest[0]


async def test_a_person_is_asked_again_and_a_script_is_told_why() -> None:
    typo = WORD[:-1] + ("0" if WORD[-1] != "0" else "1")
    with pytest.raises(InviteTypo):
        await meet.pasted(Talk(lines(typo), Printed()), interactive=False)
    with pytest.raises(NotAnInvite):
        await meet.pasted(Talk(lines("hello"), Printed()), interactive=False)
    assert await meet.pasted(Talk(lines(), Printed()), interactive=False) is None
    out = Printed()
    found = await meet.pasted(Talk(lines(typo, "", WORD), out), interactive=True)
    assert found is not None
    assert "Copy it again" in out.getvalue()


def test_addresses_are_checked_and_never_empty() -> None:
    assert meet.addresses(["127.0.0.1", "Example.ORG"]) == ["127.0.0.1", "example.org"]
    assert meet.addresses(None)
    with pytest.raises(Sorry):
        meet.addresses(["127.0.0.1"] * 9)


def test_a_qr_code_is_square_and_of_blocks_only() -> None:
    rows = meet.qr_code(WORD)
    assert {len(row) for row in rows} == {len(rows[0])}
    assert abs(len(rows) * 2 - len(rows[0])) <= 1
    assert set("".join(rows)) <= set("█▀▄ ")


# Two players


def bot_answers(seed: int, *, confirm: str = "yes", after: str = "leave") -> Answer:
    """Says `confirm` to questions, plays like a bot, and says `after` after the end."""
    bot = Recruit(random.Random(seed))

    def answer(of: Evening) -> str | None:
        desk = of.desk
        if printed(of).last.endswith("(yes/no)"):
            return confirm
        if desk is None:
            return ""
        if desk.replica.session.decision is not None:
            return spoken(bot.decide(desk.replica.session.view))
        return after if desk.replica.finished else ""

    return answer


async def both(tmp_path: Path, host: Answer, guest: Answer, *options: str) -> tuple[Evening, Evening]:
    """A host and a guest, who is given the invite that the host prints."""
    one = evening(tmp_path / "host", Answering(host), name="Anna")
    two = evening(tmp_path / "guest", Answering(guest), name="Boris")
    hosting = arguments("host", "--address", "127.0.0.1", *options)
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play.hosting, hosting, one)
            while (word := re.search(r"P2PS\w+", printed(one).getvalue())) is None:
                await trio.testing.wait_all_tasks_blocked()
            await play.joining(arguments("join", word[0]), two)
    return one, two


def record(of: Evening) -> Path:
    games = of.home.games()
    assert len(games) == 1
    return games[0].path


async def test_a_friend_is_invited_and_a_whole_game_is_played_and_audited(tmp_path: Path) -> None:
    one, two = await both(tmp_path, bot_answers(1), bot_answers(2), "--wall", "3")
    for of in (one, two):
        assert audit.audit(record(of).read_bytes()).verdict.value == "complete"
        told = printed(of).getvalue()
        assert "The wall is 3 steps away." in told
        assert "THE END" in told
        assert "Audit: complete. " in told
        assert len(of.home.contacts().all) == 1
        assert of.home.invites() == {}
    assert "you play red" in printed(one).getvalue()
    assert "you play blue" in printed(two).getvalue()
    assert record(one).parent.name == record(two).parent.name
    one.home.close()
    two.home.close()


async def test_a_guest_who_declines_is_told_so_and_the_host_is_told_why_there_is_a_new_invite(
    tmp_path: Path,
) -> None:
    one = evening(tmp_path / "host", Answering(bot_answers(1)), interactive=True, name="Anna")
    two = evening(tmp_path / "guest", Answering(bot_answers(2, confirm="no")), name="Boris")
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play.hosting, arguments("host", "--address", "127.0.0.1"), one)
            while (word := re.search(r"P2PS\w+", printed(one).getvalue())) is None:
                await trio.testing.wait_all_tasks_blocked()
            with pytest.raises(ExceptionGroup) as caught:
                await play.joining(arguments("join", word[0]), two)
            while "Here is a new invite." not in printed(one).getvalue():
                await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
    told = explain(caught.value)
    assert told is not None
    assert told[0].startswith("You did not want to play")
    assert told[1] == Exit.UNREACHABLE
    assert "Boris did not want to play. Here is a new invite." in printed(one).getvalue()
    one.home.close()
    two.home.close()


async def test_a_guest_who_declines_uses_the_invite_up_and_nothing_is_kept(tmp_path: Path) -> None:
    with pytest.raises(ExceptionGroup) as caught:
        await both(tmp_path, bot_answers(1), bot_answers(2, confirm="no"))
    assert caught.group_contains(Refused, match="did not want")
    for folder in ("host", "guest"):
        with Home(tmp_path / folder) as home:
            assert home.games() == []


async def test_a_host_who_declines_is_believed(tmp_path: Path) -> None:
    with pytest.raises(ExceptionGroup) as caught:
        await both(tmp_path, bot_answers(1, confirm="no"), bot_answers(2))
    assert caught.group_contains(Refused, match=re.escape(str(Refused(Code.DECLINED))))


def until(seed: int, entries: int) -> Answer:
    """Plays until the record is so long, then leaves."""
    plays = bot_answers(seed)

    def answer(of: Evening) -> str | None:
        if of.desk is not None and of.desk.replica.session.referee.count >= entries:
            return "yes" if of.desk.pending is not None else "leave"
        return plays(of)

    return answer


async def half_a_game(tmp_path: Path) -> str:
    """A game that both have left in the middle; its id."""
    one, two = await both(tmp_path, until(1, 20), until(2, 20))
    id_ = one.home.games()[0].id
    for of in (one, two):
        assert f"resume {id_[:8]}" in printed(of).getvalue()
        of.home.close()
    return id_


async def test_an_unfinished_game_goes_on_after_both_have_left(tmp_path: Path) -> None:
    id_ = await half_a_game(tmp_path)
    one = evening(tmp_path / "host", Answering(bot_answers(3)))
    two = evening(tmp_path / "guest", Answering(bot_answers(4)))
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play.resuming, arguments("resume"), one)
            nursery.start_soon(play.resuming, arguments("resume", id_[:6]), two)
    for of in (one, two):
        assert audit.audit(record(of).read_bytes()).verdict.value == "complete"
        assert "Day 1: both sides have deployed." in printed(of).getvalue()  # told again from the record
        with pytest.raises(Sorry, match="No game waits"):
            await play.resuming(arguments("resume"), of)
        with pytest.raises(ExceptionGroup) as ended:
            await play.resuming(arguments("resume", id_), of)
        assert ended.group_contains(Sorry, match="has ended")
        of.home.close()


async def test_a_game_goes_on_when_its_host_has_moved_to_another_port(tmp_path: Path) -> None:
    id_ = await half_a_game(tmp_path)
    one = evening(tmp_path / "host", Answering(bot_answers(3)))
    two = evening(tmp_path / "guest", Answering(bot_answers(4)))
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play.resuming, arguments("resume", "--port", "0"), one)
            while (told := re.search(r"--at \S+:(\d+)", printed(one).getvalue())) is None:
                await trio.testing.wait_all_tasks_blocked()
            here = f"127.0.0.1:{told[1]}"
            nursery.start_soon(play.resuming, arguments("resume", id_, "--at", here), two)
    for of in (one, two):
        assert audit.audit(record(of).read_bytes()).verdict.value == "complete"
        of.home.close()


@pytest.mark.parametrize(
    ("text", "address", "port"),
    [
        ("example.org", "example.org", 4000),
        ("Example.org:5000", "example.org", 5000),
        ("192.0.2.7:1", "192.0.2.7", 1),
        ("[2001:db8::7]:65535", "2001:db8::7", 65535),
        ("2001:db8::7", "2001:db8::7", 4000),
        ("[::1]", "::1", 4000),
    ],
)
def test_a_place_is_an_address_with_or_without_a_port(text: str, address: str, port: int) -> None:
    assert meet.place(text, 4000) == (address, port)


@pytest.mark.parametrize("text", ["", ":", "host:", "host:0", "host:65536", "host:x", "no host:1", "\x1b:1"])
def test_what_is_no_place_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(Sorry, match=r"\.$"):
        meet.place(text, 4000)


@pytest.mark.parametrize("again", [True, False])
async def test_an_invite_that_was_given_out_before_can_be_waited_with_again(
    tmp_path: Path, again: bool
) -> None:
    """The program was killed while it waited: the invite is on the disk, and not used."""
    one = evening(tmp_path, lines("yes" if again else "no"), interactive=True, name="Anna")
    killed = Desk(one.owner("Anna"), tls.make(), 4000)
    given = killed.invite(("127.0.0.1",), 600.0, 0.0, time.time())
    kept = await play._kept_invite(one)
    if again:
        assert kept is not None
        assert kept.invite == given
        assert "another 10 minutes" in printed(one).getvalue()
    else:
        assert kept is None
        assert one.home.invites() == {}
    one.home.close()


# Against a bot, as commands


def test_a_bot_is_played_through_the_whole_protocol_and_both_records_agree(call: Call, home: Path) -> None:
    script = "1 2 3 5\n1 2 3 6\n1 3 6 7\nmark none\nyes\n" + "guess 5\nno\n" * 4 + "resign\nyes\nleave\n"
    told = call("play", "--name", "Anna", "--level", "recruit", stdin=script.encode())
    assert told.code == Exit.OK
    assert told.err == ""
    assert "Recruit bot wins: Anna has resigned." in told.out
    assert "complete" in told.out
    records = sorted(home.rglob("transcript.p2ps"))
    assert len(records) == 2
    assert len({path.parent.name for path in records}) == 1
    one, two = (audit.audit(path.read_bytes()) for path in records)
    assert one.verdict.value == "complete"
    assert two.referee.head == one.referee.head


def test_a_game_against_a_bot_is_saved_when_the_input_ends_and_can_be_resumed(call: Call) -> None:
    first = call("play", "--name", "Anna", stdin=b"")
    assert first.code == Exit.OK
    assert "The game is saved" in first.out
    second = call("resume", stdin=b"resign\nyes\nleave\n")
    assert second.code == Exit.OK
    assert "Agent bot wins" in second.out
    third = call("resume")
    assert third.code == Exit.IO


def test_a_game_that_has_ended_is_not_resumed_with_a_bot_either(call: Call, home: Path) -> None:
    call("play", "--name", "Anna", stdin=b"resign\nyes\nleave\n")
    (saved,) = home.glob("games/*")
    told = call("resume", saved.name)
    assert told.code == Exit.USAGE
    assert f"That game has ended. Look at it with `p2p-stratego replay {saved.name[:8]}`." in told.err


def test_of_several_unfinished_games_a_person_picks_one(call: Call, tmp_path: Path) -> None:
    for _ in range(2):
        call("play", "--name", "Anna", "--home", tmp_path)
    said = iter(["3", "two", "2"])
    of = evening(tmp_path, Answering(lambda _: next(said, None)), interactive=True, name="Anna")
    ids = [row["id"] for row in games.listed(tmp_path)]
    assert trio.run(play._chosen, of, None) == ids[1]
    out = printed(of).getvalue()
    assert f"2  {ids[1][:8]}  Spies & Lies with Agent bot: unfinished, your turn" in out
    assert out.count("Please type a number from 1 to 2.") == 2
    with pytest.raises(Sorry):
        trio.run(play._chosen, of, None)
    of.home.close()


async def test_a_host_whom_nobody_comes_to_is_told_when_the_invite_expires(
    tmp_path: Path, autojump_clock: object
) -> None:
    of = evening(tmp_path, Answering(lambda _: None), name="Anna")
    hosting = arguments("host", "--address", "127.0.0.1", "--minutes", "1")
    with pytest.RaisesGroup(Sorry, match=None, flatten_subgroups=True) as told:
        await play.hosting(hosting, of)
    assert "Nobody came while the invite was good" in str(told.value.exceptions)
    assert "It is good once, for 1 minute:" in printed(of).getvalue()
    of.home.close()


async def test_a_bot_that_still_thinks_when_its_player_has_left_says_nothing_more(tmp_path: Path) -> None:
    """Its thread cannot be stopped: the answer comes when its record is closed already."""
    thinking, closed = trio.Event(), threading.Event()
    with Home(tmp_path / "player") as home, botmatch.bot_home(home, "recruit") as bot_home:
        player, owner = Owner(home, home.identity(), "Anna"), botmatch.bot_owner(bot_home, "recruit")
        one, other = botmatch.begin(player, owner, "recruit", "spies-and-lies", {})
        with trio.fail_after(PATIENCE):
            async with trio.open_nursery() as nursery:
                ours, theirs = Peer(nursery, player, one), Peer(nursery, owner, other)
                botmatch.link_up(nursery, ours, theirs)
                bot = botmatch.opponent(theirs, "recruit", 0.0)

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
                bot._bot = Slow()
                nursery.start_soon(ours.run)
                nursery.start_soon(bot.run)
                await thinking.wait()
                nursery.cancel_scope.cancel()
    assert theirs.closed
    assert theirs.session.decision is not None


def test_what_is_told_to_be_typed_leads_to_the_same_home(call: Call, tmp_path: Path) -> None:
    other = tmp_path / "my games"
    told = call("--home", other, "play", "--name", "Anna", stdin=b"leave\nyes\n")
    assert told.out.count(f"p2p-stratego --home '{other}' resume") == 2
    assert "p2p-stratego resume" not in told.out
    assert "p2p-stratego resume" in call("play", "--name", "Anna").out


def test_commands_in_errors_and_lists_lead_to_the_same_home(call: Call, tmp_path: Path) -> None:
    other = tmp_path / "my games"
    here = f"`p2p-stratego --home '{other}'"

    def told(*words: str) -> str:
        """What both streams say; no command in it may lead elsewhere."""
        done = call(*words, "--home", other)
        text = done.out + done.err
        assert "`" in text
        assert text.count("`") == 2 * text.count(here)
        return text

    assert f"{here} play` begins one" in told("games")
    assert f"{here} play` begins one" in told("resume")
    assert not other.exists()
    for _ in range(2):
        call("play", "--name", "Anna", "--home", other)
    assert f"{here} resume GAME`, where GAME is one of" in told("resume")
    assert f"{here} games`" in told("resume", "abcd")
    record = next(other.glob("games/*/transcript.p2ps"))
    record.write_bytes(b"")
    assert f"unreadable: see {here} audit`" in told("games")
    record.write_bytes(b"rubbish")
    assert f"{here} games` lists yours" in told("audit", str(record))


def test_what_the_friend_is_to_run_leads_to_the_friends_own_home(call: Call, tmp_path: Path) -> None:
    told = call("join", "--home", tmp_path / "home too")
    assert told.code == Exit.DATA
    assert "the command host prints it" in told.err
    assert "--home" not in told.err


def test_to_resume_what_is_not_there_makes_nothing_and_has_one_code(call: Call, home: Path) -> None:
    for words in (["resume"], ["resume", "abcd"]):
        assert call(*words).code == Exit.IO
        assert not home.exists()
    call("play", "--name", "Anna")
    assert call("resume", "zzzz").code == Exit.IO
    (one,) = home.glob("games/*")
    shutil.copytree(one, one.with_name(one.name[:8] + "0" * 24))
    told = call("resume", one.name[:8])
    assert told.code == call("audit", one.name[:8]).code == Exit.USAGE
    assert "Name more of its digits" in told.err


def test_nobody_is_sent_back_to_an_old_copy(tmp_path: Path) -> None:
    ends = Ends(tmp_path / "ends")
    desk = ends.desk(0)
    one = evening(tmp_path / "home", lines())
    one._goodbye(desk)
    assert "resume" in printed(one).getvalue()
    desk.replica.status = Status.STALE
    one = evening(tmp_path / "home too", lines())
    one._goodbye(desk)
    assert printed(one).getvalue() == "This copy is an old one: go on where the game was played last.\n"
    ends.close()


def test_of_several_unfinished_games_one_must_be_named(call: Call) -> None:
    for _ in range(2):
        assert call("play", "--name", "Anna").code == Exit.OK
    told = call("resume")
    assert told.code == Exit.USAGE
    assert told.err.count("Agent bot") == 2


def test_the_menu_lists_unfinished_games_and_all_ways_to_begin(call: Call) -> None:
    told = call()
    assert told.code == Exit.OK
    assert "wait for a friend" in told.out
    assert "Unfinished" not in told.out
    call("play", "--name", "Anna")
    told = call()
    assert "Unfinished games" in told.out
    assert "with Agent bot: unfinished" in told.out


def test_switches_and_name_are_remembered(call: Call, home: Path) -> None:
    first = call("play", "--name", "Anna", stdin=b"notes off\nbell off\nleave\nyes\n")
    assert (first.code, first.err) == (Exit.OK, "")
    with Home(home) as opened:
        kept = opened.settings()
    assert (kept["name"], kept["bell"], kept["notes"]) == ("Anna", False, False)
    told = call("play", stdin=b"leave\nyes\n")
    assert "Anna" in told.out


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("1", ["resume", "a" * 32]),
        (" 2 ", ["resume", "b" * 32]),
        ("p", ["play"]),
        ("HOST", ["host"]),
        ("j", ["join"]),
        ("", None),
        ("0", None),
        ("3", None),
        ("99999999999999", None),
        ("x", None),
    ],
)
def test_the_menu_understands_numbers_letters_and_words(typed: str, command: list[str] | None) -> None:
    assert menu.read(typed, [{"id": "a" * 32}, {"id": "b" * 32}]) == command


def test_a_choice_in_the_menu_runs_the_command_with_the_same_home(
    call: Call, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    call("play", "--name", "Anna")
    typed = iter(["what?", "g", "q"])
    monkeypatch.setattr("sys.stdin", type("Terminal", (io.StringIO,), {"isatty": lambda _: True})())
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    assert menu.run(commands.parser().parse_args(["--home", str(home)]), home) == Exit.OK
    told = capsys.readouterr().out
    assert "Please type one of" in told
    assert "last played" in told
    assert told.count("wait for a friend") == 2  # the list is read, and the menu is there again


def test_the_menu_reads_a_pipe_and_leaves_the_rest_of_it_to_the_game(home: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "cli"],
        input=b"nonsense\ng\np\n1\nresign\nyes\nleave\n",
        capture_output=True,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"P2P_STRATEGO_HOME": str(home)},
        timeout=PATIENCE,
        check=False,
    )
    out = told.stdout.decode()
    assert (told.returncode, told.stderr) == (Exit.OK, b"")
    assert "Please type one of" in out
    assert out.count("wait for a friend") == 2
    assert "has resigned" in out
