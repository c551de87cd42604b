"""Calls through a relay, outgoing and incoming (`protocol.rendezvous.relay_switchboard` has its language).

A relay is hostile: it can keep silent, say anything, and join us with anybody.  We believe no frame through
it before TLS has shown the right certificate, and no caller before it has proven its key.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from math import inf
from typing import Final, TypeAlias

import trio

from protocol import limits
from protocol.failures import NetworkFailure, RelayRefused, Unreachable
from protocol.failures import RelayStatus as Status
from protocol.network.transport.registry import Answer, Connection
from protocol.network.transport.tcp import Throttle
from protocol.rendezvous.code_numbers import NUMBERS
from protocol.rendezvous.relay_switchboard import REFUSALS, Role, hello, hello_to
from protocol.rendezvous.via import Origin, Via
from protocol.wire.addresses import Endpoint, Numbered, Onion, Relayed

Dial: TypeAlias = Callable[[Endpoint | Onion], Awaitable[Connection]]
"""Connects to a relay.  Raises OSError or NetworkFailure."""
_NUMBER_BYTES: Final = 2
FAILURES: Final = (
    trio.BrokenResourceError,
    trio.ClosedResourceError,
    OSError,
    NetworkFailure,
    trio.TooSlowError,
)


async def connect(address: Relayed, dial: Dial) -> Connection:
    """A stream to the player that waits at `address`.  Raises an exception in FAILURES."""
    stream = await _stream_to(address.relay, hello(Role.CALL, address.token), dial)
    return Connection(await _joined_stream(stream, address.relay), Via.RELAY)


async def connect_numbered(address: Numbered, dial: Dial) -> Connection:
    """As `connect`, to the player that waits under a number."""
    stream = await _stream_to(address.relay, hello_to(address.number), dial)
    return Connection(await _joined_stream(stream, address.relay), Via.RELAY)


async def probe(relay: Endpoint | Onion, secret: bytes, dial: Dial) -> None:
    """Return if `relay` lets us wait there.  Raises an exception in FAILURES."""
    stream = await _stream_to(relay, hello(Role.WAIT, secret), dial)
    try:
        await _status(stream, relay)
    finally:
        await trio.aclose_forcefully(stream)


class Waiter:
    """Waits for callers at one relay, as long as `run` runs."""

    def __init__(self, relay: Endpoint | Onion, secret: bytes, dial: Dial, role: Role = Role.WAIT) -> None:
        """`secret`: 16 bytes; others know its token, unless the relay gives us a number."""
        self.relay = relay
        self.number = 0
        """The number under which others call us there; 0: none yet, or we want none."""
        self.there = False
        """Whether callers can reach us there now."""
        self.trouble: NetworkFailure | None = None
        """The reason why callers could not reach us last time; None if they could."""
        self.tried = trio.Event()
        """Set when the relay has answered, or could not be reached."""
        self.on_change: Callable[[], None] = lambda: None
        self._secret = secret
        self._dial = dial
        self._last_word = -inf
        """The time at which the relay last said that we wait there."""
        self._role = role
        self._scope = trio.CancelScope()

    async def run(self, nursery: trio.Nursery, answer: Answer) -> None:
        """Hand every caller to `answer`, each in a task of its own; come back to the relay after failures.

        Returns after `stop`.
        """
        with self._scope:
            await self._run(nursery, answer)

    def stop(self) -> None:
        """Stop waiting there; callers that came stay."""
        self._scope.cancel()

    async def _run(self, nursery: trio.Nursery, answer: Answer) -> None:
        pause, pace = 0.0, Throttle(limits.COME_BACK_EVERY)
        numbered = self._is_at if self._role is Role.WAIT_AT_NUMBER else None
        origin = Origin(f"relay {self.relay}", Via.RELAY)
        while True:
            await trio.sleep(pause)
            await pace.turn()
            began = trio.current_time()
            try:
                with trio.fail_after(limits.CONNECT_AFAR_WITHIN):
                    stream = await _stream_to(self.relay, hello(self._role, self._secret), self._dial)
                joined = await _joined_stream(stream, self.relay, self._is_there, numbered)
            except FAILURES as error:
                pause = self._ended(error, began, pause)
            else:
                pause = 0.0
                nursery.start_soon(answer, joined, origin)

    def _ended(self, error: Exception, began: float, pause: float) -> float:
        """Take the end of a try that `began` then; return the seconds before the next.

        `pause`: the seconds before this try.
        """
        settled = self._last_word >= began and trio.current_time() >= began + limits.SETTLED
        if settled and not isinstance(error, trio.TooSlowError):
            return 0.0  # every relay ends a long wait, to see that we are alive: that is no trouble
        known = error if isinstance(error, NetworkFailure) else None
        self._is_there(trouble=known or Unreachable((str(self.relay),), refused=False))
        return min(limits.LONGEST_WAIT, max(1.0, 0.0 if settled else 2 * pause))

    def _is_at(self, number: int) -> None:
        before, self.number = self.number, number
        if before != number:
            self.on_change()

    def _is_there(self, trouble: NetworkFailure | None = None) -> None:
        before, self.there, self.trouble = self.there, trouble is None, trouble
        self._last_word = self._last_word if trouble else trio.current_time()
        self.tried.set()
        if before != self.there:
            self.on_change()


async def _stream_to(relay: Endpoint | Onion, words: bytes, dial: Dial) -> trio.abc.Stream:
    """A stream to `relay` on which `words` are sent."""
    stream = (await dial(relay)).stream
    try:
        await stream.send_all(words)
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise
    return stream


async def _joined_stream(
    stream: trio.abc.Stream,
    relay: Endpoint | Onion,
    waiting: Callable[[], None] = lambda: None,
    numbered: Callable[[int], None] | None = None,
) -> trio.abc.Stream:
    """`stream`, after the relay has joined it with another stream.

    `waiting`: called whenever the relay says that we wait; `numbered`: called with the number that the relay
    gives; None: it may give none.
    """
    try:
        await _wait(stream, relay, waiting, numbered)
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise
    return stream


async def _wait(
    stream: trio.abc.Stream,
    relay: Endpoint | Onion,
    waiting: Callable[[], None],
    numbered: Callable[[int], None] | None,
) -> None:
    began, statuses = trio.current_time(), 0
    while (status := await _status(stream, relay)) is not Status.JOINED:
        if status is Status.WAITING:
            waiting()
        elif numbered is None:
            raise _refused(relay)
        else:
            numbered(await _number(stream, relay))
        statuses += 1
        # Each status costs a turn of the event loop, so a flood would keep us busy (threat 106).
        if statuses > limits.RELAY_WORDS + (trio.current_time() - began) / limits.RELAY_WORD_EVERY:
            raise _refused(relay)


async def _number(stream: trio.abc.Stream, relay: Endpoint | Onion) -> int:
    """The number behind NUMBER.  Raises as `_status`."""
    data = b""
    with trio.fail_after(limits.RELAY_SILENT_AFTER):
        while len(data) < _NUMBER_BYTES and (more := await stream.receive_some(_NUMBER_BYTES - len(data))):
            data += more
    number = int.from_bytes(data, "big")
    if len(data) < _NUMBER_BYTES or not 0 < number <= NUMBERS:
        raise _refused(relay)
    return number


async def _status(stream: trio.abc.Stream, relay: Endpoint | Onion) -> Status:
    """The next status of the relay.  Raises RelayRefused for a refusal, TooSlowError, or as a stream."""
    with trio.fail_after(limits.RELAY_SILENT_AFTER):
        data = await stream.receive_some(1)  # one byte: the bytes behind JOINED are the other player's
    if not data or data[0] not in (Status.WAITING, Status.JOINED, Status.NUMBER):
        raise _refused(relay, data[0] if data and data[0] in REFUSALS else None)
    return Status(data[0])


def _refused(relay: Endpoint | Onion, status: int | None = None) -> RelayRefused:
    return RelayRefused(str(relay), status)
