"""The introduction, both sides of it, without a network: rows 11, 25, 27 and 29."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count

import pytest

from protocol import labels
from protocol.channel import CHALLENGE, JOIN, RESUME, RESUMED, SEAT, WELCOME
from protocol.encoding import Frame, encode
from protocol.errors import Forged, Malformed, Refusal, Unsupported
from protocol.failures import Code, Failure, Refused
from protocol.genesis import Genesis
from protocol.handshake import HostSide, JoinerSide, Person, Terms, _bound, _proof
from protocol.keys import Identity
from protocol.secrets import MatchSecrets
from tests.net.table import GAME

ADA, BEN, EVE = (Identity(name * 32) for name in (b"a", b"b", b"e"))
CERTIFICATE, OTHER_CERTIFICATE = b"c" * 32, b"d" * 32
SECRET, OTHER_SECRET = b"s" * 16, b"t" * 16
TERMS = Terms(GAME, GAME.options({}))
_serial = count()


def nonce() -> bytes:
    return next(_serial).to_bytes(32, "big")


def secrets_of(letter: bytes) -> MatchSecrets:
    return MatchSecrets(letter * 32)


@dataclass
class Meeting:
    """One whole introduction, frame by frame."""

    host: HostSide
    joiner: JoinerSide
    join: Frame
    guest: Person
    welcome: Frame
    match: Genesis
    seat: int


def meet(terms: Terms = TERMS) -> Meeting:
    host = HostSide(CERTIFICATE, nonce())
    joiner = JoinerSide(CERTIFICATE, host.challenge)
    join = joiner.join(BEN, "Ben", nonce(), SECRET)
    guest = host.joined(join, SECRET)
    welcome = host.welcome(ADA, "Ada", terms, secrets_of(b"A"))
    match, seat = joiner.welcomed(welcome, secrets_of(b"B"))
    return Meeting(host, joiner, join, guest, welcome, match, seat)


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
    host = HostSide(CERTIFICATE, nonce())
    joiner = JoinerSide(CERTIFICATE, host.challenge)
    answer = host.resumed(joiner.resume(BEN, match, 1, nonce()), ADA, match)
    joiner.resumed(answer, ADA.key)


# Row 25: somebody stands in between


def test_row_25_an_introduction_on_another_certificate_is_worth_nothing() -> None:
    """Eve takes Ben's call with her own certificate and hands his words on to Ada."""
    ada = HostSide(CERTIFICATE, nonce())
    ben = JoinerSide(OTHER_CERTIFICATE, ada.challenge)
    with pytest.raises(Refused) as caught:
        ada.joined(ben.join(BEN, "Ben", nonce(), SECRET), SECRET)
    assert caught.value.code == Code.UNKNOWN_INVITE


def test_row_25_even_one_who_knows_the_invite_cannot_speak_for_another_player() -> None:
    """Ben trusts Eve with the invite; she still cannot pass his signature on to Ada."""
    ada = HostSide(CERTIFICATE, nonce())
    ben = JoinerSide(OTHER_CERTIFICATE, ada.challenge)
    said = ben.join(BEN, "Ben", nonce(), SECRET).payload
    body, signature = said[:-96], said[-64:]
    proof = JoinerSide(CERTIFICATE, ada.challenge).join(EVE, "Ben", nonce(), SECRET).payload[-96:-64]
    with pytest.raises(Refused):
        ada.joined(Frame(JOIN, body + proof + signature), SECRET)


def test_row_25_a_call_back_on_another_certificate_is_refused() -> None:
    match = meet().match
    ada = HostSide(CERTIFICATE, nonce())
    ben = JoinerSide(OTHER_CERTIFICATE, ada.challenge)
    with pytest.raises(Forged):
        ada.resumed(ben.resume(BEN, match, 1, nonce()), ADA, match)


@pytest.mark.parametrize("kind", [JOIN, RESUME])
def test_row_25_what_was_said_on_one_connection_is_worth_nothing_on_the_next(kind: int) -> None:
    match = meet().match
    first, second = HostSide(CERTIFICATE, nonce()), HostSide(CERTIFICATE, nonce())
    ben = JoinerSide(CERTIFICATE, first.challenge)
    if kind == JOIN:
        with pytest.raises(Refused):
            second.joined(ben.join(BEN, "Ben", nonce(), SECRET), SECRET)
    else:
        with pytest.raises(Forged):
            second.resumed(ben.resume(BEN, match, 1, nonce()), ADA, match)


def test_row_25_an_old_answer_of_the_host_is_worth_nothing_to_a_new_call() -> None:
    match = meet().match
    host = HostSide(CERTIFICATE, b"n" * 32)
    answer = host.resumed(JoinerSide(CERTIFICATE, host.challenge).resume(BEN, match, 1, nonce()), ADA, match)
    again = JoinerSide(CERTIFICATE, host.challenge)
    again.resume(BEN, match, 1, nonce())
    with pytest.raises(Forged):
        again.resumed(answer, ADA.key)


# Row 27: reflection, and keys that are not the speaker's


def test_row_27_what_we_said_as_one_role_is_not_taken_back_as_the_other() -> None:
    """Each frame handed back to its own speaker, and each to every place it does not belong to."""
    met = meet()
    match = met.match
    resume = JoinerSide(CERTIFICATE, met.host.challenge).resume(BEN, match, 1, nonce())
    host = HostSide(CERTIFICATE, nonce())
    resumed = host.resumed(JoinerSide(CERTIFICATE, host.challenge).resume(BEN, match, 1, nonce()), ADA, match)
    seat = met.joiner.seat(match, 1)
    for frame in (met.host.challenge, met.join, met.welcome, seat, resume, resumed):
        for kind in (CHALLENGE, JOIN, WELCOME, SEAT, RESUME, RESUMED):
            said = Frame(kind, frame.payload)
            ada, ben = (
                HostSide(CERTIFICATE, nonce()),
                JoinerSide(CERTIFICATE, HostSide(CERTIFICATE, nonce()).challenge),
            )
            ben.join(BEN, "Ben", nonce(), SECRET)
            takes: list[Callable[[], object]] = [
                partial(ada.joined, said, SECRET),
                partial(ada.resumed, said, ADA, match),
                partial(ben.welcomed, said, secrets_of(b"B")),
                partial(ben.resumed, said, ADA.key),
            ]
            for take in takes:
                with pytest.raises((Refusal, Refused)):
                    take()


def test_row_27_a_signature_as_host_is_not_a_signature_as_joiner() -> None:
    """Labels differ by role: the very bytes that Ben must sign, signed by him as a host would."""
    ada = HostSide(CERTIFICATE, nonce())
    said = JoinerSide(CERTIFICATE, ada.challenge).join(BEN, "Ben", nonce(), SECRET).payload
    bound = _bound(JOIN, ada._said, said[:-96])
    assert BEN.sign(labels.SIGN_JOINER, bound) == said[-64:]
    with pytest.raises(Forged):
        ada.joined(Frame(JOIN, said[:-64] + BEN.sign(labels.SIGN_HOST, bound)), SECRET)


def test_row_27_we_do_not_play_against_our_own_reflection() -> None:
    met = meet()
    with pytest.raises(Refused) as caught:
        met.joiner.welcomed(met.host.welcome(BEN, "Ben", TERMS, secrets_of(b"A")), secrets_of(b"B"))
    assert caught.value.code == Code.SAME_PLAYER


def test_row_27_a_seat_can_only_be_taken_back_with_its_own_key() -> None:
    match = meet().match
    for identity, seat in [(EVE, 1), (ADA, 0), (BEN, 0), (ADA, 1), (BEN, 2)]:
        ada = HostSide(CERTIFICATE, nonce())
        joiner = JoinerSide(CERTIFICATE, ada.challenge)
        with pytest.raises((Forged, Refused)):
            ada.resumed(joiner.resume(identity, match, seat, nonce()), ADA, match)


def test_row_27_a_host_with_another_key_is_not_taken_for_ours() -> None:
    match = meet().match
    eve = HostSide(CERTIFICATE, nonce())
    ben = JoinerSide(CERTIFICATE, eve.challenge)
    answer = eve.resumed(ben.resume(BEN, match, 1, nonce()), EVE, match)
    with pytest.raises(Forged):
        ben.resumed(answer, ADA.key)


def test_row_27_a_named_key_must_have_signed() -> None:
    """Eve names Ben's key, or Ada's, and signs with her own."""

    class Liar(Identity):
        def __init__(self, claimed: bytes) -> None:
            super().__init__(b"e" * 32)
            self.key = claimed

    ada = HostSide(CERTIFICATE, nonce())
    with pytest.raises(Forged):
        ada.joined(JoinerSide(CERTIFICATE, ada.challenge).join(Liar(BEN.key), "Ben", nonce(), SECRET), SECRET)
    met = meet()
    with pytest.raises(Forged):
        met.joiner.welcomed(met.host.welcome(Liar(ADA.key), "Ada", TERMS, secrets_of(b"A")), secrets_of(b"B"))


def test_row_29_a_key_that_anybody_could_sign_for_is_refused() -> None:
    class Weak(Identity):
        def __init__(self) -> None:
            super().__init__(b"e" * 32)
            self.key = b"\x01" + bytes(31)  # the identity point

    ada = HostSide(CERTIFICATE, nonce())
    with pytest.raises(Malformed):
        ada.joined(JoinerSide(CERTIFICATE, ada.challenge).join(Weak(), "Eve", nonce(), SECRET), SECRET)
    met = meet()
    with pytest.raises(Malformed):
        met.joiner.welcomed(met.host.welcome(Weak(), "Ada", TERMS, secrets_of(b"A")), secrets_of(b"B"))


# Everything else that may come


def test_another_invite_costs_a_stranger_one_hmac_and_us_no_signature_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def verify(*_: object) -> bool:
        raise AssertionError("a signature was checked before the invite")

    monkeypatch.setattr("protocol.handshake.verify", verify)
    ada = HostSide(CERTIFICATE, nonce())
    with pytest.raises(Refused) as caught:
        ada.joined(JoinerSide(CERTIFICATE, ada.challenge).join(EVE, "Eve", nonce(), OTHER_SECRET), SECRET)
    assert caught.value.code == Code.UNKNOWN_INVITE


@pytest.mark.parametrize("name", ["", " Ben", "Ben\n", "\x1b[31mBen", "B\u202een", "x" * 33, "\u200b"])
def test_row_24_a_name_that_hides_something_is_refused_by_both_sides(name: str) -> None:
    ada = HostSide(CERTIFICATE, nonce())
    with pytest.raises(Malformed):
        ada.joined(JoinerSide(CERTIFICATE, ada.challenge).join(BEN, name, nonce(), SECRET), SECRET)
    met = meet()
    with pytest.raises(Malformed):
        met.joiner.welcomed(met.host.welcome(ADA, name, TERMS, secrets_of(b"A")), secrets_of(b"B"))


def test_every_changed_byte_of_every_frame_is_refused() -> None:
    met = meet()
    match = met.match

    def changed(frame: Frame) -> Iterator[Frame]:
        for place in range(len(frame.payload)):
            bad = bytearray(frame.payload)
            bad[place] ^= 1
            yield Frame(frame.kind, bytes(bad))

    resume = JoinerSide(CERTIFICATE, met.host.challenge).resume(BEN, match, 1, nonce())
    ada = HostSide(CERTIFICATE, nonce())
    ben = JoinerSide(CERTIFICATE, ada.challenge)
    answer = ada.resumed(ben.resume(BEN, match, 1, nonce()), ADA, match)
    fresh = HostSide.__new__(HostSide)
    fresh._said = met.host._said[:2]
    for bad in changed(met.join):
        with pytest.raises((Refusal, Refused)):
            fresh.joined(bad, SECRET)
    for bad in changed(met.welcome):
        with pytest.raises((Refusal, Refused)):
            met.joiner.welcomed(bad, secrets_of(b"B"))
    for bad in changed(resume):
        with pytest.raises((Refusal, Refused)):
            fresh.resumed(bad, ADA, match)
    for bad in changed(answer):
        with pytest.raises((Refusal, Refused)):
            ben.resumed(bad, ADA.key)


def test_row_11_a_changed_challenge_is_noticed_by_the_host() -> None:
    """Whoever could strike versions off the list could force an old one on both."""
    ada = HostSide(CERTIFICATE, nonce())
    shortened = Frame(CHALLENGE, encode([[1, 7], b"n" * 32]))
    with pytest.raises(Refused):
        ada.joined(JoinerSide(CERTIFICATE, shortened).join(BEN, "Ben", nonce(), SECRET), SECRET)


def test_row_11_versions_that_do_not_meet_are_refused_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused) as caught:
        JoinerSide(CERTIFICATE, Frame(CHALLENGE, encode([[2, 3], b"n" * 32])))
    assert caught.value.code == Code.VERSION
    ada = HostSide(CERTIFICATE, nonce())
    ben = JoinerSide(CERTIFICATE, ada.challenge)
    monkeypatch.setattr(labels, "PROTOCOL_VERSION", 2)
    said = ben.join(BEN, "Ben", nonce(), SECRET)
    monkeypatch.undo()
    with pytest.raises(Refused) as caught:
        ada.joined(said, SECRET)
    assert caught.value.code == Code.VERSION


@pytest.mark.parametrize(
    "frame",
    [
        Frame(CHALLENGE, encode([])),
        Frame(CHALLENGE, encode([[], b"n" * 32])),
        Frame(CHALLENGE, encode([[1] * 17, b"n" * 32])),
        Frame(CHALLENGE, encode([[1], b"n" * 31])),
        Frame(CHALLENGE, encode([1, b"n" * 32])),
        Frame(CHALLENGE, b""),
        Frame(JOIN, encode([[1], b"n" * 32])),
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
        encode([1, b"n" * 31, BEN.key, "Ben"]),
        encode([1, b"n" * 32, BEN.key]),
        encode([b"", b"n" * 32, BEN.key, "Ben"]),
        encode([1, b"n" * 32, BEN.key, b"Ben"]),
        encode([1, b"n" * 32, BEN.key[:31], "Ben"]),
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
    ben.welcomed(Frame(WELCOME, body + signed), secrets_of(b"B"))


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


def test_a_match_that_the_host_does_not_have_is_told_as_that() -> None:
    match, other = meet().match, meet(Terms(GAME, GAME.options({}), 1)).match
    ada = HostSide(CERTIFICATE, nonce())
    ben = JoinerSide(CERTIFICATE, ada.challenge)
    with pytest.raises(Refused) as caught:
        ada.resumed(ben.resume(BEN, other, 0, nonce()), ADA, match)
    assert caught.value.code == Code.UNKNOWN_MATCH
    assert isinstance(caught.value, Failure)
