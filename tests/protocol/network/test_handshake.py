"""The introduction, both sides of it, frame by frame: what they agree on, and what neither takes (row 11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from p2p_stratego.registry import GAMES
from protocol.errors import Malformed, Refusal, Unsupported
from protocol.failures import Code, Failure, Refused
from protocol.network.channel import CHALLENGE, JOIN, RESUME, RESUMED, SEAT, WELCOME
from protocol.network.handshake import HostSide, JoinerSide, Person, Terms, _bound, _proof
from protocol.wire import labels
from protocol.wire.encoding import Frame, encode
from tests.helpers.introductions import (
    ADA,
    BEN,
    CERTIFICATE,
    EVE,
    OTHER_SECRET,
    SECRET,
    meet,
    nonce,
    secrets_of,
    sides,
)
from tests.helpers.peers import GAME, TERMS

VERSION: Final = labels.PROTOCOL_VERSION


@pytest.mark.parametrize("seat", [0, 1])
def test_both_sides_build_the_same_genesis_with_each_on_its_seat(seat: int) -> None:
    met = meet(Terms(GAME, GAME.options({}), seat))
    assert met.guest == Person(BEN.key, "Ben")
    assert met.host.seated(met.joiner.seat(met.match, met.seat), met.guest).body == met.match.body
    assert met.seat == 1 - seat
    assert met.match.players[seat].key == ADA.key
    assert met.match.players[1 - seat].key == BEN.key
    assert [player.name for player in met.match.players] == (["Ada", "Ben"] if seat == 0 else ["Ben", "Ada"])


def test_a_player_comes_back_to_its_match_and_both_prove_who_they_are() -> None:
    match = meet().match
    host, joiner = sides()
    answer = host.resumed(joiner.resume(BEN, match, 1, nonce()), ADA, match)
    assert answer.kind == RESUMED
    joiner.resumed(answer, ADA.key)
    with pytest.raises(Refusal):
        joiner.resumed(answer, BEN.key)


def test_a_match_that_the_host_does_not_have_is_told_as_that() -> None:
    match, other = meet().match, meet(Terms(GAME, GAME.options({}), 1)).match
    ada, ben = sides()
    with pytest.raises(Refused) as caught:
        ada.resumed(ben.resume(BEN, other, 0, nonce()), ADA, match)
    assert caught.value.code == Code.UNKNOWN_MATCH
    assert isinstance(caught.value, Failure)


def test_another_invite_costs_a_stranger_one_hmac_and_us_no_signature_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def verify(*_: object) -> bool:
        raise AssertionError("a signature was checked before the invite")

    monkeypatch.setattr("protocol.network.handshake.verify", verify)
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
        met.joiner.welcomed(met.host.welcome(ADA, name, TERMS, secrets_of(b"A")), secrets_of(b"B"), GAMES)


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
    said = ben.join(BEN, "Ben", nonce(), SECRET)
    monkeypatch.undo()
    with pytest.raises(Refused) as caught:
        ada.joined(said, SECRET)
    assert caught.value.code == Code.VERSION


# Frames that are none


def test_every_changed_byte_of_every_frame_is_refused() -> None:
    met = meet()
    match = met.match

    def changed(frame: Frame) -> Iterator[Frame]:
        for place in range(len(frame.payload)):
            bad = bytearray(frame.payload)
            bad[place] ^= 1
            yield Frame(frame.kind, bytes(bad))

    resume = JoinerSide(CERTIFICATE, met.host.challenge).resume(BEN, match, 1, nonce())
    ada, ben = sides()
    answer = ada.resumed(ben.resume(BEN, match, 1, nonce()), ADA, match)
    fresh = HostSide.__new__(HostSide)
    fresh._said = met.host._said[:2]
    for bad in changed(met.join):
        with pytest.raises((Refusal, Refused)):
            fresh.joined(bad, SECRET)
    for bad in changed(met.welcome):
        with pytest.raises((Refusal, Refused)):
            met.joiner.welcomed(bad, secrets_of(b"B"), GAMES)
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
    bound = _bound(JOIN, ada._said, body)
    ada.joined(Frame(JOIN, body + _proof(SECRET, bound) + BEN.sign(labels.SIGN_JOINER, bound)), SECRET)


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


def welcomed_with(change: dict[int, object]) -> None:
    """A WELCOME with some fields changed, well signed."""
    met = meet()
    options = [list(option) for option in GAME.options({}).items()]
    secrets = secrets_of(b"A")
    fields = [ADA.key, "Ada", GAME.name, GAME.version, options, 0, secrets.nonce, secrets.links(0, 1)[0]]
    for place, value in change.items():
        fields[place] = value
    body = encode(fields)
    ben = JoinerSide(CERTIFICATE, met.host.challenge)
    ben.join(BEN, "Ben", nonce(), SECRET)
    signed = ADA.sign(labels.SIGN_HOST, _bound(WELCOME, ben._said, body))
    ben.welcomed(Frame(WELCOME, body + signed), secrets_of(b"B"), GAMES)


@pytest.mark.parametrize(
    ("place", "value", "kind"),
    [
        (2, "a game of the future", Unsupported),
        (2, 7, Unsupported),
        (3, 999, Unsupported),
        (3, "1", Malformed),
        (4, [], Malformed),
        (4, 7, Malformed),
        (4, [["no such option", 1]], Malformed),
        (5, 2, Malformed),
        (5, b"", Malformed),
        (6, b"short", Malformed),
        (7, 7, Malformed),
        (1, "\x1b]0;x", Malformed),
    ],
)
def test_a_host_that_wants_what_cannot_be_is_refused(place: int, value: object, kind: type[Refusal]) -> None:
    welcomed_with({})
    with pytest.raises(kind):
        welcomed_with({place: value})


def test_row_05_a_host_that_mirrors_our_own_nonce_is_refused() -> None:
    with pytest.raises(Malformed):
        welcomed_with({6: secrets_of(b"B").nonce})


@pytest.mark.parametrize("value", [[], [b"n" * 32], [b"n" * 31, b"a" * 32], [7, b"a" * 32], 7])
def test_a_seat_that_is_none_is_refused(value: object) -> None:
    met = meet()
    with pytest.raises(Malformed):
        met.host.seated(Frame(SEAT, encode(value)), met.guest)


@pytest.mark.parametrize(
    "value", [[], [b"m" * 32, 1], [b"m" * 32, 1, b"n" * 31], [b"m" * 32, b"", b"n" * 32], 7]
)
def test_a_resume_that_is_none_is_refused(value: object) -> None:
    ada = HostSide(CERTIFICATE, nonce())
    with pytest.raises(Malformed):
        ada.resumed(Frame(RESUME, encode(value) + b"s" * 64), ADA, meet().match)
