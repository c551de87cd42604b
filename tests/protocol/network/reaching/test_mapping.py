"""A port that a router lets callers in at: asked for, kept, ended; and routers that lie or say nothing."""

from __future__ import annotations

import json
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

import pytest
import trio
import trio.testing

from protocol.network.transport import igd, mapping
from protocol.network.transport.mapping import MappedPort, MappingOutcome, read_igd
from protocol.rendezvous.gateway import Router
from protocol.rendezvous.port_mapping import By, Granted
from protocol.wire.addresses import Endpoint
from tests.helpers.network.routers import Datagrams, Table

PORT = 4000
HERE = IPv4Address("127.0.0.1")


@asynccontextmanager
async def asking(router: Datagrams) -> AsyncIterator[tuple[MappedPort, trio.CancelScope]]:
    """A port that is asked for at a router of ours, and what ends the asking."""
    with trio.fail_after(100_000):
        async with trio.open_nursery() as nursery:
            await nursery.start(router.run, "127.0.0.1")
            mapped = MappedPort(PORT, Router("127.0.0.1", HERE, router.port), upnp=False)
            async with trio.open_nursery() as inner:
                inner.start_soon(mapped.run)
                yield mapped, inner.cancel_scope
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize("language", ["pcp", "nat-pmp"])
async def test_a_port_is_opened_kept_at_half_its_lease_and_closed_at_the_end(
    autojump_clock: trio.testing.MockClock, language: str
) -> None:
    table = Table()
    router = Datagrams(table, (language,))
    began = trio.current_time()
    async with asking(router) as (mapped, scope):
        await mapped.tried.wait()
        assert trio.current_time() - began < 2.0, "an invite waits for it"
        assert mapped.outside == Endpoint("203.0.113.7", PORT)
        assert table.rows == {PORT: ("127.0.0.1", PORT, 3600)}
        asked = len(router.asked)
        await trio.sleep(1750)
        assert len(router.asked) == asked
        await trio.sleep(100)
        assert len(router.asked) > asked, "half of the lease is over"
        scope.cancel()
    assert table.rows == {}


async def test_another_port_of_the_router_serves_as_well(autojump_clock: trio.testing.MockClock) -> None:
    table = Table(rows={PORT: ("10.0.0.9", PORT, 3600)})
    async with asking(Datagrams(table)) as (mapped, scope):
        await mapped.tried.wait()
        assert mapped.outside == Endpoint("203.0.113.7", PORT + 1)
        await trio.sleep(4000)
        assert mapped.outside == Endpoint("203.0.113.7", PORT + 1)
        scope.cancel()
    assert table.rows == {PORT: ("10.0.0.9", PORT, 3600)}


async def test_a_firewall_of_ipv6_is_asked_for_a_hole_by_pcp_alone(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = Table("2001:db8::2")
    router = Datagrams(table)
    async with trio.open_nursery() as nursery:
        try:
            await nursery.start(router.run, "::1")
        except OSError:
            pytest.skip("no IPv6 on this machine")
        own = IPv6Address("::1")
        mapped = MappedPort(PORT, Router("::1", own, router.port), upnp=False)
        async with trio.open_nursery() as inner:
            inner.start_soon(mapped.run)
            await mapped.tried.wait()
            assert mapped.of_ipv6
            assert mapped.outside == Endpoint("2001:db8::2", PORT)
            assert table.rows == {PORT: ("::1", PORT, 3600)}
            inner.cancel_scope.cancel()
        assert table.rows == {}
        assert {request[0] for request in router.asked} == {2}, "in PCP"
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("outside", ["100.64.3.4", "192.168.178.20", "0.1.2.3"])
async def test_row_86_an_address_that_is_translated_again_is_told_to_nobody(
    autojump_clock: trio.testing.MockClock, outside: str
) -> None:
    async with asking(Datagrams(Table(outside))) as (mapped, scope):
        await mapped.tried.wait()
        assert mapped.outside is None
        assert mapped.outcome is not None
        assert mapped.outcome.granted is not None, "for a sentence about it"
        scope.cancel()


def silent(data: bytes, client: str) -> list[bytes]:
    return []


def refusing(data: bytes, client: str) -> list[bytes]:
    if data[0] == 2:
        return [b"\x02\x81\0\x02" + bytes(20) + data[24:]]
    return [struct.pack("!BBHI", 0, 128 | data[1], 2, 1)]


def flooding(data: bytes, client: str) -> list[bytes]:
    return [bytes((n % 256,)) * (n % 1500) for n in range(200)]


def of_another(data: bytes, client: str) -> list[bytes]:
    return [
        b"\x02\x81\0\0\0\0\x0e\x10" + bytes(16) + bytes(12) + data[36:44] + bytes(10) + b"\xff\xff\1\2\3\4"
    ]


@pytest.mark.parametrize("answer", [silent, refusing, flooding, of_another])
async def test_row_86_a_router_that_is_silent_refuses_floods_or_lies_is_a_failed_try(
    autojump_clock: trio.testing.MockClock, answer: Callable[[bytes, str], list[bytes]]
) -> None:
    table = Table()
    router = Datagrams(table)
    router.answer = answer
    async with asking(router) as (mapped, scope):
        began = trio.current_time()
        await mapped.tried.wait()
        assert trio.current_time() - began < 30
        assert mapped.outside is None
        router.answer = router.honest
        await trio.sleep(1000)
        assert table.rows, "it is asked again, rarely"
        began = trio.current_time()
        scope.cancel()
    assert trio.current_time() - began < 4
    assert table.rows == {}


async def test_row_86_a_router_that_grants_a_second_or_moves_on_and_on_is_asked_as_others_are(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table, moves = Table(), []
    router = Datagrams(table)

    def moving(data: bytes, client: str) -> list[bytes]:
        table.outside = f"203.0.113.{len(router.asked) % 200 + 1}"
        answer = bytearray(router.honest(data, client)[0])
        if data[4:8] != bytes(4):
            answer[4:8] = b"\0\0\0\1"
        return [bytes(answer)]

    router.answer = moving
    async with asking(router) as (mapped, scope):
        mapped.on_change = lambda: moves.append(mapped.outside)
        await trio.sleep(7200)
        assert len(router.asked) <= 7200 / 60 + 1
        assert len(set(moves)) <= mapping.MAX_MOVES
        scope.cancel()


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (b"", MappingOutcome(By.UPNP, trouble="no answer")),
        (b'{"outside": "192.0.2', MappingOutcome(By.UPNP, trouble="no answer")),
        (b"[" * 4000, MappingOutcome(By.UPNP, trouble="no answer")),
        (b'{"trouble": "taken"}', MappingOutcome(By.UPNP, trouble="taken")),
        (b'{"trouble": 7}', MappingOutcome(By.UPNP, trouble="no answer")),
        (b'{"outside": "", "port": 1}', MappingOutcome(By.UPNP, trouble="no address")),
        (b'{"outside": "1.2.3.4", "port": 0}', MappingOutcome(By.UPNP, trouble="no answer")),
        (b'{"outside": "1.2.3.4", "port": 70000}', MappingOutcome(By.UPNP, trouble="no answer")),
        (b'{"outside": "1.2.3.4", "port": true}', MappingOutcome(By.UPNP, trouble="no answer")),
        (
            b'{"outside": "1.2.3.4", "port": 5}',
            MappingOutcome(By.UPNP, Granted(IPv4Address("1.2.3.4"), 5, 3600)),
        ),
    ],
)
def test_row_86_what_a_process_that_asked_by_upnp_says_is_read_strictly(
    answer: bytes, outcome: MappingOutcome
) -> None:
    assert read_igd(answer) == outcome


@pytest.mark.parametrize(
    "script",
    [
        "import time; time.sleep(1000)",
        "import os; os.abort()",
        "while True: print('x' * 10000)",
        "print('{}')",
    ],
    ids=["hangs", "crashes", "floods", "says nothing"],
)
async def test_row_86_a_process_that_hangs_crashes_or_floods_is_a_failed_try(
    autojump_clock: trio.testing.MockClock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    script: str,
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(script)
    monkeypatch.setattr(igd, "__file__", str(broken))
    if "sleep" not in script:
        autojump_clock.autojump_threshold = 30  # or its 20 s are over before it has begun
    mapped = MappedPort(PORT, None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(mapped.run)
        await mapped.tried.wait()
        nursery.cancel_scope.cancel()
    assert mapped.outcome == MappingOutcome(By.UPNP, trouble="no answer")


def test_the_process_says_so_if_its_library_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(igd, "confine", lambda: None)
    monkeypatch.setitem(__import__("sys").modules, "miniupnpc", None)
    assert json.dumps(igd.main("open", "4000", "4000", "3600")) == '{"trouble": "missing"}'


@pytest.mark.parametrize("trouble", ["", igd.NOBODY, igd.MISSING, mapping.NO_ANSWER])
def test_silence_is_no_refusal(trouble: str) -> None:
    assert not MappingOutcome(By.UPNP, trouble=trouble).refused
    assert MappingOutcome(By.UPNP, trouble="OnlyPermanentLeasesSupported").refused
    assert MappingOutcome(By.PCP, trouble="result 2").refused
