"""The introduction, both sides of it, frame by frame: what they agree on, and what neither takes (row 11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from protocol.channel.channel import CHALLENGE, JOIN, RESUME, RESUMED, WATCHED, WELCOME
from protocol.errors import Malformed, Refusal
from protocol.failures import Code, Failure, Refused
from protocol.lobby.handshake import HostSide, JoinerSide, Person, Terms, binding_of, mac_of, watched_frame
from protocol.wire import labels
from protocol.wire.encoding import Frame, decode, encode
from tests.helpers.links.introductions import (
    ADA,
    BEN,
    CERTIFICATE,
    EVE,
    OTHER_SECRET,
    SECRET,
    match_of,
    meet,
    nonce,
    sides,
)
from tests.helpers.links.peers import GAME

VERSION: Final = labels.PROTOCOL_VERSION


def test_each_side_of_an_introduction_knows_who_the_other_is() -> None:
    met = meet()
    assert met.guest == Person(BEN.key, "Ben")
    assert met.met == Person(ADA.key, "Ada")


def test_a_player_comes_back_to_its_match_and_both_prove_who_they_are() -> None:
    match = match_of()
    host, joiner = sides()
    answer, seat = host.resumed(joiner.resume(BEN, match, 1, 0, nonce()), ADA, match)
    assert answer.kind == RESUMED
    assert seat == 1
    joiner.resumed(answer, ADA.key)
    with pytest.raises(Refusal):
        joiner.resumed(answer, BEN.key)


@pytest.mark.parametrize("called", [1, 2, 2**53 - 1])
def test_a_seat_that_is_not_ours_is_not_answered_for(called: int) -> None:
    match = match_of()
    ada, ben = sides()
    with pytest.raises(Refused) as caught:
        ada.resumed(ben.resume(BEN, match, 1, called, nonce()), ADA, match)
    assert caught.value.code == Code.UNKNOWN_MATCH


def test_a_match_that_the_host_does_not_have_is_told_as_that() -> None:
    match, other = match_of(), match_of(Terms(GAME, GAME.options({"wall": 5})))
    ada, ben = sides()
    with pytest.raises(Refused) as caught:
        ada.resumed(ben.resume(BEN, other, 0, 1, nonce()), ADA, match)
    assert caught.value.code == Code.UNKNOWN_MATCH
    assert isinstance(caught.value, Failure)


def test_a_spectator_proves_the_invite_and_nothing_else() -> None:
    ada, caller = sides()
    ada.watched(caller.watch(nonce(), SECRET), SECRET)
    match = match_of()
    assert caller.watched(watched_frame(match)) == match.body
    with pytest.raises(Refused) as caught:
        ada.watched(caller.watch(nonce(), OTHER_SECRET), SECRET)
    assert caught.value.code == Code.UNKNOWN_INVITE


@pytest.mark.parametrize("value", [[], [b"g", b"h"], ["text"], 7])
def test_a_watched_that_is_none_is_refused(value: object) -> None:
    _, caller = sides()
    with pytest.raises(Malformed):
        caller.watched(Frame(WATCHED, encode(value)))


def test_another_invite_costs_a_stranger_one_hmac_and_us_no_signature_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def verify(*_: object) -> bool:
        raise AssertionError("a signature was checked before the invite")

    monkeypatch.setattr("protocol.lobby.handshake.verify", verify)
    ada, caller = sides()
    with pytest.raises(Refused) as caught:
        ada.joined(caller.join(EVE, "Eve", nonce(), OTHER_SECRET), SECRET)
    assert caught.value.code == Code.UNKNOWN_INVITE


@pytest.mark.parametrize("name", ["", " Ben", "Ben\n", "\x1b[31mBen", "B\u202een", "x" * 33, "\u200b"])
def test_row_24_a_name_that_hides_something_is_refused_by_both_sides(name: str) -> None:
    ada, caller = sides()
    with pytest.raises(Malformed):
        ada.joined(caller.join(BEN, name, nonce(), SECRET), SECRET)
    met = meet()
    with pytest.raises(Malformed):
        met.joiner.welcomed(met.host.welcome(ADA, name))


# Row 11: versions


def test_row_11_a_changed_challenge_is_noticed_by_the_host() -> None:
    """Whoever could strike versions off the list could force an old one on both."""
    ada = HostSide(CERTIFICATE, nonce())
    shortened = Frame(CHALLENGE, encode([[VERSION, 7], b"n" * 32]))
    with pytest.raises(Refused):
        ada.joined(JoinerSide(CERTIFICATE, shortened).join(BEN, "Ben", nonce(), SECRET), SECRET)


def test_row_11_versions_that_do_not_meet_are_refused_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused) as caught:
        JoinerSide(CERTIFICATE, Frame(CHALLENGE, encode([[1, 3], b"n" * 32])))
    assert caught.value.code == Code.VERSION
    ada, ben = sides()
    monkeypatch.setattr(labels, "PROTOCOL_VERSION", 3)
    join = ben.join(BEN, "Ben", nonce(), SECRET)
    monkeypatch.undo()
    with pytest.raises(Refused) as caught:
        ada.joined(join, SECRET)
    assert caught.value.code == Code.VERSION


# Frames that are none


def nonce_of(challenge: Frame) -> bytes:
    """The host's nonce in a CHALLENGE."""
    match decode(challenge.payload):
        case [_, bytes() as nonce]:
            return nonce
    raise AssertionError(challenge)


def test_every_changed_byte_of_every_frame_is_refused() -> None:
    met = meet()
    match = match_of()

    def changed(frame: Frame) -> Iterator[Frame]:
        for place in range(len(frame.payload)):
            bad = bytearray(frame.payload)
            bad[place] ^= 1
            yield Frame(frame.kind, bytes(bad))

    resume = JoinerSide(CERTIFICATE, met.host.challenge).resume(BEN, match, 1, 0, nonce())
    ada, ben = sides()
    answer, _ = ada.resumed(ben.resume(BEN, match, 1, 0, nonce()), ADA, match)
    fresh = HostSide(CERTIFICATE, nonce_of(met.host.challenge))
    assert fresh.preamble == met.host.preamble[:2]
    for bad in changed(met.join):
        with pytest.raises((Refusal, Refused)):
            fresh.joined(bad, SECRET)
    for bad in changed(met.welcome):
        with pytest.raises((Refusal, Refused)):
            met.joiner.welcomed(bad)
    for bad in changed(resume):
        with pytest.raises((Refusal, Refused)):
            fresh.resumed(bad, ADA, match)
    for bad in changed(answer):
        with pytest.raises((Refusal, Refused)):
            ben.resumed(bad, ADA.key)


@pytest.mark.parametrize(
    "frame",
    [
        Frame(CHALLENGE, encode([])),
        Frame(CHALLENGE, encode([[], b"n" * 32])),
        Frame(CHALLENGE, encode([[VERSION] * 17, b"n" * 32])),
        Frame(CHALLENGE, encode([[VERSION], b"n" * 31])),
        Frame(CHALLENGE, encode([VERSION, b"n" * 32])),
        Frame(CHALLENGE, b""),
        Frame(JOIN, encode([[VERSION], b"n" * 32])),
    ],
)
def test_a_challenge_that_is_none_is_refused(frame: Frame) -> None:
    with pytest.raises(Malformed):
        JoinerSide(CERTIFICATE, frame)


def joined_with(body: bytes) -> None:
    """A JOIN with any body, its proof and signature good."""
    ada = HostSide(CERTIFICATE, nonce())
    bound = binding_of(JOIN, ada.preamble, body)
    ada.joined(Frame(JOIN, body + mac_of(SECRET, bound) + BEN.sign(labels.SIGN_JOINER, bound)), SECRET)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        encode([VERSION, b"n" * 31, BEN.key, "Ben"]),
        encode([VERSION, b"n" * 32, BEN.key]),
        encode([b"", b"n" * 32, BEN.key, "Ben"]),
        encode([VERSION, b"n" * 32, BEN.key, b"Ben"]),
        encode([VERSION, b"n" * 32, BEN.key[:31], "Ben"]),
        encode(7),
    ],
)
def test_a_join_that_is_none_is_refused_however_well_it_is_signed(body: bytes) -> None:
    with pytest.raises(Malformed):
        joined_with(body)


def welcomed_with(body: bytes) -> None:
    """A WELCOME with any body, well signed."""
    met = meet()
    ben = JoinerSide(CERTIFICATE, met.host.challenge)
    ben.join(BEN, "Ben", nonce(), SECRET)
    ben.welcomed(Frame(WELCOME, body + ADA.sign(labels.SIGN_HOST, binding_of(WELCOME, ben.preamble, body))))


@pytest.mark.parametrize(
    "fields",
    [[], [ADA.key], [ADA.key, "\x1b]0;x"], [ADA.key[:31], "Ada"], ["Ada", ADA.key], [ADA.key, "Ada", 1], 7],
)
def test_a_welcome_that_is_none_is_refused_however_well_it_is_signed(fields: object) -> None:
    with pytest.raises(Malformed):
        welcomed_with(encode(fields))


@pytest.mark.parametrize(
    "value",
    [
        [],
        [b"m" * 32, 1, 0],
        [b"m" * 32, 1, b"n" * 32],
        [b"m" * 32, 1, 0, b"n" * 31],
        [b"m" * 31, 1, 0, b"n" * 32],
        [b"m" * 32, b"", 0, b"n" * 32],
        7,
    ],
)
def test_a_resume_that_is_none_is_refused(value: object) -> None:
    ada = HostSide(CERTIFICATE, nonce())
    with pytest.raises(Malformed):
        ada.resumed(Frame(RESUME, encode(value) + b"s" * 64), ADA, match_of())
