"""A meeting without an invite: who gets in, and what somebody in the middle can do (row 84)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.channel.channel import MEET, MET, SAME, SHOW
from protocol.crypto.keys import Identity
from protocol.errors import Forged, Malformed
from protocol.failures import Code, NotTheSame, Refused
from protocol.lobby import meeting
from protocol.lobby.handshake import HostSide, JoinerSide
from protocol.lobby.meeting import CallerMeeting, HostMeeting, Meeting, Meetings
from protocol.network import guest
from protocol.network.host import Host
from protocol.network.link import Link, call_unknown
from protocol.network.peer import Peer
from protocol.storage.home import Owner
from protocol.wire.encoding import Frame, decode, encode
from tests.helpers.links.introductions import ADA, BEN, CERTIFICATE, EVE, OTHER_CERTIFICATE
from tests.helpers.links.peers import TERMS, assert_refused, here, hosting, owner, yes

N = [bytes([number]) * 32 for number in range(8)]


def host_side(binding: bytes = CERTIFICATE) -> tuple[HostSide, JoinerSide]:
    host = HostSide(binding, N[0])
    return host, JoinerSide(binding, host.challenge)


def met(
    binding: bytes = CERTIFICATE, host: Identity = ADA, caller: Identity = BEN
) -> tuple[Meeting, Meeting]:
    """Both ends of a whole meeting: the host's and the caller's."""
    side, other = host_side(binding)
    came = CallerMeeting(other, caller, "Ben", N[1])
    here = HostMeeting(side, came.meet)
    show, there = came.met(here.met(host, "Ada", N[2]))
    return here.shown(show), there


def test_both_ends_see_the_same_digits_and_prove_their_keys() -> None:
    host, caller = met()
    assert host.digits == caller.digits
    assert len(host.digits.replace(" ", "")) == 6
    assert (host.other.name, caller.other.name) == ("Ben", "Ada")
    host.check(caller.same(BEN))
    caller.check(host.same(ADA))


def test_no_end_takes_its_own_word_or_one_from_elsewhere() -> None:
    host, caller = met()
    elsewhere, _ = met(OTHER_CERTIFICATE)
    for end, word in ((host, host.same(ADA)), (caller, caller.same(BEN)), (host, caller.same(EVE))):
        with pytest.raises(Forged):
            end.check(word)
    with pytest.raises(Forged):
        elsewhere.check(caller.same(BEN))
    for wrong in (Frame(SAME, b""), Frame(SHOW, caller.same(BEN).payload)):
        with pytest.raises(Malformed):
            host.check(wrong)


def test_row_125_the_word_of_a_known_key_counts_on_its_own_connection_alone() -> None:
    """Eve stands between two who know each other: nobody compares, and she passes both SAMEs on."""
    at_ada, of_eve = met(CERTIFICATE, ADA, BEN)
    of_eve_too, at_ben = met(OTHER_CERTIFICATE, ADA, BEN)
    assert at_ada.other.key == BEN.key
    assert at_ben.other.key == ADA.key
    with pytest.raises(Forged):
        at_ada.check(at_ben.same(BEN))
    with pytest.raises(Forged):
        at_ben.check(at_ada.same(ADA))
    for end in (of_eve.same(EVE), of_eve_too.same(EVE)):
        with pytest.raises(Forged):
            at_ada.check(end)


def test_nobody_meets_itself() -> None:
    with pytest.raises(Refused):
        met(host=BEN)
    _, other = host_side()
    caller_meeting = CallerMeeting(other, BEN, "Ben", N[1])
    with pytest.raises(Refused):
        caller_meeting.met(Frame(MET, encode([BEN.key, "Ada", N[2]])))


# Row 84: somebody in the middle


def test_row_84_a_commitment_opens_to_one_nonce_key_name_and_connection() -> None:
    host, joiner = host_side()
    came = CallerMeeting(joiner, BEN, "Ben", N[1])
    here = HostMeeting(host, came.meet)
    here.met(ADA, "Ada", N[2])
    with pytest.raises(Malformed):
        here.shown(Frame(SHOW, encode([N[3]])))
    match decode(came.meet.payload):
        case [version, key, name, commitment]:
            pass
        case _:
            raise AssertionError
    for wrong in ([version, EVE.key, name, commitment], [version, key, "Eve", commitment]):
        other = HostMeeting(host, Frame(MEET, encode(wrong)))
        other.met(ADA, "Ada", N[2])
        with pytest.raises(Malformed):
            other.shown(Frame(SHOW, encode([N[1]])))
    elsewhere = HostMeeting(HostSide(OTHER_CERTIFICATE, N[0]), came.meet)
    elsewhere.met(ADA, "Ada", N[2])
    with pytest.raises(Malformed):
        elsewhere.shown(Frame(SHOW, encode([N[1]])))


@given(st.integers(0, 3), st.integers(0, 2000), st.integers(0, 7))
def test_row_84_every_bit_of_what_is_said_is_in_the_digits(which: int, at: int, bit: int) -> None:
    parts: list[bytes] = [CERTIFICATE, b"challenge", b"meet", b"met", b"show"]
    other = list(parts)
    changed = bytearray(other[which])
    changed[at % len(changed)] ^= 1 << bit
    other[which] = bytes(changed)
    assert meeting.short_hash(encode(list(parts))) != meeting.short_hash(encode(list(other)))


class Middle:
    """Eve between Ben, who calls, and Ada, who hosts: each step when she likes, with all that she knows."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.ada = HostSide(CERTIFICATE, rng.randbytes(32))
        self.eve_hosts = HostSide(OTHER_CERTIFICATE, rng.randbytes(32))
        self.ben = CallerMeeting(
            JoinerSide(OTHER_CERTIFICATE, self.eve_hosts.challenge), BEN, "Ben", rng.randbytes(32)
        )
        self.shown_to_ben: Meeting | None = None
        self.seen_by_eve: Meeting | None = None
        self.to_ada: HostMeeting | None = None
        self.eve: CallerMeeting | None = None
        self.ben_shows: Frame | None = None
        self.eve_shows: Frame | None = None
        self.shown_to_ada: Meeting | None = None

    def answer_ben(self, nonce: bytes | None = None) -> None:
        """Eve says MET; Ben sees digits, and shows his nonce."""
        as_host = HostMeeting(self.eve_hosts, self.ben.meet)
        self.ben_shows, self.shown_to_ben = self.ben.met(
            as_host.met(EVE, "Ada", nonce or self.rng.randbytes(32))
        )

    def call_ada(self) -> None:
        """Eve says MEET, and learns Ada's nonce."""
        self.eve = CallerMeeting(
            JoinerSide(CERTIFICATE, self.ada.challenge), EVE, "Ben", self.rng.randbytes(32)
        )
        self.to_ada = HostMeeting(self.ada, self.eve.meet)
        self.eve_shows, self.seen_by_eve = self.eve.met(self.to_ada.met(ADA, "Ada", self.rng.randbytes(32)))

    def show_ada(self) -> None:
        """Eve says SHOW; Ada sees digits."""
        assert self.to_ada is not None
        assert self.eve_shows is not None
        self.shown_to_ada = self.to_ada.shown(self.eve_shows)

    @property
    def fooled(self) -> bool:
        """Whether Ada and Ben see the same digits."""
        assert self.shown_to_ada is not None
        assert self.shown_to_ben is not None
        return self.shown_to_ada.digits == self.shown_to_ben.digits


STEPS: tuple[Callable[[Middle], None], ...] = (Middle.answer_ben, Middle.call_ada, Middle.show_ada)


def orders() -> Iterator[tuple[Callable[[Middle], None], ...]]:
    """All orders in which the steps can be made: to show one's nonce, one has to have committed to it."""
    for order in permutations(STEPS):
        if order.index(Middle.call_ada) < order.index(Middle.show_ada):
            yield order


@pytest.mark.parametrize("order", list(orders()))
def test_row_84_who_stands_between_fools_two_by_chance_alone(
    order: tuple[Callable[[Middle], None], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a model with 64 strings instead of a million, one try in 64 succeeds, in every order."""
    monkeypatch.setattr(meeting, "STRINGS", 64)
    rng, fooled, tries = random.Random(f"{order}"), 0, 640
    for _ in range(tries):
        middle = Middle(rng)
        for step in order:
            step(middle)
        fooled += middle.fooled
    assert 2 <= fooled <= 22  # 10 are expected; 3.8 standard deviations above


def test_row_84_without_the_commitment_who_stands_between_would_find_a_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The model finds an attack where there is one: a nonce that is chosen after the other was shown."""
    monkeypatch.setattr(meeting, "STRINGS", 64)
    middle = Middle(random.Random(1))
    middle.call_ada()
    middle.show_ada()
    for number in range(1000):
        middle.answer_ben(number.to_bytes(32, "big"))  # as if Ben showed his nonce first each time
        if middle.fooled:
            break
    assert middle.fooled


def test_row_84_each_meeting_that_got_our_nonce_and_came_to_nothing_is_a_try() -> None:
    """Else somebody in between could hang up until the digits fit."""
    meetings = Meetings()
    with pytest.raises(Refused):
        meetings.begin(b"closed")
    meetings.open = True
    for at, connection in ((0.0, b"1"), (1.0, b"2"), (2.0, b"3")):
        meetings.begin(connection)
        with pytest.raises(Refused):
            meetings.begin(b"at the same time")
        meetings.ended(b"another", at)
        meetings.ended(connection, at)
    assert meetings.stopped
    with pytest.raises(Refused):
        meetings.begin(b"4")
    meetings.allow()
    meetings.begin(b"5")
    meetings.met(b"5")
    meetings.ended(b"5", 3.0)
    for later in (10.0, 20.0, 620.5):  # the first is forgotten by then
        meetings.begin(b"6")
        meetings.ended(b"6", later)
    assert not meetings.stopped


# Over real links


async def approached(nursery: trio.Nursery, host: Host, own: Owner) -> guest.Approach:
    return await guest.approach(nursery, own, here(host))


def asking(host: Host, answer: Callable[[meeting.Encounter], None]) -> None:
    """What the host's player does about whoever comes."""
    host.desk.meetings.open = True

    def change() -> None:
        if host.encounter is not None and host.encounter.same is None:
            answer(host.encounter)

    host.on_encounter = change


@pytest.mark.parametrize("familiar", [False, True])
async def test_two_meet_without_an_invite_and_play(ada: Owner, ben: Owner, *, familiar: bool) -> None:
    """The host's person compares; or its program knows the key, and answers once that is proven."""
    async with hosting(ada) as (nursery, host, _):
        seen: list[str] = []

        def compare(encounter: meeting.Encounter) -> None:
            seen.append(encounter.meeting.digits)
            if familiar:
                encounter.on_proof = partial(encounter.answer, same=True)
            else:
                encounter.answer(same=True)

        asking(host, compare)
        peers: list[Peer] = []

        async def come() -> None:
            approach = await approached(nursery, host, ben)
            seen.append(approach.encounter.meeting.digits)
            approach.encounter.answer(same=True)
            visitor = await approach.visitor()
            peers.append(await visitor.agreeing(lambda _: yes(visitor.visit)))

        async with trio.open_nursery() as both:
            both.start_soon(come)
            peers.append(await host.meet(TERMS, yes))
        assert seen[0] == seen[1]
        assert peers[0].replica.match.body == peers[1].replica.match.body
        guests = next(peer for peer in peers if peer.replica.seat == 1)
        [place] = guests.replica.route.others.values()
        assert place.certificate == host.desk.certificate.hash  # pinned from now on
        assert not host.desk.meetings.stopped
        assert host.encounter is None


async def test_row_84_over_two_real_connections_both_persons_see_other_digits(
    ada: Owner, ben: Owner, tmp_path: Path
) -> None:
    """Eve answers Ben in Ada's name, and calls Ada in Ben's: names prove nothing, the digits do."""
    eve = owner(tmp_path / "eve", "Eve")
    as_host, as_guest = (replace(eve, name=name) for name in ("Ada", "Ben"))
    async with hosting(ada) as (nursery, host, _), hosting(as_host) as (others, middle, _):
        asking(host, lambda _: None)
        asking(middle, lambda _: None)
        fooled = await approached(others, middle, ben)
        calling = await approached(nursery, host, as_guest)
        await until_met(host)
        assert host.encounter is not None
        at_ada, at_ben = host.encounter.meeting, fooled.encounter.meeting
        assert (at_ada.other.name, at_ben.other.name) == ("Ben", "Ada")
        assert at_ada.other.key == at_ben.other.key == as_host.identity.key
        assert at_ada.digits == calling.encounter.meeting.digits
        assert at_ada.digits != at_ben.digits


async def test_who_sees_other_digits_says_so_and_both_are_told(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, _):
        asking(host, lambda encounter: encounter.answer(same=False))
        approach = await approached(nursery, host, ben)
        approach.encounter.answer(same=True)
        await assert_refused(Code.DIFFERENT, approach.visitor)
        asking(host, lambda encounter: encounter.answer(same=True))
        approach = await approached(nursery, host, ben)
        approach.encounter.answer(same=False)
        with pytest.raises(NotTheSame):
            await approach.visitor()


async def test_row_84_a_host_takes_three_failed_meetings_and_one_at_a_time(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, _):
        await assert_refused(Code.BUSY, lambda: approached(nursery, host, ben))
        asking(host, lambda _: None)
        approach = await approached(nursery, host, ben)
        await assert_refused(Code.BUSY, lambda: approached(nursery, host, ben))
        approach.give_up()
        await quiet(host)
        for _ in range(2):
            link, _ = await call_unknown(nursery, here(host))
            await hang_up_early(link, ben)
            await quiet(host)
        assert host.desk.meetings.stopped
        await assert_refused(Code.BUSY, lambda: approached(nursery, host, ben))
        host.desk.meetings.allow()
        approach = await approached(nursery, host, ben)
        approach.give_up()


async def hang_up_early(link: Link, own: Owner) -> None:
    """Go away with the host's nonce, before anybody sees digits."""
    challenge = (await link.receive())[0]
    came = CallerMeeting(JoinerSide(link.binding, challenge), own.identity, own.name, N[1])
    link.send(bytes(came.meet))
    await link.receive()
    link.close(Code.LEFT)
    await link.gone.wait()


async def quiet(host: Host) -> None:
    """Wait until nobody meets the host."""
    while host.desk.meetings.under_way is not None:
        await trio.lowlevel.checkpoint()


@pytest.mark.parametrize("forged", [True, False])
async def test_row_84_who_does_not_hold_the_key_it_names_is_not_let_in(
    ada: Owner, ben: Owner, *, forged: bool
) -> None:
    async with hosting(ada) as (nursery, host, _):
        asking(host, lambda encounter: encounter.answer(same=True))
        link, _ = await call_unknown(nursery, here(host))
        came = CallerMeeting(JoinerSide(link.binding, (await link.receive())[0]), ben.identity, "Ben", N[1])
        link.send(bytes(came.meet))
        show, there = came.met((await link.receive())[0])
        link.send(bytes(show))
        await link.receive()
        link.send(bytes(there.same(EVE) if forged else show))
        await assert_lost(link, Code.PROTOCOL)
        assert host.lobby is None


async def assert_lost(link: Link, code: Code) -> None:
    async def read_on() -> None:
        while True:
            await link.receive()

    await assert_refused(code, read_on)


async def test_a_blocked_player_meets_nobody(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, _):
        asking(host, lambda _: None)
        ada.home.remember(ben.identity.key, "Ben")
        ada.home.change_contact(ben.identity.key, lambda known: replace(known, blocked=True))
        await assert_refused(Code.BUSY, lambda: approached(nursery, host, ben))  # as if nobody were met
        assert host.encounter is None


async def test_nobody_waits_for_ever_for_another_person(
    ada: Owner, ben: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MEET_WITHIN", 0.0)
    async with hosting(ada) as (nursery, host, _):
        asking(host, lambda _: None)
        approach = await approached(nursery, host, ben)
        approach.encounter.answer(same=True)
        await assert_refused(Code.TIMEOUT, approach.visitor)


@pytest.mark.parametrize("first", ["host", "guest"])
async def test_the_person_who_decides_last_is_waited_for(ada: Owner, ben: Owner, first: str) -> None:
    async with hosting(ada) as (nursery, host, _):
        lobby = host.open(TERMS)
        asking(host, lambda _: None)
        approach = await approached(nursery, host, ben)
        await until_met(host)
        assert host.encounter is not None
        ends = [host.encounter, approach.encounter]
        visitors: list[guest.Visitor] = []

        async def come() -> None:
            visitors.append(await approach.visitor())

        async with trio.open_nursery() as coming:
            coming.start_soon(come)
            for end in ends if first == "host" else ends[::-1]:
                await trio.testing.wait_all_tasks_blocked(0.01)
                assert visitors == []
                end.answer(same=True)
                end.answer(same=False)  # the first word counts
        while not lobby.listing.full:
            await trio.lowlevel.checkpoint()
        assert all(end.agreed for end in ends)


async def test_who_goes_away_before_both_have_said_the_same_ends_the_meeting(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, _):
        asking(host, lambda _: None)
        approach = await approached(nursery, host, ben)
        await until_met(host)
        assert host.encounter is not None
        host.encounter.dismiss(Code.LEFT)
        await assert_refused(Code.LEFT, approach.visitor)


async def test_who_goes_on_before_the_other_person_has_decided_is_refused(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, _):
        asking(host, lambda _: None)
        approach = await approached(nursery, host, ben)
        approach.encounter.answer(same=True)
        approach.link.send(bytes(approach.encounter.meeting.same(ben.identity)))
        await assert_refused(Code.PROTOCOL, approach.visitor)
        await quiet(host)


async def until_met(host: Host) -> None:
    while host.encounter is None:
        await trio.lowlevel.checkpoint()
