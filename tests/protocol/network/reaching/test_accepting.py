"""Who is let in where thousands connect (row 107)."""

from __future__ import annotations

import errno
import socket
from collections import Counter
from collections.abc import Iterable
from typing import Any, cast

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.channel.strangers import selection
from protocol.network.transport import tcp
from protocol.network.transport.tcp import let_in
from protocol.rendezvous.via import Origin
from tests.helpers.machine.examples import examples

CROWD, FRIEND = "203.0.113.7", "198.51.100.4"


class Calling:
    """A connection that waits to be accepted, from `address`; `sent`: its first bytes."""

    def __init__(self, address: str, sent: bytes = b"") -> None:
        self.address = address
        self.sent = sent
        self.ended = False

    def setblocking(self, _: bool) -> None:
        pass

    def setsockopt(self, *_: object) -> None:
        pass

    def recv(self, size: int, flags: int) -> bytes:
        assert flags == socket.MSG_PEEK, "the bytes are the caller's"
        if not self.sent:
            raise BlockingIOError
        return self.sent[:size]

    def close(self) -> None:
        assert not self.ended
        self.ended = True


class Queue:
    """A socket that listens, and what waits at it."""

    def __init__(self, waiting: Iterable[Calling | OSError]) -> None:
        self.waiting = list(waiting)

    def accept(self) -> tuple[socket.socket, Any]:
        if not self.waiting:
            raise BlockingIOError
        stream = self.waiting.pop(0)
        if isinstance(stream, OSError):
            raise stream
        return cast("socket.socket", stream), (stream.address, 50_000)


def admitted(queue: Queue, known: tuple[str, ...] = ()) -> list[Calling]:
    return [cast("Calling", calling) for calling, _ in let_in(queue, known)]


@pytest.mark.parametrize("known", [(), (FRIEND,)])
def test_row_107_a_friend_is_let_in_at_the_next_turn_whatever_the_crowd_of_another_address(
    known: tuple[str, ...],
) -> None:
    """3,000 a second are 60 a turn; the surplus is ended at once."""
    before, behind = [Calling(CROWD) for _ in range(100)], [Calling(CROWD) for _ in range(100)]
    friend = Calling(FRIEND)
    queue = Queue([*before, friend, *behind])
    came = admitted(queue, known)
    assert queue.waiting == []
    assert friend in came
    assert not friend.ended
    assert len(came) == 1 + limits.LET_IN_OF_NETWORK
    assert [stream.ended for stream in came] == [False] * len(came)
    assert sum(stream.ended for stream in before + behind) == 200 - limits.LET_IN_OF_NETWORK


def test_row_107_of_a_silent_crowd_at_ones_own_address_it_is_enough_to_speak() -> None:
    friend = Calling(CROWD, b"\x16")
    crowd = [Calling(CROWD) for _ in range(100)]
    assert friend in admitted(Queue([friend, *crowd]))
    assert friend in admitted(Queue([*[Calling(CROWD) for _ in range(100)], Calling(FRIEND), friend]))


def test_row_107_a_player_comes_before_callers_of_as_many_addresses_as_one_turn_has() -> None:
    friend = Calling(FRIEND)
    crowd = [Calling(f"10.0.{number}.1") for number in range(limits.ACCEPTED_AT_ONCE - 1)]
    assert friend in admitted(Queue([*crowd, friend]), (FRIEND,))


def test_row_107_a_turn_takes_no_more_than_its_share_and_survives_what_accepting_brings() -> None:
    queue = Queue([Calling(CROWD) for _ in range(2 * limits.ACCEPTED_AT_ONCE)])
    assert len(admitted(queue)) == limits.LET_IN_OF_NETWORK
    assert len(queue.waiting) == limits.ACCEPTED_AT_ONCE
    friend = Calling(FRIEND)
    assert admitted(Queue([ConnectionAbortedError(), friend])) == [friend]
    full = OSError(errno.EMFILE, "no more files")
    assert admitted(Queue([friend, full, Calling(CROWD)])) == [friend]


def test_who_is_not_in_a_crowd_is_let_in_unasked() -> None:
    few = [Calling(f"10.0.0.{number % 2}") for number in range(2 * limits.LET_IN_OF_NETWORK)]
    assert sorted(map(id, admitted(Queue(few)))) == sorted(map(id, few))


@given(networks=st.lists(st.integers(0, 40), max_size=300), known=st.sets(st.integers(0, 40), max_size=4))
@examples(40, 400)
def test_row_107_of_every_network_one_is_let_in_before_another_has_a_second(
    networks: list[int], known: set[int]
) -> None:
    came = [(str(network), place) for place, network in enumerate(networks)]
    inside = selection(came, lambda place: place % 3 == 0, [str(network) for network in known])
    sizes, offered = Counter(networks[place] for place in inside), Counter(networks)
    assert len(inside) == len(set(inside)) <= limits.LET_IN_AT_ONCE
    assert max(sizes.values(), default=0) <= limits.LET_IN_OF_NETWORK
    most = max(sizes.values(), default=0)
    for network, size in offered.items():
        assert sizes[network] >= min(size, most - 1), "all have one less than the first, or all that came"
        if network in known:
            assert sizes[network] >= 1
    if sum(min(size, limits.LET_IN_OF_NETWORK) for size in offered.values()) <= limits.LET_IN_AT_ONCE:
        assert len(inside) == sum(min(size, limits.LET_IN_OF_NETWORK) for size in offered.values())


async def test_row_107_over_sockets_a_crowd_is_hung_up_on_at_once(autojump_clock: object) -> None:
    """In one turn no more than a few of an address come in; the others read the end of their connection."""
    answered: list[str] = []

    async def answer(stream: trio.SocketStream, origin: Origin) -> None:
        answered.append(origin.network)
        await trio.sleep_forever()

    async with trio.open_nursery() as nursery:
        port = await tcp.listen(nursery, 0, answer, ["127.0.0.1"])
        crowd = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
        while len(answered) < limits.LET_IN_OF_NETWORK:
            await trio.testing.wait_all_tasks_blocked()
        ended = 0
        for link in crowd:
            link.setblocking(False)
            try:
                ended += not link.recv(1)
            except ConnectionResetError:
                ended += 1
            except BlockingIOError:
                pass
            link.close()
        assert answered == ["127.0.0.1"] * limits.LET_IN_OF_NETWORK
        assert ended == len(crowd) - limits.LET_IN_OF_NETWORK
        nursery.cancel_scope.cancel()
