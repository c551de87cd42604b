"""The words with which a friend asks for a game, frame by frame, and every forged form of them (row 90)."""

from __future__ import annotations

import pytest

from protocol.channel.channel import ASK, ASKER, FRIEND
from protocol.errors import Forged, Malformed, Refusal
from protocol.failures import Code, Refused
from protocol.limits import ASK_AGAIN_AFTER, ASK_AGAIN_SOON, STRANGERS_LIMIT
from protocol.lobby.friends import Asks, friend_frame, read_friend
from protocol.lobby.handshake import HostSide, JoinerSide, Person, binding_of, mac_of
from protocol.storage.contacts import Door
from protocol.storage.route import Place
from protocol.wire import labels
from protocol.wire.addresses import Endpoint, Relayed, pack
from protocol.wire.encoding import Frame, encode
from tests.helpers.links.introductions import ADA, BEN, CERTIFICATE, EVE, OTHER_CERTIFICATE, nonce, sides

TICKET, OTHER_TICKET = b"t" * 16, b"u" * 16
TICKETS = {BEN.key: TICKET, EVE.key: OTHER_TICKET}
PLACE = Place((Endpoint("192.0.2.1", 4000), Relayed(Endpoint("relay.example", 4001), b"k" * 16)), b"p" * 32)


def answered(host: HostSide, caller: JoinerSide) -> bytes:
    """Ben's ASK has come, and Ada has welcomed him; whose ticket it was."""
    key = host.ticket_of(caller.ask(BEN, nonce(), TICKET), TICKETS)
    assert caller.welcomed(host.welcome(ADA, "Ada")) == Person(ADA.key, "Ada")
    return key


@pytest.mark.parametrize("place", [PLACE, None])
def test_both_prove_their_keys_and_the_caller_tells_where_it_listens(place: Place | None) -> None:
    host, caller = sides()
    key = answered(host, caller)
    assert key == BEN.key
    assert host.asker(caller.asker(BEN, "Ben", place), key) == (Person(BEN.key, "Ben"), place)


def test_row_90_an_ask_tells_nobody_who_asks_or_from_where() -> None:
    _, caller = sides()
    ask = caller.ask(BEN, nonce(), TICKET)
    assert ask.kind == ASK
    for secret in (BEN.key, b"Ben", TICKET, *map(pack, PLACE.addresses)):
        assert secret not in ask.payload


def test_only_a_holder_of_a_ticket_learns_who_listens() -> None:
    for ticket, tickets in ((b"x" * 16, TICKETS), (TICKET, {}), (TICKET, {EVE.key: OTHER_TICKET})):
        host, caller = sides()
        with pytest.raises(Refused) as caught:
            host.ticket_of(caller.ask(BEN, nonce(), ticket), tickets)
        assert caught.value.code == Code.UNKNOWN_INVITE


def test_an_ask_that_was_overheard_is_worthless_on_another_connection() -> None:
    host, caller = sides()
    ask = caller.ask(BEN, nonce(), TICKET)
    other = HostSide(OTHER_CERTIFICATE, nonce())
    for door in (other, HostSide(CERTIFICATE, nonce())):
        with pytest.raises(Refused):
            door.ticket_of(ask, TICKETS)
    assert host.ticket_of(ask, TICKETS) == BEN.key


def test_row_90_a_stolen_ticket_without_the_key_of_its_friend_is_a_forgery() -> None:
    for thief in (EVE, ADA):
        host, caller = sides()
        key = answered(host, caller)
        with pytest.raises(Forged):
            host.asker(caller.asker(thief, "Ben", PLACE), key)


def test_row_90_nobody_answers_in_a_friends_place_without_its_key() -> None:
    host, caller = sides()
    host.ticket_of(caller.ask(BEN, nonce(), TICKET), TICKETS)  # Eve has the list of tickets
    forged = host.welcome(EVE, "Ada")
    body = encode([ADA.key, "Ada"])
    with pytest.raises(Forged):
        caller.welcomed(Frame(forged.kind, body + forged.payload[-64:]))
    assert caller.welcomed(forged).key != ADA.key  # and her own key is not the one that was called


def test_row_90_one_in_the_middle_can_pass_nothing_on() -> None:
    host = HostSide(OTHER_CERTIFICATE, nonce())
    caller = JoinerSide(CERTIFICATE, host.challenge)
    with pytest.raises(Refused):
        host.ticket_of(caller.ask(BEN, nonce(), TICKET), TICKETS)


def test_an_asker_covers_all_that_was_said_before() -> None:
    host, caller = sides()
    key = answered(host, caller)
    asker = caller.asker(BEN, "Ben", PLACE)
    again, other = sides()
    assert answered(again, other) == BEN.key
    with pytest.raises(Forged):
        again.asker(asker, key)


@pytest.mark.parametrize(
    "body",
    [
        [],
        ["Ben"],
        [7, [], b""],
        ["Ben", [b"\x04"], b"p" * 32],
        ["Ben", ["192.0.2.1:4"], b"p" * 32],
        ["Ben", [pack(Endpoint("192.0.2.1", 4000))], b""],
        ["Ben", [], b"p" * 32],
        ["Ben", [pack(Endpoint("192.0.2.1", 4000))] * 9, b"p" * 32],
        ["\x1b[31m", [], b""],
        ["B" * 33, [], b""],
        [" Ben", [], b""],
    ],
)
def test_an_asker_of_another_form_is_refused(body: list[object]) -> None:
    host, caller = sides()
    key = host.ticket_of(caller.ask(BEN, nonce(), TICKET), TICKETS)
    data = encode(body)
    bound = binding_of(ASKER, [*caller.preamble, host.welcome(ADA, "Ada").payload], data)
    with pytest.raises(Malformed):
        host.asker(Frame(ASKER, data + BEN.sign(labels.SIGN_JOINER, bound)), key)


@pytest.mark.parametrize("body", [[], [2], [2, b"short"], ["2", bytes(32)], [2, bytes(32), 0], 7])
def test_an_ask_of_another_form_is_refused(body: object) -> None:
    host, caller = sides()
    data = encode(body)
    proof = mac_of(TICKET, binding_of(ASK, caller.preamble, data), labels.MAC_FRIEND)
    with pytest.raises(Malformed):
        host.ticket_of(Frame(ASK, data + proof), TICKETS)


def test_another_version_is_told_only_to_a_friend() -> None:
    for ticket, code in ((TICKET, Code.VERSION), (b"x" * 16, Code.UNKNOWN_INVITE)):
        host, caller = sides()
        data = encode([labels.PROTOCOL_VERSION + 1, bytes(32)])
        proof = mac_of(ticket, binding_of(ASK, caller.preamble, data), labels.MAC_FRIEND)
        with pytest.raises(Refused) as caught:
            host.ticket_of(Frame(ASK, data + proof), TICKETS)
        assert caught.value.code == code


def test_the_longest_asker_is_what_a_stranger_may_say() -> None:
    host, caller = sides()
    answered(host, caller)
    longest = Relayed(Endpoint(".".join(["a" * 63] * 3 + ["a" * 40, "bc"]), 4000), b"k" * 16)
    assert len(pack(longest)) == 255
    place = Place((longest,) * 8, b"p" * 32)
    assert len(caller.asker(BEN, "B" * 32, place).payload) <= STRANGERS_LIMIT


# FRIEND


def test_a_door_is_told_whole_and_later_kinds_of_addresses_are_passed_over() -> None:
    door = Door(PLACE.addresses, TICKET)
    assert read_friend(friend_frame(door).payload) == door
    later = encode([[b"\x63new", pack(PLACE.addresses[0])], TICKET])
    assert read_friend(later) == Door(PLACE.addresses[:1], TICKET)
    assert read_friend(encode([[], TICKET])) == Door((), TICKET)


@pytest.mark.parametrize(
    "value",
    [
        [],
        [[], b""],
        [[], b"t" * 17],
        [[], "t" * 16],
        [b"", TICKET],
        [["192.0.2.1:4000"], TICKET],
        [[b"\x04\x00"], TICKET],
        [[pack(Endpoint("192.0.2.1", 4000))] * 9, TICKET],
        [[], TICKET, 0],
    ],
)
def test_a_hostile_door_is_refused(value: list[object]) -> None:
    frame = Frame(FRIEND, encode(value))
    with pytest.raises(Refusal):
        read_friend(frame.payload)


# Who may ask when


def code(asks: Asks, key: bytes, now: float) -> int | None:
    try:
        asks.begin(key, now)
    except Refused as refused:
        return refused.code
    return None


def test_one_friend_at_a_time_asks_and_none_while_our_player_plays() -> None:
    asks = Asks()
    assert code(asks, BEN.key, 0.0) is None
    assert code(asks, EVE.key, 0.0) == code(asks, BEN.key, 0.0) == Code.BUSY
    asks.busy = False
    assert code(asks, EVE.key, 0.0) is None


def test_after_a_no_the_same_friend_is_refused_unseen_for_a_while_and_others_are_not() -> None:
    asks = Asks()
    asks.declined(BEN.key, 100.0)
    assert code(asks, BEN.key, 100.0 + ASK_AGAIN_AFTER - 1) == Code.DECLINED
    assert code(asks, EVE.key, 101.0) is None
    asks.busy = False
    assert code(asks, BEN.key, 100.0 + ASK_AGAIN_AFTER) is None


def test_row_90_a_friend_who_asks_and_goes_again_and_again_rings_seldom() -> None:
    asks, rang = Asks(), 0
    for second in range(600):
        if code(asks, BEN.key, float(second)) is None:
            rang += 1
            asks.busy = False
            asks.left(BEN.key, float(second))
    assert rang <= 600 / ASK_AGAIN_SOON + 1
