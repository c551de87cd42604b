"""TCP, straight from one machine to the other: the transport of IP addresses and host names."""

from __future__ import annotations

import math
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

import trio

from protocol.failures import CannotListen
from protocol.network import limits
from protocol.network.transport.registry import Connected
from protocol.network.via import Origin, via_of
from protocol.wire.addresses import Endpoint

EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104  # a friend calls from anywhere


Handle: TypeAlias = Callable[[trio.SocketStream, Origin], Awaitable[None]]
"""An Answer, or one to sockets alone."""


async def connect(address: Endpoint) -> Connected:
    """A connection to `address`; a host name is looked up, and its addresses tried one after the other."""
    stream = await trio.open_tcp_stream(address.host, address.port)
    try:
        return Connected(stream, via_of(str(stream.socket.getpeername()[0])))
    except OSError:  # gone already
        await trio.aclose_forcefully(stream)
        raise


async def listen(
    nursery: trio.Nursery,
    port: int,
    answer: Handle,
    interfaces: Sequence[str] = EVERYWHERE,
    every: float = limits.ACCEPT_EVERY,
) -> int:
    """Answer calls on `port` (0: any, the same everywhere) of `interfaces`; returns it.

    `every`: seconds between two.  Raises CannotListen.
    """
    listeners: list[trio.SocketListener] = []
    for interface in interfaces:
        try:
            listeners += await trio.open_tcp_listeners(port, host=interface)
        except OSError as error:
            if not listeners:  # later ones may be missing: not every machine has IPv6
                raise CannotListen(port, error.errno or 0) from error
        port = listeners[0].socket.getsockname()[1]
    if sys.platform == "linux":
        for each in listeners:
            # After it was bound, so that a port that is taken is found out; crossing.py calls from it then.
            each.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    pace = Pace(every)

    async def handle(stream: trio.SocketStream) -> None:
        try:
            caller = str(stream.socket.getpeername()[0])
        except OSError:  # gone already
            await trio.aclose_forcefully(stream)
        else:
            await answer(stream, Origin(caller, via_of(caller)))

    nursery.start_soon(trio.serve_listeners, handle, [Paced(one, pace) for one in listeners])
    return port


class Pace:
    """Lets tasks go on one by one in order of arrival, at least `interval` seconds apart."""

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self._next = -math.inf
        self._lock = trio.Lock()

    async def turn(self) -> None:
        """Wait for this task's turn."""
        async with self._lock:
            await trio.sleep_until(self._next)
            self._next = trio.current_time() + self._interval


class Paced(trio.abc.Listener[trio.SocketStream]):
    """A listener that accepts connections at a bounded rate; the others wait in the system's queue."""

    def __init__(self, listener: trio.SocketListener, pace: Pace) -> None:
        self._listener = listener
        self._pace = pace

    async def accept(self) -> trio.SocketStream:
        """The next connection."""
        await self._pace.turn()
        return await self._listener.accept()

    async def aclose(self) -> None:
        """Close the listener."""
        await self._listener.aclose()
