"""One connection over trio: a Link moves the bytes of one Channel; `call` makes a link to a host.

No code here judges a frame or touches a file: a link waits, and hands frames over.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from math import inf
from typing import Final, NoReturn, TypeAlias, TypeVar, cast

import trio

from protocol import limits
from protocol.channel import tls
from protocol.channel.channel import Channel, Reason
from protocol.errors import Malformed, Refusal, Stale
from protocol.failures import (
    Code,
    Failure,
    LinkLost,
    Loss,
    NetworkFailure,
    NotTheSame,
    Refused,
    StorageFailure,
)
from protocol.lobby.handshake import Say
from protocol.lobby.introductions import Dialogue
from protocol.lobby.meeting import Encounter
from protocol.network.transport import choice
from protocol.network.transport.registry import Transports
from protocol.rendezvous.own_addresses import unreachable
from protocol.rendezvous.via import Via
from protocol.replication.journal import Report, Step, no_report
from protocol.storage.route import Place
from protocol.trace import Trace, silent
from protocol.wire.addresses import Callee, Numbered, Relayed, address_text
from protocol.wire.encoding import Frame

T = TypeVar("T")
CalleeT = TypeVar("CalleeT", bound=Callee)

Continuation: TypeAlias = Callable[[], Awaitable[None]]
"""The rest of some work, to be awaited."""

BROKEN: Final = (trio.BrokenResourceError, trio.ClosedResourceError, OSError)
"""The exceptions of a stream's methods once the other side is gone, or speaks no TLS."""


def closing_code(error: Failure | Refusal) -> int:
    """The code for the other side of a link that `error` ends."""
    if isinstance(error, Refused):
        return error.code
    if isinstance(error, Stale):
        return Code.STALE
    if isinstance(error, StorageFailure):
        return Code.FAILED
    return Code.PROTOCOL


class TLSStream(trio.abc.Stream):
    """TLS over another stream.  One task at a time may receive, another may send."""

    def __init__(
        self, stream: trio.abc.Stream, session: tls.TLSSession, socket: trio.abc.Stream | None = None
    ) -> None:
        """`socket`: the stream of the system below `stream`; `send_now` writes to it if it is a socket."""
        self.session = session
        self._socket = socket if isinstance(socket, trio.SocketStream) else None
        self._stream = stream
        self._sending = trio.StrictFIFOLock()
        self._unsent = b""
        """Encrypted bytes that a `send_now` could not send."""

    async def do_handshake(self) -> None:
        """Return when the other side has done its part too."""
        try:
            while not self.session.handshake():
                await self._flush()
                await self._fetch()
            await self._flush()
        except tls.BrokenTLS as error:
            raise trio.BrokenResourceError from error

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Some plain bytes, or b"" if the other side has ended the connection."""
        await trio.lowlevel.checkpoint_if_cancelled()  # to wait for more bytes is a checkpoint
        try:
            while (data := self.session.read(max_bytes or limits.CHUNK)) is None:
                if not self._sending.locked():  # else the sending task flushes these bytes too
                    await self._flush()
                await self._fetch()
        except tls.BrokenTLS as error:
            raise trio.BrokenResourceError from error
        return data

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Encrypt and send `data`, behind the bytes that a `send_now` could not send."""
        await self._lock()
        try:
            if data:
                self.session.write(bytes(data))
            await self._send_outgoing()
        except tls.BrokenTLS as error:
            raise trio.BrokenResourceError from error
        finally:
            self._sending.release()

    def send_now(self, data: bytes) -> bool:
        """Encrypt `data`, and send it as far as that needs no waiting; return whether all is sent.

        If not, `send_all` sends the rest, and raises for a broken connection.  Raises BrokenTLS.
        """
        self.session.write(data)
        self._unsent += self.session.outgoing()
        # While a task sends, its bytes go first; the lock is free between two of them.
        if self._socket is not None and not self._sending.locked():
            with suppress(OSError):
                self._unsent = self._unsent[os.write(self._socket.socket.fileno(), self._unsent) :]
        return not self._unsent

    async def wait_send_all_might_not_block(self) -> None:
        """Return when `send_all` may take something."""
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        """Close the stream below; the frame CLOSE is this protocol's end of a connection."""
        await self._stream.aclose()

    async def _fetch(self) -> None:
        data = bytes(await self._stream.receive_some(limits.CHUNK))
        if not data:
            raise trio.BrokenResourceError  # the end without CLOSE: an attacker may have cut it
        self.session.feed(data)

    async def _flush(self) -> None:
        await self._lock()
        try:
            await self._send_outgoing()
        finally:
            self._sending.release()

    async def _lock(self) -> None:
        """Take the lock; a free lock costs no turn of the event loop: to send is a checkpoint anyway."""
        try:
            self._sending.acquire_nowait()
        except trio.WouldBlock:
            await self._sending.acquire()

    async def _send_outgoing(self) -> None:
        while data := self._unsent + self.session.outgoing():
            self._unsent = b""
            await self._stream.send_all(data)


class Link:
    """One connection.  `run` moves its bytes until the link is lost; `lost` then holds the reason."""

    def __init__(
        self, stream: trio.abc.Stream, trace: Trace = silent, binding: bytes = b"", via: Via = Via.NEARBY
    ) -> None:
        """`binding`: as in tls.TLSSession, 64 bytes; b"" for two players in one process."""
        self.binding = binding
        self.via = via
        self.gone = trio.Event()
        self.on_round_trip: Callable[[], None] = lambda: None
        self.stream = stream
        """The stream below."""
        self.channel = Channel(trio.current_time(), trace)
        """The frames in both directions, and the reason of the end."""
        self._scope = trio.CancelScope()
        self._unsent = False
        """Whether the stream holds bytes for the writing task to send."""
        self._due = -inf
        """The time at which the writing task looks at the channel again by itself."""
        self._take: Callable[[list[Frame]], object] | None = None
        """Takes all frames as they arrive."""
        self._wait_to_take = trio.lowlevel.ParkingLot()
        self._wait_to_read = trio.lowlevel.ParkingLot()
        self._wait_to_write = trio.lowlevel.ParkingLot()

    @property
    def lost(self) -> Reason | None:
        """Why the link is of no more use, or None."""
        return self.channel.lost

    @property
    def rtt(self) -> float | None:
        """Smoothed round trip in seconds, or None before one was measured."""
        return self.channel.rtt

    @property
    def queued(self) -> int:
        """Bytes that wait for the other side to read."""
        return self.channel.queued

    def trust(self) -> None:
        """The other side is authenticated."""
        self.channel.trust(trio.current_time())
        self._stir()

    def send(self, data: bytes) -> None:
        """Queue whole frames; no effect on a lost link."""
        self.channel.send(data)
        self._send_now()
        self._stir()

    def _send_now(self) -> None:
        """Send the queue without a turn of the event loop, if the writing task is idle."""
        channel, stream = self.channel, self.stream
        if self._wait_to_write and channel.trusted and isinstance(stream, TLSStream):
            try:
                self._unsent = not stream.send_now(channel.outgoing(limits.CHUNK))
            except tls.BrokenTLS:
                self._lose(Loss.BROKEN)

    def close(self, code: int) -> None:
        """End the link on our side; `code` is the last word to the other side."""
        self.channel.close(code, trio.current_time())
        self._stir()

    async def receive(self) -> list[Frame]:
        """All arrived frames, at least one.  Raises the reason of a lost link once all are taken."""
        inbox = await self._inbox()
        frames = inbox.copy()
        inbox.clear()
        self._wait_to_read.unpark_all()
        return frames

    async def feed(
        self, take: Callable[[list[Frame]], Continuation | None], deadline: Callable[[], float]
    ) -> NoReturn:
        """Hand all frames to `take` as they arrive, in the reading task: without a turn of the event loop.

        A Continuation that `take` returns is awaited before `take` gets more.  `deadline`: evaluated after
        every call, the time by trio's clock at which `take` gets an empty list.  Raises the Refusal or
        Failure of `take`, or, after the last frame, the reason of a lost link.
        """
        refused: list[Refusal | Failure] = []
        later: list[Continuation] = []
        patience = trio.CancelScope()

        def hand_over(frames: list[Frame]) -> None:
            try:
                later.extend(filter(None, [take(frames)]))
            except (Refusal, Failure) as error:
                refused.append(error)
            if refused or later:
                self._take = None
                self._wait_to_take.unpark_all()
            patience.deadline = deadline()

        try:
            while not refused:
                if later:
                    await later.pop()()
                self._take = hand_over
                while self._hand_over():
                    await trio.lowlevel.checkpoint()
                if refused or later:
                    continue
                if self.channel.lost is not None:
                    raise self.channel.lost
                with trio.CancelScope(deadline=deadline()) as patience:
                    await self._wait_to_take.park()
                if patience.cancelled_caught:
                    hand_over([])
        finally:
            self._take = None
        raise refused[0]

    def _hand_over(self) -> bool:
        """Hand over the first frames, at least one, at most CHUNK bytes; return whether more frames wait.

        The others wait for a turn of the event loop: a long check may have let very many pile up (threat
        115).
        """
        inbox, count, size = self.channel.inbox, 0, 0
        if self._take is None or not inbox:
            return False
        while count < len(inbox) and (count == 0 or size + len(inbox[count]) <= limits.CHUNK):
            size += len(inbox[count])
            count += 1
        frames = inbox[:count]
        del inbox[:count]
        self._take(frames)
        if not self.channel.full:
            self._wait_to_read.unpark_all()
        return self._take is not None and bool(inbox)

    async def attend(self, begin: Callable[[Say], Dialogue[T]], cancelled: Code = Code.LEFT) -> T:
        """Run the dialogue that `begin` makes; return its result.  If it breaks off, the link ends."""
        dialogue = begin(lambda frame: self.send(bytes(frame)))
        try:
            next(dialogue)
            while True:
                frame = (await self._inbox()).pop(0)
                self._wait_to_read.unpark_all()
                dialogue.send(frame)
        except StopIteration as stop:
            return cast("T", stop.value)
        except (Refusal, Failure) as error:
            self.close(closing_code(error))
            raise
        except trio.Cancelled:
            self.close(cancelled)
            raise

    async def _inbox(self) -> list[Frame]:
        while not self.channel.inbox:
            if self.channel.lost is not None:
                raise self.channel.lost
            await self._wait_to_take.park()
        return self.channel.inbox

    async def run(self) -> None:
        """Move bytes until the link is lost.  Raises only cancellation."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._read)
                    nursery.start_soon(self._write)
        finally:
            self._lose(Loss.ENDED)
            self.gone.set()
            await trio.aclose_forcefully(self.stream)

    def _stir(self) -> None:
        """Wake the tasks to which a change of the channel gives work, each once."""
        channel = self.channel
        if self._wait_to_take and (channel.inbox or channel.lost is not None):
            self._wait_to_take.unpark_all()
        if self._wait_to_read and not channel.full:
            self._wait_to_read.unpark_all()
        if self._wait_to_write and (self._unsent or channel.queued or channel.due < self._due):
            self._wait_to_write.unpark_all()
        if channel.deadline != inf:
            self._scope.deadline = min(self._scope.deadline, channel.deadline)
        if channel.over:
            self._scope.cancel()

    def _lose(self, loss: Loss) -> None:
        self.channel.lose(LinkLost(loss))
        self._stir()

    async def _read(self) -> None:
        try:
            while data := await self.stream.receive_some(limits.CHUNK):
                before = self.rtt
                self.channel.take_in(bytes(data), trio.current_time())
                more = self._hand_over()
                self._stir()
                while more:
                    await trio.lowlevel.checkpoint()
                    more = self._hand_over()
                if self.rtt != before:
                    self.on_round_trip()
                while self.channel.full:
                    await self._wait_to_read.park()
            self._lose(Loss.CLOSED_THERE)
        except BROKEN:
            self._lose(Loss.BROKEN)

    async def _write(self) -> None:
        try:
            while True:
                self._due = self.channel.tick(trio.current_time())
                self._stir()
                if (data := self.channel.outgoing(limits.CHUNK)) or self._unsent:
                    self._unsent = False
                    with trio.fail_after(limits.TAKE_WITHIN):
                        await self.stream.send_all(data)
                else:
                    with trio.move_on_at(self._due):
                        await self._wait_to_write.park()
        except trio.TooSlowError:
            self._lose(Loss.UNREAD)
        except BROKEN:
            self._lose(Loss.BROKEN)


async def call(
    nursery: trio.Nursery,
    place: Place,
    trace: Trace = silent,
    transports: Transports = choice.STANDARD,
    report: Report = no_report,
) -> Link:
    """A link to the host at `place`, called at all its addresses at once, at relays a moment later.

    `report`: called for each step, but not for the end of a call that was overtaken, or took too long.
    Raises Unreachable, RelayRefused or WrongHost.
    """

    def pinned(session: tls.TLSSession) -> bytes:
        session.check_pin(place.certificate)
        return place.certificate

    link, _ = await _first_link(nursery, place.addresses, pinned, trace, transports, report=report)
    link.trust()
    return link


async def call_unknown(
    nursery: trio.Nursery,
    addresses: tuple[Callee, ...],
    trace: Trace = silent,
    transports: Transports = choice.STANDARD,
) -> tuple[Link, Place]:
    """A link to a host without a known certificate, and the place with its certificate.

    The link is not trusted: nobody has proven a key yet.  Raises Unreachable, RelayRefused or WrongHost.
    """
    link, certificate = await _first_link(nursery, addresses, tls.TLSSession.certificate, trace, transports)
    lasting = tuple(address for address in addresses if not isinstance(address, Numbered))
    return link, Place(lasting, certificate)


async def _first_link(  # noqa: PLR0913 - who calls where, and how
    nursery: trio.Nursery,
    addresses: tuple[CalleeT, ...],
    certificate: Callable[[tls.TLSSession], bytes],
    trace: Trace,
    transports: Transports,
    *,
    report: Callable[[CalleeT, Step, Exception | None], None] = no_report,
) -> tuple[Link, bytes]:
    """A running link to the first address that answers, and the hash (32 bytes) of its certificate.

    `certificate`: returns that hash for a session, or raises WrongHost.
    """
    links: list[tuple[Link, bytes]] = []
    failures: list[Exception] = []
    straight = {way for way in addresses if not isinstance(way, Relayed) and transports.serves(way)}
    none_left = trio.Event()

    async def attempt(address: CalleeT) -> None:
        stream = None
        try:
            if straight and isinstance(address, Relayed):
                with trio.move_on_after(limits.RELAY_AFTER):
                    await none_left.wait()
            report(address, Step.CALLING, None)
            session = tls.TLSSession(tls.joining_context(), hosting=False)
            connected = await transports.connect(address)
            stream = TLSStream(connected.stream, session, connected.stream)
            await stream.do_handshake()
            shown = certificate(session)
        except (*BROKEN, NetworkFailure) as error:
            failures.append(error)
            report(address, Step.FAILED, error)
            trace("call", why=type(error).__name__)
        else:
            if not links:
                report(address, Step.ANSWERED, None)
                links.append((Link(stream, trace, session.binding(shown), connected.via), shown))
                nursery.start_soon(links[0][0].run)
                stream = None
            attempts.cancel_scope.cancel()
        finally:
            straight.discard(address)
            if not straight:
                none_left.set()
            if stream is not None:
                await trio.aclose_forcefully(stream)

    with trio.move_on_after(transports.within):
        async with trio.open_nursery() as attempts:
            for address in addresses:
                attempts.start_soon(attempt, address)
    if not links:
        called = [way for way in addresses if transports.serves(way)] or addresses
        raise unreachable(tuple(map(address_text, called)), failures)
    return links[0]


async def confirm(link: Link, encounter: Encounter) -> None:
    """Return when both persons of a meeting have said that they see the same digits.

    Raises NotTheSame if our person says no, and NetworkFailure or a Refusal if the other side breaks off.
    """
    caller = not encounter.meeting.hosting
    waiting = trio.CancelScope()

    def answered() -> None:
        if encounter.same:
            if caller:
                link.trust()  # both ends ping from here on: the host trusts us when it reads our SAME
            waiting.cancel()

    encounter.on_answer = answered
    if encounter.same is not None:  # a known key is not compared
        answered()
    try:
        await link.attend(lambda _: encounter.attending(), Code.LEFT if caller else Code.TIMEOUT)
        if not caller:
            link.trust()
        if encounter.same is None:
            with waiting:
                await link.receive()
                raise Malformed("The other side goes on before it may.")
    except (NetworkFailure, Refusal) as error:
        link.close(closing_code(error))
        if encounter.same is False:
            raise NotTheSame from error
        raise
