"""Connections and who may have one: strangers, impostors, races, silence (rows 19 to 22, 25 and 26)."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import gettempdir

import pytest
import trio
import trio.testing

from protocol import limits, tls
from protocol.encoding import Deframer, Frame
from protocol.errors import Malformed
from protocol.failures import (
    CannotListen,
    Code,
    Damaged,
    DiskFailed,
    LinkLost,
    NetworkFailure,
    Refused,
    Unreachable,
    WrongHost,
)
from protocol.handshake import Person, Terms
from protocol.home import Owner
from protocol.invite import Invite
from protocol.meeting import Desk, Proposal, open_invites
from protocol.peer import Host, Link, Peer, call, join, listen
from protocol.reach import cannot_listen, own_addresses, unreachable
from protocol.store import Route
from tests.net.table import GAME, LOOPBACK, meet, owner, play_out, running, two_stores, until, yes

TERMS = Terms(GAME, GAME.options({}))
CERTIFICATE = tls.make()
YEAR = 365 * 86_400.0


async def no(_: Person | Proposal) -> bool:
    return False


@pytest.fixture
def ada(tmp_path: Path) -> Owner:
    return owner(tmp_path / "ada", "Ada")


@pytest.fixture
def ben(tmp_path: Path) -> Owner:
    return owner(tmp_path / "ben", "Ben")


@asynccontextmanager
async def hosting(own: Owner, lifetime: float = 60.0) -> AsyncIterator[tuple[trio.Nursery, Host, Invite]]:
    """A host with an invite out."""
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            host = await listen(nursery, own, CERTIFICATE, interfaces=[LOOPBACK])
            yield nursery, host, host.invite([LOOPBACK], lifetime)
            nursery.cancel_scope.cancel()


async def refused(code: int, action: Callable[[], Awaitable[object]]) -> None:
    """`action` is refused with `code`."""
    with pytest.raises(Refused) as caught:
        await action()
    assert caught.value.code == code


# Row 25: somebody in between


async def proxy(nursery: trio.Nursery, port: int, certificate: tls.Certificate | None) -> int:
    """Eve's port: hands bytes on to `port`; with a certificate, she reads along."""

    async def pump(source: trio.abc.Stream, sink: trio.abc.Stream) -> None:
        try:
            async for data in source:
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
        with pytest.raises(WrongHost, match="stands in between"):
            await join(nursery, ben, Invite((LOOPBACK,), eve, invite.certificate, invite.secret), yes)
        assert host.desk._ticket is not None
        assert not host.desk._ticket.used


async def test_row_25_a_proxy_that_only_hands_on_sees_nothing_and_changes_nothing(
    ada: Owner, ben: Owner
) -> None:
    async with hosting(ada) as (nursery, host, invite):
        eve = await proxy(nursery, host.desk.port, None)
        joined: list[Peer] = []

        async def come() -> None:
            through = Invite((LOOPBACK,), eve, invite.certificate, invite.secret)
            joined.append(await join(nursery, ben, through, yes))

        async with trio.open_nursery() as meeting:
            meeting.start_soon(come)
            hosted = await host.meet(TERMS, yes)
        async with running(hosted, joined[0]):
            await play_out((hosted, joined[0]))


async def test_row_25_on_coming_back_too_only_the_pinned_certificate_counts(ada: Owner, ben: Owner) -> None:
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            table = await meet(nursery, ada, ben)
            joiner = table.peers[1]
            table.peers[0].leave()
            eve = await proxy(nursery, table.host.desk.port, tls.make())
            joiner.reroute((LOOPBACK,), eve)
            assert joiner.store.route.port == eve
            async with running(joiner):
                await until(joiner, lambda: isinstance(joiner.trouble, WrongHost))
            nursery.cancel_scope.cancel()


# Row 26: one invite, one guest


async def test_row_26_of_100_who_race_with_one_invite_one_gets_in(ada: Owner, tmp_path: Path) -> None:
    async with hosting(ada) as (nursery, host, invite):
        guests = [owner(tmp_path / f"guest{number % 4}", f"Guest {number}") for number in range(100)]
        joined: list[Peer] = []
        codes: list[int] = []

        async def race(guest: Owner) -> None:
            try:
                joined.append(await join(nursery, guest, invite, yes))
            except Refused as error:
                codes.append(error.code)
            except LinkLost:
                codes.append(0)  # hung up on: too many at the door
            except Unreachable:
                codes.append(0)

        async with trio.open_nursery() as racers:
            for guest in guests:
                racers.start_soon(race, guest)
            winner = await host.meet(TERMS, yes)
        assert len(joined) == 1
        assert len(codes) == 99
        assert set(codes) <= {Code.USED_INVITE, 0}
        assert codes.count(Code.USED_INVITE) >= limits.MAX_STRANGERS - 1
        assert winner.match.body == joined[0].match.body
        assert len(ada.home.games()) == 1


async def test_row_26_the_use_is_on_the_disk_before_the_guest_is_let_in(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, invite):
        assert [kept.invite for kept in open_invites(ada.home, time.time())] == [invite]
        seen: list[object] = []

        async def look(_: Person) -> bool:
            seen.append(open_invites(ada.home, time.time()))
            return True

        async with trio.open_nursery() as meeting:
            meeting.start_soon(join, nursery, ben, invite, yes)
            await host.meet(TERMS, look)
        assert seen == [[]]


async def test_row_26_an_invite_survives_a_restart_of_the_host_and_is_still_good_once(
    ada: Owner, ben: Owner
) -> None:
    async with hosting(ada) as (_, host, invite):
        port = host.desk.port
    async with hosting_again(ada, port) as (nursery, host):
        joined: list[Peer] = []

        async def come() -> None:
            joined.append(await join(nursery, ben, invite, yes))

        async with trio.open_nursery() as meeting:
            meeting.start_soon(come)
            await host.meet(TERMS, yes)
        await refused(Code.USED_INVITE, lambda: join(nursery, ben, invite, yes))
    assert open_invites(ada.home, time.time()) == []


@asynccontextmanager
async def hosting_again(own: Owner, port: int) -> AsyncIterator[tuple[trio.Nursery, Host]]:
    [kept] = open_invites(own.home, time.time())
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            host = await listen(nursery, own, kept.certificate, port, [LOOPBACK])
            host.desk.reopen(kept.invite, trio.current_time() + kept.left)
            yield nursery, host
            nursery.cancel_scope.cancel()


async def test_row_26_an_expired_invite_is_refused_as_that(ada: Owner, ben: Owner) -> None:
    async with hosting(ada, lifetime=0.0) as (nursery, _, invite):
        await refused(Code.EXPIRED_INVITE, lambda: join(nursery, ben, invite, yes))


async def test_row_26_a_new_invite_makes_the_old_one_void(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, invite):
        host.invite([LOOPBACK])
        await refused(Code.UNKNOWN_INVITE, lambda: join(nursery, ben, invite, yes))
        host.desk.withdraw()
        host.desk.withdraw()
        await refused(Code.USED_INVITE, lambda: join(nursery, ben, invite, yes))


async def test_row_26_if_its_use_cannot_be_written_down_the_guest_is_not_let_in(
    ada: Owner, ben: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hosting(ada) as (nursery, host, invite):

        def fail(*_: object, **__: object) -> None:
            raise OSError(5, "input/output error")

        monkeypatch.setattr("os.unlink", fail)
        async with trio.open_nursery() as meeting:
            meeting.start_soon(refused, Code.FAILED, lambda: join(nursery, ben, invite, yes))
            with pytest.raises(DiskFailed):
                await host.meet(TERMS, yes)


def test_invites_that_cannot_be_honoured_any_more_are_removed(ada: Owner) -> None:
    desk = Desk(ada, CERTIFICATE, 4000)
    desk.invite((LOOPBACK,), 60.0, 0.0, 1000.0)
    [kept] = open_invites(ada.home, 1001.0)
    assert kept.left == 59.0
    assert open_invites(ada.home, 1061.0) == []
    assert list((ada.home.path / "invites").iterdir()) == []
    for content in (b"", b"noise"):
        for name in ("invite.json", "tls.pem"):
            desk._ticket = None
            desk.invite((LOOPBACK,), 60.0, 0.0, 1000.0)
            next((ada.home.path / "invites").glob(f"*/{name}")).write_bytes(content)
            assert open_invites(ada.home, 1001.0) == []


@pytest.mark.parametrize("years", [-10, 10])
def test_row_43_an_invite_is_never_good_for_longer_because_a_clock_was_wrong(ada: Owner, years: int) -> None:
    """Handed out under a clock that is years off, and found by a later process under the right one."""
    desk = Desk(ada, CERTIFICATE, 4000)
    now = 1e9
    desk.invite((LOOPBACK,), 60.0, 0.0, now + years * YEAR)
    assert open_invites(ada.home, now) == []
    assert list((ada.home.path / "invites").iterdir()) == []


# Saying no


async def test_each_player_sees_the_other_and_may_say_no(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, invite):
        async with trio.open_nursery() as meeting:
            meeting.start_soon(refused, Code.DECLINED, lambda: join(nursery, ben, invite, yes))
            await refused(Code.DECLINED, lambda: host.meet(TERMS, no))
        again = host.invite([LOOPBACK])
        async with trio.open_nursery() as meeting:
            meeting.start_soon(refused, Code.DECLINED, lambda: join(nursery, ben, again, no))
            await refused(Code.DECLINED, lambda: host.meet(TERMS, yes))
    assert ada.home.games() == ben.home.games() == []


async def test_what_is_shown_before_a_player_agrees_is_what_will_be_played(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, invite):
        shown: list[Person | Proposal] = []

        async def look(who: Person | Proposal) -> bool:
            shown.append(who)
            return True

        async with trio.open_nursery() as meeting:
            meeting.start_soon(join, nursery, ben, invite, look)
            peer = await host.meet(TERMS, look)
        guest, proposal = shown
        assert guest == Person(ben.identity.key, "Ben")
        assert isinstance(proposal, Proposal)
        assert proposal.host.key == ada.identity.key
        assert proposal.match.body == peer.match.body
        assert proposal.seat == 1


async def test_a_host_that_goes_away_while_we_decide_is_not_agreed_with(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, invite):

        async def slow(_: Proposal) -> bool:
            meeting.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                await gone.wait()
            return True

        gone = trio.Event()

        async def come() -> None:
            with pytest.raises(NetworkFailure):
                await join(nursery, ben, invite, slow)

        async with trio.open_nursery() as joining:
            joining.start_soon(come)
            async with trio.open_nursery() as meeting:
                await host.meet(TERMS, yes)
            await trio.testing.wait_all_tasks_blocked()
            gone.set()
    assert ben.home.games() == []


async def test_nobody_plays_against_the_same_key(ada: Owner) -> None:
    async with hosting(ada) as (nursery, host, invite), trio.open_nursery() as meeting:
        meeting.start_soon(refused, Code.SAME_PLAYER, lambda: join(nursery, ada, invite, yes))
        await refused(Code.SAME_PLAYER, lambda: host.meet(TERMS, yes))


async def test_a_player_comes_back_to_a_match_that_is_not_there(ada: Owner, ben: Owner) -> None:
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            table = await meet(nursery, ada, ben)
            table.peers[0].leave()
            table.host.peer = None
            async with trio.open_nursery() as run:
                run.start_soon(refused, Code.UNKNOWN_MATCH, table.peers[1].run)
                table.peers[1].stop(Code.LEFT)
            nursery.cancel_scope.cancel()


# Rows 19 to 22: strangers, and an opponent who does not read


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
    with pytest.raises(LinkLost, match="does not take in"):
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
    with pytest.raises(LinkLost, match="not heard"):
        await link.receive()
    assert trio.current_time() == limits.SILENT_AFTER
    one, other = (Link(stream) for stream in trio.testing.memory_stream_pair())
    trips: list[float | None] = []
    one.on_round_trip = lambda: trips.append(one.rtt)
    for end in (one, other):
        end.trust()
        nursery.start_soon(end.run)
    with trio.move_on_after(3600):
        await one.receive()
    assert one.lost is None
    assert trips
    assert one.rtt is not None
    one.close(Code.LEFT)
    await refused(Code.LEFT, other.receive)
    await one.gone.wait()
    assert trio.current_time() < 3600 + 2 * limits.SILENT_AFTER


async def test_a_link_reads_no_further_ahead_than_a_little(
    nursery: trio.Nursery, autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CHUNK", 90)
    link, other = await pair_of_links(nursery)
    frame = bytes(Frame(40, b""))
    await other.send_all(frame * 1000)
    await trio.testing.wait_all_tasks_blocked()
    assert limits.MAX_INBOX < len(link._channel.inbox) <= limits.MAX_INBOX + 11
    taken = 0
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
            with pytest.raises(LinkLost, match="ended"):
                await link.receive()

        waiting.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()


# Ports and addresses


async def test_a_port_in_use_is_told_as_that(ada: Owner) -> None:
    async with hosting(ada) as (nursery, host, _):
        with pytest.raises(CannotListen, match="in use"):
            await listen(nursery, ada, CERTIFICATE, host.desk.port, [LOOPBACK])


async def test_a_machine_without_the_second_interface_listens_on_the_first(ada: Owner) -> None:
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            host = await listen(nursery, ada, CERTIFICATE, 0, [LOOPBACK, "203.0.113.1"])
            assert host.desk.port
            with pytest.raises(CannotListen):
                await listen(nursery, ada, CERTIFICATE, 0, ["203.0.113.1"])
            nursery.cancel_scope.cancel()


def test_why_a_port_cannot_be_had_is_said_with_what_to_do() -> None:
    assert "1024" in str(cannot_listen(OSError(13, "Permission denied"), 80))
    assert "in use" in str(cannot_listen(OSError(98, "Address already in use"), 80))
    assert "port 80" in str(cannot_listen(OSError(99, None), 80))


async def test_nobody_at_any_address_is_told_as_that(nursery: trio.Nursery) -> None:
    with socket.socket() as free:
        free.bind((LOOPBACK, 0))
        port = free.getsockname()[1]
        with trio.fail_after(20), pytest.raises(Unreachable, match=r"Nobody waits at 127\.0"):
            await call(nursery, Route(False, (LOOPBACK,), port, bytes(32)))


def test_why_a_host_cannot_be_reached_is_the_most_telling_reason() -> None:
    wrong = WrongHost("somebody else")
    assert unreachable(["a"], [OSError(101, "unreachable"), wrong]) is wrong
    refusal = OSError("all attempts failed")
    refusal.__cause__ = OSError(0, "")
    assert "Nobody answers at a and b" in str(unreachable(["a", "b"], [refusal]))
    refusal.__cause__ = ExceptionGroup("", [ConnectionRefusedError()])
    assert "Nobody waits" in str(unreachable(["a"], [refusal]))


async def test_all_addresses_are_called_and_the_one_with_the_right_certificate_is_kept(
    ada: Owner, ben: Owner
) -> None:
    async with hosting(ada) as (nursery, host, invite):
        impostor = await listen(nursery, ben, tls.make(), host.desk.port, ["127.0.0.2"])
        everywhere = Route(False, ("127.0.0.2", "127.0.0.1", "127.0.0.1"), host.desk.port, invite.certificate)
        link = await call(nursery, everywhere)
        assert link.lost is None
        assert impostor.desk.port == host.desk.port


def test_own_addresses_are_addresses() -> None:
    for address in own_addresses():
        assert socket.getaddrinfo(address, 1, flags=socket.AI_NUMERICHOST)


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
    other.set_route(Route(False, (LOOPBACK,), 1, CERTIFICATE.hash))
    calls: list[float] = []
    links: list[Link] = []

    async def fail(*_: object) -> Link:
        calls.append(trio.current_time())
        if len(calls) == 9:
            return links.pop()
        raise Unreachable("nobody")

    monkeypatch.setattr("protocol.peer.call", fail)
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
        monkeypatch.setattr("protocol.peer.resuming", lambda *_: iter(()))
        await trio.sleep(100)
        assert calls[8:] == [121]
        theirs.close(Code.LEFT)
        await trio.sleep(0.5)
        assert calls[9:] == [200], "the link had worked"
        peer.leave()
