"""Matches through a relay: an honest process, and one that does what it likes (threat 79)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing

from protocol import limits
from protocol.channel import tls
from protocol.failures import Code, NetworkFailure, RelayRefused, Unserved, WrongHost
from protocol.failures import RelayStatus as Status
from protocol.lobby.introductions import Desk
from protocol.network.guest import join
from protocol.network.host import Host, listen
from protocol.network.link import call
from protocol.network.peer import Peer
from protocol.network.transport.choice import STANDARD, Wishes, transports_for
from protocol.network.transport.registry import Connection, Transports
from protocol.network.transport.relay_client import connect
from protocol.network.transport.relay_server import Relay
from protocol.rendezvous.invite import Invite
from protocol.rendezvous.relay_switchboard import HELLO_BYTES, Limits, token_of
from protocol.rendezvous.via import Origin, Via
from protocol.storage.home import Owner
from protocol.storage.route import Place
from protocol.wire.addresses import Endpoint, Onion, Relayed
from tests.helpers.links.peers import (
    CERTIFICATE,
    HANGING,
    LOOPBACK,
    TERMS,
    assert_refused,
    here,
    owner,
    play_out,
    running,
    yes,
)
from tests.helpers.network.rogue import RELAY, Rogue, Twist, cut, drop, flip, mix, repeat, swap

OTHER = tls.make()


@dataclass
class Meeting:
    """Two players whose only way to each other is a relay."""

    rogue: Rogue
    host: Host
    invite: Invite
    peers: tuple[Peer, Peer]


def waiting(nursery: trio.Nursery, rogue: Rogue, owner: Owner) -> tuple[Host, Invite]:
    """A host that listens nowhere but at a relay."""
    host = Host(nursery, Desk(owner, CERTIFICATE, 0), rogue.transports)
    address, _ = host.wait_at(RELAY)
    return host, host.invite([address])


@asynccontextmanager
async def met(
    ada: Owner, ben: Owner, patience: float = HANGING, delay: float = 0.0
) -> AsyncIterator[Meeting]:
    """Ada hosts at a relay, Ben joins through it; both agree."""
    with trio.fail_after(patience):
        async with trio.open_nursery() as nursery:
            rogue = Rogue(nursery, delay=delay)
            host, invite = waiting(nursery, rogue, ada)
            joined: list[Peer] = []

            async def come() -> None:
                joined.append(await join(nursery, ben, invite, yes, rogue.transports))

            async with trio.open_nursery() as meeting:
                meeting.start_soon(come)
                hosting = await host.meet(TERMS, yes)
            yield Meeting(rogue, host, invite, (hosting, joined[0]))
            nursery.cancel_scope.cancel()


def same(peers: tuple[Peer, Peer]) -> bool:
    """Whether both have the whole match, to the byte, and neither found a fault."""
    referee, other = (peer.replica.session.referee for peer in peers)
    assert not [peer for peer in peers if peer.replica.session.fault is not None]
    return [entry.payload for entry in referee.entries] == [entry.payload for entry in other.entries]


async def test_row_79_a_relay_reads_nothing(ada: Owner, ben: Owner) -> None:
    async with met(ada, ben) as meeting:
        peer, other = meeting.peers
        async with running(peer), running(other):
            await play_out(meeting.peers)
        assert same(meeting.peers)
        referee, seen = peer.replica.session.referee, meeting.rogue.seen
        assert len(seen) > sum(len(entry.payload) for entry in referee.entries), "all of it went through"
        secrets = [ada.identity.key, ben.identity.key, meeting.invite.secret, peer.replica.match.id]
        assert not [
            data for data in (*secrets, *(entry.payload for entry in referee.entries)) if data in seen
        ]


@pytest.mark.parametrize("twist", [flip, drop, repeat, cut, swap, mix])
@pytest.mark.parametrize("waiters", [True, False])
@pytest.mark.parametrize("number", [0, 5])
async def test_row_79_what_a_relay_alters_ends_one_connection_and_no_match(
    ada: Owner,
    ben: Owner,
    autojump_clock: trio.testing.MockClock,
    twist: Twist,
    waiters: bool,
    number: int,
) -> None:
    """Nobody is blamed, and the match goes on over the next connection."""
    async with met(ada, ben) as meeting:
        rogue, (peer, other) = meeting.rogue, meeting.peers
        rogue.twist, rogue.at = twist, (waiters, number)
        rogue.hang_up()  # the next pair is the one that it spoils
        async with running(peer), running(other):
            await play_out(meeting.peers)
        assert rogue.twisted
        assert rogue.joined > 2
        assert same(meeting.peers)


async def test_row_79_a_relay_that_delays_only_slows_a_match_down(
    ada: Owner, ben: Owner, autojump_clock: trio.testing.MockClock
) -> None:
    async with met(ada, ben, patience=100_000, delay=2.5) as meeting:
        meeting.rogue.delay = 4.0
        async with running(meeting.peers[0]), running(meeting.peers[1]):
            await play_out(meeting.peers)
        assert same(meeting.peers)
        assert meeting.rogue.joined == 1


async def test_row_79_a_relay_that_joins_the_wrong_two_is_found_out_before_a_word(
    ada: Owner, ben: Owner, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    cleo = owner(tmp_path / "cleo", "Cleo")
    async with trio.open_nursery() as nursery:
        rogue = Rogue(nursery, crossed=True)
        _, invite = waiting(nursery, rogue, ada)
        other = Host(nursery, Desk(cleo, OTHER, 0), rogue.transports)
        other.invite([other.wait_at(RELAY)[0]])
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(WrongHost):
            await join(nursery, ben, invite, yes, rogue.transports)
        rogue.crossed = False
        await call(nursery, Place(invite.addresses, invite.certificate), transports=rogue.transports)
        nursery.cancel_scope.cancel()


async def test_row_79_a_relay_cannot_sit_down_in_anybodys_place(
    ada: Owner, ben: Owner, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Neither in the host's, for a caller, nor as a guest: it has no key of either, and not the secret."""
    relay = owner(tmp_path / "relay", "Ada")
    async with trio.open_nursery() as nursery:
        rogue = Rogue(nursery)
        host, invite = waiting(nursery, rogue, ada)
        lobby = host.open(TERMS)
        guess = replace(invite, secret=bytes(16))
        await assert_refused(Code.UNKNOWN_INVITE, lambda: join(nursery, relay, guess, yes, rogue.transports))
        assert lobby.guests() == []
        impostor = Host(nursery, Desk(relay, OTHER, 0))

        async def answer(stream: trio.abc.Stream) -> None:
            assert len(await stream.receive_some(HELLO_BYTES)) == HELLO_BYTES
            await stream.send_all(bytes((Status.JOINED,)))
            await impostor.greet(stream, Origin("192.0.2.1", Via.RELAY))

        async def dial(_: object) -> Connection:
            ours, theirs = trio.testing.memory_stream_pair()
            nursery.start_soon(answer, theirs)
            return Connection(ours, Via.DIRECT)

        lying = Transports({Relayed: partial(connect, dial=dial)})
        with pytest.raises(WrongHost):
            await join(nursery, ben, invite, yes, lying)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    "greeting",
    [
        bytes((Status.JOINED,)),
        bytes((Status.WAITING,)),
        bytes((Status.NOBODY,)),
        b"\xff",
        bytes((Status.JOINED,)) + bytes(100),
        bytes((Status.WAITING,)) * 100_000,
    ],
)
async def test_row_79_a_relay_that_talks_rubbish_costs_one_call(
    ada: Owner, autojump_clock: trio.testing.MockClock, greeting: bytes
) -> None:
    async with trio.open_nursery() as nursery:
        rogue = Rogue(nursery, greeting=greeting)
        began = trio.current_time()
        with pytest.raises(NetworkFailure):
            await call(nursery, Place((Relayed(RELAY, bytes(16)),), bytes(32)), transports=rogue.transports)
        assert trio.current_time() - began <= limits.CONNECT_WITHIN
        nursery.cancel_scope.cancel()


async def test_who_waits_comes_back_after_every_end_ever_less_often(
    ada: Owner, autojump_clock: trio.testing.MockClock
) -> None:
    calls: list[float] = []

    async def dial(relay: Endpoint | Onion) -> Connection:
        if opened:
            return await rogue.dial(relay)
        calls.append(trio.current_time())
        raise OSError("no relay")

    opened, secret = False, b"s" * 16
    async with trio.open_nursery() as nursery:
        rogue = Rogue(nursery)
        host = Host(nursery, Desk(ada, CERTIFICATE, 0), Transports({}, dial))
        address, waiter = host.wait_at(RELAY, secret)
        changes: list[bool] = []
        waiter.on_change = lambda: changes.append(waiter.there)
        await trio.sleep(100)
        assert [round(at - calls[0]) for at in calls] == [0, 1, 3, 7, 15, 31, 61, 91]
        assert waiter.trouble is not None
        opened = True
        await trio.sleep(50)
        assert changes == [True], "it said so once"
        await trio.sleep(100)
        assert changes == [True, False, True], "and nothing more, so we came anew"
        assert address == Relayed(RELAY, token_of(secret))
        nursery.cancel_scope.cancel()


async def test_row_88_who_hides_calls_no_relay_that_its_person_has_not_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A card can name a relay of its author's, who would learn from where it is called."""
    asked: list[tuple[object, ...]] = []

    async def ask(*place: object) -> None:
        asked.append(place)
        raise ConnectionRefusedError

    monkeypatch.setattr(trio, "open_tcp_stream", ask)
    named, theirs = Relayed(RELAY, bytes(16)), Relayed(Endpoint("192.0.2.66", 1), bytes(16))
    ways = transports_for(Wishes(straight=False), [RELAY])
    async with trio.open_nursery() as nursery:
        with pytest.raises(Unserved) as unserved:
            await call(nursery, Place((theirs, Endpoint("192.0.2.66", 2)), bytes(32)), transports=ways)
        assert unserved.value.relays == ("192.0.2.66:1",)
        assert asked == []
        with pytest.raises(NetworkFailure):
            await call(nursery, Place((theirs, named), bytes(32)), transports=ways)
        assert asked == [(RELAY.host, RELAY.port)]


async def test_who_waits_comes_back_at_once_to_a_relay_that_ended_a_long_waiting(
    ada: Owner, autojump_clock: trio.testing.MockClock
) -> None:
    """As each does after an hour.  One that ends it soon is left alone for a while."""
    calls: list[float] = []
    lasts = [3600.0]

    async def dial(_: object) -> Connection:
        calls.append(trio.current_time())
        ours, theirs = trio.testing.memory_stream_pair()
        nursery.start_soon(serve, theirs)
        return Connection(ours, Via.DIRECT)

    async def serve(stream: trio.abc.Stream) -> None:
        with trio.move_on_after(lasts[0]):
            while True:
                await stream.send_all(bytes((Status.WAITING,)))
                await trio.sleep(30)
        await stream.aclose()

    async with trio.open_nursery() as nursery:
        host = Host(nursery, Desk(ada, CERTIFICATE, 0), Transports({}, dial))
        _, waiter = host.wait_at(RELAY)
        changes: list[bool] = []
        waiter.on_change = lambda: changes.append(waiter.there)
        await trio.sleep(5 * 3600.0)
        assert [round(at - calls[0]) for at in calls] == [0, 3600, 7200, 10800, 14400]
        assert changes == [True], "nobody hears of trouble"
        lasts[0] = 1.0
        await trio.sleep(1.0)
        calls.clear()
        await trio.sleep(60)
        assert len(calls) <= 6
        nursery.cancel_scope.cancel()


async def test_row_79_a_relay_gives_nobody_a_number_unasked(
    ada: Owner, autojump_clock: trio.testing.MockClock
) -> None:
    async def dial(_: object) -> Connection:
        ours, theirs = trio.testing.memory_stream_pair()
        await theirs.send_all(bytes((Status.WAITING, Status.NUMBER, 0, 7)))
        return Connection(ours, Via.DIRECT)

    async with trio.open_nursery() as nursery:
        host = Host(nursery, Desk(ada, CERTIFICATE, 0), Transports({}, dial))
        _, waiter = host.wait_at(RELAY)
        numbered = host.wait_at_number(RELAY)
        await trio.sleep(5)
        assert (waiter.number, waiter.there) == (0, False)
        assert isinstance(waiter.trouble, RelayRefused)
        assert (numbered.number, numbered.there) == (7, True)
        nursery.cancel_scope.cancel()


# The process


@asynccontextmanager
async def relaying(given: Limits | None = None) -> AsyncIterator[tuple[trio.Nursery, Relay, Endpoint]]:
    """A relay on loopback."""
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            relay = Relay(given or Limits())
            await relay.listen(nursery, 0, [LOOPBACK])
            yield nursery, relay, Endpoint(LOOPBACK, relay.port)
            nursery.cancel_scope.cancel()


async def test_a_match_goes_through_a_relay_from_invite_to_end(ada: Owner, ben: Owner) -> None:
    async with relaying() as (nursery, relay, at):
        host = Host(nursery, Desk(ada, CERTIFICATE, 0))
        address, _ = host.wait_at(at)
        invite, joined = host.invite([address]), list[Peer]()

        async def come() -> None:
            joined.append(await join(nursery, ben, invite, yes))

        async with trio.open_nursery() as meeting:
            meeting.start_soon(come)
            hosting = await host.meet(TERMS, yes)
        peers = (hosting, joined[0])
        async with running(peers[0]), running(peers[1]):
            await play_out(peers)
            assert {talk.link.via for peer in peers for talk in peer.active.values()} == {Via.RELAY}
        assert same(peers)
        assert relay.counts.joined >= 1
        assert relay.counts.carried > 10_000


async def test_nobody_at_a_relay_is_told_as_that(ada: Owner) -> None:
    async with relaying(Limits(hold=0.0)) as (nursery, _, at):
        with pytest.raises(RelayRefused) as refused:
            await call(nursery, Place((Relayed(at, bytes(16)),), bytes(32)))
        assert refused.value.status == Status.NOBODY


async def test_a_straight_way_is_taken_if_there_is_one(ada: Owner) -> None:
    async with relaying() as (nursery, relay, at):
        host = await listen(nursery, ada, CERTIFICATE, interfaces=[LOOPBACK])
        address, _ = host.wait_at(at)
        link = await call(nursery, Place((address, *here(host)), CERTIFICATE.hash))
        assert link.via is Via.NEARBY
        assert relay.counts.joined == 0
        gone = Endpoint(LOOPBACK, 1)
        link = await call(nursery, Place((address, gone), CERTIFICATE.hash), transports=STANDARD)
        assert link.via is Via.RELAY


async def test_what_a_relay_counts_can_be_asked_for() -> None:
    async with relaying() as (nursery, relay, at):
        port = await relay.report(nursery, 0)
        async with await trio.open_tcp_stream(LOOPBACK, at.port) as stream:
            await stream.send_all(b"rubbish")
            assert await stream.receive_some(10) == bytes((Status.MALFORMED,))
        async with await trio.open_tcp_stream(LOOPBACK, port) as asking:
            await asking.send_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = b"".join([bytes(part) async for part in asking]).decode()
        assert 'p2p_stratego_relay_refused_total{why="malformed"} 1\n' in answer
        assert answer.startswith("HTTP/1.0 200 OK\r\n")
