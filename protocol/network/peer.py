"""Links over trio: the only module of the protocol that waits.

A Link moves the bytes of one Channel; a Host answers calls; `join` makes one; a Peer keeps one match going
over one link after another.  Tasks run in the caller's nursery and end with it.  Nothing here judges a frame
or touches a file: it waits, and hands over.  Whatever the other side does ends at most its own connection.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar, cast

import trio

from protocol.errors import Refusal
from protocol.failures import (
    CannotListen,
    Code,
    Declined,
    Failure,
    LinkLost,
    Loss,
    NetworkFailure,
    Refused,
    StorageFailure,
)
from protocol.network import limits, tls
from protocol.network.addresses import unreachable
from protocol.network.channel import Channel, Reason
from protocol.network.handshake import Person, Terms
from protocol.network.introductions import Desk, Guest, Proposal, Say, Talk, resuming
from protocol.network.invite import LIFETIME, Invite
from protocol.network.replica import Replica, Status, closing_code
from protocol.storage.home import Owner
from protocol.storage.match_store import Route, Store
from protocol.wire.encoding import Frame

T = TypeVar("T")

_BROKEN: Final = (trio.BrokenResourceError, trio.ClosedResourceError, OSError)


class Link:
    """One connection.  `run` moves its bytes until it is lost; `lost` then says why."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.gone = trio.Event()
        self.on_round_trip: Callable[[], None] = lambda: None
        self._stream = stream
        self._channel = Channel(trio.current_time())
        self._scope = trio.CancelScope()
        self._tasks = trio.lowlevel.ParkingLot()

    @property
    def lost(self) -> Reason | None:
        """Why the link is of no more use, or None."""
        return self._channel.lost

    @property
    def rtt(self) -> float | None:
        """Smoothed round trip in seconds, or None before one was measured."""
        return self._channel.rtt

    def trust(self) -> None:
        """The other side is authenticated."""
        self._channel.trust(trio.current_time())
        self._stir()

    def send(self, data: bytes) -> None:
        """Queue whole frames; to a lost link, do nothing."""
        self._channel.send(data)
        self._stir()

    def close(self, code: int) -> None:
        """End the link for us, with `code` as the last thing the other side reads."""
        self._channel.close(code, trio.current_time())
        self._stir()

    async def receive(self) -> list[Frame]:
        """All frames that have arrived, at least one.  Raises why the link is lost, once all are taken."""
        inbox = await self._inbox()
        frames = inbox.copy()
        inbox.clear()
        self._tasks.unpark_all()
        return frames

    async def attend(self, talk: Callable[[Say], Talk[T]], cancelled: Code = Code.LEFT) -> T:
        """Bring `talk` one frame after another; what came of it.  If it breaks off, so does the link."""
        dialogue = talk(lambda frame: self.send(bytes(frame)))
        try:
            next(dialogue)
            while True:
                dialogue.send((await self._inbox()).pop(0))
        except StopIteration as stop:
            return cast("T", stop.value)
        except (Refusal, Failure) as error:
            self.close(closing_code(error))
            raise
        except trio.Cancelled:
            self.close(cancelled)
            raise

    async def _inbox(self) -> list[Frame]:
        while not self._channel.inbox:
            if self._channel.lost is not None:
                raise self._channel.lost
            await self._tasks.park()
        return self._channel.inbox

    async def run(self) -> None:
        """Move bytes until the link is lost.  Raises nothing but cancellation."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._read)
                    nursery.start_soon(self._write)
        finally:
            self._lose(Loss.ENDED)
            self.gone.set()
            await trio.aclose_forcefully(self._stream)

    def _stir(self) -> None:
        """The channel has changed: let everybody look at it, unless there is nothing left to do."""
        self._tasks.unpark_all()
        self._scope.deadline = min(self._scope.deadline, self._channel.deadline)
        if self._channel.over:
            self._scope.cancel()

    def _lose(self, loss: Loss) -> None:
        self._channel.lose(LinkLost(loss))
        self._stir()

    async def _read(self) -> None:
        try:
            while data := await self._stream.receive_some(limits.CHUNK):
                before = self.rtt
                self._channel.take_in(bytes(data), trio.current_time())
                self._stir()
                if self.rtt != before:
                    self.on_round_trip()
                while len(self._channel.inbox) > limits.MAX_INBOX:
                    await self._tasks.park()
            self._lose(Loss.CLOSED_THERE)
        except _BROKEN:
            self._lose(Loss.BROKEN)

    async def _write(self) -> None:
        try:
            while True:
                due = self._channel.tick(trio.current_time())
                self._stir()
                if data := self._channel.outgoing(limits.CHUNK):
                    with trio.fail_after(limits.TAKE_WITHIN):
                        await self._stream.send_all(data)
                else:
                    with trio.move_on_at(due):
                        await self._tasks.park()
        except trio.TooSlowError:
            self._lose(Loss.UNREAD)
        except _BROKEN:
            self._lose(Loss.BROKEN)


class Peer(Replica):
    """A match that is kept going: `run` it, and call Replica's methods from the player's side."""

    def __init__(self, nursery: trio.Nursery, owner: Owner, store: Store) -> None:
        """Raises as Replica does.  If we joined the match, it calls the host by itself."""
        self._nursery = nursery
        self._link: Link | None = None
        self._next: Link | None = None
        self._leaving = False
        self._delay = 0.0
        self._waiting = trio.CancelScope()
        super().__init__(owner, store, trio.current_time)

    @property
    def rtt(self) -> float | None:
        """Round trip in seconds to the other side, while connected."""
        return self._link.rtt if self._link is not None and self.status is Status.CONNECTED else None

    def take(self, link: Link) -> None:
        """Go on over `link`, on which the other side has proven who it is; an older link is dropped."""
        self.stop(Code.REPLACED)
        self._next = link

    def leave(self) -> None:
        """Save and leave; `run` returns when the other side was told, or soon anyway."""
        self._leaving = True
        self.stop(Code.LEFT)

    def stop(self, code: Code) -> None:
        """End the connection and the waiting for one."""
        for link in (self._next, self._link):
            if link is not None:
                link.close(code)
        self._waiting.cancel()

    async def run(self) -> None:
        """Keep the match going until it is over and the other side gone, or we leave; then close it.

        Raises StorageFailure if it can no longer be saved; Refused if the other side has no such match, or no
        such version.
        """
        try:
            while (link := await self._next_link()) is not None:
                self._link, self._next = link, None
                await self._converse(link)
        finally:
            self.stop(Code.LEFT)
            self.close()
            if self._link is not None:
                await self._link.gone.wait()

    async def _next_link(self) -> Link | None:
        while self._failure is None:
            if self._leaving or self.status in (Status.STALE, Status.OVER):
                return None
            if self._next is not None:
                return self._next
            with trio.CancelScope() as self._waiting:
                await self._wait_or_call()
        raise self._failure

    async def _wait_or_call(self) -> None:
        """Wait for a call, or make one after a pause."""
        if self.route.hosting or not self.route.addresses:
            await trio.sleep_until(self.complete_by)
            self.give_up()
            return
        await trio.sleep(self._delay)
        self._delay = min(limits.LONGEST_WAIT, max(1.0, 2 * self._delay))
        try:
            link = await call(self._nursery, self.route)
            await link.attend(
                lambda say: resuming(say, self._owner.identity, self.match, self.seat, self.route.certificate)
            )
        except (NetworkFailure, Refusal) as failure:
            if isinstance(failure, Refused) and failure.final and not (self.finished or self.claimed):
                raise
            self.unlinked(failure)
        else:
            self._next = link

    async def _converse(self, link: Link) -> None:
        began = trio.current_time()
        link.on_round_trip = self._changed
        reason: Failure | Refusal
        try:
            self.linked(link.send)
            while True:
                frames: list[Frame] = []
                with trio.move_on_at(self.complete_by):
                    frames = await link.receive()
                self.received(frames)
        except (NetworkFailure, StorageFailure, Refusal) as error:
            reason = error
        link.close(closing_code(reason))
        if trio.current_time() >= began + limits.SETTLED:
            self._delay = 0.0
        self.unlinked(reason)


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
        if self.peer is not None and self.peer.closed:
            raise Refused(Code.LEFT)
        match = self.peer.match if self.peer is not None else None
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


async def join(
    nursery: trio.Nursery, owner: Owner, invite: Invite, agree: Callable[[Proposal], Awaitable[bool]]
) -> Peer:
    """The match that the host of `invite` proposes, once both players agree.

    Raises NetworkFailure (Declined if ours does not), a Refusal or StorageFailure.
    """
    route = Route(False, invite.addresses, invite.port, invite.certificate)
    link = await call(nursery, route)
    proposal = Proposal(owner, route)
    await link.attend(lambda say: proposal.joining(say, invite.secret))
    if not await agree(proposal):
        link.close(Code.DECLINED)
        await link.gone.wait()  # or the reason would be lost with the connection
        raise Declined
    if link.lost is not None:
        raise link.lost
    peer = Peer(nursery, owner, proposal.begin(lambda frame: link.send(bytes(frame))))
    peer.take(link)
    return peer


async def call(nursery: trio.Nursery, route: Route) -> Link:
    """A link to the host of `route`, called at all addresses at once.  Raises Unreachable or WrongHost."""
    links: list[Link] = []
    failures: list[Exception] = []

    async def attempt(address: str) -> None:
        stream = None
        try:
            stream = trio.SSLStream(await trio.open_tcp_stream(address, route.port), tls.joining_context())
            await stream.do_handshake()
            tls.check_pin(stream.getpeercert(binary_form=True), route.certificate)
        except (*_BROKEN, NetworkFailure) as error:
            failures.append(error)
        else:
            if not links:
                links.append(Link(stream))
                links[0].trust()
                nursery.start_soon(links[0].run)
                stream = None
            attempts.cancel_scope.cancel()
        finally:
            if stream is not None:
                await trio.aclose_forcefully(stream)

    with trio.move_on_after(limits.CONNECT_WITHIN):
        async with trio.open_nursery() as attempts:
            for address in route.addresses:
                attempts.start_soon(attempt, address)
    if not links:
        raise unreachable(route.addresses, failures)
    return links[0]
