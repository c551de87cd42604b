"""A link between two players: who does not read, falls silent or talks rubbish (row 22)."""

from __future__ import annotations

import socket
from math import inf

import pytest
import trio
import trio.testing

from protocol import limits
from protocol.channel.channel import CLOSE
from protocol.errors import Malformed
from protocol.failures import Code, LinkLost, Loss, Refused
from protocol.network.link import Continuation, Link
from protocol.wire.encoding import Frame, encode
from tests.helpers.links.peers import CERTIFICATE, assert_refused, encrypted


async def pair_of_links(nursery: trio.Nursery) -> tuple[Link, trio.abc.Stream]:
    """A trusted link, and the bare other end of it."""
    ours, theirs = trio.testing.memory_stream_pair()
    link = Link(ours)
    link.trust()
    nursery.start_soon(link.run)
    return link, theirs


async def test_row_22_who_never_reads_is_given_up(nursery: trio.Nursery, autojump_clock: object) -> None:
    ours, _ = trio.testing.lockstep_stream_pair()
    link = Link(ours)
    nursery.start_soon(link.run)
    link.send(bytes(Frame(40, b"hello")))
    with pytest.raises(LinkLost, match=Loss.UNREAD.value):
        await link.receive()
    assert trio.current_time() == limits.TAKE_WITHIN
    await link.gone.wait()


async def test_row_22_a_slow_but_steady_reader_of_a_long_record_is_kept(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    ours, theirs = trio.testing.lockstep_stream_pair()
    link = Link(ours)
    link.trust()
    nursery.start_soon(link.run)
    record = bytes(Frame(40, b"x" * 60_000)) * 10
    link.send(record)
    read = bytearray()
    while len(read) < len(record):
        await trio.sleep(limits.TAKE_WITHIN / 2 - 1)
        assert link.lost is None
        read += await theirs.receive_some(limits.CHUNK)
    assert read[: len(record)] == record
    assert trio.current_time() > 10 * limits.TAKE_WITHIN
    assert link.lost is None


async def test_who_falls_silent_is_given_up_and_who_answers_is_kept(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    link, _ = await pair_of_links(nursery)
    with pytest.raises(LinkLost, match=Loss.SILENT.value):
        await link.receive()
    assert trio.current_time() == limits.SILENT_AFTER
    near, other = (Link(stream) for stream in trio.testing.memory_stream_pair())
    trips: list[float | None] = []
    near.on_round_trip = lambda: trips.append(near.rtt)
    for end in (near, other):
        end.trust()
        nursery.start_soon(end.run)
    with trio.move_on_after(3600):
        await near.receive()
    assert near.lost is None
    assert trips
    assert near.rtt is not None
    near.close(Code.LEFT)
    await assert_refused(Code.LEFT, other.receive)
    await near.gone.wait()
    assert trio.current_time() < 3600 + 2 * limits.SILENT_AFTER


async def test_a_link_reads_no_further_ahead_than_a_little(
    nursery: trio.Nursery, autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CHUNK", 90)
    link, other = await pair_of_links(nursery)
    frame = bytes(Frame(40, b""))
    await other.send_all(frame * 1000)
    await trio.testing.wait_all_tasks_blocked()
    taken = len(await link.receive())
    assert limits.MAX_INBOX < taken <= limits.MAX_INBOX + 11
    while taken < 1000:
        taken += len(await link.receive())
    assert taken == 1000


async def test_rubbish_on_a_link_is_its_end(nursery: trio.Nursery, autojump_clock: object) -> None:
    link, other = await pair_of_links(nursery)
    await other.send_all(b"\xff" * 100)
    with pytest.raises(Malformed):
        await link.receive()
    link.send(b"more")
    await link.gone.wait()
    assert trio.current_time() <= limits.LINGER


async def test_a_link_whose_task_is_cancelled_is_lost_to_all_who_wait(autojump_clock: object) -> None:
    async with trio.open_nursery() as waiting, trio.open_nursery() as nursery:
        link, _ = await pair_of_links(nursery)

        async def wait() -> None:
            with pytest.raises(LinkLost, match=Loss.ENDED.value):
                await link.receive()

        waiting.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()


async def tls_links(ends: tuple[socket.socket, socket.socket] | None = None) -> tuple[Link, Link]:
    """Two trusted links, one to the other, over TLS between two sockets; neither runs yet."""
    ends = ends or socket.socketpair()
    here, there = (trio.SocketStream(trio.socket.from_stdlib_socket(end)) for end in ends)
    side, other = encrypted(here), encrypted(there, CERTIFICATE)
    async with trio.open_nursery() as shaking:
        shaking.start_soon(side.do_handshake)
        shaking.start_soon(other.do_handshake)
    links = Link(side), Link(other)
    for link in links:
        link.trust()
    return links


async def test_an_idle_link_sends_at_once_without_a_turn_of_the_loop(nursery: trio.Nursery) -> None:
    ends = socket.socketpair()
    tls_link, other = await tls_links(ends)
    for link in (tls_link, other):
        nursery.start_soon(link.run)
    await trio.testing.wait_all_tasks_blocked()
    tls_link.send(bytes(Frame(40, b"at once")))
    # No await stands between: the bytes are with the system already.
    with ends[1].dup() as raw:
        raw.setblocking(False)
        assert raw.recv(1, socket.MSG_PEEK)
    assert await other.receive() == [Frame(40, b"at once")]
    nursery.cancel_scope.cancel()


async def test_what_the_system_does_not_take_at_once_follows_in_order(nursery: trio.Nursery) -> None:
    """Far more than a socket holds, in pieces of many sizes, before the other side reads any of it."""
    tls_link, other = await tls_links()
    nursery.start_soon(tls_link.run)
    await trio.testing.wait_all_tasks_blocked()
    sent = [Frame(40, bytes((at % 256,)) * (at * 37 % 60_000)) for at in range(100)]
    for frame in sent:
        tls_link.send(bytes(frame))
    assert tls_link.queued
    nursery.start_soon(other.run)
    came: list[Frame] = []
    with trio.fail_after(30):
        while len(came) < len(sent):
            came += await other.receive()
    assert came == sent
    tls_link.send(bytes(Frame(40, b"more")))
    assert await other.receive() == [Frame(40, b"more")]
    nursery.cancel_scope.cancel()


async def test_sending_at_once_into_a_broken_connection_loses_the_link(nursery: trio.Nursery) -> None:
    tls_link, other = await tls_links()
    nursery.start_soon(tls_link.run)
    await trio.testing.wait_all_tasks_blocked()
    await trio.aclose_forcefully(other.stream)
    tls_link.send(bytes(Frame(40, b"into the void")))
    with trio.fail_after(30):
        await tls_link.gone.wait()
    assert isinstance(tls_link.lost, LinkLost)


async def test_frames_are_handed_over_as_they_arrive_and_a_refusal_comes_back(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    link, other = await pair_of_links(nursery)
    taken: list[list[Frame]] = []

    def take(frames: list[Frame]) -> None:
        taken.append(frames)
        if frames and frames[-1].payload == b"bad":
            raise Malformed("refused")

    async def send() -> None:
        for piece in ((b"one", b"two"), (b"bad",)):
            await trio.testing.wait_all_tasks_blocked()
            await other.send_all(b"".join(bytes(Frame(40, text)) for text in piece))

    await other.send_all(bytes(Frame(40, b"early")))
    await trio.testing.wait_all_tasks_blocked()
    nursery.start_soon(send)
    with pytest.raises(Malformed, match="refused"):
        await link.feed(take, lambda: inf)
    assert [[frame.payload for frame in frames] for frames in taken] == [
        [b"early"],
        [b"one", b"two"],
        [b"bad"],
    ]
    await other.send_all(bytes(Frame(40, b"after")))
    assert await link.receive() == [Frame(40, b"after")]  # nothing is handed over any more


async def test_who_takes_frames_is_told_when_its_deadline_has_come(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    link, other = await pair_of_links(nursery)
    taken: list[tuple[float, int]] = []
    deadlines = [5.0]

    def take(frames: list[Frame]) -> None:
        taken.append((trio.current_time(), len(frames)))
        deadlines.append(inf if len(taken) == 2 else 3.0)  # a frame moves it, the second call is the last one

    nursery.start_soon(link.feed, take, lambda: deadlines[-1])
    await trio.sleep(1)
    await other.send_all(bytes(Frame(40, b"one")))
    await trio.sleep(5)
    assert taken == [(1.0, 1), (3.0, 0)]
    nursery.cancel_scope.cancel()


async def test_a_lost_link_ends_the_handing_over_once_all_was_taken(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    link, other = await pair_of_links(nursery)
    taken: list[Frame] = []
    await other.send_all(bytes(Frame(40, b"last")) + bytes(Frame(CLOSE, encode([Code.LEFT]))))
    with pytest.raises(Refused):
        await link.feed(taken.extend, lambda: inf)
    assert taken == [Frame(40, b"last")]


async def test_what_takes_a_while_is_awaited_before_more_is_handed_over(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    link, other = await pair_of_links(nursery)
    taken: list[tuple[float, bytes]] = []

    async def later() -> None:
        await trio.sleep(2)
        taken.append((trio.current_time(), b"heavy"))

    def take(frames: list[Frame]) -> Continuation | None:
        if frames[0].payload == b"heavy":
            return later
        taken.extend((trio.current_time(), frame.payload) for frame in frames)
        return None

    await other.send_all(bytes(Frame(40, b"heavy")))
    nursery.start_soon(link.feed, take, lambda: inf)
    await trio.sleep(1)
    await other.send_all(bytes(Frame(40, b"light")))
    await trio.sleep(2)
    await other.send_all(bytes(Frame(40, b"at once")))
    await trio.sleep(1)
    assert taken == [(2.0, b"heavy"), (2.0, b"light"), (3.0, b"at once")]
    nursery.cancel_scope.cancel()
