"""A blind helper: which two streams a relay joins, and how much it carries.  No I/O, no clock.

A player who listens *waits* at the relay with a stream; a friend who has the address *calls* the player
there. The relay joins the two streams by a token and copies bytes until both have ended.  It knows of each
stream the network, the token and the number of bytes, and nothing of the content: TLS goes through it from
end to end, with the same pin.

    hello   "P2PR" ‖ version u8 ‖ role u8 ‖ 32 digits   a waiter's secret, or a caller's token, in hex
    answer  status u8                                   WAITING again and again; JOINED: the stream is yours;
                                                        NUMBER ‖ u16: you wait there; SEEN ‖ length u8 ‖
                                                        address: you call from there; any other: refused, and
                                                        the stream ends

The token is a hash of the secret, so nobody with the address can wait in the player's place.  No bytes may
come between hello and JOINED: a relay keeps nothing for anybody.  A waiter for a short code asks for a number
instead, and callers call that number: a u16, and 14 zero bytes (code_numbers.py).  A program that asks from
where its calls come sends 16 zero bytes.

A card can name any machine and port as a relay, and any token.  In hexadecimal digits, the sixteen bytes of a
token can be no command with a line end for another service at that port (request forgery, CWE-918).
"""

from __future__ import annotations

from binascii import Error as BinasciiError
from binascii import hexlify, unhexlify
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from math import inf
from secrets import randbelow
from typing import Final, NamedTuple, TypeAlias

from protocol.channel.strangers import network_of
from protocol.failures import RelayStatus as Status
from protocol.limits import CHUNK
from protocol.rendezvous.code_numbers import Bounds, Numbers
from protocol.wire import labels
from protocol.wire.addresses import TOKEN_BYTES, Endpoint, pack
from protocol.wire.encoding import tagged

MAGIC: Final = b"P2PR"
VERSION: Final = 1
_NUMBER_BYTES: Final = 2
_DIGITS: Final = 2 * TOKEN_BYTES
HELLO_BYTES: Final = len(MAGIC) + 2 + _DIGITS

_token = tagged(labels.RELAY_TOKEN)


class Role(IntEnum):
    """The purpose of a stream at a relay."""

    WAIT = 0
    CALL = 1
    WAIT_AT_NUMBER = 2
    CALL_NUMBER = 3
    SEE = 4


REFUSALS: Final = tuple(status for status in Status if Status.JOINED < status < Status.NUMBER)


def token_of(secret: bytes) -> bytes:
    """The token by which others ask for a waiter with this secret; both have 16 bytes."""
    return _token(secret)[:TOKEN_BYTES]


def hello(role: Role, secret: bytes) -> bytes:
    """The first bytes of a stream; `secret`: the waiter's own, or the token to call; 16 bytes."""
    return MAGIC + bytes((VERSION, role)) + hexlify(secret)


def hello_to(number: int) -> bytes:
    """The first bytes of the stream of a caller to a `number` (below 65,536)."""
    return hello(Role.CALL_NUMBER, number.to_bytes(_NUMBER_BYTES, "big").ljust(TOKEN_BYTES, b"\0"))


def _secret(digits: bytes) -> bytes | None:
    """The 16 bytes that a hello ends with; None unless `hello` would write them so."""
    try:
        secret = unhexlify(digits)
    except BinasciiError:
        return None
    return secret if hexlify(secret) == digits else None


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of a relay; times in seconds."""

    streams: int = 4096
    """At one time."""
    of_network: int = 64
    """The same of an IPv4 address or an IPv6 /64."""
    hello: float = 5.0
    """For the hello."""
    hold: float = 5.0
    """For a waiter to come while a caller is there already: a waiter comes again after each call."""
    say: float = 30.0
    """Between two WAITING, which keep the way open."""
    wait: float = 3600.0
    """For a waiter; then it comes anew, and the relay knows that it is alive."""
    waiters: int = 4
    """Of one token; one more pushes out the oldest, which may be dead."""
    callers: int = 8
    """Held for one token."""
    look: float = 120.0
    """For a stream that asked where it comes from: its router keeps that address as long."""
    pair: float = 24 * 3600.0
    """For two that are joined."""
    idle: float = 120.0
    """For neither to send a byte: players do every five seconds."""
    linger: float = 30.0
    """For the second of two to end after the first."""
    size: int = 2**30
    """Bytes of one pair."""
    rate: float = 2 * 2**20
    """Bytes a second of one pair, on average."""
    burst: float = 2**20
    """Bytes above that."""
    numbers: Bounds = field(default_factory=Bounds)


class Say(NamedTuple):
    """Send a status byte on a stream, and what belongs to it."""

    stream: int
    status: Status
    more: bytes = b""


class Drop(NamedTuple):
    """End a stream, after the last byte for it."""

    stream: int


Effect: TypeAlias = Say | Drop


class _Stage(Enum):
    HELLO = 0
    WAITS = 1
    HELD = 2
    JOINED = 3
    LOOKS = 4


@dataclass(slots=True)
class _Pair:
    """Two joined streams, which share this value."""

    over: float
    """The time at which the pair ends at the latest."""
    heard: float
    left: int
    """Bytes that the pair may still carry."""
    spare: float
    """Bytes that may go at once."""
    ended: int | None = None
    """The stream that has ended first."""


@dataclass(slots=True)
class _Stream:
    number: int
    network: str
    deadline: float
    stage: _Stage = _Stage.HELLO
    address: Endpoint | None = None
    """From where it calls, if that is known."""
    received: bytes = b""
    """Of the hello."""
    token: bytes = b""
    say_at: float = inf
    partner: int | None = None
    pair: _Pair | None = None


@dataclass(slots=True)
class RelayCounts:
    """The counts of a relay, which name nobody."""

    streams: int = 0
    waiting: int = 0
    pairs: int = 0
    joined: int = 0
    carried: int = 0
    """Bytes."""
    refused: Counter[Status] = field(default_factory=Counter)


class Switchboard:
    """All streams of one relay; `now` is always seconds on one monotonic clock.

    Every method returns what is to be done, in that order.  A stream that is dropped is no longer known;
    later calls with its number do nothing.
    """

    def __init__(self, limits: Limits, draw: Callable[[int], int] = randbelow) -> None:
        """`draw`: as Numbers takes it."""
        self.limits = limits
        self.numbers = Numbers(limits.numbers, draw)
        """The numbers of short codes."""
        self._streams: dict[int, _Stream] = {}
        self.networks: Counter[str] = Counter()
        """By network: its streams."""
        self.waiters: dict[bytes, list[int]] = {}
        """By token: the waiting streams, the oldest first."""
        self.held: dict[bytes, list[int]] = {}
        """By token: the streams that call while nobody waits."""
        self._came = 0
        self._joined = self._carried = 0
        self._refused: Counter[Status] = Counter()

    @property
    def counts(self) -> RelayCounts:
        """The streams of this moment, and all work so far."""
        joined = sum(state.stage is _Stage.JOINED for state in self._streams.values())
        waiting = sum(map(len, self.waiters.values()))
        return RelayCounts(
            len(self._streams), waiting, joined // 2, self._joined, self._carried, self._refused.copy()
        )

    def partner(self, stream: int) -> int | None:
        """The stream to which the bytes of `stream` go, once the two are joined."""
        state = self._streams.get(stream)
        return None if state is None else state.partner

    def came(self, address: str, now: float, port: int = 0) -> tuple[int, list[Effect]]:
        """Take a connection from `address` and `port` (0: unknown); return the number of its stream."""
        self._came += 1
        state = _Stream(self._came, network_of(address), now + self.limits.hello)
        state.address = Endpoint(address, port) if port else None
        full = len(self._streams) >= self.limits.streams
        crowd = self.networks[state.network] >= self.limits.of_network
        self._streams[state.number] = state
        self.networks[state.network] += 1
        if full or crowd:
            return state.number, self._refuse(state, Status.FULL if full else Status.CROWD)
        return state.number, []

    def wanted(self, stream: int) -> int:
        """How many bytes to read of a stream: at most the hello, since later bytes are for the partner."""
        state = self._streams.get(stream)
        return (
            HELLO_BYTES - len(state.received) if state is not None and state.stage is _Stage.HELLO else CHUNK
        )

    def heard(self, stream: int, data: bytes, now: float) -> list[Effect]:
        """Take `data` from a stream that is not joined."""
        state = self._streams.get(stream)
        if state is None or state.stage is _Stage.JOINED:
            return []
        if state.stage is not _Stage.HELLO:
            return self._refuse(state, Status.MALFORMED)
        state.received += data
        if not MAGIC.startswith(state.received[: len(MAGIC)]) or len(state.received) > HELLO_BYTES:
            return self._refuse(state, Status.MALFORMED)
        if len(state.received) > len(MAGIC) and state.received[len(MAGIC)] != VERSION:
            return self._refuse(state, Status.VERSION)
        if len(state.received) < HELLO_BYTES:
            return []
        role, secret = state.received[len(MAGIC) + 1], _secret(state.received[-_DIGITS:])
        if secret is None:
            return self._refuse(state, Status.MALFORMED)
        if role == Role.WAIT:
            return self._waits(state, token_of(secret), now)
        if role == Role.CALL:
            return self._calls(state, secret, now)
        if role == Role.WAIT_AT_NUMBER:
            return self._waits_at_number(state, token_of(secret), now)
        if role == Role.SEE and state.address is not None and not any(secret):
            return self._looks(state, state.address, now)
        if role == Role.CALL_NUMBER and not any(secret[_NUMBER_BYTES:]):
            return self._calls_number(state, int.from_bytes(secret[:_NUMBER_BYTES], "big"), now)
        return self._refuse(state, Status.MALFORMED)

    def ended(self, stream: int, now: float) -> list[Effect]:
        """Note that a stream sends no more; of two joined streams the other may still speak."""
        state = self._streams.get(stream)
        if state is None:
            return []
        if state.pair is None or state.pair.ended not in (None, stream):
            return self._drop(state)
        state.pair.ended = stream
        state.pair.over = min(state.pair.over, now + self.limits.linger)
        return []

    def broke(self, stream: int) -> list[Effect]:
        """Note that nothing more can be sent or read on a stream."""
        state = self._streams.get(stream)
        return [] if state is None else self._drop(state)

    def carried(self, stream: int, size: int, now: float) -> tuple[float, list[Effect]]:
        """Count `size` bytes from a stream to its partner; return the seconds before more may be read."""
        state = self._streams.get(stream)
        if state is None or state.pair is None:
            return 0.0, []
        pair, limits = state.pair, self.limits
        pair.spare = min(limits.burst, pair.spare + (now - pair.heard) * limits.rate) - size
        pair.heard = now
        pair.left -= size
        self._carried += size
        if pair.left < 0:
            return 0.0, self._drop(state)
        return max(0.0, -pair.spare / limits.rate), []

    def tick(self, now: float) -> list[Effect]:
        """End and refuse streams whose time is over; to be called about every second."""
        self.numbers.tick(now)
        done: list[Effect] = []
        for stream in list(self._streams.values()):
            if stream.number not in self._streams:
                continue  # dropped with its partner
            if stream.stage is _Stage.HELD and now >= stream.deadline:
                done += self._refuse(stream, Status.NOBODY)
            elif now >= self._deadline(stream):
                done += self._drop(stream)
            elif now >= stream.say_at:
                stream.say_at = now + self.limits.say
                self.numbers.seen(stream.token, now)
                done.append(Say(stream.number, Status.WAITING))
        return done

    def _deadline(self, stream: _Stream) -> float:
        pair = stream.pair
        return stream.deadline if pair is None else min(pair.over, pair.heard + self.limits.idle)

    def _waits(self, stream: _Stream, token: bytes, now: float) -> list[Effect]:
        stream.token, stream.stage = token, _Stage.WAITS
        stream.deadline, stream.say_at = now + self.limits.wait, now + self.limits.say
        if held := self.held.get(token):
            return self._join(stream, self._streams[held[0]], now)
        others = self.waiters.setdefault(token, [])
        done = self._drop(self._streams[others[0]]) if len(others) >= self.limits.waiters else []
        self.waiters.setdefault(token, []).append(stream.number)
        return [*done, Say(stream.number, Status.WAITING)]

    def _calls(self, stream: _Stream, token: bytes, now: float) -> list[Effect]:
        stream.token, stream.stage = token, _Stage.HELD
        if waiters := self.waiters.get(token):
            return self._join(self._streams[waiters[-1]], stream, now)  # the newest is the surest to live
        held = self.held.setdefault(token, [])
        if len(held) >= self.limits.callers:
            return self._refuse(stream, Status.NOBODY)
        held.append(stream.number)
        stream.deadline = now + self.limits.hold
        return []

    def _looks(self, stream: _Stream, address: Endpoint, now: float) -> list[Effect]:
        stream.stage, stream.deadline = _Stage.LOOKS, now + self.limits.look
        packed = pack(address)
        return [Say(stream.number, Status.SEEN, bytes((len(packed),)) + packed)]

    def _waits_at_number(self, stream: _Stream, token: bytes, now: float) -> list[Effect]:
        number = self.numbers.give(token, stream.network, now)
        if number is None:
            return self._refuse(stream, Status.FULL)
        answer = Say(stream.number, Status.NUMBER, number.to_bytes(_NUMBER_BYTES, "big"))
        return [answer, *self._waits(stream, token, now)]

    def _calls_number(self, stream: _Stream, number: int, now: float) -> list[Effect]:
        if not self.numbers.may_call(stream.network, now):
            return self._refuse(stream, Status.CROWD)
        token = self.numbers.token(number)
        return self._refuse(stream, Status.NOBODY) if token is None else self._calls(stream, token, now)

    def _join(self, waiter: _Stream, caller: _Stream, now: float) -> list[Effect]:
        limits = self.limits
        self._forget(waiter)
        self._forget(caller)
        pair = _Pair(now + limits.pair, now, limits.size, limits.burst)
        for stream, other in ((waiter, caller), (caller, waiter)):
            stream.stage, stream.partner, stream.pair = _Stage.JOINED, other.number, pair
            stream.say_at = inf
        self._joined += 1
        # The waiter first: the caller speaks as soon as it knows.
        return [Say(waiter.number, Status.JOINED), Say(caller.number, Status.JOINED)]

    def _refuse(self, stream: _Stream, status: Status) -> list[Effect]:
        self._refused[status] += 1
        return [Say(stream.number, status), *self._drop(stream)]

    def _drop(self, stream: _Stream) -> list[Effect]:
        """End a stream, and its partner."""
        done: list[Effect] = []
        for end in (stream, self._streams.get(stream.partner or 0)):
            if end is not None and self._streams.pop(end.number, None) is not None:
                self._forget(end)
                self.networks[end.network] -= 1
                if not self.networks[end.network]:
                    del self.networks[end.network]
                done.append(Drop(end.number))
        return done

    def _forget(self, stream: _Stream) -> None:
        """Forget that `stream` waits or is held."""
        for places in (self.waiters, self.held):
            numbers = places.get(stream.token, [])
            if stream.number in numbers:
                numbers.remove(stream.number)
            if stream.token in places and not numbers:
                del places[stream.token]
