"""The router through which this machine reaches the Internet, as far as its system tells.

Linux lists its routes in files.  On other systems no maintained library knows the router, and to parse the
output of their commands would be guessing: there only UPnP, which asks the whole network, finds a router.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Final

from protocol.rendezvous.own_addresses import own_addresses
from protocol.rendezvous.port_mapping import IP, SERVER_PORT

ROUTES: Final = Path("/proc/net/route")
ROUTES_6: Final = Path("/proc/net/ipv6_route")
_UP_BY_GATEWAY: Final = 0x3
"""Flags RTF_UP and RTF_GATEWAY of a route."""


@dataclass(frozen=True, slots=True)
class Router:
    """A router that can be asked for a mapping.

    `host`: its address (of IPv6 with its zone, "fe80::1%eth0"); `own`: our address on the way there; `port`:
    where it is asked.
    """

    host: str
    own: IP
    port: int = SERVER_PORT


def routers(own: list[str] | None = None) -> list[Router]:
    """The routers of this machine's default routes, at most one for IPv4 and one for IPv6.

    `own`: the source addresses of calls to the Internet; default: as `own_addresses` finds them.
    """
    ours = [ipaddress.ip_address(text) for text in (own_addresses() if own is None else own)]
    gateways = [(gateway(read_table(ROUTES)), IPv4Address), (gateway_6(read_table(ROUTES_6)), IPv6Address)]
    return [Router(host, ip) for host, family in gateways if host for ip in ours if isinstance(ip, family)]


def has_route_table() -> bool:
    """Whether this system lists its routes in the file that is read here."""
    return ROUTES.exists()


def read_table(path: Path) -> str:
    """The text of a file of routes; empty if there is none."""
    with suppress(OSError):
        return path.read_text(encoding="ascii", errors="replace")
    return ""


def gateway(table: str) -> str | None:
    """The best default route's router in a text such as /proc/net/route (proc(5)), or None."""
    return min(_defaults(table), default=(0, None))[1]


def _defaults(table: str) -> Iterator[tuple[int, str]]:
    for line in table.splitlines()[1:]:
        with suppress(ValueError):
            _, target, router, flags, _, _, metric, mask, *_ = line.split()
            if int(target, 16) == int(mask, 16) == 0 and int(flags, 16) & _UP_BY_GATEWAY == _UP_BY_GATEWAY:
                # In the byte order of the machine, as the kernel holds it.
                number = socket.ntohl(int(router, 16))
                yield int(metric), str(IPv4Address(number))


def gateway_6(table: str) -> str | None:
    """The best default router in a text such as /proc/net/ipv6_route, or None; with a zone if needed."""
    return min(_defaults_6(table), default=(0, None))[1]


def _defaults_6(table: str) -> Iterator[tuple[int, str]]:
    for line in table.splitlines():
        with suppress(ValueError):
            target, length, _, _, router, metric, _, _, flags, device = line.split()
            if int(target, 16) == int(length, 16) == 0 and int(flags, 16) & _UP_BY_GATEWAY == _UP_BY_GATEWAY:
                ip = IPv6Address(bytes.fromhex(router))
                yield int(metric, 16), f"{ip}%{device}" if ip.is_link_local else str(ip)
