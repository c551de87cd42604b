"""The side that listens: a Host answers guests with its invite, and the returning player of a match.

Tasks run in the caller's nursery and end with it.  A caller can end only its own connection.
"""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Sequence

import trio

from protocol.errors import Refusal
from protocol.failures import CannotListen, Code, Declined, NetworkFailure, Refused, StorageFailure
from protocol.network import limits, tls
from protocol.network.handshake import Person, Terms
from protocol.network.introductions import Desk, Guest
from protocol.network.invite import LIFETIME, Invite
from protocol.network.link import BROKEN, Link, TLSStream
from protocol.network.peer import Peer
from protocol.network.replica import closing_code
from protocol.network.strangers import Stage, Strangers
from protocol.network.tracing import trouble
from protocol.storage.home import Owner


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


class Metered(trio.abc.Stream):
    """A stranger's stream: each chunk waits for its turn, as it can cost a step of TLS."""

    def __init__(self, stream: trio.abc.Stream, pace: Pace) -> None:
        self.freely = False
        """Whether chunks no longer wait."""
        self._stream = stream
        self._pace = pace
        self._heard: bytes | None = None

    async def hear(self) -> None:
        """Wait for the first bytes."""
        self._heard = bytes(await self._stream.receive_some(limits.CHUNK))

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """The next chunk; the first one whole."""
        data, self._heard = self._heard, None
        if data is None:
            data = bytes(await self._stream.receive_some(max_bytes))
        if not self.freely:
            await self._pace.turn()
        return data

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send `data`."""
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        """Return when `send_all` may take something."""
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()


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


class Host:
    """Answers two kinds of callers: a guest with the invite, and the returning player of `peer`."""

    def __init__(self, nursery: trio.Nursery, desk: Desk) -> None:
        self.desk = desk
        self.peer: Peer | None = None
        """The match whose other player may return."""
        self._nursery = nursery
        self._strangers = Strangers()
        self._turns = Pace(limits.STRANGERS_BYTES_EVERY)
        self._came, self._guests = trio.open_memory_channel[tuple[Link, Guest] | StorageFailure](1)

    def invite(self, addresses: Sequence[str], lifetime: float = LIFETIME) -> Invite:
        """A new invite, valid once within `lifetime` seconds; it voids the previous one."""
        return self.desk.invite(tuple(addresses), lifetime, trio.current_time(), time.time())

    async def meet(self, terms: Terms, approve: Callable[[Person], Awaitable[bool]]) -> Peer:
        """The match with the next guest who holds our invite, once both players agree.

        Raises Declined if our player declines, Refused, LinkLost, a Refusal or StorageFailure; the invite is
        spent.
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

    async def answer(self, stream: trio.SocketStream) -> None:
        """Handle one connection until it ends.  Raises no error for any input."""
        try:
            address = stream.socket.getpeername()[0]
        except OSError:  # gone already
            await trio.aclose_forcefully(stream)
        else:
            await self.greet(stream, address)

    async def greet(self, stream: trio.abc.Stream, address: str) -> None:
        """`answer`, for a caller from `address`."""
        metered = Metered(stream, self._turns)
        async with trio.open_nursery() as nursery:
            came = await self._introduced(nursery, metered, address)
            metered.freely = True
            if came is None:
                return
            link, guest = came
            if guest is not None:
                await self._came.send((link, guest))
            elif self.peer is not None:
                self.peer.take(link)

    async def _introduced(
        self, nursery: trio.Nursery, stream: Metered, address: str
    ) -> tuple[Link, Guest | None] | None:
        """The running link to an authenticated caller: a Guest, or with None the match's other player.

        None instead of both: the caller was too slow or was pushed out, and the connection ends.
        """
        link: Link | None = None
        trace = self.desk.owner.trace
        trace("link", state="stranger")
        introduction = trio.CancelScope()
        caller = self._strangers.enter(address, introduction.cancel)
        try:
            with introduction, trio.move_on_after(limits.AUTHENTICATE_WITHIN):
                with trio.fail_after(limits.SPEAK_WITHIN):
                    await stream.hear()
                caller.stage = Stage.SPOKE
                session = tls.Session(self.desk.context, hosting=True)
                secure = TLSStream(stream, session)
                await secure.do_handshake()
                caller.stage = Stage.ENCRYPTED
                link = Link(secure, trace, session.binding(self.desk.certificate.hash))
                nursery.start_soon(link.run)
                guest = await self._introduce(link)
                link.trust()
                self._strangers.recognise(caller)
                return link, guest
        except (NetworkFailure, Refusal) as failure:
            trouble(trace, "refusal", failure)
            if link is not None:
                link.close(closing_code(failure))
        except StorageFailure as failure:
            await self._came.send(failure)
        except (trio.TooSlowError, *BROKEN):
            pass  # silent, or gone, or not TLS
        finally:
            self._strangers.leave(caller)
            if link is None:
                await trio.aclose_forcefully(stream)
        return None

    async def _introduce(self, link: Link) -> Guest | None:
        """The same as Desk.greeting."""
        if self.peer is not None and self.peer.replica.closed:
            raise Refused(Code.LEFT)
        match = self.peer.replica.match if self.peer is not None else None
        return await link.attend(
            lambda say: self.desk.greeting(say, link.binding, match, trio.current_time),
            cancelled=Code.TIMEOUT,
        )


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
    pace = Pace(limits.ACCEPT_EVERY)
    nursery.start_soon(trio.serve_listeners, host.answer, [Paced(one, pace) for one in listeners])
    return host
