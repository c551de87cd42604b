"""Calling, and being called, through a relay (`protocol.rendezvous.relay` has its language).

A relay is hostile: it can keep silent, say anything, and join us with anybody.  Nothing that comes through it
is believed before TLS has shown the right certificate, and no caller before it has proven itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from math import inf
from typing import Final, TypeAlias

import trio

from protocol.channel import limits
from protocol.failures import NetworkFailure, RelayRefused, Unreachable
from protocol.failures import RelayStatus as Status
from protocol.network.transport.registry import Answer, Connected
from protocol.network.transport.tcp import Pace
from protocol.rendezvous.numbers import NUMBERS
from protocol.rendezvous.relay import REFUSALS, Role, hello, hello_to
from protocol.rendezvous.via import Origin, Via
from protocol.wire.addresses import Endpoint, Numbered, Onion, Relayed

Dial: TypeAlias = Callable[[Endpoint | Onion], Awaitable[Connected]]
"""Connects to a relay.  Raises OSError or NetworkFailure."""
_NUMBER_BYTES: Final = 2
FAILURES: Final = (
    trio.BrokenResourceError,
    trio.ClosedResourceError,
    OSError,
    NetworkFailure,
    trio.TooSlowError,
)


async def connect(address: Relayed, dial: Dial) -> Connected:
    """A stream to whoever waits at `address`.  Raises OSError, BrokenResourceError or NetworkFailure."""
    stream = await _asked(address.relay, hello(Role.CALL, address.token), dial)
    return Connected(await _joined(stream, address.relay), Via.RELAY)


async def connect_numbered(address: Numbered, dial: Dial) -> Connected:
    """The same as `connect`."""
    stream = await _asked(address.relay, hello_to(address.number), dial)
    return Connected(await _joined(stream, address.relay), Via.RELAY)


async def probe(relay: Endpoint | Onion, secret: bytes, dial: Dial) -> None:
    """Return once `relay` says that one can wait there.  Raises what is in FAILURES."""
    stream = await _asked(relay, hello(Role.WAIT, secret), dial)
    try:
        await _status(stream, relay)
    finally:
        await trio.aclose_forcefully(stream)


class Waiter:
    """Waits at one relay for callers, as long as `run` runs."""

    def __init__(self, relay: Endpoint | Onion, secret: bytes, dial: Dial, role: Role = Role.WAIT) -> None:
        """`secret`: 16 bytes, whose token others know, or that are for nobody if the relay gives a number."""
        self.relay = relay
        self.number = 0
        """At which others call us there; 0: none yet, or no number is wanted."""
        self.there = False
        """Whether callers can reach us there now."""
        self.trouble: NetworkFailure | None = None
        """Why they could not last time."""
        self.tried = trio.Event()
        """Set once it has answered, or could not be reached."""
        self.on_change: Callable[[], None] = lambda: None
        self._secret = secret
        self._dial = dial
        self._heard = -inf
        """When the relay last said that we wait there."""
        self._role = role
        self._scope = trio.CancelScope()

    async def run(self, nursery: trio.Nursery, answer: Answer) -> None:
        """Hand every caller to `answer`, each in a task of its own; come back to the relay after failures.

        Returns once `stop` was called.
        """
        with self._scope:
            await self._run(nursery, answer)

    def stop(self) -> None:
        """Wait there no more; those who came stay."""
        self._scope.cancel()

    async def _run(self, nursery: trio.Nursery, answer: Answer) -> None:
        pause, pace = 0.0, Pace(limits.COME_BACK_EVERY)
        numbered = self._is_at if self._role is Role.WAIT_AT_NUMBER else None
        origin = Origin(f"relay {self.relay}", Via.RELAY)
        while True:
            await trio.sleep(pause)
            await pace.turn()
            began = trio.current_time()
            try:
                with trio.fail_after(limits.CONNECT_AFAR_WITHIN):
                    stream = await _asked(self.relay, hello(self._role, self._secret), self._dial)
                joined = await _joined(stream, self.relay, self._is_there, numbered)
            except FAILURES as error:
                pause = self._ended(error, began, pause)
            else:
                pause = 0.0
                nursery.start_soon(answer, joined, origin)

    def _ended(self, error: Exception, began: float, pause: float) -> float:
        """A try that `began` then has failed: seconds before the next; `pause`: those before this one."""
        settled = self._heard >= began and trio.current_time() >= began + limits.SETTLED
        if settled and not isinstance(error, trio.TooSlowError):
            return 0.0  # every relay ends a long waiting, to be sure that we are alive: no trouble yet
        known = error if isinstance(error, NetworkFailure) else None
        self._is_there(trouble=known or Unreachable((str(self.relay),), refused=False))
        return min(limits.LONGEST_WAIT, max(1.0, 0.0 if settled else 2 * pause))

    def _is_at(self, number: int) -> None:
        before, self.number = self.number, number
        if before != number:
            self.on_change()

    def _is_there(self, trouble: NetworkFailure | None = None) -> None:
        before, self.there, self.trouble = self.there, trouble is None, trouble
        self._heard = self._heard if trouble else trio.current_time()
        self.tried.set()
        if before != self.there:
            self.on_change()


async def _asked(relay: Endpoint | Onion, words: bytes, dial: Dial) -> trio.abc.Stream:
    """A stream to `relay`, on which `words` were said."""
    stream = (await dial(relay)).stream
    try:
        await stream.send_all(words)
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise
    return stream


async def _joined(
    stream: trio.abc.Stream,
    relay: Endpoint | Onion,
    waiting: Callable[[], None] = lambda: None,
    numbered: Callable[[int], None] | None = None,
) -> trio.abc.Stream:
    """`stream`, once the relay has joined it with another; `waiting` is called whenever it says to wait,
    `numbered` with the number that it gives; None if it may give none.
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
    began, heard = trio.current_time(), 0
    while (said := await _status(stream, relay)) is not Status.JOINED:
        if said is Status.WAITING:
            waiting()
        elif numbered is None:
            raise _refused(relay)
        else:
            numbered(await _number(stream, relay))
        heard += 1
        # Each costs a turn of the event loop, so a flood would keep us busy.
        if heard > limits.RELAY_WORDS + (trio.current_time() - began) / limits.RELAY_WORD_EVERY:
            raise _refused(relay)


async def _number(stream: trio.abc.Stream, relay: Endpoint | Onion) -> int:
    """The number behind NUMBER.  Raises as `_status`."""
    said = b""
    with trio.fail_after(limits.RELAY_SILENT_AFTER):
        while len(said) < _NUMBER_BYTES and (more := await stream.receive_some(_NUMBER_BYTES - len(said))):
            said += more
    number = int.from_bytes(said, "big")
    if len(said) < _NUMBER_BYTES or not 0 < number <= NUMBERS:
        raise _refused(relay)
    return number


async def _status(stream: trio.abc.Stream, relay: Endpoint | Onion) -> Status:
    """What the relay says next, and does not refuse.  Raises RelayRefused, TooSlowError, or as a stream."""
    with trio.fail_after(limits.RELAY_SILENT_AFTER):
        said = await stream.receive_some(1)  # no more: what comes behind JOINED is the other's
    if not said or said[0] not in (Status.WAITING, Status.JOINED, Status.NUMBER):
        raise _refused(relay, said[0] if said and said[0] in REFUSALS else None)
    return Status(said[0])


def _refused(relay: Endpoint | Onion, status: int | None = None) -> RelayRefused:
    return RelayRefused(str(relay), status)
