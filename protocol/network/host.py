"""The side that listens: a Host answers calls with its invite, and of the player of a match who comes back.

Tasks run in the caller's nursery and end with it.  A caller can end at most its own connection.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence

import trio

from protocol.errors import Refusal
from protocol.failures import CannotListen, Code, Declined, NetworkFailure, Refused, StorageFailure
from protocol.network import limits, tls
from protocol.network.handshake import Person, Terms
from protocol.network.introductions import Desk, Guest
from protocol.network.invite import LIFETIME, Invite
from protocol.network.link import Link
from protocol.network.peer import Peer
from protocol.network.replica import closing_code
from protocol.storage.home import Owner


class Host:
    """Answers calls: of whoever holds the invite, and of the player of `peer` coming back."""

    def __init__(self, nursery: trio.Nursery, desk: Desk) -> None:
        self.desk = desk
        self.peer: Peer | None = None
        """The match that its other player may come back to."""
        self._nursery = nursery
        self._strangers = 0
        self._came, self._guests = trio.open_memory_channel[tuple[Link, Guest] | StorageFailure](1)

    def invite(self, addresses: Sequence[str], lifetime: float = LIFETIME) -> Invite:
        """A new invite, good once within `lifetime` seconds; the one before it is void."""
        return self.desk.invite(tuple(addresses), lifetime, trio.current_time(), time.time())

    async def meet(self, terms: Terms, approve: Callable[[Person], Awaitable[bool]]) -> Peer:
        """The match with the next one who comes with our invite, once both players agree.

        Raises Declined if ours does not, Refused, LinkLost, a Refusal or StorageFailure; the invite is spent.
        """
        came = await self._guests.receive()
        if isinstance(came, StorageFailure):
            raise came
        link, guest = came
        if not await approve(guest.person):
            link.close(Code.DECLINED)
            await link.gone.wait()  # or the reason would be lost with the connection
            raise Declined
        store = await link.attend(lambda say: self.desk.seating(say, guest, terms))
        self.peer = Peer(self._nursery, self.desk.owner, store)
        self.peer.take(link)
        return self.peer

    async def greet(self, stream: trio.abc.Stream) -> None:
        """Handle one connection for as long as it lasts.  Raises nothing, whatever comes."""
        if self._strangers >= limits.MAX_STRANGERS:
            await trio.aclose_forcefully(stream)
            return
        self._strangers += 1
        link = Link(trio.SSLStream(stream, self.desk.context, server_side=True))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(link.run)
            try:
                with trio.move_on_after(limits.AUTHENTICATE_WITHIN):
                    await self._introduce(link)
            except (NetworkFailure, Refusal) as failure:
                link.close(closing_code(failure))
            finally:
                self._strangers -= 1

    async def _introduce(self, link: Link) -> None:
        if self.peer is not None and self.peer.replica.closed:
            raise Refused(Code.LEFT)
        match = self.peer.replica.match if self.peer is not None else None
        try:
            guest = await link.attend(
                lambda say: self.desk.greeting(say, match, trio.current_time), cancelled=Code.TIMEOUT
            )
        except StorageFailure as failure:
            await self._came.send(failure)
            return
        link.trust()
        if guest is not None:
            await self._came.send((link, guest))
        elif self.peer is not None:
            self.peer.take(link)


async def listen(
    nursery: trio.Nursery,
    owner: Owner,
    certificate: tls.Certificate,
    port: int = 0,
    interfaces: Sequence[str] = ("0.0.0.0", "::"),  # noqa: S104  # a friend calls from anywhere
) -> Host:
    """Answer calls on `port` (0: any, the same everywhere) of `interfaces`.  Raises CannotListen."""
    listeners: list[trio.SocketListener] = []
    for interface in interfaces:
        try:
            listeners += await trio.open_tcp_listeners(port, host=interface)
        except OSError as error:
            if not listeners:  # later ones may be missing: not every machine has IPv6
                raise CannotListen(port, error.errno or 0) from error
        port = listeners[0].socket.getsockname()[1]
    host = Host(nursery, Desk(owner, certificate, port))
    nursery.start_soon(trio.serve_listeners, host.greet, listeners)
    return host
