"""Both ends call at the same moment, each from the port at which it listens.

Two routers that let in nothing but answers each take the other's call for one, and TCP makes one connection
of two calls that cross (RFC 9293, 3.5; RFC 5128, 3.4).  Each end needs to know where its port is seen from
outside: a relay tells.  It works where a router gives our port one of its own for all calls, and is silent
about those that it does not let in (RFC 5382, REQ-1 and REQ-4); else the game stays on the relay.
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

from protocol.channel import limits
from protocol.failures import LinkLost, Loss, NotAnAddress
from protocol.failures import RelayStatus as Status
from protocol.network.transport import tcp
from protocol.network.transport.registry import Connected, Transports
from protocol.rendezvous.port_mapping import reached_from_outside
from protocol.rendezvous.relay import Role, hello
from protocol.rendezvous.via import Origin, via_of
from protocol.storage.route import Place
from protocol.wire.addresses import TOKEN_BYTES, Endpoint, Relayed, unpack

POSSIBLE: Final = sys.platform == "linux"
"""Elsewhere a port that listens cannot be called from without others being able to take it over."""
_LONGEST_SEEN: Final = 19
"""Bytes of an IP address with its port, packed."""
_TAKEN: Final = (errno.EADDRNOTAVAIL, errno.EADDRINUSE)
"""There is a connection from our port to that place, or was a minute ago (TIME-WAIT)."""
_ANY: Final = {4: "0.0.0.0", 6: "::"}  # noqa: S104 - the system chooses, as for any call


class Crossing:
    """Calls from one port at which we listen."""

    def __init__(self, port: int, answer: Callable[[trio.abc.Stream, Origin], None]) -> None:
        """`answer`: takes a stream on which the other end speaks as a caller: we are its host there."""
        self.port = port
        self._answer = answer

    def transports(self, usual: Transports, *, yields: bool) -> Transports:
        """The `usual` ones, but calls to IP addresses outside come from our port.

        `yields`: of two calls that cross we take the part of the host.
        """
        return usual.straight_by(partial(self.connect, yields=yields))

    async def connect(self, address: Endpoint, *, yields: bool) -> Connected:
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
            raise LinkLost(Loss.CLOSED_HERE)  # as a call of ours; it goes on as one of theirs
        return Connected(stream, via_of(str(ip)))

    async def look(self, relay: Endpoint, told: Callable[[Endpoint], None]) -> None:
        """Have `relay` tell where our port is seen, if it does, and keep the way there open for a while."""
        with suppress(OSError, trio.BrokenResourceError, trio.TooSlowError, NotAnAddress):
            with trio.fail_after(limits.LOOK_WITHIN):
                found = await trio.socket.getaddrinfo(
                    relay.host, relay.port, family=socket.AF_INET, type=socket.SOCK_STREAM
                )
                stream = await self._call(str(found[0][4][0]), relay.port)
            async with stream:
                with trio.fail_after(limits.LOOK_WITHIN):
                    await stream.send_all(hello(Role.SEE, bytes(TOKEN_BYTES)))
                    seen = await _seen(stream)
                if seen is not None:
                    told(seen)
                    await trio.sleep(limits.LOOK_FOR)

    async def _call(self, ip: str, port: int) -> trio.SocketStream:
        """A connection from our port; raises OSError, also if there is one to the same place already."""
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
    """The first relay of these places that may be called by these transports, and is no onion service."""
    ways = [way for place in places if place is not None for way in place.addresses]
    relays = [way.relay for way in ways if isinstance(way, Relayed) and transports.serves(way)]
    return next((relay for relay in relays if isinstance(relay, Endpoint)), None)


async def _speaks(stream: trio.SocketStream) -> bool:
    """Whether the other end says something first, as callers do: then two calls have crossed."""
    with trio.move_on_after(limits.CROSSING_SPEAKS_WITHIN):
        await trio.lowlevel.wait_readable(stream.socket)
        return True
    return False


async def _seen(stream: trio.SocketStream) -> Endpoint | None:
    """The address behind SEEN, if it is one that others outside can call.  Raises NotAnAddress."""
    said = b""
    while len(said) < 2 or len(said) < 2 + said[1]:
        wanted = 2 if len(said) < 2 else 2 + said[1]
        more = await stream.receive_some(wanted - len(said))
        said += more
        if not more or said[0] != Status.SEEN or (len(said) > 1 and said[1] > _LONGEST_SEEN):
            return None
    found = unpack(said[2:])
    if not isinstance(found, Endpoint):
        return None
    with suppress(ValueError):
        return found if reached_from_outside(ipaddress.ip_address(found.host)) else None
    return None
