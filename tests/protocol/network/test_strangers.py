"""Strangers at a host's door: silence, crowds and noise (rows 19 to 21)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing

from protocol.network import limits, tls
from protocol.network.host import Host
from protocol.network.introductions import Desk
from protocol.storage.home import Owner
from protocol.wire.encoding import Deframer, Frame
from tests.helpers.peers import CERTIFICATE, LOOPBACK


async def stranger(host: Host, secure: bool) -> tuple[trio.abc.Stream, Callable[[], Awaitable[None]]]:
    """One end of a connection to `host` without a network, and what serves the other."""
    ours, theirs = trio.testing.memory_stream_pair()
    stream: trio.abc.Stream = trio.SSLStream(ours, tls.joining_context()) if secure else ours
    return stream, lambda: host.greet(theirs)


@pytest.fixture
async def host(ada: Owner, nursery: trio.Nursery) -> Host:
    made = Host(nursery, Desk(ada, CERTIFICATE, 4000))
    made.invite([LOOPBACK])
    return made


@pytest.mark.parametrize("secure", [False, True])
@pytest.mark.parametrize("speaks", [False, True])
async def test_row_20_who_does_not_say_who_it_is_within_ten_seconds_is_hung_up_on(
    host: Host, autojump_clock: trio.testing.MockClock, secure: bool, speaks: bool
) -> None:
    """Silent, or a byte a second; before TLS or after."""
    stream, serve = await stranger(host, secure)

    async def dribble() -> None:
        try:
            hello = bytes(Frame(17, b"x" * 600)) if secure else b"\x16\x03\x01\x02\x00" + b"x" * 600
            for byte in hello:
                await stream.send_all(bytes((byte,)))
                await trio.sleep(1)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass

    async with trio.open_nursery() as nursery:
        if secure:
            assert isinstance(stream, trio.SSLStream)
            nursery.start_soon(stream.do_handshake)
        if speaks:
            nursery.start_soon(dribble)
        await serve()
        assert limits.AUTHENTICATE_WITHIN <= trio.current_time() <= limits.AUTHENTICATE_WITHIN + limits.LINGER
        nursery.cancel_scope.cancel()
    assert host._strangers == 0


async def test_row_21_one_too_many_at_the_door_is_hung_up_on_and_room_is_made_again(
    host: Host, autojump_clock: trio.testing.MockClock
) -> None:
    async with trio.open_nursery() as nursery:
        for _ in range(limits.MAX_STRANGERS):
            _, serve = await stranger(host, secure=False)
            nursery.start_soon(serve)
        await trio.testing.wait_all_tasks_blocked()
        late, serve = await stranger(host, secure=False)
        await serve()
        with pytest.raises(trio.BrokenResourceError):
            await late.send_all(b"hello")
        assert trio.current_time() == 0.0
    assert host._strangers == 0


@pytest.mark.parametrize(
    "noise", [b"", b"GET / HTTP/1.1\r\n\r\n", bytes(1000), b"\x16\x03\x01\xff\xff" + bytes(9)]
)
async def test_noise_instead_of_tls_ends_that_connection_only(
    host: Host, autojump_clock: trio.testing.MockClock, noise: bytes
) -> None:
    stream, serve = await stranger(host, secure=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        await stream.send_all(noise)
        await stream.aclose()
    assert host._strangers == 0


@pytest.mark.parametrize(
    "frame", [Frame(17, b"noise"), Frame(20, b"noise"), Frame(1, b""), Frame(22, b""), Frame(17, b"x" * 1025)]
)
async def test_noise_instead_of_an_introduction_is_answered_with_a_code(
    host: Host, autojump_clock: trio.testing.MockClock, frame: Frame
) -> None:
    stream, serve = await stranger(host, secure=True)
    said = bytearray()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        await stream.send_all(bytes(frame))
        try:
            async for data in stream:
                said += data
        except trio.BrokenResourceError:
            pass
    kinds = [frame.kind for frame in Deframer().feed(bytes(said))]
    assert kinds == [16, 26]
    assert host.desk._ticket is not None
    assert not host.desk._ticket.used
