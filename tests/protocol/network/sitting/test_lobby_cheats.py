"""A hostile guest or host in a lobby: what it says is refused, and it costs only itself (rows 5, 50, 52)."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol import limits
from protocol.channel.channel import CARD, FOUND, LOBBY, READY, SYNC
from protocol.errors import Malformed, Refusal, Unsupported
from protocol.failures import Code, Refused
from protocol.lobby.handshake import Person
from protocol.lobby.listing import Listing, found_frame, read_listing, ready_frame
from protocol.record import genesis, statements
from protocol.record.genesis import Player
from protocol.record.pace import Pace
from protocol.record.statements import Kind
from protocol.record.time_control import TimeControl
from protocol.rendezvous.address_cards import AddressCard, sign_card
from protocol.wire.encoding import STATEMENT, Frame, encode
from tests.helpers.games.toy import TOY
from tests.helpers.links.lobbies import GuestEnd, Sitting, begun, founded, seen, whole

# Hostile guests


@pytest.mark.parametrize(
    "payload",
    [
        encode([]),
        encode([b"1"]),
        encode([10**6]),
        encode([10**6, b"n" * 32, b"a" * 32]),
        encode([1, b"n" * 31, b"a" * 32]),
        encode([1, b"n" * 32, 7]),
        encode([1, b"n" * 32]),
        encode(1),
        b"",
        b"\xc1",
    ],
)
@pytest.mark.parametrize("kind", [READY, LOBBY, FOUND, STATEMENT, SYNC, 99])
def test_row_52_rubbish_from_a_guest_is_the_end_of_that_guest_only(
    tmp_path: Path, payload: bytes, kind: int
) -> None:
    sitting, ben, cleo = founded(tmp_path)
    ben.outgoing.append(Frame(kind, payload))
    sitting.hear(ben)
    assert isinstance(ben.trouble, Malformed)
    assert (ben.closed, cleo.closed) == (Code.PROTOCOL, None)
    assert not sitting.lobby.founding
    sitting.guests.remove(ben)
    dan = sitting.come(3)
    sitting.agree(cleo, dan)
    sitting.settle()
    assert begun(sitting)


def test_a_guest_that_says_yes_to_empty_seats_is_sent_away(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, 3)
    ben = sitting.come(1)
    number = sitting.lobby.listing.number
    ben.outgoing.append(ready_frame(number, Player(ben.owner.identity.key, "Ben", b"n" * 32, b"a" * 32)))
    sitting.hear(ben)
    assert isinstance(ben.trouble, Malformed)


def test_row_05_a_guest_that_mirrors_anothers_part_is_sent_away(tmp_path: Path) -> None:
    sitting = whole(tmp_path)
    ben, cleo = sitting.guests
    ben.visit.agree(seen(ben).number)
    copied = ben.outgoing[-1]
    sitting.hear(ben)
    cleo.outgoing.append(copied)
    sitting.hear(cleo)
    assert (ben.closed, cleo.closed) == (None, Code.PROTOCOL)


def test_a_guest_signs_for_itself_only_and_only_that_it_agrees(tmp_path: Path) -> None:
    for number, crime in enumerate(("for another", "chat", "forged", "void genesis")):
        sitting, ben, cleo = founded(tmp_path / str(number))
        match = sitting.lobby.founding_match
        assert match is not None
        for end in (ben, cleo):
            sitting.tell_all(end)
        true = ben.outgoing.pop()
        if crime == "for another":
            ben.outgoing.append(cleo.outgoing[-1])
        elif crime == "forged":
            ben.outgoing.append(Frame(true.kind, true.payload[:-1] + bytes((true.payload[-1] ^ 1,))))
        elif crime == "chat":
            statement = statements.parse(true.payload)
            body = bytearray(statement.body)
            body[body.index(bytes((int(Kind.AGREE),)), len(body) - 1)] = int(Kind.RESIGN)
            ben.outgoing.append(Frame(STATEMENT, bytes(body) + statement.payload[-64:]))
        else:
            ben.outgoing.append(Frame(STATEMENT, true.payload))
            sitting.lobby.swap(0, 1)  # voids the genesis: an honest signature that crosses it does no harm
            assert sitting.hear(ben)
            assert ben.closed is None
            continue
        sitting.hear(ben)
        assert isinstance(ben.trouble, Refusal)
        assert ben.closed == Code.PROTOCOL
        assert sitting.lobby.store is None


def test_row_52_a_guest_that_never_stops_to_change_its_mind_is_sent_away(tmp_path: Path) -> None:
    sitting = whole(tmp_path)
    ben, cleo = sitting.guests
    for turn in range(limits.MAX_FRAMES_OF_LISTING + 1):
        assert ben.closed is None
        (ben.visit.agree(seen(ben).number) if turn % 2 == 0 else ben.visit.take_back())
        sitting.hear(ben)
        sitting.tell(ben)
    assert ben.closed == Code.PROTOCOL
    assert len(cleo.incoming) <= limits.MAX_FRAMES_OF_LISTING + 2


@pytest.mark.parametrize("what", ["another's", "of another match", "twice", "unsigned", "rubbish"])
def test_row_50_a_guest_that_says_false_things_of_addresses_is_sent_away(tmp_path: Path, what: str) -> None:
    sitting, ben, cleo = founded(tmp_path)
    sitting.tell_all(ben)
    card = ben.outgoing[0]
    assert card.kind == CARD
    sitting.tell_all(cleo)
    founding = sitting.lobby.founding_match
    assert founding is not None
    other = genesis.make(TOY, TOY.options({}), (founding.players[0], *founding.players[:0:-1]))
    place = AddressCard(1, 1, ben.listens)
    ben.outgoing[0] = {
        "another's": cleo.outgoing[0],
        "of another match": sign_card(ben.owner.identity, other, place),
        "twice": card,
        "unsigned": Frame(CARD, card.payload[:-1] + bytes([card.payload[-1] ^ 1])),
        "rubbish": Frame(CARD, b"\xc1"),
    }[what]
    if what == "twice":
        ben.outgoing.appendleft(card)
        sitting.hear(ben)
    sitting.hear(ben)
    assert isinstance(ben.trouble, Malformed)
    assert ben.closed == Code.PROTOCOL
    assert sitting.lobby.store is None


@pytest.mark.parametrize("what", ["our own", "twice", "of another match"])
def test_row_50_a_host_that_says_false_things_of_addresses_loses_its_guest(tmp_path: Path, what: str) -> None:
    sitting, ben, cleo = founded(tmp_path)
    sitting.tell_all(ben)
    sitting.tell_all(cleo)
    ours, theirs = ben.outgoing[0], cleo.outgoing[0]
    match = sitting.lobby.founding_match
    assert match is not None
    other = genesis.make(TOY, TOY.options({}), (match.players[0], *match.players[:0:-1]))
    heard = {
        "our own": [ours],
        "twice": [theirs, theirs],
        "of another match": [sign_card(cleo.owner.identity, other, AddressCard(2, 1, cleo.listens))],
    }[what]
    *good, last = heard
    for frame in good:
        ben.visit.received(frame)
    with pytest.raises(Malformed):
        ben.visit.received(last)
    assert not ben.visit.begun


# Hostile hosts


def test_row_50_a_genesis_that_is_not_what_was_agreed_on_is_not_signed(tmp_path: Path) -> None:
    """Other options, other players, another order, another part of ours, another number, another profile."""

    def other(player: Player, **changed: object) -> Player:
        fields = {name: getattr(player, name) for name in ("key", "name", "nonce", "anchor")}
        return Player(**{**fields, **changed})

    eve = Sitting(tmp_path / "eve", 3).owners[3].identity.key
    for number in range(10):
        sitting, ben, _ = founded(tmp_path / str(number))
        match, listing = sitting.lobby.founding_match, sitting.lobby.listing
        assert match is not None
        players, options = list(match.players), dict(match.options)
        own = ben.visit.seat
        counted = listing.number
        if number == 0:
            options["rounds"] = 2
        elif number == 1:
            players[2] = other(players[2], key=eve)
        elif number == 2:
            players[2] = other(players[2], name="Cleopatra")
        elif number == 3:
            players[0], players[2] = players[2], players[0]
        elif number == 4:
            players[own] = other(players[own], nonce=b"n" * 32)
        elif number == 5:
            players[own] = other(players[own], anchor=b"a" * 32)
        elif number == 6:
            players = players[:2]
        elif number == 7:
            counted += 1
        elif number == 8:
            players[own], players[2] = players[2], players[own]
        bad = genesis.make(TOY, options, tuple(players), proofs=number == 9)
        ben.incoming.pop()
        ben.incoming.append(found_frame(counted, bad))
        with pytest.raises(Malformed):
            sitting.tell_all(ben)
        assert ben.visit.store is None
        assert not ben.outgoing
        assert sitting.folders(ben.owner) == [0]


def test_a_genesis_before_our_yes_or_twice_is_not_signed(tmp_path: Path) -> None:
    sitting, ben, cleo = founded(tmp_path)
    refusal = ben.incoming[-1]
    sitting.tell_all(ben)
    ben.incoming.append(refusal)
    with pytest.raises(Malformed):
        sitting.tell(ben)
    fresh = sitting.owners[2]
    late = GuestEnd(fresh, cleo.visit.host, sitting.clock)
    late.incoming.append(refusal)
    with pytest.raises(Malformed):
        sitting.tell(late)
    assert sitting.folders(fresh) == [0]


@pytest.mark.parametrize(
    "what",
    [
        "earlier",
        "other terms",
        "other profile",
        "other pace",
        "other clock",
        "without us",
        "another name",
        "without itself",
    ],
)
def test_row_50_a_host_that_changes_its_proposal_behind_our_back_is_left(tmp_path: Path, what: str) -> None:
    sitting = whole(tmp_path)
    ben, _ = sitting.guests
    true = sitting.lobby.listing
    places = list(true.places)
    number = true.number
    if what == "earlier":
        number -= 1
    elif what == "other terms":
        places.reverse()
    elif what == "without us":
        places[1] = None
        number += 1
    elif what == "without itself":
        places[0] = None
        number += 1
    else:
        frame = Listing(number + 1, true.game, true.options, true.places).frame
        ben.incoming.append(Frame(LOBBY, frame.payload.replace(b"Ben", b"Bob")))
    if what != "another name":
        proofs = what == "other profile"
        pace = Pace.WEEK if what == "other pace" else Pace.LIVE
        clock = TimeControl(60) if what == "other clock" else None
        other = Listing(number, true.game, true.options, tuple(places), proofs=proofs, pace=pace, clock=clock)
        ben.incoming.append(other.frame)
    with pytest.raises(Malformed):
        sitting.tell(ben)


def test_a_host_that_changes_its_proposal_without_end_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.lobby.guest_lobby.MAX_LISTINGS", 10)
    sitting = whole(tmp_path)
    ben, _ = sitting.guests
    for _ in range(10):
        sitting.lobby.swap(0, 1)
    with pytest.raises(Malformed, match="never stops"):
        sitting.tell_all(ben)


@pytest.mark.parametrize("kind", [READY, SYNC, STATEMENT, 99])
def test_rubbish_from_a_host_is_refused(tmp_path: Path, kind: int) -> None:
    sitting = whole(tmp_path)
    ben, _ = sitting.guests
    ben.incoming.append(Frame(kind, encode([1])))
    with pytest.raises(Malformed):
        sitting.tell(ben)


def test_a_host_that_hands_on_something_else_than_agreements_is_left(tmp_path: Path) -> None:
    sitting, ben, cleo = founded(tmp_path)
    for end in (ben, cleo):
        sitting.tell_all(end)
    statement = statements.parse(cleo.outgoing[-1].payload)
    ben.incoming.append(Frame(STATEMENT, statement.payload[:-1] + bytes((statement.payload[-1] ^ 1,))))
    with pytest.raises(Refusal):
        sitting.tell(ben)
    assert not ben.visit.begun


def test_a_game_that_we_do_not_have_is_told_as_that(tmp_path: Path) -> None:
    listing = whole(tmp_path).lobby.listing
    with pytest.raises(Unsupported):
        read_listing(listing.frame.payload, {})


# A guest that keeps the table busy


def toggled(sitting: Sitting, end: GuestEnd, times: int) -> None:
    """`end` says yes and takes it back, `times` together, or until it is sent away."""
    for turn in range(times):
        if end.closed is not None:
            return
        number = sitting.lobby.listing.number
        part = Player(b"", "", bytes([turn + 1]) * 32, bytes([turn + 1]) * 32) if turn % 2 == 0 else None
        assert end.member is not None
        sitting.lobby.received(end.member, ready_frame(number, part))


def comes(sitting: Sitting, number: int) -> GuestEnd | None:
    """Guest `number` over a new connection; None: it is let in no more."""
    try:
        return sitting.come(number)
    except Refused as refused:
        return None if refused.code == Code.DECLINED else sitting.guests[-1]


@pytest.mark.parametrize("times", [0, 1, 2, 31])
def test_row_105_a_guest_that_changes_without_end_is_out_and_the_others_are_told_who(
    tmp_path: Path, times: int
) -> None:
    sitting = Sitting(tmp_path, 3)
    ben = sitting.come(1)
    sitting.tell_all(ben)
    while (bad := comes(sitting, 2)) is not None:
        toggled(sitting, bad, times)
        sitting.go(bad)
        assert len(ben.incoming) < 200
    sitting.tell_all(ben)
    cleo = sitting.owners[1]
    assert seen(ben).out == sitting.lobby.listing.out == (Person(cleo.identity.key, cleo.name),)
    assert ben.closed is None
    dan = sitting.come(3)
    sitting.agree()
    sitting.settle()
    assert begun(sitting)
    assert dan.closed is None


def test_row_105_who_asks_again_and_again_whether_it_began_is_out_too(tmp_path: Path) -> None:
    """A second connection says RESUME, so that what all are signing is void."""
    sitting = whole(tmp_path)
    ben, cleo = sitting.guests
    rounds = 0
    while cleo.closed is None:
        rounds += 1
        assert rounds <= limits.MAX_COST
        sitting.agree()
        while not sitting.lobby.founding:
            assert sitting.hear(ben) or sitting.hear(cleo)
        founding = sitting.lobby.founding_match
        assert founding is not None
        sitting.lobby.doubted(founding.id, 2)
        sitting.settle()
    assert ben.closed is None
    assert [person.name for person in seen(ben).out] == ["Cleo"]


def test_row_105_who_keeps_the_others_waiting_again_and_again_is_out(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, 3)
    ben = sitting.come(1)
    late = 0
    while comes(sitting, 2) is not None:
        sitting.agree(ben)
        sitting.settle()
        sitting.clock.now += limits.ANSWER_WITHIN
        sitting.lobby.tick()
        late += 1
        assert late < 9
        sitting.guests = [ben]
    assert late * limits.ANSWER_WITHIN == 1800
    sitting.settle()
    assert [person.name for person in seen(ben).out] == ["Cleo"]


def test_row_105_a_guest_that_only_answers_what_others_change_is_never_out(tmp_path: Path) -> None:
    sitting = whole(tmp_path)
    ben, _ = sitting.guests
    for _ in range(2 * limits.MAX_COST):
        sitting.settle()
        ben.visit.agree(seen(ben).number)
        sitting.settle()
        sitting.lobby.swap(1, 2)
    sitting.settle()
    assert ben.closed is None
    assert not seen(ben).out
