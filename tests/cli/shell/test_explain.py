"""Every error has its words and its exit code here, and the words say what to do."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from typing import Any

import pytest

from cli.shell import explain as module
from cli.shell.exit_codes import Exit, Sorry, bare
from cli.shell.explain import explain, sentence
from p2p_stratego.core.game import OptionError
from protocol import failures
from protocol.failures import (
    CannotListen,
    Code,
    Damaged,
    Declined,
    DiskFailed,
    DiskFull,
    Failure,
    Flaw,
    Hazard,
    InUse,
    InviteNewer,
    InviteOfAnotherKind,
    InviteTypo,
    LinkLost,
    Loss,
    Missing,
    NoSuchMatch,
    NotACode,
    NotAnAddress,
    NotAnInvite,
    NotNow,
    NotOurs,
    Part,
    ReadOnly,
    Refused,
    Unreachable,
    Unsafe,
    Why,
    WrongHost,
)
from protocol.rendezvous.relay_switchboard import REFUSALS
from tests.golden.dialogues import assert_told


def home(words: str) -> str:
    return f"`p2p-stratego --home 'my games' {words}`"


def every_failure() -> Iterator[Failure | NotNow]:
    yield from (DiskFull("x", errno.ENOSPC), DiskFull("x", errno.EDQUOT), DiskFull("x", errno.EFBIG))
    yield from (ReadOnly("x", errno.EROFS), ReadOnly("x", errno.EACCES), ReadOnly("x", errno.EPERM))
    yield from (DiskFailed("x", errno.EIO), DiskFailed("x", errno.ENOLCK), DiskFailed("x"))
    yield from (Missing("x", errno.ENOENT), NoSuchMatch("x", 0), NoSuchMatch("x", 2))
    yield from (Unsafe("x", hazard) for hazard in Hazard)
    yield failures.TooLong("x")
    yield from (Damaged("x", part, 7) for part in Part)
    yield from (NotOurs("x"), InUse("x"))
    yield from map(NotAnInvite, Flaw)
    yield from (NotAnAddress("300.1.1.1"), InviteTypo(), InviteNewer(3))
    yield from (NotACode(), NotACode(near=("7-amber",)), NotACode("violn", ("violin",)), NotACode("x\x1b"))
    yield from (InviteOfAnotherKind(watch=watch) for watch in (True, False))
    yield from (CannotListen(80, number) for number in (errno.EADDRINUSE, errno.EACCES, errno.EADDRNOTAVAIL))
    yield from (Unreachable(("a", "b"), refused=refused) for refused in (True, False))
    yield failures.Unserved(("a",))
    yield from (failures.RelayRefused("relay.example:4001", word) for word in (None, *REFUSALS))
    yield WrongHost()
    yield failures.SeenEnough(16)
    yield from (failures.AnotherPlayer(), failures.NotTheSame(), failures.NoNearby("no network"))
    yield from map(LinkLost, Loss)
    yield from map(Refused, (*Code, 99))
    yield Declined()
    yield failures.Blocked()
    yield failures.UnknownContact(())
    yield failures.UnknownContact((("Ada", "AAAA-BBBB-CCCC-DDDD"), ("Ada", "EEEE-BBBB-CCCC-DDDD")))
    yield failures.UnsafeLibrary()
    yield failures.NoGroup("no library")
    yield from (NotNow(why, "It is too long.") for why in Why)


def kinds(of: type[Any]) -> Iterator[type[Any]]:
    for kind in of.__subclasses__():
        yield kind
        yield from kinds(kind)


EVERY = list(every_failure())


def test_no_failure_is_left_out() -> None:
    """A new type needs a case above, and so words."""
    groups = {failures.StorageFailure, failures.InviteFailure, failures.NetworkFailure}
    assert set(kinds(Failure)) - groups == {type(error) for error in EVERY} - {NotNow}


@pytest.mark.parametrize("error", EVERY, ids=repr)
def test_every_failure_is_told_in_whole_sentences(error: Failure | NotNow) -> None:
    words = sentence(error, bare)
    assert words.endswith(".")
    assert words[0].isupper() or words[0] in "'3"
    assert "{" not in words
    assert "errno" not in words
    assert any(kind in module.WORDS for kind in type(error).__mro__)


@pytest.mark.parametrize("error", EVERY, ids=repr)
def test_below_no_text_names_a_command_or_an_option(error: Failure | NotNow) -> None:
    assert "--" not in str(error)
    assert "`" not in str(error)
    assert "\n" not in str(error)


def test_a_command_in_words_leads_to_the_readers_home() -> None:
    for error, words in (
        (NoSuchMatch("x", 0), "games"),
        (Damaged("x", Part.RECORD, 1), "audit"),
        (Refused(Code.USED_INVITE), "resume"),
    ):
        explanation = explain(error, home)
        assert explanation is not None
        assert home(words) in explanation[0]
        assert f"`{words}`" in sentence(error)


def test_the_words_of_a_command_may_name_commands() -> None:
    sorry = Sorry(lambda run: f"See {run('games')}.", Exit.IO)
    assert str(sorry) == "See `games`."
    assert explain(sorry, home) == (f"See {home('games')}.", Exit.IO)


def test_a_step_that_is_not_possible_says_what_it_is_about() -> None:
    about: dict[Why, int | str] = {Why.STILL_TIME: 30, Why.NOT_OFFERED: "{detail} {0}", Why.WRONG_COUNT: 4}
    for why, detail in about.items():
        assert_told("not-now", f"step refused: {why.name}", sentence(NotNow(why, detail)))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (DiskFull("games", errno.ENOSPC), "The disk of 'games' is full. Make room"),
        (DiskFailed("games", errno.EIO), "copy the folder"),
        (DiskFailed("games", errno.ENOLCK), "no locks available"),
        (Unsafe("x", Hazard.OTHERS_MAY_CHANGE), "chmod 700"),
        (Unsafe("x", Hazard.FILE_FOR_HOME), "--home DIR"),
        (Damaged("x", Part.RECORD, 7), "put back a copy"),
        (Damaged("x", Part.CONTACTS), "Move it away"),
        (InUse("x"), "another window"),
        (NotOurs("x"), "identity.key"),
        (NotAnInvite(Flaw.NO_PREFIX), "begins with P2PS"),
        (InviteTypo(), "Copy it again"),
        (InviteNewer(3), "another version"),
        (InviteOfAnotherKind(watch=True), "watch INVITE"),
        (InviteOfAnotherKind(watch=False), "join INVITE"),
        (CannotListen(80, errno.EACCES), "1024"),
        (CannotListen(80, errno.EADDRINUSE), "--port"),
        (CannotListen(80, errno.EADDRNOTAVAIL), "port 80"),
        (Unreachable(("a", "b"), refused=True), "Nobody waits at a and b"),
        (Unreachable(("a", "b"), refused=False), "forward"),
        (Unreachable(("the relay a:1",), refused=True), "The relay a:1 does not answer."),
        (Unreachable(("the relay a:1", "the relay b:1"), refused=False), "the relay b:1 do not answer."),
        (failures.Unserved(("x.onion:1",)), "Tor"),
        (failures.Unserved(("the relay a:1",)), "--no-relay"),
        (failures.Unserved(("the relay a:1",), ("a:1",)), "--relay a:1"),
        (failures.Unserved(("a:1", "the relay a:1")), "No relay"),
        (failures.RelayRefused("relay.example:4001", None), "relay.example:4001 hung up"),
        (failures.RelayRefused("relay.example:4001", 3), "nobody there"),
        (WrongHost(), "stands in between"),
        (OptionError("wall must be 2 to 8"), "wall must be 2 to 8."),
    ],
    ids=repr,
)
def test_words_say_what_to_do(error: Exception, words: str) -> None:
    assert words in sentence(error)


@pytest.mark.parametrize("error", [KeyError("x"), NotNow(Why.ENDED), RuntimeError(), AssertionError("x")])
def test_a_mistake_of_this_program_is_nobodys_refusal(error: Exception) -> None:
    assert explain(error) is None
    assert explain(ExceptionGroup("tasks", [Sorry("Sorry."), error])) is None
