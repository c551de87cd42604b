"""Three and more who sit down over loopback: one invite, lost connections, and spectators."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing

from protocol.channel import tls
from protocol.failures import Code, InviteOfAnotherKind, NetworkFailure, Refused
from protocol.lobby.guest_lobby import Visit
from protocol.lobby.handshake import Terms
from protocol.lobby.host_lobby import Lobby
from protocol.lobby.introductions import open_invites, resume_dialogue, watch_dialogue
from protocol.network.guest import Visitor, join, visit
from protocol.network.host import Host, listen
from protocol.network.link import Link, call
from protocol.network.peer import Peer
from protocol.record import genesis
from protocol.rendezvous.invite import Invite
from protocol.storage.home import Owner
from protocol.storage.route import Place
from protocol.wire.encoding import STATEMENT, Frame
from tests.helpers.games.toy import TOY
from tests.helpers.links.lobbies import NAMES, toy_owner
from tests.helpers.links.peers import HANGING, LOOPBACK, assert_refused, here, yes


@asynccontextmanager
async def hosting(path: Path, seats: int) -> AsyncIterator[tuple[trio.Nursery, Host, Invite, list[Owner]]]:
    """A host of the toy game for so many, with an invite out, and the guests who may come."""
    owners = [toy_owner(path / name.lower(), name) for name in NAMES]
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            host = await listen(nursery, owners[0], tls.make(), interfaces=[LOOPBACK])
            yield nursery, host, host.invite(here(host), uses=seats - 1), owners[1:]
            nursery.cancel_scope.cancel()


def terms(seats: int) -> Terms:
    return Terms(TOY, TOY.options({}), seats)


def place_of(invite: Invite) -> Place:
    return Place(invite.addresses, invite.certificate)


@pytest.mark.parametrize("seats", [3, 5])
async def test_all_come_with_one_invite_and_play_one_match(tmp_path: Path, seats: int) -> None:
    async with hosting(tmp_path, seats) as (nursery, host, invite, guests):
        peers: list[Peer] = []

        async def come(guest: Owner) -> None:
            peers.append(await join(nursery, guest, invite, yes))

        async with trio.open_nursery() as meeting:
            for guest in guests[: seats - 1]:
                meeting.start_soon(come, guest)
            peers.append(await host.meet(terms(seats), yes))
        assert len({peer.replica.match.id for peer in peers}) == 1
        assert sorted(peer.replica.seat for peer in peers) == list(range(seats))
        assert all(peer.replica.session.referee.agreed for peer in peers)
        assert open_invites(host.desk.owner.home, time.time()) == []


async def test_row_26_an_invite_for_two_keys_lets_no_third_one_in_and_each_of_the_two_again(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path, 3) as (nursery, host, invite, guests):
        lobby = host.open(terms(3))
        ben, cleo, dan, _ = guests
        await sits(nursery, ben, invite)
        first = await sits(nursery, cleo, invite)
        await assert_refused(Code.USED_INVITE, lambda: visit(nursery, dan, invite))
        [kept] = open_invites(host.desk.owner.home, time.time())
        assert kept.keys == (ben.identity.key, cleo.identity.key)
        again = await sits(nursery, cleo, invite)
        with pytest.raises(NetworkFailure):
            await first.seated()
        assert again.visit.listing is None or again.visit.listing.number <= lobby.listing.number
        assert lobby.listing.full


async def sits(nursery: trio.Nursery, guest: Owner, invite: Invite) -> Visitor:
    """`guest` in the lobby, saying nothing yet."""
    visitor = await visit(nursery, guest, invite)
    await trio.testing.wait_all_tasks_blocked(0.01)
    return visitor


async def seat(nursery: trio.Nursery, visitor: Visitor, into: list[Peer | Exception]) -> None:
    """Let `visitor` follow the lobby; its match, or why there is none, goes `into` the list."""

    async def run() -> None:
        try:
            into.append(await visitor.agreeing(yes))
        except NetworkFailure as failure:
            into.append(failure)

    nursery.start_soon(run)


async def test_row_51_a_guest_who_lost_its_connection_asks_and_hears_that_nothing_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has signed, and the host has not: nobody keeps anything, and the next try succeeds."""
    async with hosting(tmp_path, 3) as (nursery, host, invite, guests):
        ben, cleo, *_ = guests
        gathered: list[Peer] = []

        async def gather() -> None:
            gathered.append(await host.meet(terms(3), yes))

        nursery.start_soon(gather)
        came: list[Peer | Exception] = []
        first = await sits(nursery, ben, invite)
        signed = trio.Event()
        send = first.link.send

        def cut(data: bytes) -> None:
            if data[0] == STATEMENT:  # its AGREE is lost with the connection
                signed.set()
                nursery.start_soon(trio.aclose_forcefully, first.link.stream)
            else:
                send(data)

        monkeypatch.setattr(first.link, "send", cut)
        await seat(nursery, first, came)
        other = await sits(nursery, cleo, invite)
        late: list[Peer | Exception] = []
        await seat(nursery, other, late)
        await signed.wait()
        while not came:
            await trio.testing.wait_all_tasks_blocked(0.01)
        [doubt] = came
        assert isinstance(doubt, Peer)
        assert not doubt.replica.session.referee.agreed
        await assert_refused(Code.UNKNOWN_MATCH, doubt.run)
        assert ben.home.games() == []
        again: list[Peer | Exception] = []
        await seat(nursery, await sits(nursery, ben, invite), again)
        while not (again and late and gathered):
            await trio.testing.wait_all_tasks_blocked(0.01)
        matches = [peer.replica.match.id for peer in (*again, *late, *gathered) if isinstance(peer, Peer)]
        assert len(matches) == 3
        assert len(set(matches)) == 1
        assert [len(owner.home.games()) for owner in (host.desk.owner, ben, cleo)] == [1, 1, 1]


async def test_row_51_only_a_player_of_the_genesis_can_void_it_by_asking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hosting(tmp_path, 2) as (nursery, host, invite, guests):
        ben, eve = guests[0], guests[3]
        lobby = host.open(terms(2))
        visitor = await sits(nursery, ben, invite)
        parts: list[bytes] = []
        send = visitor.link.send
        monkeypatch.setattr(visitor.link, "send", parts.append)  # what it says is not sent yet
        nursery.start_soon(partial(attend, visitor.visit, visitor.link))
        while visitor.visit.listing is None:
            await trio.testing.wait_all_tasks_blocked(0.01)
        visitor.visit.agree(visitor.visit.listing.number)
        send(parts.pop())
        lobby.start()
        while not kept(visitor.visit):
            await trio.testing.wait_all_tasks_blocked(0.01)
        match = lobby.founding_match
        assert match is not None
        link = await call(nursery, place_of(invite))
        with pytest.raises(Refused):
            await link.attend(
                lambda say: resume_dialogue(say, link.binding, eve.identity, match, seat=1, called=0)
            )
        assert founding(lobby)
        link = await call(nursery, place_of(invite))
        await assert_refused(
            Code.UNKNOWN_MATCH,
            lambda: link.attend(
                lambda say: resume_dialogue(say, link.binding, ben.identity, match, seat=1, called=0)
            ),
        )
        assert not founding(lobby)
        while kept(visitor.visit):
            await trio.testing.wait_all_tasks_blocked(0.01)
        assert ben.home.games() == []


def kept(visit: Visit) -> bool:
    return visit.store is not None


def founding(lobby: Lobby) -> bool:
    return lobby.founding


async def attend(visit: Visit, link: Link) -> None:
    await link.attend(lambda _: visit.attending())


async def test_spectators_come_early_or_late_prove_only_the_invite_and_are_revoked(tmp_path: Path) -> None:
    async with hosting(tmp_path, 2) as (nursery, host, invite, guests):
        watch = host.desk.invite_to_watch(here(host), time.time())
        with pytest.raises(InviteOfAnotherKind):
            await visit(nursery, guests[0], watch)
        bodies: list[bytes] = []

        async def look() -> None:
            link = await call(nursery, place_of(watch))
            bodies.append(await link.attend(lambda say: watch_dialogue(say, link.binding, watch.secret)))

        nursery.start_soon(look)
        while not host.watching:
            await trio.testing.wait_all_tasks_blocked(0.01)
        nursery.start_soon(join, nursery, guests[0], invite, yes)
        match = (await host.meet(terms(2), yes)).replica.match
        nursery.start_soon(look)
        while len(bodies) < 2:
            await trio.testing.wait_all_tasks_blocked(0.01)
        assert [genesis.parse(body, {TOY.name: TOY}).id for body in bodies] == [match.id] * 2
        host.desk.owner.home.drop_invite(watch.name)  # by another process of this home folder
        await assert_refused(Code.REVOKED, look)
        host.desk.revoke()
        await assert_refused(Code.UNKNOWN_INVITE, look)


async def test_row_59_a_spectator_who_speaks_in_the_lobby_is_sent_away(tmp_path: Path) -> None:
    async with hosting(tmp_path, 3) as (nursery, host, _, _guests):
        host.open(terms(3))
        watch = host.desk.invite_to_watch(here(host), time.time())
        link = await call(nursery, place_of(watch))

        async def look() -> bytes:
            return await link.attend(lambda say: watch_dialogue(say, link.binding, watch.secret))

        async def talk() -> None:
            while not host.watching:
                await trio.testing.wait_all_tasks_blocked(0.01)
            link.send(bytes(Frame(STATEMENT, b"hello")))

        nursery.start_soon(talk)
        await assert_refused(Code.PROTOCOL, look)
        while host.watching:
            await trio.testing.wait_all_tasks_blocked(0.01)


async def test_nobody_waits_for_a_host_who_closes_the_lobby(tmp_path: Path) -> None:
    async with hosting(tmp_path, 3) as (nursery, host, invite, guests):
        host.open(terms(3))
        came: list[Peer | Exception] = []
        for guest in guests[:2]:
            await seat(nursery, await sits(nursery, guest, invite), came)
        await host.dismiss(Code.LEFT)
        while len(came) < 2:
            await trio.testing.wait_all_tasks_blocked(0.01)
        assert [answer.code for answer in came if isinstance(answer, Refused)] == [Code.LEFT] * 2
        assert [guest.home.games() for guest in guests[:2]] == [[], []]
