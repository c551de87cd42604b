"""The process of a relay: the sockets of a Switchboard, and the copying between two joined streams."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import trio

from protocol import limits
from protocol.network.transport import tcp
from protocol.rendezvous.relay_switchboard import Drop, Effect, Limits, RelayCounts, Say, Switchboard
from protocol.rendezvous.via import Origin

BROKEN: Final = (trio.BrokenResourceError, trio.ClosedResourceError, OSError)
_TICK: Final = 1.0
_KEEPALIVE: Final = (
    ("TCP_KEEPIDLE", 60),
    ("TCP_KEEPINTVL", 15),
    ("TCP_KEEPCNT", 4),
    ("TCP_USER_TIMEOUT", 90_000),
)
"""Seconds, the last in milliseconds: with these the system notices waiters that vanished silently."""
_MAX_REQUEST: Final = 4096
_ASK_WITHIN: Final = 5.0
_HEAD: Final = b"HTTP/1.0 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\n\r\n"


class Relay:
    """One relay; tasks run in the caller's nursery and end with it."""

    def __init__(self, bounds: Limits) -> None:
        self.port = 0
        self._board = Switchboard(bounds)
        self._streams: dict[int, tuple[trio.SocketStream, trio.CancelScope]] = {}

    @property
    def counts(self) -> RelayCounts:
        """The counts of present and past streams."""
        return self._board.counts

    async def listen(
        self, nursery: trio.Nursery, port: int, interfaces: Sequence[str] = tcp.EVERYWHERE
    ) -> None:
        """Answer on `port` (0: any).  Raises CannotListen."""
        self.port = await tcp.listen(nursery, port, self.answer, interfaces)
        nursery.start_soon(self._keep_time)

    async def answer(self, stream: trio.SocketStream, origin: Origin) -> None:
        """Serve one stream until it ends.  Raises no error for any input."""
        try:
            port = int(stream.socket.getpeername()[1])
        except OSError:  # gone already
            port = 0
        number, effects = self._board.came(origin.network, trio.current_time(), port)
        with trio.CancelScope() as scope:
            self._streams[number] = stream, scope
            try:
                self._perform(effects)
                _keep_alive(stream)
                await self._read(number, stream)
            except BROKEN:
                self._perform(self._board.broke(number))
            finally:
                self._perform(self._board.broke(number))
                self._streams.pop(number, None)
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(stream)

    async def _read(self, number: int, stream: trio.SocketStream) -> None:
        """Read the hello, then copy all bytes to the other stream, until both have ended."""
        board, data = self._board, b""
        while (other := self._other(number)) is None:
            data = bytes(await stream.receive_some(board.wanted(number)))
            if self._other(number) is None:  # else we were joined meanwhile, and the bytes are for the other
                now = trio.current_time()
                self._perform(board.heard(number, data, now) if data else board.ended(number, now))
                await trio.lowlevel.checkpoint()
                data = b""
        data = data or bytes(await stream.receive_some(limits.CHUNK))
        while data:
            await self._pass_on(number, other, data)
            data = bytes(await stream.receive_some(limits.CHUNK))
        await other.send_eof()
        self._perform(board.ended(number, trio.current_time()))
        await trio.sleep_forever()  # until the other has ended too, and the board drops both

    async def _pass_on(self, number: int, other: trio.SocketStream, data: bytes) -> None:
        pause, effects = self._board.carried(number, len(data), trio.current_time())
        self._perform(effects)
        # Mostly the data fit at once, and a turn of the event loop costs more.  No other task writes there.
        with suppress(BlockingIOError):
            data = data[os.write(other.socket.fileno(), data) :]
        if data:
            await other.send_all(data)
        if pause:
            await trio.sleep(pause)

    def _other(self, number: int) -> trio.SocketStream | None:
        partner = self._board.partner(number)
        return None if partner is None or partner not in self._streams else self._streams[partner][0]

    def _perform(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            stream, scope = self._streams.get(effect.stream, (None, None))
            if stream is None or scope is None:
                continue
            if isinstance(effect, Say):
                # Without waiting: these are the first bytes there, so a stream without room for them is gone.
                with suppress(OSError):
                    os.write(stream.socket.fileno(), bytes((effect.status,)) + effect.more)
            elif isinstance(effect, Drop):
                scope.cancel()

    async def _keep_time(self) -> None:
        while True:
            await trio.sleep(_TICK)
            self._perform(self._board.tick(trio.current_time()))

    # Metrics

    async def report(self, nursery: trio.Nursery, port: int) -> int:
        """Answer any HTTP request at `port` (0: any) of this machine with `metrics`; returns the port.

        Raises CannotListen.
        """
        return await tcp.listen(nursery, port, self._answer_request, ["127.0.0.1"])

    async def _answer_request(self, stream: trio.SocketStream, _: Origin) -> None:
        with trio.move_on_after(_ASK_WITHIN), suppress(*BROKEN):
            request = b""
            while b"\r\n\r\n" not in request and len(request) < _MAX_REQUEST:
                if not (data := await stream.receive_some(_MAX_REQUEST)):
                    break
                request += data
            await stream.send_all(_HEAD + metrics(self.counts).encode())
        await trio.aclose_forcefully(stream)


def metrics(counts: RelayCounts) -> str:
    """The counts in the text format of Prometheus, without names or addresses."""
    rows = {
        "streams": counts.streams,
        "waiting": counts.waiting,
        "pairs": counts.pairs,
        "joined_total": counts.joined,
        "carried_bytes_total": counts.carried,
        **{f'refused_total{{why="{why.name.lower()}"}}': n for why, n in sorted(counts.refused.items())},
    }
    return "".join(f"p2p_stratego_relay_{name} {value}\n" for name, value in rows.items())


def _keep_alive(stream: trio.SocketStream) -> None:
    set_option = partial(stream.setsockopt, socket.IPPROTO_TCP)
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE:
        if hasattr(socket, name):  # not on every system
            set_option(getattr(socket, name), value)
