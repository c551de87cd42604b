"""A SOCKS5 proxy on loopback (RFC 1928), which resolves names by a table, and can lie."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

import trio

_OVER = (trio.BrokenResourceError, trio.ClosedResourceError, OSError)


@dataclass
class SocksProxy:
    """`names`: by host name the port of loopback that it stands for; `lie`: all that it says, instead."""

    names: dict[str, int] = field(default_factory=dict)
    lie: bytes | None = None
    port: int = 0
    asked: list[tuple[int, str, int]] = field(default_factory=list)
    """The kind, the host and the port of every request."""
    users: list[bytes] = field(default_factory=list)

    async def listen(self, nursery: trio.Nursery) -> None:
        """Serve at a free port of loopback."""
        [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
        self.port = listener.socket.getsockname()[1]
        nursery.start_soon(trio.serve_listeners, self._serve, [listener])

    async def _serve(self, stream: trio.SocketStream) -> None:
        async with stream:
            with suppress(*_OVER):
                if self.lie is not None:
                    await stream.receive_some(512)
                    await stream.send_all(self.lie)
                else:
                    await self._connect(stream)

    async def _connect(self, stream: trio.SocketStream) -> None:
        methods = (await _exactly(stream, 2))[1]
        offered = await _exactly(stream, methods)
        if b"\x02" in offered:
            await stream.send_all(b"\x05\x02")
            size = (await _exactly(stream, 2))[1]
            user = await _exactly(stream, size)
            await _exactly(stream, (await _exactly(stream, 1))[0])
            self.users.append(user)
            await stream.send_all(b"\x01\x00")
        else:
            await stream.send_all(b"\x05\x00")
        kind = (await _exactly(stream, 4))[3]
        if kind == 3:
            host = (await _exactly(stream, (await _exactly(stream, 1))[0])).decode()
        else:
            host = ".".join(map(str, await _exactly(stream, 4)))
        port = int.from_bytes(await _exactly(stream, 2), "big")
        self.asked.append((kind, host, port))
        try:
            there = await trio.open_tcp_stream("127.0.0.1", self.names.get(host, port))
        except OSError:
            await stream.send_all(b"\x05\x05\x00\x01" + bytes(6))
            return
        async with there, trio.open_nursery() as nursery:
            await stream.send_all(b"\x05\x00\x00\x01" + bytes(6))
            nursery.start_soon(_copy, stream, there, nursery.cancel_scope)
            nursery.start_soon(_copy, there, stream, nursery.cancel_scope)


async def _exactly(stream: trio.SocketStream, size: int) -> bytes:
    data = b""
    while len(data) < size:
        if not (more := bytes(await stream.receive_some(size - len(data)))):
            raise trio.BrokenResourceError
        data += more
    return data


async def _copy(stream: trio.SocketStream, other: trio.SocketStream, scope: trio.CancelScope) -> None:
    with suppress(*_OVER):
        while data := await stream.receive_some(16 * 1024):
            await other.send_all(data)
    scope.cancel()
