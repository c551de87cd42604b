"""A relay in memory that does what it likes with what it carries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import trio
import trio.testing

from protocol.failures import RelayStatus as Status
from protocol.network.transport.registry import Answer, Connection, Transports
from protocol.network.transport.relay_client import connect
from protocol.rendezvous.relay_switchboard import HELLO_BYTES, Role, token_of
from protocol.rendezvous.via import Origin, Via
from protocol.wire.addresses import TOKEN_BYTES, Address, Endpoint, Onion, Relayed

RELAY: Final = Endpoint("relay.example", 4001)
_OVER: Final = (trio.BrokenResourceError, trio.ClosedResourceError)

Twist: TypeAlias = Callable[[int, bytes], list[bytes]]
"""What goes on instead of a piece; its number counts the pieces of one stream."""


def honest(_: int, data: bytes) -> list[bytes]:
    """Nothing is changed."""
    return [data]


def flip(_: int, data: bytes) -> list[bytes]:
    """One bit is another one."""
    return [data[:-1] + bytes((data[-1] ^ 1,))]


def drop(_: int, data: bytes) -> list[bytes]:
    """A piece is lost."""
    return []


def repeat(_: int, data: bytes) -> list[bytes]:
    """A piece comes twice."""
    return [data, data]


def cut(_: int, data: bytes) -> list[bytes]:
    """The second half of a piece is lost."""
    return [data[: len(data) // 2]]


def swap(_: int, data: bytes) -> list[bytes]:
    """The halves of a piece come the other way round."""
    return [data[len(data) // 2 :], data[: len(data) // 2]]


def mix(_: int, data: bytes) -> list[bytes]:
    """Words of somebody else come first."""
    return [b"\x17\x03\x03\x00\x20" + bytes(32), data]


@dataclass
class Rogue:
    """Joins as a relay does, until told otherwise."""

    nursery: trio.Nursery
    twist: Twist = honest
    """For the piece that `at` names."""
    at: tuple[bool, int] | None = None
    """Whether of the waiter's words, and the number of the piece, of the first pair that comes so far."""
    delay: float = 0.0
    """Seconds before each piece goes on."""
    crossed: bool = False
    """Join each caller with somebody that it did not ask for, if there is one."""
    twisted: int = 0
    seen: bytearray = field(default_factory=bytearray)
    """All that it carried."""
    joined: int = 0
    greeting: bytes | None = None
    """What it says to a caller instead of joining it."""
    _waiting: dict[bytes, list[trio.abc.Stream]] = field(default_factory=lambda: defaultdict(list))
    _more: trio.Event = field(default_factory=trio.Event)
    _scopes: list[trio.CancelScope] = field(default_factory=list)

    async def dial(self, _: Endpoint | Onion) -> Connection:
        """A connection to it."""
        ours, theirs = trio.testing.memory_stream_pair()
        self.nursery.start_soon(self._serve, ours)
        return Connection(theirs, Via.DIRECT)

    @property
    def transports(self) -> Transports:
        """Nothing but it."""

        async def call(address: Address) -> Connection:
            assert isinstance(address, Relayed)
            return await connect(address, self.dial)

        return Transports({Relayed: call}, self.dial)

    def hang_up(self) -> None:
        """End all that it carries."""
        for scope in self._scopes:
            scope.cancel()
        self._scopes.clear()

    async def _serve(self, stream: trio.abc.Stream) -> None:
        greeting = b""
        try:
            while len(greeting) < HELLO_BYTES:
                data = bytes(await stream.receive_some(HELLO_BYTES - len(greeting)))
                if not data:
                    return
                greeting += data
            secret = bytes.fromhex(greeting[-2 * TOKEN_BYTES :].decode())
            if greeting[5] == Role.WAIT:
                await stream.send_all(bytes((Status.WAITING,)))
                self._waiting[token_of(secret)].append(stream)
                self._more.set()
                self._more = trio.Event()
            elif self.greeting is not None:
                await stream.send_all(self.greeting)
            else:
                await self._join(stream, secret)
        except _OVER:
            await trio.aclose_forcefully(stream)

    async def between(self, stream: trio.abc.Stream, other: trio.abc.Stream) -> None:
        """Carry what both say until one ends, or `hang_up`."""
        with trio.CancelScope() as scope:
            self._scopes.append(scope)
            try:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self.carry, stream, other, True)
                    nursery.start_soon(self.carry, other, stream, False)
            except* _OVER:
                pass
        for end in (stream, other):
            await trio.aclose_forcefully(end)

    async def _join(self, caller: trio.abc.Stream, token: bytes) -> None:
        others = [other for other, there in self._waiting.items() if other != token and there]
        wanted = others[0] if self.crossed and others else token
        while not self._waiting[wanted]:
            await self._more.wait()
        waiter = self._waiting[wanted].pop()  # the others may be dead
        self.joined += 1
        for end in (waiter, caller):
            await end.send_all(bytes((Status.JOINED,)))
        await self.between(waiter, caller)

    async def carry(self, stream: trio.abc.Stream, other: trio.abc.Stream, waiters: bool) -> None:
        """Copy what comes from `stream`, and raise BrokenResourceError when it ends."""
        number = 0
        while data := bytes(await stream.receive_some(16 * 1024)):
            self.seen += data
            pieces = [data]
            if self.at == (waiters, number):
                self.at, pieces = None, self.twist(number, data)
                self.twisted += 1
            if self.delay:
                await trio.sleep(self.delay)
            for piece in pieces:
                await other.send_all(piece)
            number += 1
        raise trio.BrokenResourceError


@dataclass
class Straight:
    """The straight way to one host, which can be closed for a while; what is under way then is lost."""

    nursery: trio.Nursery
    greet: Answer
    way: Rogue
    """Carries what is said on it."""
    open: bool = False
    made: int = 0

    async def connect(self, _: Endpoint) -> Connection:
        """A connection to the host, if the way is open."""
        if not self.open:
            raise ConnectionRefusedError
        self.made += 1
        (ours, near), (far, theirs) = trio.testing.memory_stream_pair(), trio.testing.memory_stream_pair()
        self.nursery.start_soon(self.way.between, near, far)
        self.nursery.start_soon(self.greet, theirs, Origin("192.0.2.1", Via.DIRECT))
        return Connection(ours, Via.DIRECT)

    def close(self) -> None:
        """Close it, and break what goes over it."""
        self.open = False
        self.way.hang_up()
