"""A meeting without an invite: two persons compare six digits that nobody in between can make equal.

    host                                   caller
    CHALLENGE(versions, nonce)        →
                                      ←    MEET(version, key, name, commitment)
    MET(key, name, nonce)             →
                                      ←    SHOW(nonce)
    both show the digits, and each says SAME(signature) after its person has said that they are the same

The digits are a hash of the connection, of both keys, names and nonces.  The caller commits to its nonce
before it sees the host's nonce, and the host chooses its own before it sees the caller's.  So an attacker
between two connections has fixed its frames on both before it knows the digits of either: the digits are
equal by chance alone, once in a million tries (Vaudenay, CRYPTO 2005, section 3; as RFC 6189, 4.4; threat
84).  A host allows few tries, since each try is such a chance; an aborted meeting is a try, too.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Final

from protocol.channel.channel import MEET, MET, SAME, SHOW
from protocol.crypto.keys import SIGNATURE_BYTES, Identity, check_key, verify
from protocol.errors import Forged, Malformed
from protocol.failures import Code, Refused
from protocol.limits import FAILED_MEETINGS, FAILED_MEETINGS_WITHIN
from protocol.lobby.handshake import HostSide, JoinerSide, Person, Say, bind
from protocol.record import genesis
from protocol.record.genesis import NONCE_BYTES
from protocol.wire import labels
from protocol.wire.encoding import Frame, Value, decode, encode, tagged

STRINGS: Final = 10**6
"""The number of strings of digits."""
_COMMITMENT_BYTES: Final = 32

_commit = tagged(labels.SAS_COMMITMENT)
short_hash = tagged(labels.SAS)
"""A hash (32 bytes) of what two ends said; its digits are the beginning of it."""


def digits_of(preamble: list[Value]) -> str:
    """The digits, such as "482 913"; `preamble`: a connection's binding and the four payloads on it."""
    number = int.from_bytes(short_hash(encode(preamble))[:8], "big") % STRINGS
    return f"{number // 1000:03} {number % 1000:03}"


@dataclass(frozen=True, slots=True)
class Meeting:
    """One end of a meeting with fixed digits; `other`: the name and key of the other side, unproven yet."""

    other: Person
    digits: str
    hosting: bool
    """Whether we are the host."""
    _bound: bytes

    def same(self, identity: Identity) -> Frame:
        """Our SAME; `identity`: holds the key that we named."""
        label = labels.SIGN_HOST if self.hosting else labels.SIGN_JOINER
        return Frame(SAME, identity.sign(label, self._bound))

    def check(self, frame: Frame) -> None:
        """Check the SAME of the other side, which proves its key.  Raises Forged or Malformed."""
        if frame.kind != SAME or len(frame.payload) != SIGNATURE_BYTES:
            raise Malformed("The other side says something else than that it sees the same.")
        label = labels.SIGN_JOINER if self.hosting else labels.SIGN_HOST
        if not verify(self.other.key, label, self._bound, frame.payload):
            raise Forged("The other side does not hold the player key that it named.")


def _meeting(other: Person, preamble: list[Value], *, hosting: bool) -> Meeting:
    return Meeting(other, digits_of(preamble), hosting, bind(encode([SAME, *preamble])))


class HostMeeting:
    """The host's side, from a MEET on."""

    def __init__(self, side: HostSide, meet: Frame) -> None:
        """`side`: our end of the connection on which `meet` came.  Raises Refused or Malformed."""
        match _read(meet, MEET):
            case [int() as version, bytes() as key, str() as name, bytes() as commitment] if (
                len(commitment) == _COMMITMENT_BYTES
            ):
                pass
            case _:
                raise Malformed("A MEET is not a version, a key, a name and a commitment.")
        if version != labels.PROTOCOL_VERSION:
            raise Refused(Code.VERSION)
        self.caller = _person(key, name)
        self._commitment = commitment
        self._before = list(side.preamble)
        self._preamble = [*side.preamble, meet.payload]

    def met(self, identity: Identity, name: str, nonce: bytes) -> Frame:
        """Our MET; `nonce`: 32 fresh bytes, chosen now.  Raises Refused if the caller has our own key."""
        if self.caller.key == identity.key:
            raise Refused(Code.SAME_PLAYER)
        frame = Frame(MET, encode([identity.key, name, nonce]))
        self._preamble.append(frame.payload)
        return frame

    def shown(self, frame: Frame) -> Meeting:
        """The meeting; `frame`: the SHOW that opens the caller's commitment.  Raises Malformed."""
        match _read(frame, SHOW):
            case [bytes() as nonce] if len(nonce) == NONCE_BYTES:
                pass
            case _:
                raise Malformed("A SHOW is not a nonce.")
        if not hmac.compare_digest(_committed(self._before, self.caller, nonce), self._commitment):
            raise Malformed("The caller shows another nonce than it has committed itself to.")
        self._preamble.append(frame.payload)
        return _meeting(self.caller, self._preamble, hosting=True)


class CallerMeeting:
    """The caller's side."""

    def __init__(self, side: JoinerSide, identity: Identity, name: str, nonce: bytes) -> None:
        """`side`: after the CHALLENGE; `nonce`: 32 fresh bytes."""
        us = Person(identity.key, name)
        self._us, self._nonce = us, nonce
        commitment = _committed(list(side.preamble), us, nonce)
        self.meet = Frame(MEET, encode([labels.PROTOCOL_VERSION, us.key, us.name, commitment]))
        self._preamble = [*side.preamble, self.meet.payload]

    def met(self, frame: Frame) -> tuple[Frame, Meeting]:
        """Our SHOW, and the meeting; `frame`: the MET with the host's key, name and nonce.

        Raises Refused if the host has our own key, or Malformed.
        """
        match _read(frame, MET):
            case [bytes() as key, str() as name, bytes() as nonce] if len(nonce) == NONCE_BYTES:
                pass
            case _:
                raise Malformed("A MET is not a key, a name and a nonce.")
        host = _person(key, name)
        if host.key == self._us.key:
            raise Refused(Code.SAME_PLAYER)
        show = Frame(SHOW, encode([self._nonce]))
        return show, _meeting(host, [*self._preamble, frame.payload, show.payload], hosting=False)


def _read(frame: Frame, kind: int) -> Value:
    if frame.kind != kind:
        raise Malformed("The other side said something else than a meeting asks for.")
    return decode(frame.payload)


def _person(key: bytes, name: str) -> Person:
    """The person with this key and name.  Raises Malformed for a key or a name that nobody may have."""
    check_key(key)
    genesis.check_name(name)
    return Person(key, name)


def _committed(preamble: list[Value], person: Person, nonce: bytes) -> bytes:
    """The caller's commitment (32 bytes); `preamble`: the binding and the CHALLENGE."""
    return _commit(encode([*preamble, person.key, person.name, nonce]))


class Encounter:
    """A meeting from its digits on: the answers of both persons."""

    def __init__(self, meeting: Meeting, identity: Identity, say: Say, close: Callable[[Code], None]) -> None:
        """`say`, `close`: of the connection."""
        self.meeting = meeting
        self.same: bool | None = None
        """Our person's answer; None before it."""
        self.theirs = False
        """Whether the other side has signed SAME, and so proven its key."""
        self.on_answer: Callable[[], None] = lambda: None
        """Called after our person's answer."""
        self.on_proof: Callable[[], None] = lambda: None
        """Called once the other side has proven its key."""
        self._identity, self._say, self._close = identity, say, close

    def answer(self, *, same: bool) -> None:
        """Take our person's answer; only the first counts."""
        if self.same is not None:
            return
        self.same = same
        if same:
            self._say(self.meeting.same(self._identity))
        else:
            self._close(Code.DIFFERENT)
        self.on_answer()

    def dismiss(self, code: Code) -> None:
        """Send the other side away, if our person has not answered yet."""
        if self.same is None:
            self._close(code)

    def attending(self) -> Generator[None, Frame, None]:
        """The dialogue with the other side, up to its SAME.  Raises Forged or Malformed."""
        self.meeting.check((yield))
        self.theirs = True
        self.on_proof()

    @property
    def agreed(self) -> bool:
        """Whether both persons see the same digits."""
        return self.same is True and self.theirs


class Meetings:
    """The meetings of a host: one at a time, and none after a few failures."""

    def __init__(self) -> None:
        self.open = False
        """Whether a seat is free for a caller without an invite."""
        self.stopped = False
        """Whether so many meetings have failed that our player has to allow more (threat 84)."""
        self.under_way: bytes | None = None
        """The connection (its binding, 64 bytes) of the meeting that goes on; None if there is none."""
        self._failed: list[float] = []

    def begin(self, connection: bytes) -> None:
        """Begin a meeting on `connection` (its binding), before our nonce goes out.  Raises Refused."""
        if not self.open or self.stopped or self.under_way is not None:
            raise Refused(Code.BUSY)
        self.under_way = connection

    def met(self, connection: bytes) -> None:
        """Count the meeting on `connection` as a success."""
        if self.under_way == connection:
            self.under_way = None

    def ended(self, connection: bytes, now: float) -> None:
        """Count an unfinished meeting on `connection`, which is gone, as a failure of either side.

        `now`: monotonic seconds.
        """
        if connection != self.under_way:
            return
        self.under_way = None
        self._failed = [at for at in self._failed if at > now - FAILED_MEETINGS_WITHIN] + [now]
        self.stopped = self.stopped or len(self._failed) >= FAILED_MEETINGS

    def allow(self) -> None:
        """Allow more meetings, as our player wants."""
        self.stopped = False
        self._failed = []
