"""Friends over TLS on loopback: they tell each other of their doors in a match, and one asks the other for
another game without an invite; and who is refused there (row 90).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import trio

from protocol.channel import tls
from protocol.channel.channel import FRIEND
from protocol.errors import Refusal
from protocol.failures import Code, NetworkFailure, Refused
from protocol.limits import MAX_DOORS
from protocol.lobby.friends import Asks, friend_frame
from protocol.lobby.guest_lobby import Visit
from protocol.lobby.introductions import AskingFriend
from protocol.network import guest
from protocol.network.caller import ring
from protocol.network.host import Host, listen
from protocol.network.link import Link, call_unknown
from protocol.network.peer import Peer
from protocol.network.transport import choice
from protocol.storage.contacts import Contact, Door
from protocol.storage.home import Home, Owner
from protocol.wire.addresses import Address, Endpoint
from protocol.wire.encoding import Frame
from tests.helpers.links.peers import (
    CERTIFICATE,
    HANGING,
    LOOPBACK,
    TERMS,
    assert_refused,
    here,
    meet_locally,
    owner,
    play_out,
    running,
    until,
    yes,
)

NOWHERE = (Endpoint("192.0.2.1", 4000),)


def acquaint(person: Owner, other: Owner) -> None:
    """Each has met the other."""
    for own, met in ((person, other), (other, person)):
        own.home.remember(met.identity.key, met.name)


def contact(of: Owner, who: Owner) -> Contact:
    known = of.home.contacts().of(who.identity.key)
    assert known is not None
    return known


def befriend(waiting: Owner, asker: Owner, at: tuple[Address, ...]) -> Contact:
    """`asker` may ask `waiting` at its door; that friend, as the asker knows it."""
    acquaint(waiting, asker)
    waiting.home.change_contact(asker.identity.key, lambda known: replace(known, friend=True))
    door = Door(at, waiting.home.doorstep().ticket(asker.identity.key))
    change = asker.home.change_contact(waiting.identity.key, lambda known: replace(known, door=door))
    assert change is not None
    return change


@dataclass
class Waiting:
    """Ada's door, and the friends who have asked there."""

    host: Host
    came: trio.MemoryReceiveChannel[tuple[Link, AskingFriend]]

    @property
    def asks(self) -> Asks:
        assert self.host.desk.asks is not None
        return self.host.desk.asks


@asynccontextmanager
async def waiting(own: Owner) -> AsyncIterator[tuple[trio.Nursery, Waiting]]:
    """A door at which friends may ask."""
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            host = await listen(nursery, own, CERTIFICATE, interfaces=[LOOPBACK])
            host.desk.addresses = here(host)
            host.desk.asks = Asks()
            send, receive = trio.open_memory_channel[tuple[Link, AskingFriend]](10)
            host.on_asked = lambda link, asking: send.send_nowait((link, asking))
            yield nursery, Waiting(host, receive)
            nursery.cancel_scope.cancel()


async def knock(nursery: trio.Nursery, own: Owner, friend: Contact) -> Link:
    link, _ = await ring(nursery, own, friend, None, choice.STANDARD)
    return link


# In a match


async def test_who_is_let_in_is_told_where_and_keeps_it_and_nobody_else_is_told(
    nursery: trio.Nursery, ada: Owner, ben: Owner
) -> None:
    acquaint(ada, ben)
    peers = meet_locally(nursery, ada, ben)
    for peer, port in zip(peers, (4001, 4002), strict=True):
        peer.replica.friends.standing = (Endpoint("192.0.2.1", port),)
    heard: list[bytes] = []
    peers[1].replica.friends.on_friend = heard.append
    async with running(*peers):
        await until(peers[0], lambda: peers[0].replica.connected and peers[0].replica.exchange.compared)
        peers[0].replica.exchange.befriend(1)
        await until_told(heard)
    assert heard == [ada.identity.key]
    door = contact(ben, ada).door
    assert door == Door((Endpoint("192.0.2.1", 4001),), ada.home.doorstep().ticket(ben.identity.key))
    assert contact(ada, ben).friend
    assert contact(ada, ben).door is None, "Ben has let nobody ask him"
    assert not contact(ben, ada).friend


async def until_told(heard: list[bytes], number: int = 1) -> None:
    while len(heard) < number:
        await trio.lowlevel.checkpoint()


async def test_a_friend_is_told_again_on_every_link_for_the_door_may_have_moved(
    nursery: trio.Nursery, ada: Owner, ben: Owner
) -> None:
    befriend(ada, ben, NOWHERE)
    peers = meet_locally(nursery, ada, ben)
    moved = (Endpoint("192.0.2.7", 4007),)
    peers[0].replica.friends.standing = moved
    heard: list[bytes] = []
    peers[1].replica.friends.on_friend = heard.append
    with trio.fail_after(HANGING):
        async with running(*peers):
            while (door := contact(ben, ada).door) is None or door.addresses != moved:
                await trio.lowlevel.checkpoint()
    assert heard == [], "our player knew before that it may ask"


async def test_nobody_is_told_who_is_no_friend_or_blocked_or_while_we_listen_nowhere(
    nursery: trio.Nursery, ada: Owner, ben: Owner
) -> None:
    acquaint(ada, ben)
    friends = meet_locally(nursery, ada, ben)[0].replica.friends
    assert friends.frame_for(ben.identity.key) is None
    friends.let_ask(ben.identity.key)
    assert friends.frame_for(ben.identity.key) is None
    friends.standing = NOWHERE
    assert friends.frame_for(ben.identity.key) is not None
    ada.home.change_contact(ben.identity.key, lambda known: replace(known, blocked=True))
    assert friends.frame_for(ben.identity.key) is None


async def test_what_is_told_of_doors_is_kept_of_contacts_only_and_not_without_end(
    nursery: trio.Nursery, ada: Owner, ben: Owner
) -> None:
    friends = meet_locally(nursery, ada, ben)[0].replica.friends
    key = ben.identity.key

    def tell(number: int) -> None:
        door = Door((Endpoint("192.0.2.1", number),), b"t" * 16)
        friends.receive(key, friend_frame(door).payload)
        friends.keep()

    tell(1)
    assert ada.home.contacts().all == ()
    acquaint(ada, ben)
    ada.home.change_contact(key, lambda known: replace(known, blocked=True))
    tell(1)
    assert contact(ada, ben).door is None
    ada.home.change_contact(key, lambda known: replace(known, blocked=False))
    tell(1)
    tell(1)  # said again on each new link: nothing new
    assert contact(ada, ben).door == Door((Endpoint("192.0.2.1", 1),), b"t" * 16)
    for number in range(4, MAX_DOORS + 10):
        tell(number)
    door = contact(ada, ben).door
    assert door is not None
    assert door.addresses == (Endpoint("192.0.2.1", MAX_DOORS),)


@pytest.mark.parametrize("payload", [b"", b"\x80", friend_frame(Door(NOWHERE, b"t" * 15)).payload])
async def test_a_hostile_word_about_a_door_ends_the_link_and_nothing_else(
    nursery: trio.Nursery, ada: Owner, ben: Owner, payload: bytes
) -> None:
    acquaint(ada, ben)
    peers = meet_locally(nursery, ada, ben)
    async with running(*peers):
        await until(peers[0], lambda: peers[0].replica.exchange.compared)
        with pytest.raises(Refusal):
            peers[0].replica.received([Frame(FRIEND, payload)])
        assert peers[0].replica.session.fault is None
    assert contact(ada, ben).door is None


# At the door


async def test_after_a_game_one_plays_again_with_the_other_without_an_invite(
    nursery: trio.Nursery, ada: Owner, ben: Owner
) -> None:
    acquaint(ada, ben)
    async with waiting(ada) as (inner, door):
        first = meet_locally(inner, ada, ben)
        first[0].replica.friends.standing = here(door.host)
        async with running(*first):
            await until(first[0], lambda: first[0].replica.exchange.compared)
            first[0].replica.exchange.befriend(1)
            await play_out(first)
        host = await listen(inner, ben, tls.make(), interfaces=[LOOPBACK])
        host.desk.addresses = here(host)
        matches: list[Peer] = []

        async def answer() -> None:
            link, asking = await door.came.receive()
            assert asking.person.key == ben.identity.key
            visitor = guest.visit_asker(inner, link, asking, door.host.desk)
            visitor.on_seated = door.host.show
            matches.append(await visitor.agreeing(yes))

        async def ask() -> None:
            await host.ask(contact(ben, ada))

        async with trio.open_nursery() as asking:
            asking.start_soon(answer)
            asking.start_soon(ask)
            matches.append(await host.meet(TERMS, yes))
        assert matches[0].replica.match.body == matches[1].replica.match.body
        by_owner = sorted(matches, key=lambda peer: peer.replica.seat)
        async with running(*matches):
            await play_out((by_owner[0], by_owner[1]))
        places = [peer.replica.route.others[peer.replica.across] for peer in matches]
        assert {place.addresses for place in places} == {here(host), here(door.host)}


async def test_a_person_who_says_no_is_heard_and_not_asked_at_once_again(ada: Owner, ben: Owner) -> None:
    async with waiting(ada) as (nursery, door):
        friend = befriend(ada, ben, here(door.host))
        host = await listen(nursery, ben, tls.make(), interfaces=[LOOPBACK])

        async def no(_: Visit) -> bool:
            return False

        async def answer() -> None:
            link, asking = await door.came.receive()
            with pytest.raises(Refused):
                await guest.visit_asker(nursery, link, asking, door.host.desk).agreeing(no)
            door.asks.declined(asking.person.key, trio.current_time())
            door.asks.busy = False

        host.open(TERMS)
        async with trio.open_nursery() as asking:
            asking.start_soon(answer)
            await assert_refused(Code.DECLINED, lambda: host.ask(friend))
        await assert_refused(Code.DECLINED, lambda: host.ask(friend))
        with pytest.raises(trio.WouldBlock):
            door.came.receive_nowait()


async def test_row_90_strangers_blocked_and_forgotten_ones_are_refused_and_nobody_is_asked(
    ada: Owner, ben: Owner, tmp_path: Path
) -> None:
    async with waiting(ada) as (nursery, door):
        friend = befriend(ada, ben, here(door.host))
        eve = owner(tmp_path / "eve", "Eve")
        stranger = befriend(ada, eve, here(door.host))
        ada.home.change_contact(eve.identity.key, lambda known: replace(known, friend=False))
        await assert_refused(Code.UNKNOWN_INVITE, lambda: knock(nursery, eve, stranger))
        ada.home.change_contact(ben.identity.key, lambda known: replace(known, blocked=True))
        await assert_refused(Code.UNKNOWN_INVITE, lambda: knock(nursery, ben, friend))
        ada.home.change_contact(ben.identity.key, lambda _: None)
        await assert_refused(Code.UNKNOWN_INVITE, lambda: knock(nursery, ben, friend))
        door.host.desk.asks = None
        await assert_refused(Code.UNKNOWN_INVITE, lambda: knock(nursery, ben, friend))
        with pytest.raises(trio.WouldBlock):
            door.came.receive_nowait()


async def test_row_90_one_who_is_being_asked_or_plays_is_busy_for_the_next(
    ada: Owner, ben: Owner, tmp_path: Path
) -> None:
    async with waiting(ada) as (nursery, door):
        friend = befriend(ada, ben, here(door.host))
        eve = owner(tmp_path / "eve", "Eve")
        again = befriend(ada, eve, here(door.host))
        await knock(nursery, ben, friend)
        await door.came.receive()
        await assert_refused(Code.BUSY, lambda: knock(nursery, eve, again))


async def test_row_90_a_caller_with_a_stolen_ticket_never_rings(
    ada: Owner, ben: Owner, tmp_path: Path
) -> None:
    async with waiting(ada) as (nursery, door):
        friend = befriend(ada, ben, here(door.host))
        eve = replace(owner(tmp_path / "eve", "Eve"), name="Ben")
        acquaint(eve, ada)
        link = await knock(nursery, eve, friend)
        with pytest.raises((NetworkFailure, Refusal)):
            await link.receive()
        with pytest.raises(trio.WouldBlock):
            door.came.receive_nowait()


async def test_row_90_an_address_of_before_where_somebody_else_listens_now_only_costs_a_try(
    ada: Owner, ben: Owner, tmp_path: Path
) -> None:
    eve = replace(owner(tmp_path / "eve", "Eve"), name="Ada")
    async with waiting(ada) as (nursery, door), waiting(eve) as (_, other):
        befriend(eve, ben, ())  # Eve's door answers as a door does, but has other tickets
        friend = befriend(ada, ben, (*here(other.host), *here(door.host)))
        link = await knock(nursery, ben, friend)
        _, asking = await door.came.receive()
        assert asking.person.key == ben.identity.key
        link.close(Code.LEFT)


async def test_a_door_behind_a_restart_knows_its_friends_again(tmp_path: Path, ben: Owner) -> None:
    path = tmp_path / "ada"
    first = owner(path, "Ada")
    friend = befriend(first, ben, ())
    first.home.close()
    with Home(path) as home:
        ada = replace(first, home=home)
        async with waiting(ada) as (nursery, door):
            at = friend.door
            assert at is not None
            await knock(nursery, ben, replace(friend, door=replace(at, addresses=here(door.host))))
            _, asking = await door.came.receive()
            assert asking.person.name == "Ben"


async def test_row_90_to_knock_shows_a_stranger_no_certificate_of_before(ada: Owner, ben: Owner) -> None:
    """Every process has another one, so who tries all addresses finds nobody again by it."""
    seen = set()
    for _ in range(2):
        with trio.fail_after(HANGING):
            async with trio.open_nursery() as nursery:
                host = await listen(nursery, ada, tls.make(), interfaces=[LOOPBACK])
                _, place = await call_unknown(nursery, here(host))
                seen.add(place.certificate)
                nursery.cancel_scope.cancel()
    assert len(seen) == 2
