"""Links between seats of one process, over TLS on loopback."""

from __future__ import annotations

from typing import Final

import trio

from protocol.channel import tls
from protocol.network.link import Link, TLSStream

LOOPBACK: Final = "127.0.0.1"


async def linked(nursery: trio.Nursery, certificate: tls.Certificate) -> tuple[Link, Link]:
    """Both ends of a running TLS connection on loopback."""
    [listener] = await trio.open_tcp_listeners(0, host=LOOPBACK)
    async with listener:
        socket = await trio.open_tcp_stream(LOOPBACK, listener.socket.getsockname()[1])
        other = await listener.accept()
    ends = (
        TLSStream(socket, tls.Session(tls.joining_context(), hosting=False), socket),
        TLSStream(other, tls.Session(certificate.context(), hosting=True), other),
    )
    async with trio.open_nursery() as shaking:
        for end in ends:
            shaking.start_soon(end.do_handshake)
    links = Link(ends[0]), Link(ends[1])
    for link in links:
        link.trust()
        nursery.start_soon(link.run)
    return links
