"""A wire between two players that delays, cuts, resets, and falls silent."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterable, Iterator

import trio

from tests.campaigns.chaos.plan import Break

_PIECE = 700
"""Bytes forwarded at a time: fewer than a TLS record may have, so that a cut can fall into one."""
_DELAY = 0.02


class Proxy:
    """Listens on `port` and forwards every connection to `target`, a port on this machine."""

    def __init__(self, breaks: Iterator[Break | None], early: Iterable[Break | None] = ()) -> None:
        """`breaks`: by connection; `early`: the same, before it is armed."""
        self.target: int | None = None
        self.port = 0
        self.armed = False
        """Whether `breaks` happen: all players have the match."""
        self.breaks, self.early = breaks, iter(early)
        self.broken = 0
        """Connections that suffered one."""

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Forward until cancelled."""
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        self.port = listeners[0].socket.getsockname()[1]
        task_status.started()
        await trio.serve_listeners(self._serve, listeners)

    async def _serve(self, caller: trio.SocketStream) -> None:
        if self.target is None:
            await trio.aclose_forcefully(caller)
            return
        try:
            called = await trio.open_tcp_stream("127.0.0.1", self.target)
        except OSError:
            await trio.aclose_forcefully(caller)
            return
        with trio.CancelScope() as scope:
            wire = _Wire(self, (caller, called), scope)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(wire.carry, caller, called)
                nursery.start_soon(wire.carry, called, caller)
        for end in (caller, called):
            await trio.aclose_forcefully(end)


class _Wire:
    """One connection through the proxy."""

    def __init__(
        self, proxy: Proxy, ends: tuple[trio.SocketStream, trio.SocketStream], scope: trio.CancelScope
    ) -> None:
        self._proxy, self._ends, self._scope = proxy, ends, scope
        self._broken = None if proxy.armed else next(proxy.early, None)
        self._armed = self._counted = False
        self._carried = 0

    async def carry(self, stream: trio.SocketStream, other: trio.SocketStream) -> None:
        """Move bytes one way until the connection ends or breaks."""
        try:
            while data := await stream.receive_some(_PIECE):
                self._arm()
                self._carried += len(data)
                await self._suffer()
                await other.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        self._scope.cancel()

    def _arm(self) -> None:
        """From when all have the match, bytes are counted, up to the break that is this connection's."""
        if self._proxy.armed and not self._armed:
            self._armed, self._carried = True, 0
            self._broken = next(self._proxy.breaks, None)

    async def _suffer(self) -> None:
        if self._broken is None or self._carried < self._broken.after or self._armed > self._proxy.armed:
            return
        if not self._counted:
            self._counted = True
            self._proxy.broken += 1
        if self._broken.kind == "slow":
            await trio.sleep(_DELAY if self._carried < self._broken.after + 20 * _PIECE else 0)
        elif self._broken.kind == "half-open":
            await trio.sleep_forever()
        else:
            if self._broken.kind == "reset":
                for end in self._ends:  # closing then sends RST: socket(7), SO_LINGER
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._scope.cancel()
            await trio.lowlevel.checkpoint()
