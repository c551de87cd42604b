"""A network in memory: sockets between lives, and a weather for each connection.

What the weather does is drawn from the seed and counted in pieces, never in bytes: TLS has randomness of its
own, and the signature in its handshake is a byte longer or shorter from run to run.
"""

from __future__ import annotations

import errno
import os
import random
import socket
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Final

import trio

from protocol.failures import CannotListen
from protocol.network.transport import relay_client
from protocol.network.transport.registry import Connection, Transports
from protocol.rendezvous.via import Origin, via_of
from protocol.wire.addresses import Endpoint, Relayed
from tests.campaigns.simulate.life import LIFE, Killed, Life

_ROOM: Final = 2**16
"""Bytes that a direction holds that nobody has read."""
_SHAKING: Final = 4
"""Pieces in which a handshake of TLS may stand, whose lengths differ from run to run."""
BREAKS: Final = ("cut", "reset", "half-open", "black hole")
"""How a connection ends."""


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@dataclass
class Weather:
    """What one connection suffers.

    `delays`: the least and most seconds of a piece under way; `chopped`: the chance that a piece comes in
    two; `breaks`: one of BREAKS or "", at the `at`th piece of both directions together.
    """

    rng: random.Random
    delays: tuple[float, float] = (0.0, 0.0)
    chopped: float = 0.0
    breaks: str = ""
    at: int = 0
    pieces: int = 0


@dataclass
class Flow:
    """One direction of a connection."""

    due: float = 0.0
    """When the last piece arrives: pieces never overtake each other."""
    pieces: deque[tuple[float, bytes]] = field(default_factory=deque)
    """With the time at which each arrives; b"" is the end."""
    size: int = 0
    sent: int = 0
    lost: bool = False
    """Whether nothing arrives any more."""
    broken: bool = False
    """Whether the connection was reset."""
    moved: trio.lowlevel.ParkingLot = field(default_factory=trio.lowlevel.ParkingLot)

    def stir(self) -> None:
        """Wake both ends."""
        self.moved.unpark_all()


class Socket(trio.socket.SocketType):
    """One end of a connection, for trio.SocketStream."""

    type = socket.SOCK_STREAM

    def __init__(
        self, net: Net, life: Life, hosts: tuple[str, str], flows: tuple[Flow, Flow], weather: Weather
    ) -> None:
        """`hosts`: ours and the other; `flows`: to us and from us."""
        super().__init__()
        self.net, self.life, self._hosts = net, life, hosts
        self._to, self._from = flows
        self._weather = weather
        self._shut = False
        self._number = net.number(self)

    @property
    def did_shutdown_SHUT_WR(self) -> bool:  # noqa: N802  # trio's name
        return self._shut

    def fileno(self) -> int:
        return self._number

    def getpeername(self) -> Any:
        return (self._hosts[1], 1)

    def getsockname(self) -> Any:
        return (self._hosts[0], 1)

    def setsockopt(self, *_: Any) -> None:
        """Every option is taken."""

    def write(self, data: bytes | memoryview) -> int:
        """Send without waiting.  Raises OSError, BlockingIOError if there is no room."""
        self._call("send")
        if self._number < 0:
            raise _error(errno.EBADF)
        flow = self._from
        if flow.broken:
            raise _error(errno.ECONNRESET)
        if flow.size >= _ROOM:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        self.net.carry(self, bytes(data))
        return len(data)

    def _call(self, kind: str) -> None:
        """A call begins; after an error the connection is of no more use."""
        try:
            self.life.call(kind)
        except OSError:
            self.reset()
            raise

    async def send(self, data: Any, flags: int = 0) -> int:
        await trio.lowlevel.checkpoint()
        while True:
            try:
                return self.write(data)
            except BlockingIOError:
                await self._from.moved.park()

    async def wait_writable(self) -> None:
        """Wait until there is room."""
        await trio.lowlevel.checkpoint()
        while self._from.size >= _ROOM and not self._from.broken and self._number >= 0:
            await self._from.moved.park()

    async def recv(self, buflen: int, flags: int = 0, /) -> bytes:
        await trio.lowlevel.checkpoint()
        flow = self._to
        self._call("receive")
        while True:
            if self._number < 0:
                raise _error(errno.EBADF)
            if flow.broken:
                raise _error(errno.ECONNRESET)
            due, data = flow.pieces[0] if flow.pieces else (inf, b"")
            if due <= trio.current_time():
                return self._taken(data, buflen)
            with trio.move_on_at(due):
                await flow.moved.park()

    def _taken(self, data: bytes, most: int) -> bytes:
        flow = self._to
        if data:
            due, _ = flow.pieces.popleft()
            if len(data) > most:
                flow.pieces.appendleft((due, data[most:]))
            flow.size -= len(data[:most])
            flow.stir()
        return data[:most]

    def shutdown(self, flag: int) -> None:
        self._shut = True
        self.net.carry(self, b"")

    def close(self) -> None:
        if self._number >= 0:
            self.net.forget(self._number)
            self._number = -1
            if not self.life.dead:
                self.net.carry(self, b"")
            self._to.size = 0  # what nobody reads any more keeps nobody waiting
            self._to.stir()

    def reset(self) -> None:
        """End the connection at once, for both."""
        for flow in (self._to, self._from):
            flow.broken = True
            flow.stir()

    def end(self) -> None:
        """End the connection for both, behind what is under way."""
        for flow in (self._to, self._from):
            flow.pieces.append((flow.due, b""))
            flow.stir()
        self.vanish()

    def vanish(self) -> None:
        """Our machine is gone: nothing arrives at either end."""
        self._to.lost = self._from.lost = True

    @property
    def flow(self) -> Flow:
        """What goes out."""
        return self._from

    @property
    def weather(self) -> Weather:
        """What the connection suffers."""
        return self._weather


@dataclass
class Door:
    """Where a life listens."""

    life: Life
    waiting: deque[Socket] = field(default_factory=deque)
    came: trio.lowlevel.ParkingLot = field(default_factory=trio.lowlevel.ParkingLot)


Answer = Callable[[trio.SocketStream, Origin], Awaitable[None]]


class Net:
    """The network of a world."""

    def __init__(self, weather: Callable[[str, str], Weather], note: Callable[..., None]) -> None:
        """`weather`: of a new connection between two hosts."""
        self._weather, self._note = weather, note
        self._doors: dict[tuple[str, int], Door] = {}
        self._sockets: dict[int, Socket] = {}
        self._numbers = 0
        self.refused: dict[str, str] = {}
        """By host that is called: the name of the error number with which calls fail."""
        self.broken = 0
        """Connections that broke."""

    def transports(self) -> Transports:
        """The ways to others, for the program."""
        dial = Transports({Endpoint: self.connect}).connect

        async def through(address: Relayed) -> Connection:
            return await relay_client.connect(address, dial)

        return Transports({Endpoint: self.connect, Relayed: through}, dial)

    async def connect(self, address: Endpoint) -> Connection:
        """A connection to `address`.  Raises OSError."""
        life = LIFE.get()
        weather = self._weather(life.name, address.host)
        await trio.sleep(weather.rng.uniform(*weather.delays))
        life.call("connect", address.host, address.port)
        door = self._doors.get((address.host, address.port))
        if weather.breaks == "black hole" and weather.at == 0:
            await trio.sleep(130)  # tcp(7), tcp_syn_retries
            raise _error(errno.ETIMEDOUT)
        if door is None or door.life.dead:
            raise _error(errno.ECONNREFUSED)
        there, back = Flow(), Flow()
        here = Socket(self, life, (host_of(life), address.host), (back, there), weather)
        door.waiting.append(Socket(self, door.life, (address.host, host_of(life)), (there, back), weather))
        door.came.unpark_all()
        return Connection(trio.SocketStream(here), via_of(address.host))

    async def listen(
        self,
        nursery: trio.Nursery,
        port: int,
        answer: Answer,
        interfaces: Sequence[str] = (),
        known: Callable[[], Collection[str]] = tuple,
    ) -> int:
        """As tcp.listen."""
        life = LIFE.get()
        try:
            life.call("listen")
        except OSError as error:
            raise CannotListen(port, error.errno or 0) from error
        await trio.lowlevel.checkpoint()
        self._doors[host_of(life), port] = door = Door(life)
        nursery.start_soon(self._serve, nursery, door, answer)
        return port

    async def _serve(self, nursery: trio.Nursery, door: Door, answer: Answer) -> None:
        while True:
            while not door.waiting:
                await door.came.park()
            calling = door.waiting.popleft()
            try:
                door.life.call("accept")
            except OSError:  # as in tcp.let_in: who was not let in waits, or is gone
                calling.reset()
                await trio.lowlevel.checkpoint()
                continue
            nursery.start_soon(self._answer, answer, trio.SocketStream(calling), calling.getpeername()[0])

    async def _answer(self, answer: Answer, stream: trio.SocketStream, host: str) -> None:
        try:
            await answer(stream, Origin(host, via_of(host)))
        finally:
            await trio.aclose_forcefully(stream)

    def carry(self, end: Socket, data: bytes) -> None:
        """Take bytes, or the end, of one direction on their way."""
        flow, weather = end.flow, end.weather
        weather.pieces += 1
        flow.sent += 1
        if weather.breaks and weather.pieces >= weather.at:
            self._break(end)
        if flow.lost or flow.broken:
            return
        for piece in self._chopped(data, flow, weather):
            flow.due = max(flow.due, trio.current_time() + weather.rng.uniform(*weather.delays))
            flow.pieces.append((flow.due, piece))
            flow.size += len(piece)
        flow.stir()

    def _chopped(self, data: bytes, flow: Flow, weather: Weather) -> list[bytes]:
        if weather.rng.random() >= weather.chopped:
            return [data]
        where = weather.rng.random()
        at = 1 + int(where * 99) if flow.sent <= _SHAKING else 1 + int(where * (len(data) - 1))
        return [data[:at], data[at:]] if 0 < at < len(data) else [data]

    def _break(self, end: Socket) -> None:
        weather = end.weather
        kind, weather.breaks = weather.breaks, ""
        self.broken += 1
        self._note("the connection breaks", kind)
        if kind == "half-open":
            end.flow.lost = True
        elif kind == "black hole":
            end.vanish()
        elif kind == "cut":
            end.end()
        else:
            end.reset()

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """os.write to a socket."""
        if fd not in self._sockets:
            raise Killed if LIFE.get().dead else _error(errno.EBADF)
        return self._sockets[fd].write(data)

    def gone(self, life: Life, *, silently: bool) -> None:
        """A process is gone, with its connections; `silently`: its machine, too."""
        for place in [place for place, door in self._doors.items() if door.life is life]:
            for calling in self._doors.pop(place).waiting:
                calling.reset()
        for end in [end for end in self._sockets.values() if end.life is life]:
            end.vanish() if silently else end.reset()

    def number(self, end: Socket) -> int:
        """The descriptor of a new socket."""
        self._numbers += 1
        self._sockets[self._numbers] = end
        return self._numbers

    def forget(self, number: int) -> None:
        """A socket is closed."""
        del self._sockets[number]


def host_of(life: Life) -> str:
    """The address of a player's machine."""
    return HOSTS[life.name]


NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eve", "relay")
HOSTS: Final = {name: f"10.0.0.{number}" for number, name in enumerate(NAMES, 1)}
