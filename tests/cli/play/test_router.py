"""What asking the router comes to: in words, in invites, in cards; and when nobody asks it."""

from __future__ import annotations

from functools import partial
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
import trio.testing

from cli.play import router, runner
from cli.play.arriving import introduction, lobby_loop, network_options
from cli.play.arriving.lobby_places import HostPlace
from cli.play.arriving.network_options import OwnDoor, Ways
from cli.table.seat.controller import TableController
from protocol.lobby.introductions import Desk
from protocol.network.host import Host
from protocol.network.peer import Peer
from protocol.network.transport.choice import Wishes
from protocol.network.transport.mapping import MappedPort, MappingOutcome, ports_to_map
from protocol.network.transport.proxied import read_proxy
from protocol.rendezvous.gateway import Router
from protocol.rendezvous.port_mapping import By, Granted
from protocol.storage.route import Place, Route
from protocol.wire.addresses import Endpoint, Relayed
from tests.golden.dialogues import assert_told
from tests.helpers.links.lobbies import whole
from tests.helpers.links.peers import CERTIFICATE, HANGING, owner
from tests.helpers.network.routers import Datagrams, Table
from tests.helpers.program.playing import arguments, lines, play_session, printed

HERE = Router("192.168.1.1", IPv4Address("192.168.1.2"))
RELAY = Endpoint("relay.example", 4001)
OUTSIDE = Endpoint("203.0.113.7", 4000)


def port(outcome: MappingOutcome | None, at: Router = HERE) -> MappedPort:
    """One about which that much is known."""
    made = MappedPort(4000, at)
    if outcome is not None:
        made.learn(outcome)
    return made


@pytest.mark.parametrize(
    ("outcome", "words", "with_relays"),
    [
        (None, "being asked", "being asked"),
        (
            MappingOutcome(By.PCP, Granted(IPv4Address("203.0.113.7"), 4000, 60)),
            "203.0.113.7:4000 (PCP)",
            "(PCP)",
        ),
        (
            MappingOutcome(By.UPNP, Granted(IPv4Address("100.64.0.9"), 4000, 60)),
            "(100.64.0.9)",
            "your provider",
        ),
        (MappingOutcome(By.NAT_PMP, trouble="result 2"), "did not let friends in", ""),
        (MappingOutcome(By.UPNP), "did not answer", ""),
    ],
)
def test_what_came_of_it_is_one_sentence(
    outcome: MappingOutcome | None, words: str, with_relays: str
) -> None:
    alone = router.report(port(outcome), relays=False)
    assert words in alone
    assert ("--relay" in alone) == ("203.0.113.7" not in alone and outcome is not None)
    beside = router.report(port(outcome), relays=True)
    assert with_relays in beside
    assert bool(beside) == bool(with_relays)
    assert "--relay" not in beside


def test_a_hole_for_ipv6_is_told_if_there_is_one() -> None:
    six = Router("fe80::1%eth0", IPv6Address("2001:db8::2"))
    assert router.report(port(MappingOutcome(By.PCP), six), relays=False) == ""
    opened = MappingOutcome(By.PCP, Granted(IPv6Address("2001:db8::2"), 4000, 60))
    assert router.report(port(opened, six), relays=False).endswith("[2001:db8::2]:4000 (PCP).")


def test_a_router_is_asked_only_for_an_address_that_nobody_outside_reaches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    six = Router("fe80::1%eth0", IPv6Address("2001:db8::2"))
    monkeypatch.setattr("protocol.rendezvous.gateway.routers", lambda _: [HERE, six])
    assert [request.router for request in ports_to_map(4000, ["192.168.1.2", "2001:db8::2"])] == [HERE, six]
    assert ports_to_map(4000, ["203.0.113.9", "fd00::2"]) == []
    assert [request.router for request in ports_to_map(4000, ["10.0.0.3"])] == [None], (
        "UPnP alone can be asked"
    )


async def test_a_router_that_answers_late_is_told_in_the_lobby_and_else_at_the_table(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    session = play_session(tmp_path / "host", lines())
    lobby = whole(tmp_path / "table")
    lobby.go(lobby.guests[0])  # the lobby waits for somebody
    host = SimpleNamespace(gather=trio.sleep_forever, reached=lambda: None, desk=SimpleNamespace(mapped=()))
    soon, later, known = (MappedPort(4000, HERE) for _ in range(3))
    known.learn(MappingOutcome(By.UPNP))
    door = OwnDoor(cast("Host", host), (), (), (soon, later, known))
    await door.settle(session)
    assert session.late == [soon, later]
    place = HostPlace(session, cast("Host", host), lobby.lobby, lobby.host.identity.key)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lobby_loop.host_lobby, session, cast("Host", host), place)
        await trio.testing.wait_all_tasks_blocked()
        soon.learn(MappingOutcome(By.PCP, Granted(IPv4Address("203.0.113.7"), 4000, 60)))
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert_told("router", "an answer while friends are waited for", printed(session).getvalue(), "friends in")
    assert session.late == [later], "so that its answer is news at the table"
    news = list[str]()
    table = SimpleNamespace(
        log=SimpleNamespace(remark=news.append), replica=SimpleNamespace(on_change=lambda: None)
    )
    later.learn(MappingOutcome(By.UPNP))
    tell = partial(runner.remark_router, cast("TableController", table), False)
    await router.tell_late(session.late, tell)
    assert (news, session.late) == ([router.report(later, relays=False)], [])


@pytest.mark.parametrize(
    "words",
    [
        ("--no-upnp",),
        ("--relay-only", "--relay", "127.0.0.1:1"),
        ("--proxy", "socks5://127.0.0.1:9050", "--address", f"{'a' * 5}.example:1"),
        ("--address", "192.0.2.1"),
    ],
)
def test_row_86_nobody_asks_a_router_who_is_told_not_to_or_hides(words: tuple[str, ...]) -> None:
    assert network_options.of(arguments("host")).asks
    assert not network_options.of(arguments("host", *words)).asks


async def test_row_86_nothing_is_asked_with_the_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask() -> list[str]:
        raise AssertionError("a route is looked up")

    monkeypatch.setattr(router, "own_addresses", ask)
    async with trio.open_nursery() as nursery:
        assert router.ask_routers(nursery, 4000) == ()


async def test_where_the_router_lets_friends_in_stands_in_invites_and_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering = Datagrams(Table())
    monkeypatch.delenv(router.SWITCH)
    monkeypatch.setattr(introduction, "own_addresses", lambda: ["127.0.0.1"])
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as around:
            await around.start(answering.run, "127.0.0.1")
            at = Router("127.0.0.1", IPv4Address("127.0.0.1"), answering.port)
            monkeypatch.setattr(router, "ports_to_map", lambda port, _: [MappedPort(port, at, upnp=False)])
            async with trio.open_nursery() as nursery:
                own = Ways(Wishes(), (Endpoint("127.0.0.1", 1),))
                door = await network_options.open_door(
                    nursery, owner(tmp_path / "ada", "Ada"), CERTIFICATE, 0, own
                )
                await router.wait_for_answers(door.ports)
                _look(door)
                nursery.cancel_scope.cancel()
            assert answering.table.rows == {}
            around.cancel_scope.cancel()


def _look(door: network_options.OwnDoor) -> None:
    desk = door.host.desk
    here, there = Endpoint("127.0.0.1", desk.port), Endpoint("203.0.113.7", desk.port)
    assert desk.mapped == (there,)
    invite = door.host.invite(door.addresses)
    assert invite.addresses == (here, there, door.addresses[-1])
    assert desk.place == Place(invite.addresses, CERTIFICATE.hash)
    assert door.host.let_watch(door.addresses, 0.0).addresses == invite.addresses
    before = Endpoint("203.0.113.99", 4000)
    route = Route(Place((here, before), CERTIFICATE.hash), port=desk.port, mapped=(before,))
    assert network_options.moved_place(route, door).addresses == invite.addresses, (
        "and no longer where it was"
    )


async def test_an_invite_has_room_for_eight_addresses_and_the_routers_come_last(tmp_path: Path) -> None:
    given = tuple(f"192.0.2.{n}" for n in range(1, 9))
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            own = Ways(Wishes(), given=given)
            door = await network_options.open_door(
                nursery, owner(tmp_path / "ada", "Ada"), CERTIFICATE, 0, own
            )
            assert door.ports == ()
            door.host.desk.mapped = (OUTSIDE,)
            assert door.host.invite(door.addresses).addresses == door.addresses
            relayed = Relayed(RELAY, bytes(16))
            assert door.host.desk.reached_at((*door.addresses[:2], relayed)) == (
                *door.addresses[:2],
                OUTSIDE,
                relayed,
            )
            nursery.cancel_scope.cancel()


def test_a_proxy_hides_whatever_a_router_could_tell() -> None:
    hidden = Wishes(proxy=read_proxy("socks5://127.0.0.1:9050"))
    assert not Ways(hidden, given=("x.example:1",)).asks
    assert not Ways(Wishes(straight=False), (RELAY,)).asks


async def test_the_table_is_told_where_a_router_lets_others_in_now_and_no_longer_where_it_did(
    tmp_path: Path,
) -> None:
    here, before, relayed = Endpoint("10.0.0.2", 4000), Endpoint("203.0.113.99", 1), Relayed(RELAY, bytes(16))
    places: list[object] = []
    replica = SimpleNamespace(
        closed=False,
        route=Route(Place((here, before, relayed), CERTIFICATE.hash), port=4000, mapped=(before,)),
        exchange=SimpleNamespace(listen_at=lambda *place: places.append(place)),
    )
    async with trio.open_nursery() as nursery:
        host = Host(nursery, Desk(owner(tmp_path / "ada", "Ada"), CERTIFICATE, 4000))
        host.reached()
        host.peer = cast("Peer", SimpleNamespace(replica=replica))
        host.desk.mapped = (OUTSIDE,)
        host.reached()
        host.desk.mapped = ()
        host.reached()
        replica.closed = True
        host.reached()
    assert places == [
        (Place((here, OUTSIDE, relayed), CERTIFICATE.hash), 4000, (OUTSIDE,)),
        (Place((here, relayed), CERTIFICATE.hash), 4000, ()),
    ]
