"""Calls from the port at which we listen: who speaks first, what a relay may tell, and what stays taken."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing

from protocol import limits
from protocol.channel import tls
from protocol.failures import CannotListen, LinkLost
from protocol.failures import RelayStatus as Status
from protocol.lobby.introductions import Desk
from protocol.network.host import Host
from protocol.network.transport import crossing, tcp
from protocol.network.transport.choice import Wishes, transports_for
from protocol.network.transport.crossing import Crossing
from protocol.network.transport.relay_server import Relay
from protocol.rendezvous.relay_switchboard import Drop, Limits, Role, Say, Switchboard, hello
from protocol.rendezvous.via import Origin
from protocol.wire.addresses import Endpoint, pack
from tests.helpers.links.peers import HANGING, owner

pytestmark = pytest.mark.skipif(not crossing.POSSIBLE, reason="calls cross on Linux only")
LOOPBACK = ["127.0.0.1"]
OUTSIDE = Endpoint("203.0.113.7", 4000)


@pytest.fixture
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this machine count as one outside."""
    monkeypatch.setattr(crossing, "reached_from_outside", lambda _: True)


class Door:
    """A port at which we listen, and the streams that are for our host."""

    def __init__(self) -> None:
        self.port = 0
        self.came: list[tuple[trio.abc.Stream, Origin]] = []

    async def open(self, nursery: trio.Nursery) -> Crossing:
        """Listen, and be able to call from there."""

        async def answer(stream: trio.SocketStream, _: Origin) -> None:
            await stream.aclose()

        self.port = await tcp.listen(nursery, 0, answer, LOOPBACK)
        return Crossing(self.port, lambda stream, origin: self.came.append((stream, origin)))


@asynccontextmanager
async def calling(words: bytes) -> AsyncIterator[tuple[Door, Crossing, Endpoint, list[int]]]:
    """A door of ours, and somebody else who says `words` first; the ports of those that called it."""
    ports: list[int] = []

    async def serve(stream: trio.SocketStream) -> None:
        ports.append(stream.socket.getpeername()[1])
        with suppress(trio.BrokenResourceError):
            if words:
                await stream.send_all(words)
            await stream.receive_some(1)

    door = Door()
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            listeners = await nursery.start(partial(trio.serve_tcp, serve, 0, host="127.0.0.1"))
            there = Endpoint("127.0.0.1", listeners[0].socket.getsockname()[1])
            yield door, await door.open(nursery), there, ports
            nursery.cancel_scope.cancel()
    for stream, _ in door.came:
        await trio.aclose_forcefully(stream)


async def test_who_yields_is_the_host_of_an_end_that_speaks_first(near: None) -> None:
    async with calling(b"\x16") as (door, ours, there, ports):
        with pytest.raises(LinkLost):
            await ours.connect(there, yields=True)
        [(stream, origin)] = door.came
        assert await stream.receive_some(1) == b"\x16", "nothing of it was taken"
        assert origin.network == "127.0.0.1"
        assert ports == [door.port], "from the port at which we listen"


async def test_the_lower_seat_and_whoever_meets_silence_speak_as_callers(
    near: None, autojump_clock: trio.testing.MockClock
) -> None:
    async with calling(b"\x16") as (door, ours, there, ports):
        await trio.aclose_forcefully((await ours.connect(there, yields=False)).stream)
        assert (door.came, ports) == ([], [door.port])
    async with calling(b"") as (door, ours, there, ports):
        began = trio.current_time()
        await trio.aclose_forcefully((await ours.connect(there, yields=True)).stream)
        assert trio.current_time() - began < limits.SPEAK_WITHIN, "its host waits no longer for us"
        assert (door.came, ports) == ([], [door.port])


async def test_a_second_call_to_the_same_place_comes_from_another_port(near: None) -> None:
    async with calling(b"") as (door, ours, there, ports):
        first = await ours.connect(there, yields=False)
        await trio.aclose_forcefully((await ours.connect(there, yields=False)).stream)
        await trio.testing.wait_all_tasks_blocked()
        assert ports[0] == door.port != ports[1]
        await trio.aclose_forcefully(first.stream)


async def test_calls_within_a_network_and_by_name_are_as_ever() -> None:
    async with calling(b"") as (door, ours, there, ports):
        usual = transports_for(Wishes())
        crossed = ours.transports(usual, yields=False)
        for host in (there.host, "localhost"):
            await trio.aclose_forcefully((await crossed.connect(Endpoint(host, there.port))).stream)
        await trio.testing.wait_all_tasks_blocked()
        assert len(ports) == 2
        assert door.port not in ports
        assert crossed.serves(OUTSIDE)
        assert not ours.transports(transports_for(Wishes(straight=False)), yields=False).serves(OUTSIDE)


async def test_a_port_that_we_call_from_is_taken_for_everybody_else() -> None:
    door = Door()
    async with trio.open_nursery() as nursery:
        await door.open(nursery)
        with pytest.raises(CannotListen):
            await tcp.listen(nursery, door.port, lambda *_: trio.sleep(0), LOOPBACK)
        nursery.cancel_scope.cancel()


# Where a relay sees us


def test_a_relay_tells_from_where_one_calls_and_no_more() -> None:
    board = Switchboard(Limits())
    asks = hello(Role.SEE, bytes(16))
    for host in ("192.0.2.1", "2001:db8::1"):
        stream, _ = board.came(host, 0.0, 4000)
        packed = pack(Endpoint(host, 4000))
        assert board.heard(stream, asks, 0.0) == [Say(stream, Status.SEEN, bytes((len(packed),)) + packed)]
        assert board.counts.waiting == 0
        assert board.tick(119.0) == []
        assert board.tick(121.0) == [Drop(stream)]
    for greeting, more in ((hello(Role.SEE, b"x" * 16), b""), (asks, b"x")):
        stream, _ = board.came("192.0.2.1", 0.0, 4000)
        effects = board.heard(stream, greeting, 0.0) if not more else []
        if more:
            board.heard(stream, greeting, 0.0)
            effects = board.heard(stream, more, 0.0)
        assert effects == [Say(stream, Status.MALFORMED), Drop(stream)]


async def test_we_learn_from_a_relay_where_our_port_is_seen(near: None) -> None:
    door, seen = Door(), list[Endpoint]()
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            relay = Relay(Limits())
            await relay.listen(nursery, 0, LOOPBACK)
            ours = await door.open(nursery)
            event = trio.Event()

            def tell(where: Endpoint) -> None:
                seen.append(where)
                event.set()

            nursery.start_soon(ours.look, Endpoint("localhost", relay.port), tell)
            await event.wait()
            assert seen == [Endpoint("127.0.0.1", door.port)]
            assert relay.counts.streams == 1, "it stays open for a while"
            nursery.cancel_scope.cancel()


def _of(host: str, port: int) -> bytes:
    packed = pack(Endpoint(host, port))
    return bytes((Status.SEEN, len(packed))) + packed


@pytest.mark.parametrize(
    "words",
    [
        b"",
        b"\x00" * 100,
        b"\x05",
        _of("203.0.113.7", 4000)[:-1],
        b"\x30\xff" + b"\x01" * 255,
        b"\x30\x00",
        b"\x30\x07\x04" + bytes(6),
        b"\x30\x08\x01abcde\x0f\xa0",  # a name
        b"\x30\x07\x09" + bytes(6),  # a kind of later
        _of("192.168.1.1", 4000),
        _of("100.64.0.1", 4000),
        _of("fe80::1", 4000),
    ],
    ids=bytes.hex,
)
async def test_row_79_what_else_a_relay_says_of_us_is_told_to_nobody(words: bytes) -> None:
    async def serve(stream: trio.SocketStream) -> None:
        await stream.receive_some(100)
        await stream.send_all(words)
        await stream.aclose()

    door, seen = Door(), list[Endpoint]()
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            listeners = await nursery.start(partial(trio.serve_tcp, serve, 0, host="127.0.0.1"))
            at = Endpoint("127.0.0.1", listeners[0].socket.getsockname()[1])
            await (await door.open(nursery)).look(at, seen.append)
            await (await door.open(nursery)).look(Endpoint("127.0.0.1", 1), seen.append)  # nobody is there
            nursery.cancel_scope.cancel()
    assert seen == []


async def test_row_79_a_relay_moves_us_a_few_times_at_most(tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:
        host = Host(nursery, Desk(owner(tmp_path / "ada", "Ada"), tls.make(), 4000))
        for number in range(1, 100):
            host.note_seen(Endpoint(f"203.0.113.{number}", 4000))
        assert host.desk.seen == (Endpoint(f"203.0.113.{limits.MAX_SEEN}", 4000),)
        nursery.cancel_scope.cancel()
