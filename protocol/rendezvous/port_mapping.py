"""Asking a router to let callers in: PCP (RFC 6887) and NAT-PMP (RFC 6886) as bytes.  No I/O, no clock.

A router's answer is a hint and nothing more: a wrong answer leads callers to another machine, which shows
another certificate.  As both RFCs demand, a datagram that does not answer our own question, byte by byte, is
ignored.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Address, IPv6Address
from typing import Final, TypeAlias

IP: TypeAlias = IPv4Address | IPv6Address

SERVER_PORT: Final = 5351
"""The port on which a router hears both protocols (RFC 6886, 3.1; RFC 6887, 8)."""
NONCE_BYTES: Final = 12
MAX_ANSWER: Final = 1100
"""Bytes of a datagram of PCP; NAT-PMP's are shorter (RFC 6887, 7)."""
LEASE: Final = 3600
"""Seconds of a mapping: after them a router forgets us if we end without a word."""
UNSUPPORTED: Final = 1
"""The result of a server that speaks another version."""
_PCP, _NAT_PMP = 2, 0
_MAP, _ANNOUNCED_MAP = 1, 129
_TCP: Final = 6
_HEADER, _BODY = 24, 36
_ADDRESS, _MAP_TCP, _ANSWER = 0, 2, 128
_SHORTEST: Final = 8


class By(Enum):
    """The protocol by which a router was asked."""

    PCP = "PCP"
    NAT_PMP = "NAT-PMP"
    UPNP = "UPnP"


@dataclass(frozen=True, slots=True)
class Granted:
    """A router passes `port` of its address `outside` on to us, for `lifetime` seconds; 0: no longer."""

    outside: IP
    port: int
    lifetime: int


@dataclass(frozen=True, slots=True)
class Denied:
    """A router refuses a mapping; `result`: its reason, by the numbers of the protocol's RFC."""

    result: int


def pcp_map(client: IP, port: int, lifetime: int, nonce: bytes, wish: Granted | None = None) -> bytes:
    """Ask by PCP for calls to TCP `port` of `client`, an address of ours; 60 bytes.

    `lifetime`: seconds, 0 ends it; `nonce`: 12 bytes, the same for one mapping always; `wish`: what was
    granted before.
    """
    none = IPv4Address(0) if isinstance(client, IPv4Address) else IPv6Address(0)
    outside = none if wish is None else wish.outside
    return b"".join(
        (
            bytes((_PCP, _MAP, 0, 0)),
            lifetime.to_bytes(4, "big"),
            _sixteen(client),
            nonce,
            bytes((_TCP, 0, 0, 0)),
            port.to_bytes(2, "big"),
            (port if wish is None else wish.port).to_bytes(2, "big"),
            _sixteen(outside),
        )
    )


def read_pcp_map(data: bytes, client: IP, port: int, nonce: bytes) -> Granted | Denied | None:
    """The answer in `data` to a `pcp_map` with these; None if it is none (RFC 6887, 8.3 and 11.4)."""
    if len(data) >= _SHORTEST and data[0] != _PCP:
        # A server of NAT-PMP alone says in its own form that it knows no such version, in the same byte (A).
        return Denied(UNSUPPORTED) if data[1] & _ANSWER and data[3] == UNSUPPORTED else None
    if not _HEADER + _BODY <= len(data) <= MAX_ANSWER or len(data) % 4 or data[1] != _ANNOUNCED_MAP:
        return None
    body = data[_HEADER : _HEADER + _BODY]
    asked = nonce + bytes((_TCP,)), port.to_bytes(2, "big")
    if (body[:13], body[16:18]) != asked:
        return None
    if data[3]:
        return Denied(data[3])
    outside = _address(body[20:36])
    granted = Granted(outside, int.from_bytes(body[18:20], "big"), int.from_bytes(data[4:8], "big"))
    usable = granted.port > 0 or granted.lifetime == 0
    return granted if usable and type(outside) is type(client) else None


def nat_pmp_address() -> bytes:
    """Ask by NAT-PMP for the router's own address; 2 bytes."""
    return bytes((_NAT_PMP, _ADDRESS))


def read_nat_pmp_address(data: bytes) -> IPv4Address | Denied | None:
    """The answer in `data` to `nat_pmp_address`; None if it is none (RFC 6886, 3.2)."""
    if (denied := _nat_pmp_denied(data, _ADDRESS)) is not None:
        return denied
    if len(data) != 12 or data[:4] != bytes((_NAT_PMP, _ANSWER | _ADDRESS, 0, 0)):
        return None
    return IPv4Address(data[8:12])


def nat_pmp_map(port: int, lifetime: int, wish: int = 0) -> bytes:
    """Ask by NAT-PMP for calls to our TCP `port`, from `wish` of the router, 0: any; 12 bytes.

    `lifetime`: seconds; 0 ends it, and takes a `wish` of 0.
    """
    numbers = port.to_bytes(2, "big") + wish.to_bytes(2, "big") + lifetime.to_bytes(4, "big")
    return bytes((_NAT_PMP, _MAP_TCP, 0, 0)) + numbers


def read_nat_pmp_map(data: bytes, port: int) -> tuple[int, int] | Denied | None:
    """The router's port and the seconds in an answer to `nat_pmp_map`; None if it is none (RFC 6886, 3.3)."""
    if (denied := _nat_pmp_denied(data, _MAP_TCP)) is not None:
        return denied
    if len(data) != 16 or data[:4] != bytes((_NAT_PMP, _ANSWER | _MAP_TCP, 0, 0)):
        return None
    inside, outside = int.from_bytes(data[8:10], "big"), int.from_bytes(data[10:12], "big")
    lifetime = int.from_bytes(data[12:16], "big")
    return (outside, lifetime) if inside == port and (outside or not lifetime) else None


def _nat_pmp_denied(data: bytes, operation: int) -> Denied | None:
    known = len(data) in range(_SHORTEST, 17) and data[:2] == bytes((_NAT_PMP, _ANSWER | operation))
    result = int.from_bytes(data[2:4], "big")
    return Denied(result) if known and result else None


def _sixteen(ip: IP) -> bytes:
    """An address in 16 bytes, an IPv4 one mapped to IPv6 (RFC 6887, 5)."""
    return ip.packed if isinstance(ip, IPv6Address) else bytes(10) + b"\xff\xff" + ip.packed


def _address(sixteen: bytes) -> IP:
    ip = IPv6Address(sixteen)
    return ip if ip.ipv4_mapped is None else ip.ipv4_mapped


def reached_from_outside(ip: IP) -> bool:
    """Whether callers from the Internet may reach this address.

    They cannot if a provider, or another router, translates again (RFC 1918, RFC 6598, RFC 4193), or if the
    address stays in one network or belongs to nobody (RFC 6890).
    """
    return not any(ip in network for network in _INSIDE if network.version == ip.version)


_INSIDE: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
            *("172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3"),
            *("::/127", "::ffff:0:0/96", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"),
        ),
    )
)
"""Without the networks for documentation: no machine has such addresses, and the tests use them."""
