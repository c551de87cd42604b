"""A meeting by short code: who knows the words gets in, and nobody learns them (threat 85)."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.channel.channel import CHALLENGE, CODE, JOIN, SURE, WELCOME
from protocol.crypto.spake2 import SpakeExchange, SpakeParty
from protocol.errors import Malformed, Refusal
from protocol.failures import Code, Failure, Refused
from protocol.lobby.code_exchange import CallerExchange, OpenCode
from protocol.lobby.handshake import HostSide, JoinerSide
from protocol.lobby.introductions import Guest
from protocol.storage.home import Owner
from protocol.wire import labels
from protocol.wire.encoding import Frame, decode, encode
from tests.helpers.crypto import edwards
from tests.helpers.crypto import spake2 as slow
from tests.helpers.links.code_meeting import BINDING, LIFE, OTHER_BINDING, PLACE, WRONG, W, counter, meet
from tests.helpers.links.code_meeting import CODE as SHORT
from tests.helpers.links.peers import owner


def refused(result: object, code: Code) -> bool:
    return isinstance(result, Refused) and result.code == code


def test_who_was_told_the_code_gets_in_and_learns_where_the_host_is(ada: Owner, ben: Owner) -> None:
    desk = counter(ada)
    met = meet(desk, ben)
    assert isinstance(met.host, Guest)
    assert (met.host.person.key, met.host.person.name) == (ben.identity.key, "Ben")
    assert isinstance(met.caller, tuple)
    assert met.caller[0].key == ada.identity.key
    assert met.caller[1] == PLACE
    kinds = [(who, frame.kind) for who, frame in met.frames]
    assert kinds == [
        ("host", CHALLENGE),
        ("caller", CODE),
        ("host", CODE),
        ("caller", SURE),
        ("host", SURE),
        ("caller", JOIN),
        ("host", WELCOME),
    ]
    assert desk.code is not None
    assert desk.code.tries == 3


def test_row_85_wrong_words_get_three_tries_and_then_right_ones_are_no_good(ada: Owner, ben: Owner) -> None:
    desk = counter(ada)
    assert desk.code is not None
    failures: list[int] = []
    desk.code.on_failure = lambda: failures.append(desk.code.tries if desk.code else -1)
    for _ in range(3):
        met = meet(desk, ben, WRONG)
        assert refused(met.host, Code.WRONG_CODE)
        assert [frame.kind for who, frame in met.frames if who == "host"] == [CHALLENGE, CODE], (
            "no confirmation"
        )
    assert failures == [2, 1, 0]
    assert refused(meet(desk, ben).host, Code.VOID_CODE)


def test_row_85_a_try_that_is_broken_off_counts_too(ada: Owner, ben: Owner) -> None:
    """With the host's share a caller may see whether its guess was right, and say no more."""
    desk = counter(ada)
    for left in (2, 1, 0):
        meet(desk, ben, meddle=lambda _, frame: None if frame.kind == SURE else frame)
        assert desk.code is not None
        assert desk.code.tries == left
    assert refused(meet(desk, ben).host, Code.VOID_CODE)


def test_row_85_a_share_made_of_a_guess_alone_costs_a_try(ada: Owner, ben: Owner) -> None:
    """For the right guess nothing would be left of it, so the host's answer shows whether it was right."""
    desk = counter(ada)
    bait = edwards.encode(edwards.multiply(int.from_bytes(W, "little"), slow.M))

    def lure(who: str, frame: Frame) -> Frame:
        return Frame(CODE, encode([2, bait])) if (who, frame.kind) == ("caller", CODE) else frame

    assert isinstance(meet(desk, ben, meddle=lure).host, Malformed)
    assert desk.code is not None
    assert desk.code.tries == 2


def test_row_85_right_words_do_not_use_up_tries(ada: Owner, ben: Owner, tmp_path: Path) -> None:
    desk = counter(ada, uses=4)
    meet(desk, ben, WRONG)
    for number in range(3):
        friend = owner(tmp_path / f"friend{number}", f"Friend {number}")
        assert isinstance(meet(desk, friend).host, Guest)
    assert desk.code is not None
    assert desk.code.tries == 2


def test_row_85_a_code_is_good_for_as_many_keys_as_seats_and_for_each_again(
    ada: Owner, ben: Owner, tmp_path: Path
) -> None:
    desk = counter(ada)
    assert isinstance(meet(desk, ben).host, Guest)
    assert refused(meet(desk, owner(tmp_path / "cleo", "Cleo")).host, Code.USED_INVITE)
    assert isinstance(meet(desk, ben).host, Guest), "its connection broke"
    desk.withdraw()
    assert refused(meet(desk, ben).host, Code.VOID_CODE)


def test_a_new_invite_leaves_the_code_as_it_is(ada: Owner, ben: Owner) -> None:
    desk = counter(ada)
    desk.invite(PLACE, 600.0, now=0.0, wall=0.0)
    desk.invite(PLACE, 600.0, now=0.0, wall=0.0)
    assert isinstance(meet(desk, ben).host, Guest)


def test_row_85_a_code_expires(ada: Owner, ben: Owner) -> None:
    desk = counter(ada)
    assert refused(meet(desk, ben, now=LIFE).host, Code.VOID_CODE)
    assert isinstance(meet(desk, ben, now=LIFE - 1).host, Guest)
    desk.code = None
    assert refused(meet(desk, ben).host, Code.VOID_CODE)


def test_row_85_nothing_fits_on_another_connection(ada: Owner, ben: Owner) -> None:
    """Somebody between the two, with a connection and a certificate of its own to each, passes all on."""
    desk = counter(ada)
    met = meet(desk, ben, binding=OTHER_BINDING)
    assert refused(met.host, Code.WRONG_CODE)
    assert desk.code is not None
    assert desk.code.tries == 2


def test_row_85_nothing_fits_at_another_time(ada: Owner, ben: Owner) -> None:
    """All that a caller said is said again to the host, which has another nonce and another share."""
    desk = counter(ada)
    before = [frame for who, frame in meet(desk, ben).frames if who == "caller"]

    def again(who: str, frame: Frame) -> Frame:
        return next(earlier for earlier in before if earlier.kind == frame.kind) if who == "caller" else frame

    assert refused(meet(desk, ben, meddle=again).host, Code.WRONG_CODE)


def test_row_85_a_host_without_the_words_learns_one_guess_and_no_name(ada: Owner, ben: Owner) -> None:
    """It may be a relay, or anybody in the network, that says it waits there."""
    desk = counter(ada)
    desk.code = OpenCode(SHORT, WRONG, LIFE, 1)

    def bluff(who: str, frame: Frame) -> Frame:
        return frame

    met = meet(desk, ben, meddle=bluff)
    assert refused(met.host, Code.WRONG_CODE)
    assert JOIN not in [frame.kind for _, frame in met.frames]
    side = JoinerSide(BINDING, HostSide(BINDING, bytes(32)).challenge)
    caller = CallerExchange(side, W)
    liar = SpakeExchange(SpakeParty.B, WRONG, (labels.CODE_CALLER, labels.CODE_HOST))
    caller.sure(Frame(CODE, encode([liar.share])))
    guessed = liar.keys(decode_share(caller.share), side.opening)
    with pytest.raises(Refused) as error:
        caller.details(Frame(SURE, encode([guessed.of_b, []])))
    assert error.value.code == Code.WRONG_CODE


def decode_share(frame: Frame) -> bytes:
    match decode(frame.payload):
        case [int(), bytes() as share]:
            return share
    raise AssertionError


def test_row_85_who_listens_can_test_no_words(ada: Owner, ben: Owner) -> None:
    """Whatever words one tries on a recording, nothing in it is theirs: the shares of the same words, and of
    others, are alike, and no confirmation comes from them without a secret of one end.
    """
    payloads = [frame.payload for _, frame in meet(counter(ada), ben).frames]
    again = [frame.payload for _, frame in meet(counter(ada), ben).frames]
    assert not set(payloads) & set(again), "all is fresh"
    recorded = b"".join(payloads)
    assert not any(word in recorded for word in (b"amber", b"violin", W, W[::-1]))


RUBBISH = [
    Frame(CODE, b""),
    Frame(CODE, encode([2])),
    Frame(CODE, encode([2, b"short"])),
    Frame(CODE, encode([2, bytes(32)])),
    Frame(CODE, encode(["2", bytes(32)])),
    Frame(CODE, encode([bytes(32), 2])),
    Frame(SURE, encode([bytes(32)])),
    Frame(JOIN, encode([bytes(32)])),
]


@pytest.mark.parametrize("frame", RUBBISH)
@pytest.mark.parametrize("who", ["caller", "host"])
@pytest.mark.parametrize("at", [CODE, SURE])
def test_row_85_rubbish_is_refused_and_named_so(
    ada: Owner, ben: Owner, frame: Frame, who: str, at: int
) -> None:
    def spoil(sender: str, true: Frame) -> Frame:
        return frame if (sender, true.kind) == (who, at) else true

    met = meet(counter(ada), ben, meddle=spoil)
    side = met.host if who == "caller" else met.caller
    assert isinstance(side, Malformed) or refused(side, Code.UNKNOWN_INVITE) or refused(side, Code.WRONG_CODE)
    assert not isinstance(met.host, Guest)


@pytest.mark.parametrize(
    "addresses",
    [[b""], [b"\x04\x00"], ["192.0.2.1"], [b"\x04" + bytes(6)], 9 * [b"\x09later"], b"none"],
)
def test_row_85_a_host_that_names_no_addresses_is_refused(ada: Owner, ben: Owner, addresses: object) -> None:
    def spoil(sender: str, true: Frame) -> Frame:
        if (sender, true.kind) != ("host", SURE):
            return true
        match decode(true.payload):
            case [bytes() as confirmation, list()]:
                return Frame(SURE, encode([confirmation, addresses]))
        raise AssertionError

    met = meet(counter(ada), ben, meddle=spoil)
    assert isinstance(met.caller, Malformed)


def test_addresses_of_later_kinds_are_passed_over(ada: Owner, ben: Owner) -> None:
    desk = counter(ada)

    def later(sender: str, true: Frame) -> Frame:
        if (sender, true.kind) != ("host", SURE):
            return true
        match decode(true.payload):
            case [bytes() as confirmation, list() as fields]:
                return Frame(SURE, encode([confirmation, [b"\x09later", *fields]]))
        raise AssertionError

    met = meet(desk, ben, meddle=later)
    assert isinstance(met.caller, Refusal | Failure) or met.caller is None, "JOIN covers every byte of it"


def test_another_version_is_told_so(ada: Owner, ben: Owner) -> None:
    def newer(sender: str, true: Frame) -> Frame:
        share = decode_share(true) if (sender, true.kind) == ("caller", CODE) else b""
        return Frame(CODE, encode([3, share])) if share else true

    assert refused(meet(counter(ada), ben, meddle=newer).host, Code.VERSION)


def test_nobody_gets_in_twice_under_our_own_key(ada: Owner) -> None:
    assert refused(meet(counter(ada), ada).host, Code.SAME_PLAYER)
