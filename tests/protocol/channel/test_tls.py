"""TLS between the two: whose certificate counts, and who may stand in between (rows 25 and 38)."""

from __future__ import annotations

import random
import ssl
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from hypothesis import given
from hypothesis import strategies as st
from OpenSSL import crypto

from protocol.channel import tls
from protocol.failures import Damaged, Refused, WrongHost
from protocol.lobby.handshake import HostSide, JoinerSide
from protocol.lobby.introductions import Desk
from protocol.network.guest import join
from protocol.network.link import TLSStream
from protocol.network.peer import Peer
from protocol.rendezvous.invite import Invite
from protocol.storage.home import Owner
from protocol.wire.addresses import Endpoint
from tests.helpers.links.peers import (
    CERTIFICATE,
    HANGING,
    LOOPBACK,
    TERMS,
    encrypted,
    hosting,
    play_out,
    running,
    seated,
    until,
    users,
    yes,
)
from tests.helpers.machine.examples import examples

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
        guest: trio.abc.Stream = caller
        async with await trio.open_tcp_stream(LOOPBACK, port) as called, caller:
            host: trio.abc.Stream = called
            if certificate is not None:
                guest, host = encrypted(caller, certificate), encrypted(called)
                try:
                    await guest.do_handshake()
                    await host.do_handshake()
                except trio.BrokenResourceError:
                    return
            async with trio.open_nursery() as pumps:
                pumps.start_soon(pump, guest, host)
                pumps.start_soon(pump, host, guest)

    listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
    nursery.start_soon(trio.serve_listeners, meddle, listeners)
    return int(listeners[0].socket.getsockname()[1])


async def test_row_25_a_proxy_with_its_own_certificate_is_told_nothing(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, invite):
        eve = await proxy(nursery, host.desk.port, tls.make())
        with pytest.raises(WrongHost):
            await join(
                nursery, ben, Invite((Endpoint(LOOPBACK, eve),), invite.certificate, invite.secret), yes
            )
        assert users(host) == ()


async def test_row_25_a_proxy_that_only_hands_on_sees_nothing_and_changes_nothing(
    ada: Owner, ben: Owner
) -> None:
    async with hosting(ada) as (nursery, host, invite):
        seen = bytearray()
        eve = await proxy(nursery, host.desk.port, None, seen)
        joined: list[Peer] = []

        async def come() -> None:
            through = Invite((Endpoint(LOOPBACK, eve),), invite.certificate, invite.secret)
            joined.append(await join(nursery, ben, through, yes))

        async with trio.open_nursery() as meeting:
            meeting.start_soon(come)
            hosted = await host.meet(TERMS, yes)
        async with running(hosted, joined[0]):
            await play_out((hosted, joined[0]))
        referee, other = hosted.replica.session.referee, joined[0].replica.session.referee
        assert referee.head == other.head
        assert len(seen) > sum(len(entry.payload) for entry in referee.entries), "all of it went past Eve"
        secrets = [ada.identity.key, ben.identity.key, invite.secret, hosted.replica.match.id]
        assert not [
            data for data in (*secrets, *(entry.payload for entry in referee.entries)) if data in seen
        ]


async def test_row_25_on_coming_back_too_only_the_pinned_certificate_counts(ada: Owner, ben: Owner) -> None:
    async with seated(ada, ben) as table:
        joiner = table.peers[1]
        table.peers[0].leave()
        eve = await proxy(table.nursery, table.host.desk.port, tls.make())
        place = replace(joiner.replica.route.others[0], addresses=(Endpoint(LOOPBACK, eve),))
        joiner.replica.exchange.reroute(0, place)
        assert joiner.replica.store.route.others == {0: place}
        async with running(joiner):
            await until(joiner, lambda: isinstance(joiner.replica.trouble, WrongHost))


async def test_row_25_what_is_signed_names_the_connection_and_not_only_the_certificate(
    ada: Owner, ben: Owner
) -> None:
    """A JOIN of one connection is worth nothing on another one to the same host, even for the same nonce."""
    bindings = []
    async with hosting(ada) as (_, host, invite):
        for _ in range(2):
            stream = encrypted(await trio.open_tcp_stream(LOOPBACK, host.desk.port))
            await stream.do_handshake()
            bindings.append(stream.session.binding(invite.certificate))
            await trio.aclose_forcefully(stream)
    side, other = (HostSide(binding, b"n" * 32) for binding in bindings)
    assert side.challenge == other.challenge
    assert bindings[0][:32] == bindings[1][:32] == invite.certificate
    assert len(bindings[0]) == 64
    join = JoinerSide(bindings[0], side.challenge).join(ben.identity, "Ben", b"j" * 32, invite.secret)
    assert side.joined(join, invite.secret).key == ben.identity.key
    with pytest.raises(Refused):
        other.joined(join, invite.secret)


def test_row_25_a_certificate_that_cannot_be_parsed_is_another_one(tmp_path: Path) -> None:
    """OpenSSL looks at little of a certificate that no authority vouches for; cryptography parses it all."""
    der = x509.load_pem_x509_certificate(CERTIFICATE.pem).public_bytes(Encoding.DER)
    for good, bad in (
        (b"\xa0\x03\x02\x01\x02", b"\xa0\x03\x02\x01\x03"),
        (b"000101000000Z", b"0001010000o0Z"),
    ):
        assert good in der
        context = CERTIFICATE.context()
        odd = tmp_path / "odd.der"
        odd.write_bytes(der.replace(good, bad))
        context.use_certificate_file(bytes(odd), crypto.FILETYPE_ASN1)
        host = tls.TLSSession(context, hosting=True)
        joiner = tls.TLSSession(tls.joining_context(), hosting=False)
        while not (joiner.handshake() and host.handshake()):
            for side, other in ((joiner, host), (host, joiner)):
                if data := side.outgoing():
                    other.feed(data)
            host.handshake()
        with pytest.raises(WrongHost):
            joiner.check_pin(CERTIFICATE.hash)
        assert host.binding(CERTIFICATE.hash) == joiner.binding(CERTIFICATE.hash)


# TLS over a stream


async def tls_pair(streams: tuple[trio.abc.Stream, trio.abc.Stream]) -> tuple[TLSStream, TLSStream]:
    host, joiner = encrypted(streams[0], CERTIFICATE), encrypted(streams[1])
    async with trio.open_nursery() as both:
        both.start_soon(host.do_handshake)
        both.start_soon(joiner.do_handshake)
    return host, joiner


async def test_both_ends_of_a_connection_derive_one_binding_and_no_other_end_does() -> None:
    seen = set()
    for _ in range(3):
        host, joiner = await tls_pair(trio.testing.memory_stream_pair())
        joiner.session.check_pin(CERTIFICATE.hash)
        with pytest.raises(WrongHost):
            joiner.session.check_pin(bytes(32))
        assert host.session.binding(CERTIFICATE.hash) == joiner.session.binding(CERTIFICATE.hash)
        seen.add(host.session.binding(CERTIFICATE.hash))
    assert len(seen) == 3


async def test_both_ends_send_and_receive_at_once_more_than_the_network_holds() -> None:
    """Neither end may stop reading because its own sending waits for the other to read."""
    stream, other = (trio.SocketStream(end) for end in trio.socket.socketpair())
    ends = await tls_pair((stream, other))
    data = random.Random(25).randbytes(5_000_000)

    async def hear(end: TLSStream) -> None:
        heard = bytearray()
        while len(heard) < len(data):
            heard += await end.receive_some(100_000)
        assert heard == data

    with trio.fail_after(HANGING):
        async with trio.open_nursery() as both:
            for end in ends:
                both.start_soon(end.send_all, data)
                both.start_soon(hear, end)
    await trio.aclose_forcefully(stream)
    await trio.aclose_forcefully(other)


@given(at=st.integers(0, 2400), change=st.integers(1, 255))
@examples(24, 240)
def test_row_25_of_bytes_changed_on_the_way_nothing_is_heard(at: int, change: int) -> None:
    """In the handshake, or after it: what was heard before is what was said."""
    host = tls.TLSSession(CERTIFICATE.context(), hosting=True)
    joiner = tls.TLSSession(tls.joining_context(), hosting=False)
    sent, heard, passed = b"frame " * 200, b"", 0
    try:
        for _ in range(4):
            joiner.handshake()
            host.feed(joiner.outgoing())
            if host.handshake():
                host.write(sent)
            data = host.outgoing()
            if 0 <= (here := at - passed) < len(data):
                data = data[:here] + bytes((data[here] ^ change,)) + data[here + 1 :]
            passed += len(data)
            joiner.feed(data)
            if joiner.handshake():
                heard += joiner.read(10_000) or b""
                break
    except tls.BrokenTLS:
        assert at < passed + 2400
    assert sent.startswith(heard)
    assert heard in (b"", sent)


async def test_an_end_without_a_word_may_be_a_cut() -> None:
    host, joiner = await tls_pair(trio.testing.memory_stream_pair())
    await host.send_all(b"hello")
    await host.aclose()
    assert await joiner.receive_some() == b"hello"
    with pytest.raises(trio.BrokenResourceError):
        await joiner.receive_some()


# Certificates


def test_a_certificate_that_cannot_be_read_is_damage() -> None:
    with pytest.raises(Damaged):
        tls.Certificate(b"noise")
    good, other = tls.make(), tls.make()
    assert "PRIVATE" not in repr(good)
    key, certificate = (
        other.pem.split(b"-----BEGIN CERT")[0],
        b"-----BEGIN CERT" + good.pem.split(b"-----BEGIN CERT")[1],
    )
    for pem in (certificate, key + certificate):
        with pytest.raises(Damaged):
            tls.Certificate(pem).context()


def test_row_38_the_hosts_key_reaches_tls_through_no_file(
    ada: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a process that is killed leaves none behind."""
    opened = []

    def counted(*arguments: object, **_: object) -> int:
        opened.append(arguments)
        raise PermissionError

    with monkeypatch.context() as patch:
        for name in ("builtins.open", "os.open", "os.mkdir"):
            patch.setattr(name, counted)
        Desk(ada, CERTIFICATE, 1)
    assert opened == []


async def test_only_tls_1_3_is_spoken_and_no_session_is_resumed(ada: Owner) -> None:
    async with hosting(ada) as (_, host, _):
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            other = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            other.check_hostname, other.verify_mode = False, ssl.CERT_NONE
            other.maximum_version = version
            stream = trio.SSLStream(await trio.open_tcp_stream(LOOPBACK, host.desk.port), other)
            if version is ssl.TLSVersion.TLSv1_2:
                with pytest.raises(trio.BrokenResourceError):
                    await stream.do_handshake()
            else:
                await stream.do_handshake()
                await stream.receive_some()  # the CHALLENGE, and before it a ticket if there were one
                session = stream.session
                again = trio.SSLStream(await trio.open_tcp_stream(LOOPBACK, host.desk.port), other)
                again.session = session
                await again.do_handshake()
                assert not again.session_reused
                await trio.aclose_forcefully(again)
            await trio.aclose_forcefully(stream)
