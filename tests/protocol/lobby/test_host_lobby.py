"""Three to five who sit down without a network: what all see, what begins, and what costs nobody anything."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgpack import packb

from p2p_stratego.core.game import Seat
from protocol import limits
from protocol.channel.channel import TALK
from protocol.errors import Malformed
from protocol.failures import Code, DiskFailed, NotNow, Refused, StorageFailure, Why
from protocol.lobby.handshake import Terms
from protocol.lobby.host_lobby import Lobby
from protocol.lobby.lobby_talk import Allowance, LobbyTalk
from protocol.record import genesis
from protocol.record.pace import Pace
from protocol.record.time_control import TimeControl
from protocol.storage.home import Home
from protocol.storage.route import Route
from protocol.wire.encoding import STATEMENT, Frame
from tests.helpers.games.toy import TOY
from tests.helpers.links.lobbies import Sitting, begun, founded, places, seen, toy_owner, whole
from tests.helpers.machine.disk import failing
from tests.helpers.machine.examples import examples


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_match_begins_once_everybody_has_said_yes_and_signed(tmp_path: Path, seats: int) -> None:
    sitting = whole(tmp_path, seats)
    sitting.agree()
    sitting.settle()
    assert begun(sitting)
    assert sitting.folders()[:seats] == [1] * seats


def test_everybody_sees_the_same_list_live(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, 4, rounds=2)
    for number in (1, 2, 3):
        sitting.come(number)
        sitting.settle()
        for end in sitting.guests:
            assert seen(end) == sitting.lobby.listing
            assert seen(end).full is (number == 3)
    sitting.guests[1].visit.agree(seen(sitting.guests[1]).number)
    sitting.settle()
    for end in sitting.guests:
        assert [place and place.ready for place in seen(end).places] == [False, False, True, False]
        assert seen(end).options == TOY.options({"rounds": 2})


def talk(end: LobbyTalk) -> list[tuple[str, str]]:
    return [(line.person.name, line.text) for line in end.lines]


def test_a_line_is_heard_by_all_where_the_host_passes_it_on(tmp_path: Path) -> None:
    sitting = whole(tmp_path)
    ben, cleo = sitting.guests
    ben.visit.say("hello")
    assert talk(ben.visit.talk) == []
    sitting.lobby.say("welcome")
    sitting.settle()
    for heard in (sitting.lobby.talk, ben.visit.talk, cleo.visit.talk):
        assert talk(heard) == [("Ada", "welcome"), ("Ben", "hello")]
    sitting.agree()
    sitting.settle()
    assert begun(sitting)  # talk neither voids a yes nor counts as an answer
    for end in (sitting.lobby, ben.visit):
        with pytest.raises(NotNow):
            end.say("too late")


def test_a_guest_that_never_stops_to_talk_is_heard_seldom_and_costs_the_others_nothing(
    tmp_path: Path,
) -> None:
    sitting = whole(tmp_path)
    ben, cleo = sitting.guests
    for number in range(100):
        ben.visit.say(str(number))
    sitting.settle()
    assert sitting.lobby.talk.count == cleo.visit.talk.count == limits.MAX_TALK
    sitting.clock.now += limits.TALK_EVERY
    for _ in range(3):
        ben.visit.say("again")
    sitting.settle()
    assert cleo.visit.talk.count == limits.MAX_TALK + 1
    assert ben.closed is None


def test_a_guest_whose_talk_is_dropped_for_ever_is_sent_away() -> None:
    talks = Allowance()
    assert sum(talks.spend(0.0) for _ in range(limits.MAX_TALKS)) == limits.MAX_TALK
    with pytest.raises(Malformed):
        talks.spend(1e9)


@pytest.mark.parametrize("text", ["", "x" * 501, "e\u0301", b"x", 7])
def test_no_end_takes_a_line_that_is_none(tmp_path: Path, text: object) -> None:
    sitting = whole(tmp_path)
    ben = sitting.guests[0]
    assert ben.member is not None
    with pytest.raises(Malformed):
        sitting.lobby.received(ben.member, Frame(TALK, packb([text])))
    with pytest.raises(Malformed):
        ben.visit.received(Frame(TALK, packb([sitting.host.identity.key, text])))
    with pytest.raises(Malformed):
        ben.visit.received(Frame(TALK, packb([sitting.owners[3].identity.key, "of nobody here"])))
    assert sitting.lobby.talk.count == ben.visit.talk.count == 0


def test_nobody_says_yes_while_a_seat_is_empty_or_to_a_list_that_has_changed(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, 3)
    ben = sitting.come(1)
    sitting.settle()
    with pytest.raises(NotNow, match=Why.SEATS_EMPTY.value):
        ben.visit.agree(seen(ben).number)
    with pytest.raises(NotNow, match=Why.SEATS_EMPTY.value):
        sitting.lobby.start()
    old = seen(ben).number
    sitting.come(2)
    sitting.settle()
    with pytest.raises(NotNow, match=Why.OTHER_LISTING.value):
        ben.visit.agree(old)


@pytest.mark.parametrize("change", ["swap", "refuse", "leave", "come again", "take back"])
def test_a_change_voids_every_yes(tmp_path: Path, change: str) -> None:
    sitting = whole(tmp_path)
    ben, cleo = sitting.guests
    ben.visit.agree(seen(ben).number)
    sitting.lobby.start()
    sitting.settle()
    if change == "swap":
        sitting.lobby.swap(0, 2)
    elif change == "refuse":
        sitting.lobby.refuse(2)
    elif change == "leave":
        sitting.go(cleo)
    elif change == "come again":
        sitting.come(2)
        assert cleo.closed == Code.REPLACED
    else:
        ben.visit.take_back()
        sitting.settle()
        assert not any(place.ready for place in seen(cleo).places if place and place.person == ben.person)
        return
    sitting.settle()
    assert not sitting.lobby.started
    assert not ben.visit.ready
    assert sitting.lobby.store is None


def test_seats_are_swapped_with_players_and_with_empty_ones(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, 4)
    ben = sitting.come(1)
    sitting.lobby.swap(0, 3)
    sitting.lobby.swap(1, 2)
    sitting.settle()
    assert sitting.lobby.seat == ben.visit.host_seat == 3
    assert ben.visit.seat == 2
    for least, other in ((0, 4), (-1, 0)):
        with pytest.raises(NotNow):
            sitting.lobby.swap(least, other)
    number = sitting.lobby.listing.number
    sitting.lobby.swap(1, 1)
    assert sitting.lobby.listing.number == number
    sitting.come(2)
    sitting.come(3)
    sitting.agree()
    sitting.settle()
    assert begun(sitting)


def test_who_is_refused_does_not_come_back_and_a_bot_may(tmp_path: Path) -> None:
    sitting = whole(tmp_path)
    ben, _ = sitting.guests
    sitting.lobby.refuse(1)
    assert ben.closed == Code.DECLINED
    with pytest.raises(Refused) as caught:
        sitting.come(1)
    assert caught.value.code == Code.DECLINED
    bot = sitting.come(3, "recruit")
    sitting.lobby.refuse(1)
    assert bot.closed == Code.DECLINED
    sitting.come(3, "recruit")
    for seat in (0, 7, -1):
        with pytest.raises(NotNow, match=Why.NOBODY_THERE.value):
            sitting.lobby.refuse(seat)
    assert sitting.lobby.listing.places[1] is not None
    assert sitting.lobby.listing.places[1].bot == "recruit"


def test_a_full_table_lets_nobody_else_in_and_our_own_key_never(tmp_path: Path) -> None:
    sitting = whole(tmp_path)
    with pytest.raises(Refused) as caught:
        sitting.come(3)
    assert caught.value.code == Code.NO_SEAT
    sitting.owners.append(sitting.host)
    with pytest.raises(Refused) as caught:
        sitting.come(5)
    assert caught.value.code == Code.SAME_PLAYER


# Guests who vanish


STEPS = ("before its yes", "after its yes", "before it has the genesis", "before its signature", "after it")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("again", [False, True])
def test_row_51_a_guest_that_vanishes_before_all_have_agreed_costs_nothing(
    tmp_path: Path, step: str, again: bool
) -> None:
    """The others are asked anew, with the same guest or another one, and nothing stays on any disk."""
    sitting = whole(tmp_path, 4)
    ben, cleo, dan = sitting.guests
    if step != STEPS[0]:
        ben.visit.agree(seen(ben).number)
        sitting.settle()
    if STEPS.index(step) >= 2:
        sitting.agree(cleo, dan)
        for end in (ben, cleo, dan):
            sitting.hear(end)
        assert sitting.lobby.founding
        for end in (cleo, dan):
            sitting.tell_all(end)
            sitting.hear(end)
        assert sitting.folders() == [0, 0, 1, 1, 0]
    if STEPS.index(step) >= 3:
        sitting.tell_all(ben)
    if step == STEPS[4]:
        ben.outgoing.clear()  # on its way when the connection broke
    sitting.go(ben)
    sitting.settle()
    assert not sitting.lobby.founding
    assert sitting.folders(sitting.host, cleo.owner, dan.owner) == [0, 0, 0]
    late = sitting.come(1 if again else 4)
    sitting.agree(cleo, dan, late)
    sitting.settle()
    assert begun(sitting)
    assert sitting.folders(sitting.host, cleo.owner, dan.owner, late.owner)[:3] == [1, 1, 1]


def test_a_match_that_was_void_and_the_next_one_share_no_secret(tmp_path: Path) -> None:
    """Who saw the first genesis must not know a nonce or an anchor of the second one."""
    sitting = whole(tmp_path)
    ben, cleo = sitting.guests
    sitting.agree()
    for end in (ben, cleo):
        sitting.hear(end)
    first = sitting.lobby.founding_match
    for end in (ben, cleo):
        sitting.tell_all(end)
    sitting.go(cleo)
    sitting.come(3)
    sitting.agree()
    sitting.settle()
    assert begun(sitting)
    store = sitting.lobby.store
    assert first is not None
    assert store is not None
    second = genesis.parse(store.genesis, {TOY.name: TOY})
    for part in ("nonce", "anchor"):
        old = {getattr(player, part) for player in first.players}
        assert not old & {getattr(player, part) for player in second.players}


def test_guests_see_the_clock_and_the_match_has_it(tmp_path: Path) -> None:
    clock = TimeControl(900, 10)
    sitting = Sitting(tmp_path, 2, clock=clock)
    sitting.come(1)
    sitting.settle()
    (guest,) = sitting.guests
    assert (seen(guest).pace, seen(guest).clock) == (Pace.LIVE, clock)
    sitting.agree()
    sitting.settle()
    assert sitting.lobby.store is not None
    match = genesis.parse(sitting.lobby.store.genesis, {TOY.name: TOY})
    assert match.clock == clock
    assert seen(guest).proposes(match)
    assert not replace(seen(guest), clock=TimeControl(900, 11)).proposes(match)
    assert not replace(seen(guest), clock=None).proposes(match)


def test_guests_see_profile_and_pace_and_the_match_has_them(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, 3, proofs=True, pace=Pace.DAY)
    sitting.come(1)
    sitting.come(2)
    sitting.settle()
    assert all((seen(end).proofs, seen(end).pace) == (True, Pace.DAY) for end in sitting.guests)
    sitting.agree()
    sitting.settle()
    assert begun(sitting)
    assert sitting.lobby.store is not None
    match = genesis.parse(sitting.lobby.store.genesis, {TOY.name: TOY})
    assert (match.proofs, match.pace) == (True, Pace.DAY)


@pytest.mark.parametrize("levels", [("recruit", "recruit"), ("recruit", "")], ids=["bots alone", "a guest"])
def test_decisions_can_be_taken_back_where_one_player_alone_is_no_bot(
    tmp_path: Path, levels: tuple[str, str]
) -> None:
    sitting = Sitting(tmp_path, 3)
    for number, level in enumerate(levels, 1):
        sitting.come(number, level).visit.takebacks = bool(level)
    sitting.agree()
    sitting.settle()
    assert begun(sitting)
    assert sitting.lobby.store is not None
    match = genesis.parse(sitting.lobby.store.genesis, {TOY.name: TOY})
    assert match.takebacks == all(levels)


@pytest.mark.parametrize("liar", ["guest", "host"])
def test_row_124_no_person_joins_a_match_with_takebacks_whoever_is_called_a_bot(
    tmp_path: Path, liar: str
) -> None:
    sitting = Sitting(tmp_path, 2)
    guest = sitting.come(1)
    listing = sitting.lobby.listing
    called = 1 if liar == "guest" else 0
    places = tuple(
        place and replace(place, bot="recruit" if seat == called else "")
        for seat, place in enumerate(listing.places)
    )
    guest.incoming.clear()
    with pytest.raises(Malformed):
        guest.visit.received(replace(listing, places=places).frame)
    assert guest.visit.listing is None


def test_row_124_a_genesis_with_takebacks_is_none_that_people_agreed_to(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, 2)
    sitting.come(1)
    sitting.agree()
    sitting.settle()
    assert sitting.lobby.store is not None
    match = genesis.parse(sitting.lobby.store.genesis, {TOY.name: TOY})
    assert seen(sitting.guests[0]).proposes(match)
    assert not seen(sitting.guests[0]).proposes(replace(match, takebacks=True))


def test_a_lobby_for_a_profile_that_no_match_can_have_is_not_opened(tmp_path: Path) -> None:
    host = toy_owner(tmp_path, "Ada")
    terms = Terms(TOY, TOY.options({}), 3, escrow=2)
    with pytest.raises(Malformed):
        Lobby(host, terms, lambda _: Route(), b"", lambda: 0.0)


def test_a_guest_that_asks_for_the_match_that_is_being_founded_voids_it(tmp_path: Path) -> None:
    """Its connection broke, so it asks by RESUME, hears no, and removes it: the others must not begin it."""
    sitting = whole(tmp_path)
    sitting.agree()
    for end in sitting.guests:
        sitting.hear(end)
    founding = sitting.lobby.founding_match
    assert founding is not None
    sitting.lobby.doubted(bytes(32), 1)
    assert sitting.lobby.founding
    sitting.lobby.doubted(founding.id, 1)
    sitting.settle()
    assert sitting.folders() == [0] * 5
    assert sitting.lobby.store is None


def test_a_yes_taken_back_while_the_match_is_founded_voids_it(tmp_path: Path) -> None:
    sitting = whole(tmp_path)
    ben, _ = sitting.guests
    sitting.agree()
    for end in sitting.guests:
        sitting.hear(end)
    ben.visit.take_back()
    sitting.settle()
    assert sitting.lobby.store is None
    assert sitting.folders() == [0] * 5
    sitting.agree()
    sitting.settle()
    assert begun(sitting)


def test_row_51_who_keeps_all_waiting_is_sent_away(tmp_path: Path) -> None:
    sitting = whole(tmp_path)
    ben, cleo = sitting.guests
    assert sitting.lobby.due == float("inf")
    sitting.agree(ben)
    sitting.settle()
    sitting.clock.now = limits.ANSWER_WITHIN - 1
    sitting.lobby.tick()
    assert cleo.closed is None
    sitting.clock.now = limits.ANSWER_WITHIN
    sitting.lobby.tick()
    assert [end.closed for end in (ben, cleo)] == [None, Code.TIMEOUT]
    dan = sitting.come(3)
    sitting.agree(ben, dan)
    sitting.hear(ben)
    sitting.hear(dan)
    sitting.tell_all(ben)
    sitting.hear(ben)
    sitting.clock.now += limits.AGREE_WITHIN
    sitting.lobby.tick()
    assert (ben.closed, dan.closed) == (None, Code.TIMEOUT)
    sitting.tell_all(ben)
    assert sitting.folders() == [0] * 5
    assert ben.visit.deadline == float("inf")


def test_a_guest_does_not_wait_for_ever_for_a_host_that_has_its_signature(tmp_path: Path) -> None:
    sitting = whole(tmp_path)
    ben, _ = sitting.guests
    sitting.agree()
    for end in sitting.guests:
        sitting.hear(end)
    sitting.tell_all(ben)
    assert ben.visit.deadline == limits.BEGIN_WITHIN
    assert not ben.visit.begun


# Disks


def test_row_30_a_match_is_on_the_guests_disk_before_it_signs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = whole(tmp_path)
    ben, _ = sitting.guests
    sitting.agree()
    for end in sitting.guests:
        sitting.hear(end)
    monkeypatch.setattr("os.rename", failing(errno.EIO))
    with pytest.raises(DiskFailed):
        sitting.tell_all(ben)
    assert not [frame for frame in ben.outgoing if frame.kind == STATEMENT]


def test_row_30_the_host_tells_nobody_of_a_match_that_it_cannot_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting, ben, cleo = founded(tmp_path)
    for end in (ben, cleo):
        sitting.tell_all(end)
    sitting.hear(ben)
    monkeypatch.setattr("os.rename", failing(errno.ENOSPC))
    with pytest.raises(StorageFailure):
        sitting.hear(cleo)
    assert sitting.lobby.store is None
    assert not any(end.incoming for end in sitting.guests)


def test_row_128_no_guest_hears_that_a_match_is_void_that_may_stand_on_the_hosts_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting, ben, cleo = founded(tmp_path)
    for end in (ben, cleo):
        sitting.tell_all(end)
    sitting.hear(ben)
    match, lobby = sitting.lobby.founding_match, sitting.lobby
    assert match is not None
    assert lobby.signed is None
    monkeypatch.setattr(Home, "open", failing_disk)
    with pytest.raises(DiskFailed):
        sitting.hear(cleo)
    assert sitting.folders(sitting.host) == [1], "it is there, with the AGREE of every seat"
    lobby.doubted(match.id, 1)
    with pytest.raises(NotNow):
        lobby.refuse(1)
    assert ben.closed is None
    sitting.go(cleo)
    sitting.clock.now += 2 * limits.AGREE_WITHIN
    lobby.tick()
    assert not ben.incoming
    assert lobby.signed == match, "who asks for it is to call again"


def test_row_128_nor_one_that_has_begun_where_the_host_cannot_play_on(tmp_path: Path) -> None:
    """Its disk fails behind the last AGREE, which the guests hear while the host's program is ending."""
    sitting, ben, cleo = founded(tmp_path)
    match, lobby = sitting.lobby.founding_match, sitting.lobby
    for end in (ben, cleo):
        sitting.tell_all(end)
        sitting.hear(end)
    assert lobby.store is not None
    assert lobby.signed == match, "who asks for it is to call again"


def failing_disk(*_: object) -> None:
    raise DiskFailed("there", errno.EIO)


# Where everybody listens


def test_row_51_whoever_holds_a_match_that_has_begun_can_find_all_others_without_the_host(
    tmp_path: Path,
) -> None:
    """The host can be gone for good after any frame."""
    sitting = whole(tmp_path, 4)
    sitting.agree()
    for end in sitting.guests:
        sitting.hear(end)
    for end in sitting.guests:
        sitting.tell_all(end)
        sitting.hear(end)
    store = sitting.lobby.store
    assert store is not None
    assert store.route.others == places(sitting, sitting.host)
    for end in sitting.guests:
        while sitting.tell(end):
            if end.visit.begun:
                break
        assert end.visit.store is not None
        assert end.visit.store.route.others == places(sitting, end.owner)
    assert begun(sitting)


# Everything at once


@given(seats=st.integers(2, 5), seed=st.randoms(use_true_random=False))
@examples(24, 240)
def test_however_it_comes_about_all_play_the_same_match_or_none(
    tmp_path_factory: pytest.TempPathFactory, seats: int, seed: Random
) -> None:
    """Guests come, go, say yes and take it back, seats are swapped, frames cross; then all say yes."""
    sitting = Sitting(tmp_path_factory.mktemp("sitting"), seats)
    for _ in range(40):
        if sitting.lobby.store is not None:
            break
        act(sitting, seed)
    if sitting.lobby.store is None:
        for number in range(1, seats):
            known = {end.owner.name for end in sitting.guests if end.closed is None}
            if sitting.owners[number - 1].name not in known and not sitting.lobby.listing.full:
                sitting.come(number)
        for end in list(sitting.guests):
            if end.closed is not None:
                sitting.guests.remove(end)
        sitting.settle()
        if sitting.lobby.store is None:
            sitting.agree(*[end for end in sitting.guests if not end.visit.ready])
    sitting.settle()
    assert begun(sitting)
    for end in sitting.guests:
        assert len(end.owner.home.games()) >= 1


def act(sitting: Sitting, chance: Random) -> None:
    """One thing that may happen."""
    ends = [end for end in sitting.guests if end.closed is None]
    end = chance.choice(ends) if ends else None
    what = chance.randrange(9)
    if end is None or (what == 0 and not sitting.lobby.listing.full):
        away = [
            n for n in range(1, 5) if sitting.owners[n - 1].name not in {guest.owner.name for guest in ends}
        ]
        if not sitting.lobby.listing.full:
            sitting.come(chance.choice(away))
    elif what == 1:
        end.visit.set_aside()
        sitting.go(end)
    elif what == 2:
        seats: list[Seat] = chance.choices(range(sitting.lobby.terms.seats), k=2)
        sitting.lobby.swap(*seats)
    elif what == 3 and end.visit.ready:
        end.visit.take_back()
    elif what == 4 and sitting.lobby.listing.full:
        sitting.lobby.start()
    elif what in (5, 6):
        if end.visit.listing is not None and end.visit.listing.full:
            end.visit.agree(end.visit.listing.number)
    elif what == 7:
        sitting.tell(end)
    else:
        sitting.hear(end)
