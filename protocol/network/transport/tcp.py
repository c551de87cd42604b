"""TCP, straight from one machine to the other: the transport of IP addresses and host names."""

from __future__ import annotations

import math
import socket
import struct
import sys
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol, TypeAlias

import trio

from protocol import limits
from protocol.channel.strangers import network_of, selection
from protocol.failures import CannotListen
from protocol.network.transport.registry import Connection
from protocol.rendezvous.via import Origin, via_of
from protocol.wire.addresses import Endpoint

EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104  # a friend calls from anywhere
_NO_LINGERING: Final = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)

Handle: TypeAlias = Callable[[trio.SocketStream, Origin], Awaitable[None]]
"""An Answer to callers whose streams are sockets."""


async def connect(address: Endpoint) -> Connection:
    """A connection to `address`; the addresses of a host name are tried one after the other."""
    stream = await trio.open_tcp_stream(address.host, address.port)
    try:
        return Connection(stream, via_of(str(stream.socket.getpeername()[0])))
    except OSError:  # gone already
        await trio.aclose_forcefully(stream)
        raise


async def listen(
    nursery: trio.Nursery,
    port: int,
    answer: Handle,
    interfaces: Sequence[str] = EVERYWHERE,
    known: Callable[[], Collection[str]] = tuple,
) -> int:
    """Answer calls on `port` (0: any, the same everywhere) of `interfaces`; returns the port.

    `known`: the networks of players, which a crowd cannot keep out.  Raises CannotListen.
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
        for listener in listeners:
            # After the bind, which fails so on a taken port; then crossing.py may call from this port.
            listener.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    for listener in listeners:
        nursery.start_soon(_serve, nursery, socket.socket(fileno=listener.socket.detach()), answer, known)
    return port


async def _serve(
    nursery: trio.Nursery, listening: socket.socket, answer: Handle, known: Callable[[], Collection[str]]
) -> None:
    """Answer callers at a socket, turn by turn: `let_in` takes all waiting callers of a turn together."""
    with listening:
        listening.setblocking(False)
        while True:
            await trio.lowlevel.wait_readable(listening)
            for calling, caller in let_in(listening, known()):
                stream = trio.SocketStream(trio.socket.from_stdlib_socket(calling))
                nursery.start_soon(_answer, answer, stream, Origin(caller, via_of(caller)))
            await trio.sleep(limits.ACCEPT_EVERY)


async def _answer(answer: Handle, stream: trio.SocketStream, origin: Origin) -> None:
    try:
        await answer(stream, origin)
    finally:
        await trio.aclose_forcefully(stream)


class Listener(Protocol):
    """A socket that listens."""

    def accept(self) -> tuple[socket.socket, Any]:
        """The next waiting caller, and its address.  Raises OSError, BlockingIOError if nobody waits."""


def let_in(listening: Listener, known: Collection[str] = ()) -> list[tuple[socket.socket, str]]:
    """Take the waiting callers at a socket, at most ACCEPTED_AT_ONCE; return those that are let in.

    Each comes with its address.  The other callers' connections end at once (threat 107).
    """
    newcomers: list[tuple[str, tuple[socket.socket, str]]] = []
    with suppress(OSError):  # nobody else waits, or the system has no socket left: the others have to wait
        while len(newcomers) < limits.ACCEPTED_AT_ONCE:
            with suppress(ConnectionAbortedError):  # gone already
                calling, address = listening.accept()
                calling.setblocking(False)
                caller = str(address[0])
                newcomers.append((network_of(caller), (calling, caller)))
    welcome = selection(newcomers, lambda newcomer: _speaks(newcomer[0]), known)
    for _, newcomer in newcomers:
        if newcomer not in welcome:
            _end(newcomer[0])
    return welcome


def _speaks(calling: socket.socket) -> bool:
    """Whether the other side has sent something already."""
    try:
        return bool(calling.recv(1, socket.MSG_PEEK))
    except OSError:
        return False


def _end(calling: socket.socket) -> None:
    """End a connection by a reset: else the system remembers each of thousands for a minute (TIME-WAIT)."""
    with suppress(OSError):
        calling.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGERING)
    calling.close()


class Throttle:
    """Lets tasks pass in order of arrival, at least `interval` seconds apart."""

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self._next = -math.inf
        self._lock = trio.Lock()

    async def turn(self) -> None:
        """Wait for this task's turn."""
        async with self._lock:
            await trio.sleep_until(self._next)
            self._next = trio.current_time() + self._interval
