"""TLS between the two: whose certificate counts, and who may stand in between (rows 25 and 38)."""

from __future__ import annotations

import ssl
from pathlib import Path
from tempfile import gettempdir

import pytest
import trio
import trio.testing

from protocol.failures import Damaged, WrongHost
from protocol.network import tls
from protocol.network.introductions import Desk
from protocol.network.invite import Invite
from protocol.network.peer import Peer, join
from protocol.storage.home import Owner
from tests.helpers.peers import (
    CERTIFICATE,
    LOOPBACK,
    TERMS,
    hosting,
    play_out,
    running,
    seated,
    until,
    yes,
)

# Row 25: somebody in between


async def proxy(
    nursery: trio.Nursery, port: int, certificate: tls.Certificate | None, seen: bytearray | None = None
) -> int:
    """Eve's port: hands bytes on to `port`; with a certificate, she reads along.  `seen`: all she saw."""
    seen = bytearray() if seen is None else seen

    async def pump(source: trio.abc.Stream, sink: trio.abc.Stream) -> None:
        try:
            async for data in source:
                seen.extend(data)
                await sink.send_all(data)
        except trio.BrokenResourceError:
            pass
        await trio.aclose_forcefully(sink)

    async def meddle(caller: trio.SocketStream) -> None:
        host: trio.abc.Stream = await trio.open_tcp_stream(LOOPBACK, port)
        guest: trio.abc.Stream = caller
        if certificate is not None:
            guest = trio.SSLStream(caller, certificate.context(Path(gettempdir())), server_side=True)
            host = trio.SSLStream(host, tls.joining_context())
        async with host, trio.open_nursery() as pumps:
            pumps.start_soon(pump, guest, host)
            pumps.start_soon(pump, host, guest)

    listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
    nursery.start_soon(trio.serve_listeners, meddle, listeners)
    return int(listeners[0].socket.getsockname()[1])


async def test_row_25_a_proxy_with_its_own_certificate_is_told_nothing(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, invite):
        eve = await proxy(nursery, host.desk.port, tls.make())
        with pytest.raises(WrongHost):
            await join(nursery, ben, Invite((LOOPBACK,), eve, invite.certificate, invite.secret), yes)
        assert host.desk._ticket is not None
        assert not host.desk._ticket.used


async def test_row_25_a_proxy_that_only_hands_on_sees_nothing_and_changes_nothing(
    ada: Owner, ben: Owner
) -> None:
    async with hosting(ada) as (nursery, host, invite):
        seen = bytearray()
        eve = await proxy(nursery, host.desk.port, None, seen)
        joined: list[Peer] = []

        async def come() -> None:
            through = Invite((LOOPBACK,), eve, invite.certificate, invite.secret)
            joined.append(await join(nursery, ben, through, yes))

        async with trio.open_nursery() as meeting:
            meeting.start_soon(come)
            hosted = await host.meet(TERMS, yes)
        async with running(hosted, joined[0]):
            await play_out((hosted, joined[0]))
        one, other = hosted.replica.session.referee, joined[0].replica.session.referee
        assert one.head == other.head
        assert len(seen) > sum(len(entry.payload) for entry in one.entries), "all of it went past Eve"
        told = [ada.identity.key, ben.identity.key, invite.secret, hosted.replica.match.id]
        assert not [data for data in (*told, *(entry.payload for entry in one.entries)) if data in seen]


async def test_row_25_on_coming_back_too_only_the_pinned_certificate_counts(ada: Owner, ben: Owner) -> None:
    async with seated(ada, ben) as table:
        joiner = table.peers[1]
        table.peers[0].leave()
        eve = await proxy(table.nursery, table.host.desk.port, tls.make())
        joiner.replica.reroute((LOOPBACK,), eve)
        assert joiner.replica.store.route.port == eve
        async with running(joiner):
            await until(joiner, lambda: isinstance(joiner.replica.trouble, WrongHost))


# Certificates


def test_a_certificate_that_cannot_be_read_is_damage(tmp_path: Path) -> None:
    with pytest.raises(Damaged):
        tls.Certificate(b"noise")
    good = tls.make()
    assert "PRIVATE" not in repr(good)
    with pytest.raises(Damaged):
        _ = tls.Certificate(good.pem[good.pem.index(b"-----BEGIN CERT") :]).context(tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(WrongHost):
        tls.check_pin(None, good.hash)


def test_row_38_the_hosts_key_lies_in_its_home_while_openssl_reads_it_and_nowhere_else(
    ada: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    assert Desk(ada, CERTIFICATE, 1).context.num_tickets == 0
    assert not list(ada.home.path.glob("tls-*"))


async def test_only_tls_1_3_is_spoken_and_no_ticket_is_given(ada: Owner, tmp_path: Path) -> None:
    assert CERTIFICATE.context(tmp_path).minimum_version is ssl.TLSVersion.TLSv1_3
    assert CERTIFICATE.context(tmp_path).num_tickets == 0
    async with hosting(ada) as (_, host, _):
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        stream = trio.SSLStream(await trio.open_tcp_stream(LOOPBACK, host.desk.port), old)
        with pytest.raises(trio.BrokenResourceError):
            await stream.do_handshake()
        await trio.aclose_forcefully(stream)
