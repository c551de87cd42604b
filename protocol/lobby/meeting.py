"""A meeting without an invite: two persons compare six digits that nobody in between can make equal.

    host                                   caller
    CHALLENGE(versions, nonce)        →
                                      ←    MEET(version, key, name, commitment)
    MET(key, name, nonce)             →
                                      ←    SHOW(nonce)
    both show the digits, and each says SAME(signature) once its person has said that they are the same

The digits are a hash of the connection, of both keys, names and nonces.  The caller commits to its nonce
before it sees that of the host, and the host chooses its own before it sees that of the caller.  So somebody
who stands between two connections has fixed what it says on both before it knows the digits of either, and
they are equal by chance alone, once in a million tries (Vaudenay, CRYPTO 2005, section 3; as RFC 6189, 4.4;
threat 84).  A host takes few tries, for each is one such chance: an aborted one is a try, too.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Final

from protocol.channel.channel import MEET, MET, SAME, SHOW
from protocol.channel.limits import FAILED_MEETINGS, FAILED_MEETINGS_WITHIN
from protocol.crypto.keys import SIGNATURE_BYTES, Identity, check_key, verify
from protocol.errors import Forged, Malformed
from protocol.failures import Code, Refused
from protocol.lobby.handshake import HostSide, JoinerSide, Person, Say, bind
from protocol.record import genesis
from protocol.record.genesis import NONCE_BYTES
from protocol.wire import labels
from protocol.wire.encoding import Frame, Value, decode, encode, tagged

_DIGITS: Final = 10**6
_COMMITMENT_BYTES: Final = 32

_commit = tagged(labels.SAS_COMMITMENT)
_string = tagged(labels.SAS)


def digits_of(said: list[Value]) -> str:
    """The digits, such as "482 913", of a connection's binding and the four payloads said on it."""
    number = int.from_bytes(_string(encode(said))[:8], "big") % _DIGITS
    return f"{number // 1000:03} {number % 1000:03}"


@dataclass(frozen=True, slots=True)
class Meeting:
    """One end of a meeting whose digits are fixed.  `other`: who the other side says it is, unproven yet."""

    other: Person
    digits: str
    hosting: bool
    """Whether we are the host."""
    _bound: bytes

    def same(self, identity: Identity) -> Frame:
        """Our SAME; `identity`: the one that we named."""
        label = labels.SIGN_HOST if self.hosting else labels.SIGN_JOINER
        return Frame(SAME, identity.sign(label, self._bound))

    def check(self, frame: Frame) -> None:
        """The SAME of the other side, which proves its key.  Raises Forged or Malformed."""
        if frame.kind != SAME or len(frame.payload) != SIGNATURE_BYTES:
            raise Malformed("The other side says something else than that it sees the same.")
        label = labels.SIGN_JOINER if self.hosting else labels.SIGN_HOST
        if not verify(self.other.key, label, self._bound, frame.payload):
            raise Forged("The other side does not hold the player key that it named.")


def _meeting(other: Person, said: list[Value], *, hosting: bool) -> Meeting:
    return Meeting(other, digits_of(said), hosting, bind(encode([SAME, *said])))


class HostMeeting:
    """The host's side, from a MEET on."""

    def __init__(self, side: HostSide, meet: Frame) -> None:
        """`side`: of the connection on which `meet` came.  Raises Refused or Malformed."""
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
        self._before = list(side.said)
        self._said = [*side.said, meet.payload]

    def met(self, identity: Identity, name: str, nonce: bytes) -> Frame:
        """Our MET; `nonce`: 32 fresh bytes, chosen now.  Raises Refused if the caller has our own key."""
        if self.caller.key == identity.key:
            raise Refused(Code.SAME_PLAYER)
        frame = Frame(MET, encode([identity.key, name, nonce]))
        self._said.append(frame.payload)
        return frame

    def shown(self, frame: Frame) -> Meeting:
        """The meeting, once the caller has opened its commitment in SHOW.  Raises Malformed."""
        match _read(frame, SHOW):
            case [bytes() as nonce] if len(nonce) == NONCE_BYTES:
                pass
            case _:
                raise Malformed("A SHOW is not a nonce.")
        if not hmac.compare_digest(_committed(self._before, self.caller, nonce), self._commitment):
            raise Malformed("The caller shows another nonce than it has committed itself to.")
        self._said.append(frame.payload)
        return _meeting(self.caller, self._said, hosting=True)


class CallerMeeting:
    """The caller's side."""

    def __init__(self, side: JoinerSide, identity: Identity, name: str, nonce: bytes) -> None:
        """`side`: after the CHALLENGE; `nonce`: 32 fresh bytes."""
        us = Person(identity.key, name)
        self._us, self._nonce = us, nonce
        commitment = _committed(list(side.said), us, nonce)
        self.meet = Frame(MEET, encode([labels.PROTOCOL_VERSION, us.key, us.name, commitment]))
        self._said = [*side.said, self.meet.payload]

    def met(self, frame: Frame) -> tuple[Frame, Meeting]:
        """Our SHOW, and the meeting, once the host has named itself and its nonce in MET.

        Raises Refused if it has our own key, or Malformed.
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
        return show, _meeting(host, [*self._said, frame.payload, show.payload], hosting=False)


def _read(frame: Frame, kind: int) -> Value:
    if frame.kind != kind:
        raise Malformed("The other side said something else than a meeting asks for.")
    return decode(frame.payload)


def _person(key: bytes, name: str) -> Person:
    """Raises Malformed for a key or a name that nobody may have."""
    check_key(key)
    genesis.check_name(name)
    return Person(key, name)


def _committed(said: list[Value], person: Person, nonce: bytes) -> bytes:
    """The caller's commitment (32 bytes); `said`: the binding and the CHALLENGE."""
    return _commit(encode([*said, person.key, person.name, nonce]))


class Encounter:
    """A meeting from its digits on: each person's word, which the other one does not learn before its own."""

    def __init__(self, meeting: Meeting, identity: Identity, say: Say, close: Callable[[Code], None]) -> None:
        """`say` and `close`: as those of the connection."""
        self.meeting = meeting
        self.same: bool | None = None
        """Our person's word."""
        self.theirs = False
        """Whether the other side has said the same, and so proven its key."""
        self.on_answer: Callable[[], None] = lambda: None
        """Called after our person's word."""
        self._identity, self._say, self._close = identity, say, close

    def answer(self, *, same: bool) -> None:
        """Our person's word; the first one counts."""
        if self.same is not None:
            return
        self.same = same
        if same:
            self._say(self.meeting.same(self._identity))
        else:
            self._close(Code.DIFFERENT)
        self.on_answer()

    def dismiss(self, code: Code) -> None:
        """Send the other side away, before our person has said anything."""
        if self.same is None:
            self._close(code)

    def attending(self) -> Generator[None, Frame, None]:
        """The talk with the other side, up to its SAME.  Raises Forged or Malformed."""
        self.meeting.check((yield))
        self.theirs = True

    @property
    def agreed(self) -> bool:
        """Whether both persons see the same digits."""
        return self.same is True and self.theirs


class Meetings:
    """Which meetings a host takes: one at a time, and none any more after a few that came to nothing."""

    def __init__(self) -> None:
        self.open = False
        """Whether a seat is free for somebody who comes without an invite."""
        self.stopped = False
        """Whether so many have failed that our player has to allow more."""
        self._under_way: bytes | None = None
        self._failed: list[float] = []

    def begin(self, connection: bytes) -> None:
        """A caller on `connection` (its binding) is about to get our nonce.  Raises Refused: not now."""
        if not self.open or self.stopped or self._under_way is not None:
            raise Refused(Code.BUSY)
        self._under_way = connection

    def met(self, connection: bytes) -> None:
        """Both persons on `connection` have seen the same."""
        if self._under_way == connection:
            self._under_way = None

    def ended(self, connection: bytes, now: float) -> None:
        """`connection` is gone; if it was meeting us, that has failed, whoever broke it off.

        `now`: monotonic seconds.
        """
        if connection != self._under_way:
            return
        self._under_way = None
        self._failed = [at for at in self._failed if at > now - FAILED_MEETINGS_WITHIN] + [now]
        self.stopped = self.stopped or len(self._failed) >= FAILED_MEETINGS

    def allow(self) -> None:
        """Our player wants more of them."""
        self.stopped = False
        self._failed = []
