"""Ports and addresses: where a host listens, and how it is called."""

from __future__ import annotations

import errno
import socket
from pathlib import Path

import pytest
import trio
import trio.testing

from protocol.channel import tls
from protocol.channel.channel import Sync
from protocol.failures import CannotListen, Code, Unreachable, WrongHost
from protocol.network.host import listen
from protocol.network.link import Link, call
from protocol.network.peer import Peer
from protocol.rendezvous.own_addresses import own_addresses, unreachable
from protocol.storage.home import Owner
from protocol.storage.route import Place, Route
from protocol.wire.addresses import Endpoint
from tests.helpers.links.peers import CERTIFICATE, HANGING, LOOPBACK, hosting, two_stores


async def test_a_port_in_use_is_told_as_that(ada: Owner) -> None:
    async with hosting(ada) as (nursery, host, _):
        with pytest.raises(CannotListen) as refused:
            await listen(nursery, ada, CERTIFICATE, host.desk.port, [LOOPBACK])
        assert (refused.value.port, refused.value.errno) == (host.desk.port, errno.EADDRINUSE)


async def test_a_machine_without_the_second_interface_listens_on_the_first(ada: Owner) -> None:
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            host = await listen(nursery, ada, CERTIFICATE, 0, [LOOPBACK, "203.0.113.1"])
            assert host.desk.port
            with pytest.raises(CannotListen):
                await listen(nursery, ada, CERTIFICATE, 0, ["203.0.113.1"])
            nursery.cancel_scope.cancel()


async def test_nobody_at_any_address_is_told_as_that(nursery: trio.Nursery) -> None:
    with socket.socket() as free:
        free.bind((LOOPBACK, 0))
        port = free.getsockname()[1]
        with trio.fail_after(HANGING), pytest.raises(Unreachable, match=r"refused at 127\.0"):
            await call(nursery, Place((Endpoint(LOOPBACK, port),), bytes(32)))


def test_why_a_host_cannot_be_reached_is_the_most_telling_reason() -> None:
    wrong = WrongHost()
    assert unreachable(["a"], [OSError(101, "unreachable"), wrong]) is wrong
    refusal = OSError("all attempts failed")
    refusal.__cause__ = OSError(0, "")
    assert "no answer at a and b" in str(unreachable(["a", "b"], [refusal]))
    refusal.__cause__ = ExceptionGroup("", [ConnectionRefusedError()])
    assert "refused at a" in str(unreachable(["a"], [refusal]))


async def test_all_addresses_are_called_and_the_one_with_the_right_certificate_is_kept(
    ada: Owner, ben: Owner
) -> None:
    async with hosting(ada) as (nursery, host, invite):
        impostor = await listen(nursery, ben, tls.make(), host.desk.port, ["127.0.0.2"])
        everywhere = Place(
            tuple(Endpoint(at, host.desk.port) for at in ("127.0.0.2", LOOPBACK, LOOPBACK)),
            invite.certificate,
        )
        link = await call(nursery, everywhere)
        assert link.lost is None
        assert impostor.desk.port == host.desk.port


def test_own_addresses_are_addresses() -> None:
    for address in own_addresses():
        assert socket.getaddrinfo(address, 1, flags=socket.AI_NUMERICHOST)


async def test_a_host_that_does_not_answer_is_called_ever_less_often(
    ada: Owner,
    ben: Owner,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: trio.testing.MockClock,
) -> None:
    """And at once again after a link that lasted."""
    store, other = two_stores(tmp_path)
    store.close()
    other.set_route(Route().with_place(0, Place((Endpoint(LOOPBACK, 1),), CERTIFICATE.hash)))
    calls: list[float] = []
    links: list[Link] = []

    async def fail(*_: object) -> Link:
        calls.append(trio.current_time())
        if len(calls) == 9:
            return links.pop()
        raise Unreachable((), refused=False)

    monkeypatch.setattr("protocol.network.caller.call", fail)
    async with trio.open_nursery() as nursery:
        peer = Peer(nursery, ben, other)
        nursery.start_soon(peer.run)
        await trio.sleep(100)
        assert calls == [0, 1, 3, 7, 15, 31, 61, 91]
        ours, theirs = (Link(stream) for stream in trio.testing.memory_stream_pair())
        for link in (ours, theirs):
            link.trust()
            nursery.start_soon(link.run)
        links.append(ours)
        session = peer.replica.session
        theirs.send(bytes(Sync(session.genesis.id, session.position()).frame))
        monkeypatch.setattr("protocol.network.caller.resume_dialogue", lambda *_, **__: iter(()))
        await trio.sleep(100)
        assert calls[8:] == [121]
        theirs.close(Code.LEFT)
        await trio.sleep(0.5)
        assert calls[9:] == [200], "the link had worked"
        peer.leave()
