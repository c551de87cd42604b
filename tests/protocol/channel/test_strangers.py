"""Strangers at a host's door: silence, crowds and noise (rows 19 to 21)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.channel.strangers import Stage, Stranger, Strangers, network_of
from protocol.lobby.introductions import Desk, invite_dialogue
from protocol.network.guest import join
from protocol.network.host import Host
from protocol.network.link import Link, TLSStream
from protocol.network.peer import Peer
from protocol.network.transport.tcp import Throttle
from protocol.rendezvous.invite import Invite
from protocol.rendezvous.via import Origin, Via
from protocol.storage.home import Owner
from protocol.wire.encoding import Deframer, Frame
from tests.helpers.links.peers import (
    CERTIFICATE,
    LOOPBACK,
    TERMS,
    encrypted,
    here,
    hosting,
    running,
    until,
    users,
    yes,
)
from tests.helpers.machine.examples import examples

ELSEWHERE = "203.0.113.7"
HELLO = b"\x16\x03\x01\x02\x00"
"""How a ClientHello of 512 bytes begins."""
PACE = limits.STRANGERS_BYTES_EVERY
"""As it is outside tests: a fixture of all takes it away."""


@pytest.fixture(autouse=True)
def paced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STRANGERS_BYTES_EVERY", PACE)


async def stranger(
    host: Host, secure: bool, address: str = ELSEWHERE
) -> tuple[trio.abc.Stream, Callable[[], Awaitable[None]]]:
    """One end of a connection to `host` without a network, and what serves the other."""
    ours, theirs = trio.testing.memory_stream_pair()
    return encrypted(ours) if secure else ours, lambda: host.greet(theirs, Origin(address, Via.DIRECT))


async def introduced(host: Host, guest: Owner, invite: Invite, nursery: trio.Nursery, address: str) -> float:
    """Come to `host` from `address` with its invite; how many seconds that took."""
    began = trio.current_time()
    stream, serve = await stranger(host, True, address)
    assert isinstance(stream, TLSStream)
    nursery.start_soon(serve)
    await stream.do_handshake()
    link = Link(stream, binding=stream.session.binding(invite.certificate))
    link.trust()
    nursery.start_soon(link.run)
    await link.attend(lambda say: invite_dialogue(say, link.binding, guest, invite.secret))
    return trio.current_time() - began


@pytest.fixture
async def host(ada: Owner, nursery: trio.Nursery) -> Host:
    made = Host(nursery, Desk(ada, CERTIFICATE, 4000))
    made.invite(here(made))
    return made


@pytest.mark.parametrize("secure", [False, True])
@pytest.mark.parametrize("speaks", [False, True])
async def test_row_20_who_does_not_say_who_it_is_in_time_is_hung_up_on(
    host: Host, autojump_clock: trio.testing.MockClock, secure: bool, speaks: bool
) -> None:
    """Silent, or a byte a second; before TLS or after."""
    stream, serve = await stranger(host, secure)

    async def dribble() -> None:
        try:
            hello = bytes(Frame(17, b"x" * 600)) if secure else HELLO + b"x" * 600
            for byte in hello:
                await stream.send_all(bytes((byte,)))
                await trio.sleep(1)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass

    async with trio.open_nursery() as nursery:
        if secure:
            assert isinstance(stream, TLSStream)
            nursery.start_soon(stream.do_handshake)
        if speaks:
            nursery.start_soon(dribble)
        await serve()
        due = limits.AUTHENTICATE_WITHIN if speaks or secure else limits.SPEAK_WITHIN
        assert due <= trio.current_time() <= due + limits.LINGER
        nursery.cancel_scope.cancel()
    assert len(host.strangers) == 0


# Row 21: crowds


async def mute(crowd: trio.Nursery, host: Host, addresses: list[str], says: bytes = b"") -> None:
    """Let callers in that say no more than `says`, and keep their ends open."""
    for address in addresses:
        stream, serve = await stranger(host, False, address)
        crowd.start_soon(serve)
        await stream.send_all(says)
    await trio.testing.wait_all_tasks_blocked()


@pytest.mark.parametrize("says", [b"", HELLO])
@pytest.mark.parametrize("address", [ELSEWHERE, "198.51.100.4"])
async def test_row_21_eighty_callers_of_one_address_keep_nobody_out(
    host: Host, ben: Owner, autojump_clock: trio.testing.MockClock, address: str, says: bytes
) -> None:
    """The true guest comes in within a second, from another address or the same."""
    invite = host.invite(here(host))
    async with trio.open_nursery() as crowd:
        await mute(crowd, host, [ELSEWHERE] * 80, says)
        assert len(host.strangers) == limits.MAX_STRANGERS_OF_NETWORK
        assert await introduced(host, ben, invite, crowd, address) < 1
        crowd.cancel_scope.cancel()


async def test_row_21_nor_do_callers_of_as_many_addresses_as_there_are_places(
    host: Host, ben: Owner, autojump_clock: trio.testing.MockClock
) -> None:
    invite = host.invite(here(host))
    async with trio.open_nursery() as crowd:
        await mute(crowd, host, [f"10.0.0.{number}" for number in range(100)], HELLO)
        assert len(host.strangers) == limits.MAX_STRANGERS
        assert await introduced(host, ben, invite, crowd, ELSEWHERE) < limits.AUTHENTICATE_WITHIN / 2
        crowd.cancel_scope.cancel()


async def test_row_21_over_sockets_too_a_silent_crowd_keeps_nobody_out(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, invite):
        crowd = [await trio.open_tcp_stream(LOOPBACK, host.desk.port) for _ in range(80)]
        # Until each is let in or not: of those that come in the turn of such a crowd, one may be left out.
        await trio.testing.wait_all_tasks_blocked(2 * limits.ACCEPT_EVERY)
        joined: list[Peer] = []

        async def come() -> None:
            joined.append(await join(nursery, ben, invite, yes))

        async with trio.open_nursery() as meeting:
            meeting.start_soon(come)
            hosted = await host.meet(TERMS, yes)
        async with running(hosted, *joined):
            await until(hosted, lambda: hosted.replica.session.live)
            assert [peer.replica.match.id for peer in joined] == [hosted.replica.match.id]
        for stream in crowd:
            await trio.aclose_forcefully(stream)


async def test_row_21_the_bytes_of_strangers_are_taken_one_piece_a_turn(
    host: Host, mock_clock: trio.testing.MockClock
) -> None:
    """Between two steps of strangers' TLS the player's thread is free, however many come at once."""
    answered: list[int] = []

    async def call(number: int) -> None:
        stream, serve = await stranger(host, True, f"10.0.0.{number}")
        assert isinstance(stream, TLSStream)
        crowd.start_soon(serve)
        await stream.do_handshake()  # over as soon as the host has taken the first piece
        answered.append(number)

    async with trio.open_nursery() as crowd:
        for number in range(30):
            crowd.start_soon(call, number)
        for turn in range(1, 30):
            await trio.testing.wait_all_tasks_blocked(0.001)
            assert len(answered) <= turn
            mock_clock.jump(PACE)
        while len(answered) < 30:
            mock_clock.jump(PACE)
            await trio.testing.wait_all_tasks_blocked(0.001)
        assert trio.current_time() < limits.AUTHENTICATE_WITHIN / 2
        crowd.cancel_scope.cancel()


async def test_a_pace_lets_tasks_go_on_in_order_and_not_at_once(autojump_clock: object) -> None:
    pace = Throttle(0.5)
    went: list[tuple[int, float]] = []

    async def go(number: int) -> None:
        await pace.turn()
        went.append((number, trio.current_time()))

    async with trio.open_nursery() as nursery:
        for number in range(4):
            nursery.start_soon(go, number)
            await trio.testing.wait_all_tasks_blocked()
    assert went == [(0, 0.0), (1, 0.5), (2, 1.0), (3, 1.5)]
    await trio.sleep(10)
    await pace.turn()
    assert trio.current_time() == 11.5


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("/run/socket", "/run/socket"),
    ],
)
def test_the_network_of_an_address(address: str, network: str) -> None:
    assert network_of(address) == network


NETWORKS = [f"10.0.0.{number}" for number in range(20)]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["enter"] * 12 + ["leave", "advance", "advance", "know"]), st.integers(0, 10**6)
    ),
    max_size=400,
)


@given(steps=STEPS)
@examples(40, 400)
def test_row_21_whoever_comes_is_let_in_and_crowds_push_out_their_own(
    steps: list[tuple[str, int]],
) -> None:
    strangers, inside = Strangers(), list[Stranger]()
    pushed = list[int]()
    comers = list[Stranger]()
    for step, number in steps:
        if step == "enter":
            before = Counter(caller.network for caller in inside)
            caller = strangers.enter(NETWORKS[min(number % 40, 19)], partial(pushed.append, len(comers)))
            inside.append(caller)
            comers.append(caller)
            gone = [comers[number] for number in pushed]
            assert len(gone) <= 1
            assert caller not in gone
            for stranger in gone:
                inside.remove(stranger)
                same = [
                    other for other in inside if other.network == stranger.network and other is not caller
                ]
                assert all(stranger.stage <= other.stage for other in same), "who came furthest stays"
                if before[stranger.network] == 1:
                    assert all(size == 1 for where, size in before.items() if where not in strangers.known)
            pushed.clear()
        elif inside:
            stranger = inside[number % len(inside)]
            if step == "leave":
                strangers.leave(stranger)
                inside.remove(stranger)
            elif step == "advance":
                stranger.stage = Stage(min(stranger.stage + 1, 2))
            else:
                strangers.recognise(stranger)
        crowds = Counter(caller.network for caller in inside)
        assert len(strangers) == len(inside)
        assert max(crowds.values(), default=0) <= limits.MAX_STRANGERS_OF_NETWORK
        if step == "enter" and caller.network not in strangers.known:
            unknown = sum(size for where, size in crowds.items() if where not in strangers.known)
            assert unknown <= limits.MAX_STRANGERS


def test_row_21_a_player_who_comes_back_finds_a_place_that_no_stranger_can_take() -> None:
    strangers = Strangers()
    gone: list[str] = []
    player = strangers.enter(ELSEWHERE, lambda: gone.append("player"))
    strangers.recognise(player)
    strangers.leave(player)
    for number in range(limits.MAX_STRANGERS):
        strangers.enter(f"10.0.0.{number}", lambda: gone.append("stranger"))
    again = strangers.enter(ELSEWHERE, lambda: gone.append("player"))
    assert gone == []
    for number in range(1000):
        strangers.enter(f"10.0.1.{number}", lambda: gone.append("stranger"))
    assert "player" not in gone
    there = len(strangers)
    strangers.leave(again)
    assert len(strangers) == there - 1, "it was still there"


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
    assert len(host.strangers) == 0


@pytest.mark.parametrize(
    "frame", [Frame(17, b"noise"), Frame(20, b"noise"), Frame(1, b""), Frame(22, b""), Frame(17, b"x" * 1025)]
)
async def test_noise_instead_of_an_introduction_is_answered_with_a_code(
    host: Host, autojump_clock: trio.testing.MockClock, frame: Frame
) -> None:
    stream, serve = await stranger(host, secure=True)
    answer = bytearray()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        assert isinstance(stream, TLSStream)
        await stream.do_handshake()
        await stream.send_all(bytes(frame))
        try:
            async for data in stream:
                answer += data
        except trio.BrokenResourceError:
            pass
    kinds = [frame.kind for frame in Deframer().feed(bytes(answer))]
    assert kinds == [16, 26]
    assert users(host) == ()


def test_row_117_a_crowd_that_speaks_at_ones_own_address_does_not_push_one_out_each_time() -> None:
    """Each of 8 more callers pushes out one of 8: of three who call, one comes through."""
    full, stayed = limits.MAX_STRANGERS_OF_NETWORK, 0
    for _ in range(200):
        strangers, out = Strangers(), list[int]()
        for number in range(2 * full):
            strangers.enter(ELSEWHERE, partial(out.append, number)).stage = Stage.SPOKE
        assert len(out) == full
        stayed += 0 not in out
    assert 0 < stayed < 200
