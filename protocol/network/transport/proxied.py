"""SOCKS5: calls through one proxy, such as Tor's, and no call beside it (RFC 1928).

Names go to the proxy as names, so this machine looks up none.  A proxy is as hostile as a relay: the other
end has to show the right certificate.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final
from urllib.parse import unquote, urlsplit

import trio
from python_socks import ProxyError, ProxyType
from python_socks.async_.trio import Proxy as Socks

from protocol import limits
from protocol.failures import NotAnAddress, Unreachable
from protocol.network.transport.registry import Connection
from protocol.rendezvous.via import Via
from protocol.wire.addresses import Endpoint, Onion, check_host

_LIES: Final = (ProxyError, ValueError, AssertionError, TypeError)
"""The exceptions of the library for answers without sense; it does not foresee all such answers."""
_MOST: Final = 255
"""Bytes of a user's name, and of a password (RFC 1929)."""


@dataclass(frozen=True, slots=True)
class Proxy:
    """A SOCKS5 proxy at an IP address: to look up a name, a question would go beside the proxy.

    `user`, `password`: by default random, so Tor makes separate circuits for this process.
    """

    at: Endpoint
    user: str = field(default_factory=lambda: secrets.token_hex(8), repr=False)
    password: str = field(default_factory=lambda: secrets.token_hex(8), repr=False)


def read_proxy(url: str) -> Proxy:
    """The proxy in "socks5://host:port" or "socks5://user:password@host:port".

    `host` is an IP address, or localhost.  Raises NotAnAddress.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise NotAnAddress(url) from None
    host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname or ""
    if parts.scheme not in ("socks5", "socks5h") or not port or parts.path.strip("/") or parts.query:
        raise NotAnAddress(url)
    try:
        at = Endpoint(str(ip_address(check_host(host))), port)
    except ValueError:
        raise NotAnAddress(url) from None
    if parts.username is None:
        return Proxy(at)
    user, password = unquote(parts.username), unquote(parts.password or "")
    if not all(word.isascii() and 0 < len(word) <= _MOST for word in (user, password)):
        raise NotAnAddress(url)
    return Proxy(at, user, password)


async def probe(at: Endpoint) -> None:
    """Return if a program at `at` speaks SOCKS5.  Raises OSError, BrokenResourceError or Unreachable."""
    stream = await trio.open_tcp_stream(at.host, at.port)
    try:
        # We offer two methods: no authentication, and user with password (RFC 1928, 3).
        await stream.send_all(b"\x05\x02\x00\x02")
        if (await stream.receive_some(1)) != b"\x05":
            raise Unreachable((str(at),), refused=False)
    finally:
        await trio.aclose_forcefully(stream)


async def connect(address: Endpoint | Onion, proxy: Proxy) -> Connection:
    """A connection to `address` through `proxy`.  Raises OSError or Unreachable."""
    way = Socks(ProxyType.SOCKS5, proxy.at.host, proxy.at.port, proxy.user, proxy.password, rdns=True)
    try:
        socket = await way.connect(address.host, address.port, timeout=limits.CONNECT_AFAR_WITHIN)
    except _LIES as error:
        raise Unreachable((str(address),), refused=False) from error
    return Connection(trio.SocketStream(socket), Via.PROXY)
