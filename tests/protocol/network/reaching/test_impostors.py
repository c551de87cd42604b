"""Who speaks for somebody else during the introduction, without a network: rows 25, 27 and 29."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from protocol.channel.channel import CHALLENGE, JOIN, RESUME, RESUMED, WELCOME
from protocol.crypto.keys import Identity
from protocol.errors import Forged, Malformed, Refusal
from protocol.failures import Code, Refused
from protocol.lobby.handshake import HostSide, JoinerSide, binding_of
from protocol.wire import labels
from protocol.wire.encoding import Frame
from tests.helpers.links.introductions import (
    ADA,
    BEN,
    CERTIFICATE,
    EVE,
    OTHER_CERTIFICATE,
    SECRET,
    match_of,
    meet,
    nonce,
    sides,
)

# Row 25: somebody stands in between


def test_row_25_an_introduction_on_another_certificate_is_worth_nothing() -> None:
    """Eve takes Ben's call with her own certificate and hands his words on to Ada."""
    ada, ben = sides(OTHER_CERTIFICATE)
    with pytest.raises(Refused) as caught:
        ada.joined(ben.join(BEN, "Ben", nonce(), SECRET), SECRET)
    assert caught.value.code == Code.UNKNOWN_INVITE


def test_row_25_even_one_who_knows_the_invite_cannot_speak_for_another_player() -> None:
    """Ben trusts Eve with the invite; she still cannot pass his signature on to Ada."""
    ada, ben = sides(OTHER_CERTIFICATE)
    join = ben.join(BEN, "Ben", nonce(), SECRET).payload
    body, signature = join[:-96], join[-64:]
    proof = JoinerSide(CERTIFICATE, ada.challenge).join(EVE, "Ben", nonce(), SECRET).payload[-96:-64]
    with pytest.raises(Refused):
        ada.joined(Frame(JOIN, body + proof + signature), SECRET)


def test_row_25_a_call_back_on_another_certificate_is_refused() -> None:
    match = match_of()
    ada, ben = sides(OTHER_CERTIFICATE)
    with pytest.raises(Forged):
        ada.resumed(ben.resume(BEN, match, 1, 0, nonce()), ADA, match)


@pytest.mark.parametrize("kind", [JOIN, RESUME])
def test_row_25_what_was_said_on_one_connection_is_worth_nothing_on_the_next(kind: int) -> None:
    match = match_of()
    first, second = HostSide(CERTIFICATE, nonce()), HostSide(CERTIFICATE, nonce())
    ben = JoinerSide(CERTIFICATE, first.challenge)
    if kind == JOIN:
        with pytest.raises(Refused):
            second.joined(ben.join(BEN, "Ben", nonce(), SECRET), SECRET)
    else:
        with pytest.raises(Forged):
            second.resumed(ben.resume(BEN, match, 1, 0, nonce()), ADA, match)


def test_row_25_an_old_answer_of_the_host_is_worth_nothing_to_a_new_call() -> None:
    match = match_of()
    host = HostSide(CERTIFICATE, b"n" * 32)
    answer, _ = host.resumed(
        JoinerSide(CERTIFICATE, host.challenge).resume(BEN, match, 1, 0, nonce()), ADA, match
    )
    again = JoinerSide(CERTIFICATE, host.challenge)
    again.resume(BEN, match, 1, 0, nonce())
    with pytest.raises(Forged):
        again.resumed(answer, ADA.key)


# Row 27: reflection, and keys that are not the speaker's


def test_row_27_what_we_said_as_one_role_is_not_taken_back_as_the_other() -> None:
    """Each frame handed back to its own speaker, and each to every place it does not belong to."""
    met = meet()
    match = match_of()
    resume = JoinerSide(CERTIFICATE, met.host.challenge).resume(BEN, match, 1, 0, nonce())
    host, ben = sides()
    resumed, _ = host.resumed(ben.resume(BEN, match, 1, 0, nonce()), ADA, match)
    for frame in (met.host.challenge, met.join, met.welcome, resume, resumed):
        for kind in (CHALLENGE, JOIN, WELCOME, RESUME, RESUMED):
            answer = Frame(kind, frame.payload)
            ada, ben = (
                HostSide(CERTIFICATE, nonce()),
                JoinerSide(CERTIFICATE, HostSide(CERTIFICATE, nonce()).challenge),
            )
            ben.join(BEN, "Ben", nonce(), SECRET)
            takes: list[Callable[[], object]] = [
                partial(ada.joined, answer, SECRET),
                partial(ada.resumed, answer, ADA, match),
                partial(ben.welcomed, answer),
                partial(ben.resumed, answer, ADA.key),
            ]
            for take in takes:
                with pytest.raises((Refusal, Refused)):
                    take()


def test_row_27_a_signature_as_host_is_not_a_signature_as_joiner() -> None:
    """Labels differ by role: the very bytes that Ben must sign, signed by him as a host would."""
    ada, caller = sides()
    join = caller.join(BEN, "Ben", nonce(), SECRET).payload
    bound = binding_of(JOIN, ada.preamble, join[:-96])
    assert BEN.sign(labels.SIGN_JOINER, bound) == join[-64:]
    with pytest.raises(Forged):
        ada.joined(Frame(JOIN, join[:-64] + BEN.sign(labels.SIGN_HOST, bound)), SECRET)


def test_row_27_we_do_not_play_against_our_own_reflection() -> None:
    met = meet()
    with pytest.raises(Refused) as caught:
        met.joiner.welcomed(met.host.welcome(BEN, "Ben"))
    assert caught.value.code == Code.SAME_PLAYER


def test_row_27_a_seat_can_only_be_taken_back_with_its_own_key() -> None:
    match = match_of()
    for identity, seat in [(EVE, 1), (ADA, 0), (BEN, 0), (ADA, 1), (BEN, 2)]:
        ada, joiner = sides()
        with pytest.raises((Forged, Refused)):
            ada.resumed(joiner.resume(identity, match, seat, int(seat == 0), nonce()), ADA, match)


def test_row_27_a_host_with_another_key_is_not_taken_for_ours() -> None:
    match = match_of()

    class Liar(Identity):
        def __init__(self) -> None:
            super().__init__(b"e" * 32)
            self.key = ADA.key

    eve, ben = sides()
    answer, _ = eve.resumed(ben.resume(BEN, match, 1, 0, nonce()), Liar(), match)
    with pytest.raises(Forged):
        ben.resumed(answer, ADA.key)


def test_row_27_a_named_key_must_have_signed() -> None:
    """Eve names Ben's key, or Ada's, and signs with her own."""

    class Liar(Identity):
        def __init__(self, claimed: bytes) -> None:
            super().__init__(b"e" * 32)
            self.key = claimed

    ada, caller = sides()
    with pytest.raises(Forged):
        ada.joined(caller.join(Liar(BEN.key), "Ben", nonce(), SECRET), SECRET)
    met = meet()
    with pytest.raises(Forged):
        met.joiner.welcomed(met.host.welcome(Liar(ADA.key), "Ada"))


def test_row_29_a_key_that_anybody_could_sign_for_is_refused() -> None:
    class Weak(Identity):
        def __init__(self) -> None:
            super().__init__(b"e" * 32)
            self.key = b"\x01" + bytes(31)  # the identity point

    ada, caller = sides()
    with pytest.raises(Malformed):
        ada.joined(caller.join(Weak(), "Eve", nonce(), SECRET), SECRET)
    met = meet()
    with pytest.raises(Malformed):
        met.joiner.welcomed(met.host.welcome(Weak(), "Ada"))
