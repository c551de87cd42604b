"""Everything through a proxy, and nothing beside it (threat 82)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio

from protocol.channel import tls
from protocol.failures import NetworkFailure, NotAnAddress, Unserved, WrongHost
from protocol.network.guest import join
from protocol.network.link import call
from protocol.network.peer import Peer
from protocol.network.transport.choice import STANDARD, Wishes, transports_for
from protocol.network.transport.proxied import Proxy, read_proxy
from protocol.network.transport.registry import Transports
from protocol.rendezvous.via import Via
from protocol.storage.home import Owner
from protocol.storage.route import Place
from protocol.wire.addresses import Address, Endpoint, Onion, Relayed
from tests.helpers.links.peers import CERTIFICATE, HANGING, LOOPBACK, TERMS, hosting, play_out, running, yes
from tests.helpers.network.socks import SocksProxy
from tests.helpers.program.window import ROOT

ONION = Onion("2gzyxa5ihm7nsggfxnu52rck2vv4rvmdlkiu3zzui5du4xyclen53wid.onion", 443)


@asynccontextmanager
async def proxying(names: dict[str, int] | None = None) -> AsyncIterator[tuple[SocksProxy, Transports]]:
    """A proxy, and the transports of a player who uses it."""
    async with trio.open_nursery() as nursery:
        proxy = SocksProxy(names or {})
        await proxy.listen(nursery)
        yield proxy, transports_for(Wishes(proxy=Proxy(Endpoint(LOOPBACK, proxy.port))))
        nursery.cancel_scope.cancel()


async def test_a_match_goes_through_a_proxy_to_an_onion_service(ada: Owner, ben: Owner) -> None:
    """Its name goes to the proxy as a name, and nobody else is told of it."""
    async with hosting(ada) as (nursery, host, _), proxying({ONION.host: host.desk.port}) as (proxy, ways):
        invite, joined = host.invite([ONION]), list[Peer]()

        async def come() -> None:
            joined.append(await join(nursery, ben, invite, yes, ways))

        async with trio.open_nursery() as meeting:
            meeting.start_soon(come)
            ours = await host.meet(TERMS, yes)
        async with running(ours), running(joined[0]):
            await play_out((ours, joined[0]))
            assert {talk.link.via for talk in joined[0].active.values()} == {Via.PROXY}
        assert joined[0].replica.route.hidden
        assert not ours.replica.route.hidden
        assert set(proxy.asked) == {(3, ONION.host, ONION.port)}
        assert len(set(proxy.users)) == 1
        assert len(proxy.users[0]) == 16, "one way through Tor for this process"


async def test_a_relay_is_called_through_the_proxy_too() -> None:
    with trio.fail_after(HANGING):
        async with proxying() as (proxy, ways), trio.open_nursery() as nursery:
            at = Relayed(Endpoint("relay.example", 1), bytes(16))
            with pytest.raises(NetworkFailure):
                await call(nursery, Place((at,), bytes(32)), transports=ways)
            assert proxy.asked == [(3, "relay.example", 1)]


async def test_without_a_proxy_an_onion_service_is_not_even_looked_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def never(*_: object, **__: object) -> None:
        raise AssertionError("nothing may leave this machine")

    monkeypatch.setattr(trio, "open_tcp_stream", never)
    hidden = transports_for(Wishes(straight=False))
    for ways, addresses in ((STANDARD, (ONION,)), (hidden, (Endpoint(LOOPBACK, 1), ONION))):
        async with trio.open_nursery() as nursery:
            with pytest.raises(Unserved) as refused:
                await call(nursery, Place(addresses, bytes(32)), transports=ways)
            assert refused.value.addresses == tuple(map(str, addresses))


@pytest.mark.parametrize(
    "lie",
    [
        b"",
        b"\x05",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\x04\x00",
        b"\x05\x01",
        b"\x05\xff",
        b"\x05\x02\x01\x01",
        b"\x05\x02\x00\x00",
        b"\x05\x00\x05\x01\x00\x01",
        b"\x05\x00\x05\x00\x00\x07" + bytes(300),
        b"\x05\x00\x05\x00\x00\x03\x04\xff\xfe\xfd\xfc\x00\x00",
        b"\x05\x00\x05\x00\x01\x01" + bytes(6),
        b"\x05\x00\x05\x63\x00\x01" + bytes(6),
        b"\x05\x00\x05\x00\x00\x01" + bytes(6) + b"nobody you know",
        b"\x05\x00" * 10_000,
    ],
)
async def test_row_82_a_proxy_that_talks_rubbish_costs_one_call(lie: bytes) -> None:
    with trio.fail_after(HANGING):
        async with proxying() as (proxy, ways), trio.open_nursery() as nursery:
            proxy.lie = lie
            for address in (Endpoint("192.0.2.7", 1), Endpoint("host.example", 1), ONION):
                with pytest.raises(NetworkFailure):
                    await call(nursery, Place((address,), bytes(32)), transports=ways)


async def test_row_82_a_proxy_that_leads_to_somebody_else_is_found_out(ada: Owner) -> None:
    async with hosting(ada) as (nursery, host, _), proxying({"ada.example": host.desk.port}) as (_, ways):
        other = tls.make().hash
        with pytest.raises(WrongHost):
            await call(nursery, Place((Endpoint("ada.example", 1),), other), transports=ways)
        link = await call(nursery, Place((Endpoint("ada.example", 1),), CERTIFICATE.hash), transports=ways)
        assert link.via is Via.PROXY


WATCHED = """
import json, sys
seen = []
def look(event, arguments):
    if event.startswith("socket.") and event not in ("socket.__new__", "socket.bind"):
        seen.append([event, *[str(one) for one in arguments[1 if event != "socket.getaddrinfo" else 0:]]])
    if event == "socket.bind":
        seen.append([event, str(arguments[1])])
sys.addaudithook(look)
from cli.__main__ import main
code = main(sys.argv[1:])
print(json.dumps([code, seen]))
"""


def watched(*words: str) -> tuple[int, list[list[str]]]:
    """A command in a process of its own: its exit code, and all that it asked of the network."""
    ended = subprocess.run(
        [sys.executable, "-c", WATCHED, *words],
        cwd=ROOT,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=HANGING,
    )
    code, seen = json.loads(ended.stdout.splitlines()[-1])
    return code, seen


async def test_row_82_with_a_proxy_no_name_is_looked_up_and_no_socket_is_opened_beside_it(
    ada: Owner, tmp_path: object
) -> None:
    """Of a whole command, which meets a proxy that connects it with nobody."""
    places: list[Address] = [Endpoint("host.example", 1), Endpoint("192.0.2.7", 2), ONION]
    async with (
        hosting(ada) as (_, host, _),
        proxying({"host.example": 1, "192.0.2.7": 1, ONION.host: 1}) as (
            proxy,
            _,
        ),
    ):
        word = str(host.invite(places))
        home = ("--home", f"{tmp_path}/watched")
        url = f"socks5://localhost:{proxy.port}"
        command = partial(watched, "join", "--plain", "--name", "Eve", *home, "--proxy", url, word)
        code, seen = await trio.to_thread.run_sync(command)
        assert code == 69
        assert {host for _, host, _ in proxy.asked} == {"host.example", "192.0.2.7", ONION.host}
        beside = [event for event in seen if f"'{LOOPBACK}', {proxy.port}" not in " ".join(event)]
        assert [event for event in beside if event[:2] != ["socket.getaddrinfo", LOOPBACK]] == []
        assert [event for event in seen if event[0] == "socket.connect"], "the hook sees what it should"


@pytest.mark.parametrize(
    ("url", "at", "user"),
    [
        ("socks5://127.0.0.1:9050", Endpoint("127.0.0.1", 9050), None),
        ("socks5://localhost:9050/", Endpoint("127.0.0.1", 9050), None),
        ("socks5h://[::1]:1", Endpoint("::1", 1), None),
        ("socks5://me:s%40fe@192.0.2.1:1080", Endpoint("192.0.2.1", 1080), "me"),
    ],
)
def test_a_proxy_is_named_by_its_url(url: str, at: Endpoint, user: str | None) -> None:
    proxy = read_proxy(url)
    assert proxy.at == at
    assert user is None or (proxy.user, proxy.password) == ("me", "s@fe")
    assert proxy.password not in repr(proxy)
    assert read_proxy(url).user == proxy.user or user is None


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:9050",
        "http://127.0.0.1:9050",
        "socks4://127.0.0.1:9050",
        "socks5://127.0.0.1",
        "socks5://127.0.0.1:0",
        "socks5://127.0.0.1:99999",
        "socks5://tor.example:9050",
        "socks5://:9050",
        "socks5://127.0.0.1:9050/path",
        "socks5://me@127.0.0.1:9050",
        f"socks5://{'x' * 256}:y@127.0.0.1:9050",
        "socks5://[::1:9050",
    ],
)
def test_row_82_a_proxy_that_has_to_be_looked_up_or_is_none_is_refused(url: str) -> None:
    with pytest.raises(NotAnAddress):
        read_proxy(url)
