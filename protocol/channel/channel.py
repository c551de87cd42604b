"""Frames between two ends of a connection: limits, keep-alive, round trips, the queue of bytes to send.

Bytes and times come in, frames and bytes go out (sans-I/O, https://sans-io.readthedocs.io); link.py moves
them.  Frames of kind 16 and above belong to the channel and never to a record.  Every buffer is bounded: a
stranger may send small frames only (threats 19 and 20), and a side that does not read loses the connection
(threat 22).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final, TypeAlias

from p2p_stratego.core.game import Seat
from protocol.channel.tracing import trace_trouble
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Malformed, Refusal
from protocol.failures import Code, LinkLost, Loss, NetworkFailure, Refused
from protocol.limits import (
    AUTHENTICATE_WITHIN,
    CHUNK,
    LINGER,
    MAX_BACKLOG,
    MAX_INBOX,
    MAX_INBOX_BYTES,
    MAX_STATEMENTS,
    PING_EVERY,
    SILENT_AFTER,
    STRANGERS_BACKLOG,
    STRANGERS_LIMIT,
)
from protocol.record.position import Position, StatementHead
from protocol.trace import Trace, silent
from protocol.wire.encoding import (
    ENTRY,
    MAX_PAYLOAD,
    PROOF,
    STATEMENT,
    Deframer,
    Frame,
    Value,
    decode,
    encode,
    read_frame,
)

CHALLENGE, JOIN, WELCOME = 16, 17, 18
RESUME, RESUMED = 20, 21
SYNC, PING, PONG, REMATCH, CLOSE, RECEIPT, CARD, HAVE, AUDIENCE = range(22, 31)
WATCH, WATCHED, LOBBY, READY, FOUND = range(32, 37)
CODE, SURE = 41, 42
MEET, MET, SHOW, SAME = range(37, 41)
FRIEND, ASK, ASKER = 43, 44, 47
POSTMARK, SEAL, OFFER = 45, 46, 48
"""Stand in posts only."""
TALK = 49

_NAMES: Final = {
    ENTRY: "entry",
    STATEMENT: "statement",
    PROOF: "proof",
    CHALLENGE: "challenge",
    JOIN: "join",
    WELCOME: "welcome",
    RESUME: "resume",
    RESUMED: "resumed",
    SYNC: "sync",
    PING: "ping",
    PONG: "pong",
    REMATCH: "rematch",
    CLOSE: "close",
    RECEIPT: "receipt",
    WATCH: "watch",
    WATCHED: "watched",
    LOBBY: "lobby",
    READY: "ready",
    FOUND: "found",
    CARD: "card",
    HAVE: "have",
    AUDIENCE: "audience",
    CODE: "code",
    SURE: "sure",
    MEET: "meet",
    MET: "met",
    SHOW: "show",
    SAME: "same",
    FRIEND: "friend",
    ASK: "ask",
    ASKER: "asker",
    TALK: "talk",
}
"""The names of the kinds of frames in a trace."""

TOKEN_BYTES: Final = 8
_MOST_ENTRIES: Final = 2**18
"""More entries than a record can have: a higher count is a lie, and nobody waits for it."""
_SMOOTHING: Final = 8
"""A new round trip weighs one eighth against the smoothed value (RFC 6298, section 2)."""

Reason: TypeAlias = NetworkFailure | Refusal
"""Why a connection is of no more use: a failure of the network, or a refused frame."""


@dataclass(frozen=True, slots=True)
class Sync:
    """The first frame about a match on a connection.

    `match`: its id, 32 bytes; `position`: how far the sender's record goes; `entry`, `statement`: the
    payloads of the *receiver's* newest entry and statement that the sender holds, empty if it holds none.
    """

    match: bytes
    position: Position
    entry: bytes = b""
    statement: bytes = b""

    @property
    def frame(self) -> Frame:
        """The frame on the wire."""
        at = self.position
        heads = [(head.count, head.head) for head in at.statements]
        return Frame(SYNC, encode([self.match, at.count, at.head, heads, self.entry, self.statement]))


def read_sync(payload: bytes) -> Sync:
    """The SYNC in a payload.  Raises Malformed."""
    match decode(payload):
        case [
            bytes() as match,
            int() as count,
            bytes() as head,
            list() as statements,
            bytes() as entry,
            bytes() as statement,
        ] if len(match) == len(head) == 32:
            if count <= _MOST_ENTRIES:
                position = Position(count, head, tuple(map(_read_head, statements)))
                return Sync(match, position, entry, statement)
    raise Malformed("A SYNC is not a match, a count, a head, the statements of each seat, and two records.")


def _read_head(value: Value) -> StatementHead:
    match value:
        case [int() as count, bytes() as head] if count <= MAX_STATEMENTS and len(head) == 32:
            return StatementHead(count, head)
    raise Malformed("The statements of a seat in a SYNC are not a count and a head.")


def receipt_frame(match: bytes, seat: Seat, count: int, receipt: bytes) -> Frame:
    """A RECEIPT: `seat` has `count` entries of `match` (an id, 32 bytes); `receipt`: 64 bytes."""
    return Frame(RECEIPT, encode([match, seat, count, receipt]))


def read_receipt(payload: bytes) -> tuple[bytes, Seat, int, bytes]:
    """The match's id, the seat, the count and the unverified signature in a RECEIPT.  Raises Malformed."""
    match decode(payload):
        case [bytes() as match, int() as seat, int() as count, bytes() as receipt] if (
            len(match) == 32 and len(receipt) == SIGNATURE_BYTES and count <= _MOST_ENTRIES
        ):
            return match, seat, count, receipt
    raise Malformed("A RECEIPT is not a match, a seat, a count and a signature.")


def _close_code(payload: bytes) -> int:
    match decode(payload):
        case [int() as code]:
            return code
    raise Malformed("A CLOSE is not one number.")


class Channel:
    """One end of a connection; `now` is always seconds on one monotonic clock.

    A channel has three states: open (`lost` is None); closing, when it only sends the queue, until
    `deadline`; and `over`, with no bytes left to move.
    """

    def __init__(self, now: float, trace: Trace = silent) -> None:
        self._trace = trace
        self.inbox: list[Frame] = []
        """Arrived frames for the caller to take; PING, PONG and CLOSE never stand here."""
        self.rtt: float | None = None
        """The smoothed round trip of a small frame in seconds, or None before the first round trip."""
        self.lost: Reason | None = None
        """Why the connection is of no more use."""
        self.over = False
        self.deadline = inf
        self.trusted = False
        """Whether the other side is authenticated."""
        self._deframer = Deframer()
        self._outgoing = bytearray()
        self._heard = now
        self._pinged: float | None = None
        self._next_ping = inf
        self._pings = 0

    @property
    def _limit(self) -> int:
        """Bytes of the largest payload that the channel accepts."""
        return MAX_PAYLOAD if self.trusted else STRANGERS_LIMIT

    def trust(self, now: float) -> None:
        """The other side is authenticated: accept frames of full size, and start to ping it."""
        self._trace("link", state="trusted")
        self.trusted = True
        self._heard = now
        # Not at once: the other side may still count us as a stranger, and a stranger may not ping.
        self._next_ping = now + AUTHENTICATE_WITHIN

    def lose(self, reason: Reason) -> None:
        """The connection is gone."""
        if self.lost is None:
            trace_trouble(self._trace, "lost", reason)
        self.lost = self.lost or reason
        self.over = True

    def close(self, code: int, now: float, reason: Reason | None = None) -> None:
        """Queue CLOSE with `code` as our last frame; ignore all further input."""
        if self.lost is None:
            self._trace("link", state="closed", code=int(code))
            if reason is not None:
                trace_trouble(self._trace, "refusal", reason)
            self.send(bytes(Frame(CLOSE, encode([code]))))
            self.lost = self.lost or reason or LinkLost(Loss.CLOSED_HERE)
            self.deadline = now + LINGER
            self.inbox.clear()

    def send(self, data: bytes) -> None:
        """Queue whole frames; too many unread bytes lose the connection (threat 22).  No effect once lost."""
        if self.lost is not None:
            return
        if len(self._outgoing) + len(data) > (MAX_BACKLOG if self.trusted else STRANGERS_BACKLOG):
            self.lose(LinkLost(Loss.UNREAD))
        else:
            self._outgoing += data
            self._trace_frames(data)

    def _trace_frames(self, data: bytes) -> None:
        """Report every frame in the queued `data` to the trace."""
        at = 0
        while self._trace is not silent and (frame := read_frame(data, at)) is not None:
            self._trace("frame", way="out", kind=_NAMES.get(frame.kind, frame.kind), size=len(frame))
            at += len(frame)

    @property
    def full(self) -> bool:
        """Whether the caller has to take frames before it reads more bytes."""
        return len(self.inbox) > MAX_INBOX or sum(map(len, self.inbox)) > MAX_INBOX_BYTES

    @property
    def queued(self) -> int:
        """Bytes to be sent."""
        return len(self._outgoing)

    @property
    def due(self) -> float:
        """The time of the next call of `tick`."""
        if not self.trusted or self.lost is not None:
            return inf
        return min(self._next_ping, self._heard + SILENT_AFTER)

    def outgoing(self, most: int = MAX_BACKLOG) -> bytes:
        """Remove the first queued bytes, at most `most`, and return them."""
        data = bytes(self._outgoing[:most])
        del self._outgoing[:most]
        return data

    def take_in(self, data: bytes, now: float) -> None:
        """Take bytes from the network.  A forbidden or damaged frame ends the connection."""
        self._heard = now  # any byte is a sign of life, even of a frame that is refused below
        try:
            for frame in self._deframer.feed(data):
                self._trace("frame", way="in", kind=_NAMES.get(frame.kind, frame.kind), size=len(frame))
                self._take(frame, now)
                if self.over:
                    return
            # An overlong frame is refused before it is whole, so it never fills our memory (threat 19).
            if self._deframer.pending > self._limit + len(Frame(0, b"")):
                raise _too_large()
        except Malformed as error:
            self.close(Code.PROTOCOL, now, error)

    def _take(self, frame: Frame, now: float) -> None:
        if len(frame.payload) > self._limit:
            raise _too_large()
        if frame.kind == CLOSE:
            self.lose(Refused(_close_code(frame.payload)))
        elif self.lost is not None:
            return  # we closed: the queue goes out, and input counts no more
        elif frame.kind not in (PING, PONG):
            self.inbox.append(frame)
        elif not self.trusted:
            raise Malformed("A PING or PONG comes before it is known from whom.")
        elif len(frame.payload) != TOKEN_BYTES:
            raise Malformed("A PING or PONG holds eight bytes.")
        elif frame.kind == PING:
            self.send(bytes(Frame(PONG, frame.payload)))
        elif self._pinged is None or frame.payload != self._token():  # it would fake a short round trip
            raise Malformed("A PONG answers no PING.")
        else:
            taken = now - self._pinged
            self.rtt = taken if self.rtt is None else self.rtt + (taken - self.rtt) / _SMOOTHING
            self._pinged, self._next_ping = None, now + PING_EVERY

    def _token(self) -> bytes:
        return self._pings.to_bytes(TOKEN_BYTES, "big")

    def tick(self, now: float) -> float:
        """Act on the timers due at `now`; return the time of the next call."""
        if not self.trusted or self.lost is not None:
            return self.due
        if len(self._outgoing) > CHUNK:
            self._heard = now  # our pings wait in the queue; its progress proves that the other side is there
        if now >= self._heard + SILENT_AFTER:
            self.lose(LinkLost(Loss.SILENT))
        elif now >= self._next_ping:
            self._pings += 1
            self._pinged, self._next_ping = now, inf
            self.send(bytes(Frame(PING, self._token())))
        return self.due


def _too_large() -> Malformed:
    return Malformed("The other side sent more than it may.")
