"""Crossing calls: both ends call at the same moment, each from the port at which it listens.

A router that lets in answers alone takes the other end's call for an answer, and TCP makes one connection of
two calls that cross (RFC 9293, 3.5; RFC 5128, 3.4).  Each end needs to know where its port is seen from
outside: a relay says so.  Crossing works if a router maps our port to the same outer port for all calls, and
drops unwanted calls silently (RFC 5382, REQ-1 and REQ-4); else the game stays on the relay.
"""

from __future__ import annotations

import errno
import ipaddress
import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Final

import trio

from protocol import limits
from protocol.failures import LinkLost, Loss, NotAnAddress
from protocol.failures import RelayStatus as Status
from protocol.network.transport import tcp
from protocol.network.transport.registry import Connection, Transports
from protocol.rendezvous.port_mapping import reached_from_outside
from protocol.rendezvous.relay_switchboard import Role, hello
from protocol.rendezvous.via import Origin, via_of
from protocol.storage.route import Place
from protocol.wire.addresses import TOKEN_BYTES, Endpoint, Relayed, unpack

POSSIBLE: Final = sys.platform == "linux"
"""Elsewhere another program could take over a listening port from which we may call."""
_LONGEST_SEEN: Final = 19
"""Bytes of an IP address with its port, packed."""
_TAKEN: Final = (errno.EADDRNOTAVAIL, errno.EADDRINUSE)
"""A connection from our port to that place exists, or existed a minute ago (TIME-WAIT)."""
_ANY: Final = {4: "0.0.0.0", 6: "::"}  # noqa: S104 - the system chooses, as for any call


class Crossing:
    """Calls from one port at which we listen."""

    def __init__(self, port: int, answer: Callable[[trio.abc.Stream, Origin], None]) -> None:
        """`answer`: takes a stream on which the other end speaks as a caller, and we as its host."""
        self.port = port
        self._answer = answer

    def transports(self, usual: Transports, *, yields: bool) -> Transports:
        """The `usual` transports, but calls to IP addresses outside come from our port.

        `yields`: we are the host if two calls cross.
        """
        return usual.straight_by(partial(self.connect, yields=yields))

    async def connect(self, address: Endpoint, *, yields: bool) -> Connection:
        """A connection to `address`, to speak there as a caller.  Raises OSError or NetworkFailure."""
        try:
            ip = ipaddress.ip_address(address.host.partition("%")[0])
        except ValueError:
            return await tcp.connect(address)
        if not reached_from_outside(ip):
            return await tcp.connect(address)
        try:
            stream = await self._call(str(ip), address.port)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise
            return await tcp.connect(address)
        if yields and await _speaks(stream):
            self._answer(stream, Origin(str(ip), via_of(str(ip))))
            raise LinkLost(Loss.CLOSED_HERE)  # our call ends; the same stream goes on as their call
        return Connection(stream, via_of(str(ip)))

    async def look(self, relay: Endpoint, on_seen: Callable[[Endpoint], None]) -> None:
        """Ask `relay` where our port is seen, and keep the connection open for LOOK_FOR.

        `on_seen`: called with the place, if the relay says it.
        """
        with suppress(OSError, trio.BrokenResourceError, trio.TooSlowError, NotAnAddress):
            with trio.fail_after(limits.LOOK_WITHIN):
                addresses = await trio.socket.getaddrinfo(
                    relay.host, relay.port, family=socket.AF_INET, type=socket.SOCK_STREAM
                )
                stream = await self._call(str(addresses[0][4][0]), relay.port)
            async with stream:
                with trio.fail_after(limits.LOOK_WITHIN):
                    await stream.send_all(hello(Role.SEE, bytes(TOKEN_BYTES)))
                    seen = await _read_seen(stream)
                if seen is not None:
                    on_seen(seen)
                    await trio.sleep(limits.LOOK_FOR)

    async def _call(self, ip: str, port: int) -> trio.SocketStream:
        """A connection from our port.  Raises OSError, also if our port has a connection there already."""
        version = ipaddress.ip_address(ip).version
        calling = trio.socket.socket(socket.AF_INET if version == 4 else socket.AF_INET6, socket.SOCK_STREAM)
        try:
            calling.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            calling.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            await calling.bind((_ANY[version], self.port))
            await calling.connect((ip, port))
        except BaseException:
            calling.close()
            raise
        return trio.SocketStream(calling)


def relay_among(places: Iterable[Place | None], transports: Transports) -> Endpoint | None:
    """The first relay of these places that these transports may call, and that is no onion service."""
    ways = [way for place in places if place is not None for way in place.addresses]
    relays = [way.relay for way in ways if isinstance(way, Relayed) and transports.serves(way)]
    return next((relay for relay in relays if isinstance(relay, Endpoint)), None)


async def _speaks(stream: trio.SocketStream) -> bool:
    """Whether the other end speaks first, as a caller does: then two calls have crossed."""
    with trio.move_on_after(limits.CROSSING_SPEAKS_WITHIN):
        await trio.lowlevel.wait_readable(stream.socket)
        return True
    return False


async def _read_seen(stream: trio.SocketStream) -> Endpoint | None:
    """The address behind SEEN; None if others outside cannot call it.  Raises NotAnAddress."""
    answer = b""
    while len(answer) < 2 or len(answer) < 2 + answer[1]:
        wanted = 2 if len(answer) < 2 else 2 + answer[1]
        more = await stream.receive_some(wanted - len(answer))
        answer += more
        if not more or answer[0] != Status.SEEN or (len(answer) > 1 and answer[1] > _LONGEST_SEEN):
            return None
    endpoint = unpack(answer[2:])
    if not isinstance(endpoint, Endpoint):
        return None
    with suppress(ValueError):
        return endpoint if reached_from_outside(ipaddress.ip_address(endpoint.host)) else None
    return None
