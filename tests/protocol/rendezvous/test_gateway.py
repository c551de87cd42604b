"""The router of this machine, read from the system's tables."""

from __future__ import annotations

import socket
import sys
from ipaddress import IPv4Address, IPv6Address

import pytest

from protocol.rendezvous import gateway
from protocol.rendezvous.gateway import Router

ANY = "0.0.0.0"  # noqa: S104 - a target
HEAD = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"


def row(target: str, router: str, flags: str, metric: int, mask: str) -> str:
    def hexed(ip: str) -> str:
        return f"{int.from_bytes(socket.inet_aton(ip), sys.byteorder):08X}"

    return f"eth0\t{hexed(target)}\t{hexed(router)}\t{flags}\t0\t0\t{metric}\t{hexed(mask)}\t0\t0\t0\n"


HOME = row("192.168.1.0", ANY, "0001", 0, "255.255.255.0")
WIRELESS = row(ANY, "192.168.9.1", "0003", 600, ANY)
CABLE = row(ANY, "192.168.1.1", "0003", 100, ANY)
TUNNEL = row(ANY, ANY, "0001", 5, ANY)
HALF = row(ANY, "10.9.9.9", "0003", 1, "128.0.0.0")
SIX = f"{'0' * 32} 00 {'0' * 32} 00 {{}} {{}} 00000001 00000000 {{}}     eth0\n"


def test_the_best_default_route_names_the_router() -> None:
    assert gateway.gateway(HEAD + HOME + WIRELESS + CABLE) == "192.168.1.1"
    assert gateway.gateway(HEAD + HOME + TUNNEL + HALF) is None
    assert gateway.gateway(HEAD + "eth0 zz zz\n\n" + CABLE) == "192.168.1.1"
    assert gateway.gateway("") is None


def test_a_router_of_ipv6_that_is_on_the_link_has_its_zone() -> None:
    link = SIX.format("fe80" + "0" * 27 + "1", "00000400", "00000003")
    far = SIX.format("20010db8" + "0" * 23 + "1", "00000100", "00000003")
    none = SIX.format("0" * 32, "ffffffff", "00200200")
    assert gateway.gateway_6(none + link) == "fe80::1%eth0"
    assert gateway.gateway_6(link + far) == "2001:db8::1"
    assert gateway.gateway_6(none) is None


def test_a_router_stands_with_our_address_on_the_way_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {gateway.ROUTES: HEAD + CABLE, gateway.ROUTES_6: ""}
    monkeypatch.setattr(gateway, "read_table", texts.__getitem__)
    assert gateway.routers(["192.168.1.2", "2001:db8::2"]) == [
        Router("192.168.1.1", IPv4Address("192.168.1.2"))
    ]
    texts[gateway.ROUTES_6] = SIX.format("fe80" + "0" * 27 + "1", "00000400", "00000003")
    assert gateway.routers(["2001:db8::2"]) == [Router("fe80::1%eth0", IPv6Address("2001:db8::2"))]
    assert gateway.routers([]) == []
