"""A blind helper: which two streams a relay joins, and how much it carries.  No I/O, no clock.

A player who listens *waits* at the relay with one stream; who has its address *calls* it there.  The relay
joins the two by a token and copies bytes until both have ended.  It knows a network, a token and a number of
bytes of each stream, and nothing of what is said: TLS goes from end to end through it, with the same pin.

    hello   "P2PR" ‖ version u8 ‖ role u8 ‖ 32 digits   a waiter's secret, or a caller's token, in hex
    answer  status u8                                   WAITING again and again; JOINED: the stream is yours;
                                                        NUMBER ‖ u16: you wait there; SEEN ‖ length u8 ‖
                                                        address: you call from there; any other: refused, and
                                                        the stream ends

The token is a hash of the secret, so nobody who was given the address can wait in the player's place.  No
bytes may come between hello and JOINED: a relay keeps nothing for anybody.  Who waits for a caller with a
short code asks for a number instead, and others call that: a u16, and 14 zero bytes (numbers.py).  Who wants
to know from where it is seen to call says 16 zero bytes.

A card can name any machine and port as a relay, and any token.  As digits its sixteen bytes are no command
with a line end for whatever else listens there (request forgery, CWE-918).
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

from protocol.channel.limits import CHUNK
from protocol.channel.strangers import network_of
from protocol.failures import RelayStatus as Status
from protocol.rendezvous.numbers import Bounds, Numbers
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
    """What a stream at a relay is for."""

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
    """What a stream begins with; `secret`: the waiter's own, or the token of whom it calls; 16 bytes."""
    return MAGIC + bytes((VERSION, role)) + hexlify(secret)


def hello_to(number: int) -> bytes:
    """What the stream of one who calls a `number` (below 65,536) begins with."""
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
    """What a relay gives; times in seconds."""

    streams: int = 4096
    """At one time."""
    of_network: int = 64
    """The same of an IPv4 address or an IPv6 /64."""
    hello: float = 5.0
    """For the hello."""
    hold: float = 5.0
    """For a waiter to come while a caller is there already: it comes anew after each call."""
    say: float = 30.0
    """Between two WAITING, which keep the way open."""
    wait: float = 3600.0
    """For a waiter; then it comes anew, and the relay knows that it is alive."""
    waiters: int = 4
    """Of one token; one more pushes out the oldest, which may be dead."""
    callers: int = 8
    """Held for one token."""
    look: float = 120.0
    """For one that wanted to know where it is seen: so long its router sees it there."""
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
    """End a stream, after what was said on it."""

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
    """Two joined streams; they hold it both."""

    over: float
    """When it ends at the latest."""
    heard: float
    left: int
    """Bytes that it may still carry."""
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
    said: bytes = b""
    """Of the hello."""
    token: bytes = b""
    say_at: float = inf
    partner: int | None = None
    pair: _Pair | None = None


@dataclass(slots=True)
class Counts:
    """What a relay has done; nothing in it names anybody."""

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
        self._codes = Numbers(limits.numbers, draw)
        self._streams: dict[int, _Stream] = {}
        self._networks: Counter[str] = Counter()
        self._waiters: dict[bytes, list[int]] = {}
        """By token, those who wait, the oldest first."""
        self._held: dict[bytes, list[int]] = {}
        """By token, those who call while nobody waits."""
        self._numbers = 0
        self._joined = self._carried = 0
        self._refused: Counter[Status] = Counter()

    @property
    def counts(self) -> Counts:
        """How many are here now, and what was done so far."""
        joined = sum(one.stage is _Stage.JOINED for one in self._streams.values())
        waiting = sum(map(len, self._waiters.values()))
        return Counts(
            len(self._streams), waiting, joined // 2, self._joined, self._carried, self._refused.copy()
        )

    def partner(self, stream: int) -> int | None:
        """The stream to which the bytes of `stream` go, once the two are joined."""
        one = self._streams.get(stream)
        return None if one is None else one.partner

    def came(self, address: str, now: float, port: int = 0) -> tuple[int, list[Effect]]:
        """Somebody connected from an IP `address` and a `port`, 0: unknown; the number of its stream."""
        self._numbers += 1
        one = _Stream(self._numbers, network_of(address), now + self.limits.hello)
        one.address = Endpoint(address, port) if port else None
        full = len(self._streams) >= self.limits.streams
        crowd = self._networks[one.network] >= self.limits.of_network
        self._streams[one.number] = one
        self._networks[one.network] += 1
        if full or crowd:
            return one.number, self._refuse(one, Status.FULL if full else Status.CROWD)
        return one.number, []

    def wanted(self, stream: int) -> int:
        """How many bytes to read of a stream: no more than the hello, as those behind it are the other's."""
        one = self._streams.get(stream)
        return HELLO_BYTES - len(one.said) if one is not None and one.stage is _Stage.HELLO else CHUNK

    def heard(self, stream: int, data: bytes, now: float) -> list[Effect]:
        """`data` came on a stream that is not joined."""
        one = self._streams.get(stream)
        if one is None or one.stage is _Stage.JOINED:
            return []
        if one.stage is not _Stage.HELLO:
            return self._refuse(one, Status.MALFORMED)
        one.said += data
        if not MAGIC.startswith(one.said[: len(MAGIC)]) or len(one.said) > HELLO_BYTES:
            return self._refuse(one, Status.MALFORMED)
        if len(one.said) > len(MAGIC) and one.said[len(MAGIC)] != VERSION:
            return self._refuse(one, Status.VERSION)
        if len(one.said) < HELLO_BYTES:
            return []
        role, secret = one.said[len(MAGIC) + 1], _secret(one.said[-_DIGITS:])
        if secret is None:
            return self._refuse(one, Status.MALFORMED)
        if role == Role.WAIT:
            return self._waits(one, token_of(secret), now)
        if role == Role.CALL:
            return self._calls(one, secret, now)
        if role == Role.WAIT_AT_NUMBER:
            return self._waits_at_number(one, token_of(secret), now)
        if role == Role.SEE and one.address is not None and not any(secret):
            return self._looks(one, one.address, now)
        if role == Role.CALL_NUMBER and not any(secret[_NUMBER_BYTES:]):
            return self._calls_number(one, int.from_bytes(secret[:_NUMBER_BYTES], "big"), now)
        return self._refuse(one, Status.MALFORMED)

    def ended(self, stream: int, now: float) -> list[Effect]:
        """The other side of a stream sends no more; of two that are joined the second may still speak."""
        one = self._streams.get(stream)
        if one is None:
            return []
        if one.pair is None or one.pair.ended not in (None, stream):
            return self._drop(one)
        one.pair.ended = stream
        one.pair.over = min(one.pair.over, now + self.limits.linger)
        return []

    def broke(self, stream: int) -> list[Effect]:
        """Nothing more can be sent or read on a stream."""
        one = self._streams.get(stream)
        return [] if one is None else self._drop(one)

    def carried(self, stream: int, size: int, now: float) -> tuple[float, list[Effect]]:
        """So many bytes go from a joined stream to its partner: seconds to wait before more are read."""
        one = self._streams.get(stream)
        if one is None or one.pair is None:
            return 0.0, []
        pair, limits = one.pair, self.limits
        pair.spare = min(limits.burst, pair.spare + (now - pair.heard) * limits.rate) - size
        pair.heard = now
        pair.left -= size
        self._carried += size
        if pair.left < 0:
            return 0.0, self._drop(one)
        return max(0.0, -pair.spare / limits.rate), []

    def tick(self, now: float) -> list[Effect]:
        """Do what is due; to be called about every second."""
        self._codes.tick(now)
        done: list[Effect] = []
        for one in list(self._streams.values()):
            if one.number not in self._streams:
                continue  # dropped with its partner
            if one.stage is _Stage.HELD and now >= one.deadline:
                done += self._refuse(one, Status.NOBODY)
            elif now >= self._deadline(one):
                done += self._drop(one)
            elif now >= one.say_at:
                one.say_at = now + self.limits.say
                self._codes.seen(one.token, now)
                done.append(Say(one.number, Status.WAITING))
        return done

    def _deadline(self, one: _Stream) -> float:
        pair = one.pair
        return one.deadline if pair is None else min(pair.over, pair.heard + self.limits.idle)

    def _waits(self, one: _Stream, token: bytes, now: float) -> list[Effect]:
        one.token, one.stage = token, _Stage.WAITS
        one.deadline, one.say_at = now + self.limits.wait, now + self.limits.say
        if held := self._held.get(token):
            return self._join(one, self._streams[held[0]], now)
        others = self._waiters.setdefault(token, [])
        done = self._drop(self._streams[others[0]]) if len(others) >= self.limits.waiters else []
        self._waiters.setdefault(token, []).append(one.number)
        return [*done, Say(one.number, Status.WAITING)]

    def _calls(self, one: _Stream, token: bytes, now: float) -> list[Effect]:
        one.token, one.stage = token, _Stage.HELD
        if waiters := self._waiters.get(token):
            return self._join(self._streams[waiters[-1]], one, now)  # the newest is the surest to live
        held = self._held.setdefault(token, [])
        if len(held) >= self.limits.callers:
            return self._refuse(one, Status.NOBODY)
        held.append(one.number)
        one.deadline = now + self.limits.hold
        return []

    def _looks(self, one: _Stream, address: Endpoint, now: float) -> list[Effect]:
        one.stage, one.deadline = _Stage.LOOKS, now + self.limits.look
        packed = pack(address)
        return [Say(one.number, Status.SEEN, bytes((len(packed),)) + packed)]

    def _waits_at_number(self, one: _Stream, token: bytes, now: float) -> list[Effect]:
        number = self._codes.give(token, one.network, now)
        if number is None:
            return self._refuse(one, Status.FULL)
        told = Say(one.number, Status.NUMBER, number.to_bytes(_NUMBER_BYTES, "big"))
        return [told, *self._waits(one, token, now)]

    def _calls_number(self, one: _Stream, number: int, now: float) -> list[Effect]:
        if not self._codes.may_call(one.network, now):
            return self._refuse(one, Status.CROWD)
        token = self._codes.token(number)
        return self._refuse(one, Status.NOBODY) if token is None else self._calls(one, token, now)

    def _join(self, waiter: _Stream, caller: _Stream, now: float) -> list[Effect]:
        limits = self.limits
        self._forget(waiter)
        self._forget(caller)
        pair = _Pair(now + limits.pair, now, limits.size, limits.burst)
        for one, other in ((waiter, caller), (caller, waiter)):
            one.stage, one.partner, one.pair = _Stage.JOINED, other.number, pair
            one.say_at = inf
        self._joined += 1
        # The waiter first: the caller speaks as soon as it knows.
        return [Say(waiter.number, Status.JOINED), Say(caller.number, Status.JOINED)]

    def _refuse(self, one: _Stream, status: Status) -> list[Effect]:
        self._refused[status] += 1
        return [Say(one.number, status), *self._drop(one)]

    def _drop(self, one: _Stream) -> list[Effect]:
        """End a stream, and the one that it is joined with."""
        done: list[Effect] = []
        for each in (one, self._streams.get(one.partner or 0)):
            if each is not None and self._streams.pop(each.number, None) is not None:
                self._forget(each)
                self._networks[each.network] -= 1
                if not self._networks[each.network]:
                    del self._networks[each.network]
                done.append(Drop(each.number))
        return done

    def _forget(self, one: _Stream) -> None:
        """`one` waits for nobody any more."""
        for places in (self._waiters, self._held):
            numbers = places.get(one.token, [])
            if one.number in numbers:
                numbers.remove(one.number)
            if one.token in places and not numbers:
                del places[one.token]
