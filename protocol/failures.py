"""Failures of the world around a match, as types with data: disk, network, invite.

A Refusal (errors.py) is about bytes of a match; a Failure is about their source or destination.  No Failure
blames a player, and all saved records outlast it.  Each str() is one technical line.  The program above
tells a player, by type and fields, the meaning and the remedy.
"""

from __future__ import annotations

from enum import Enum, IntEnum


class Why(Enum):
    """Why a step of our own player is not possible now; each value is a technical line."""

    NOTHING_TO_DECIDE = "nothing is to be decided"
    NOT_OFFERED = "the rules do not offer this choice"
    WRONG_COUNT = "another number of pieces must be laid"
    BAD_TEXT = "the text is not allowed in a statement"
    NOT_CONNECTED = "the other side is not connected"
    NOT_COMPARED = "the copies of the match were not compared yet"
    BEHIND = "records that the other side announced are missing"
    FULL = "the seat has no statements left for this"
    NOT_BEGUN = "the match has not begun"
    ENDED = "the match has ended"
    NO_MATCH = "no match is under way"
    OLD_COPY = "another copy of the match has gone on"
    OFFER_STANDS = "an offer of a draw stands already"
    NOTHING_TO_TAKE_BACK = "no decision of the seat can be taken back now"
    NO_OFFER = "no offer of a draw stands"
    NOT_ACKNOWLEDGED = "the seat that owes has not confirmed the last entry"
    OWN_TURN = "no other seat owes anything"
    STILL_TIME = "the other side still has time to answer"
    NO_REMATCH = "a return match needs an ended match and a connection"
    OTHER_LISTING = "the host has changed its proposal"
    SEATS_EMPTY = "a seat is empty"
    OPEN_TALK = "in this game all talk is open to all"
    READER_GONE = "the seat has left the match"
    NOBODY_THERE = "the seat is not there, is empty, or is our own"


class NotNow(Exception):
    """The wish of our own player is not possible at this moment.

    `why`: the reason; `detail`: the choice (NOT_OFFERED), the right number of faces (WRONG_COUNT), the
    seconds left (STILL_TIME), or the flaw of the text (BAD_TEXT).
    """

    def __init__(self, why: Why, detail: int | str | None = None) -> None:
        self.why = why
        self.detail = detail
        super().__init__(why.value if detail is None else f"{why.value}: {detail}")


class Failure(Exception):
    """A cause outside the match prevents a step."""


class UnsafeLibrary(Failure):
    """The signature library takes keys for which anybody can sign (CVE-2025-69277)."""

    def __init__(self) -> None:
        super().__init__("libsodium takes points outside the prime-order subgroup for keys")


class NoGroup(Failure):
    """The library for the cards of decks cannot be loaded, or computes wrongly.  `reason`: one line."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the group ristretto255 cannot be used: {reason}")


# Disk


class StorageFailure(Failure):
    """The home folder cannot be read or written.

    `place`: the file or folder; `errno`: the system's error number, or 0 if the system reported none.
    """

    flaw = "cannot be used"

    def __init__(self, place: str, errno: int = 0) -> None:
        self.place = place
        self.errno = errno
        super().__init__(f"{place}: {self.flaw}" + (f" (errno {errno})" if errno else ""))


class DiskFull(StorageFailure):
    """No room, or no quota, left."""

    flaw = "no room left"


class TooLong(StorageFailure):
    """The record of a match has grown as long as one may be; it stays as it is."""

    flaw = "as long as a record may be"


class ReadOnly(StorageFailure):
    """The folder cannot be changed: by its permissions or because the whole disk is read-only."""

    flaw = "no permission"


class DiskFailed(StorageFailure):
    """Reading, writing or syncing failed.  The program must sign no record until it reopens the match."""

    flaw = "input or output failed"


class Hazard(Enum):
    """Why the program does not use a path; each value is a technical line."""

    LINK = "a symbolic link"
    NO_FOLDER = "not a folder"
    A_FOLDER = "a folder instead of a file"
    NO_FILE = "not a regular file"
    FILE_FOR_HOME = "a file instead of the home folder"
    OTHERS_MAY_CHANGE = "owned or writable by other users"
    TOO_LARGE = "larger than any file of this program"


class Unsafe(StorageFailure):
    """A link, a device or another user's folder in the place of a file of ours (threat 36)."""

    def __init__(self, place: str, hazard: Hazard, errno: int = 0) -> None:
        self.hazard = hazard
        self.flaw = hazard.value
        super().__init__(place, errno)


class Missing(StorageFailure):
    """There is no such file, folder or match."""

    flaw = "not found"


class NoSuchMatch(Missing):
    """No match, or more than one, has an id with this beginning.

    `place`: the home folder; `matches`: how many there are, 0 or at least 2.
    """

    def __init__(self, place: str, matches: int) -> None:
        self.matches = matches
        self.flaw = "several matches have such an id" if matches else "no match has such an id"
        super().__init__(place)


class NotOurs(StorageFailure):
    """The match belongs to another player key than the one in this home folder."""

    flaw = "the match is of another player key"


class UnknownContact(Failure):
    """No contact, or more than one, has such a name or fingerprint.

    `contacts`: the names and fingerprints of those that have, none or at least two.
    """

    def __init__(self, contacts: tuple[tuple[str, str], ...]) -> None:
        self.contacts = contacts
        super().__init__("several contacts have such a name" if contacts else "no contact has such a name")


class InUse(StorageFailure):
    """Another process has the match open (threat 32)."""

    flaw = "locked by another process"


class Part(Enum):
    """Which of our files is damaged; each value is a technical line."""

    RECORD = "the transcript or the secrets of a match"
    ROUTE = "the address of the other side"
    CERTIFICATE = "the key and certificate for the network"
    KEY = "the player's key"
    CONTACTS = "the contacts"
    POSTS = "what is known of the posts of a match"
    OFFER = "an offer to begin a match by post"
    DOORSTEP = "the secret of the door for friends"


class Damaged(StorageFailure):
    """A file of ours holds bytes that this program did not write (threat 35).

    `part`: which file it is; `offset`: the number of good bytes at its start.
    """

    def __init__(self, place: str, part: Part, offset: int = 0) -> None:
        self.part = part
        self.offset = offset
        self.flaw = f"damaged after byte {offset}: {part.value}"
        super().__init__(place)


# Invites


class InviteFailure(Failure):
    """The text is no usable invite."""


class Flaw(Enum):
    """The flaw of a text that has no typo and yet is no invite; each value is a technical line."""

    NO_PREFIX = "it does not begin as an invite does"
    NO_PLACE = "it names no place to call"
    BAD_ADDRESS = "it holds an address that cannot be read"
    TOO_MUCH = "it holds more than an invite does"
    BAD_RECORD = "the record of it cannot be read"
    BAD_KIND = "it is neither to play nor to watch"


class NotAnInvite(InviteFailure):
    """The text is no invite.  `flaw`: why."""

    def __init__(self, flaw: Flaw) -> None:
        self.flaw = flaw
        super().__init__(f"not an invite: {flaw.value}")


class NotAnAddress(InviteFailure):
    """Nowhere that anybody could be called.  `text`: the input, unescaped; hexadecimal digits of bytes."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(f"no address: {text!a}")


class InviteTypo(InviteFailure):
    """An invite with wrong, missing or extra letters."""

    def __init__(self) -> None:
        super().__init__("the checksum of the invite does not fit")


class InviteOfAnotherKind(InviteFailure):
    """A good invite, but to watch where one to play is needed, or the other way round.  `watch`: it is to
    watch.
    """

    def __init__(self, *, watch: bool) -> None:
        self.watch = watch
        super().__init__(f"the invite is to {'watch' if watch else 'play'}")


class InviteNewer(InviteFailure):
    """An invite of another version of the program.  `version`: 0 to 255, as the invite states."""

    def __init__(self, version: int) -> None:
        self.version = version
        super().__init__(f"the invite is of version {version}")


class NotACode(InviteFailure):
    """The text is no short code.  `word`: the one that is not on the list, unescaped; "" if the whole is of
    another form.  `near`: up to three words that may be meant, or
    beginnings of the whole.
    """

    def __init__(self, word: str = "", near: tuple[str, ...] = ()) -> None:
        self.word, self.near = word, near
        super().__init__("no short code")


# Network


class NetworkFailure(Failure):
    """A connection cannot be made, or is lost."""


class CannotListen(NetworkFailure):
    """The port or address is not available.  `errno`: the system's error number."""

    def __init__(self, port: int, errno: int) -> None:
        self.port = port
        self.errno = errno
        super().__init__(f"cannot listen on port {port} (errno {errno})")


class Unreachable(NetworkFailure):
    """No address answers.  `refused`: a machine answered that no program listens on the port."""

    def __init__(self, addresses: tuple[str, ...], *, refused: bool) -> None:
        self.addresses = addresses
        self.refused = refused
        super().__init__(f"{'refused' if refused else 'no answer'} at {' and '.join(addresses)}")


class Unserved(NetworkFailure):
    """All these `addresses` are of kinds that our player's wishes leave out, or that need a proxy.

    `relays`: those among them that our player, who hides, has not named.
    """

    def __init__(self, addresses: tuple[str, ...], relays: tuple[str, ...] = ()) -> None:
        self.addresses = addresses
        self.relays = relays
        super().__init__(f"no transport for {' and '.join(addresses)}")


class RelayStatus(IntEnum):
    """What a relay says: wait; the stream is yours; from VERSION on, why it refuses; from NUMBER on, more.

    NUMBER: you wait at the number (u16) that follows.  SEEN: you call from the address that follows.
    """

    WAITING = 0
    JOINED = 1
    VERSION = 2
    NOBODY = 3
    FULL = 4
    CROWD = 5
    MALFORMED = 6
    NUMBER = 32
    SEEN = 48


class RelayRefused(NetworkFailure):
    """A `relay` (an address) does not join us with anybody.  `status`: as it says; None: it hung up."""

    def __init__(self, relay: str, status: int | None) -> None:
        self.relay = relay
        self.status = status
        super().__init__(f"the relay {relay} {'hung up' if status is None else f'refused ({status})'}")


class SeenEnough(NetworkFailure):
    """A host has shown a spectator so many `matches`, one after the other."""

    def __init__(self, matches: int) -> None:
        self.matches = matches
        super().__init__(f"{matches} matches were shown")


class WrongHost(NetworkFailure):
    """The host that answers has another certificate than the expected one (threat 25)."""

    def __init__(self) -> None:
        super().__init__("the host has another certificate than the expected one")


class AnotherPlayer(NetworkFailure):
    """The host that answers has another key than the one that was announced (threat 83)."""

    def __init__(self) -> None:
        super().__init__("the host has another key than the announced one")


class NoNearby(NetworkFailure):
    """This machine's networks cannot be asked for games, nor told of one.  `reason`: one line."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"nobody nearby can be heard: {reason}")


class Loss(Enum):
    """How a connection was lost; each value is a technical line."""

    CLOSED_THERE = "the other side closed the connection"
    CLOSED_HERE = "the connection was closed here"
    ENDED = "the connection was ended"
    BROKEN = "the connection broke"
    UNREAD = "the other side does not read what it is sent"
    SILENT = "the other side is not heard any more"


class LinkLost(NetworkFailure):
    """The connection is gone.  `loss`: how."""

    def __init__(self, loss: Loss) -> None:
        self.loss = loss
        super().__init__(loss.value)


class Code(IntEnum):
    """Why one side ends a connection; the number is its place on the wire."""

    VERSION = 1
    UNKNOWN_INVITE = 2
    USED_INVITE = 3
    EXPIRED_INVITE = 4
    DECLINED = 5
    UNKNOWN_MATCH = 6
    SAME_PLAYER = 7
    PROTOCOL = 8
    LEFT = 9
    STALE = 10
    TIMEOUT = 11
    REPLACED = 12
    FAILED = 13
    NO_SEAT = 14
    REVOKED = 15
    DIFFERENT = 16
    BUSY = 17
    WRONG_CODE = 18
    VOID_CODE = 19


class Refused(NetworkFailure):
    """The other side ended the connection and said why.  `code`: a Code, or a number unknown here."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(f"the other side closed the connection with code {code}")

    @property
    def final(self) -> bool:
        """Whether another call would get the same answer."""
        return self.code in (Code.UNKNOWN_MATCH, Code.VERSION, Code.SAME_PLAYER)


class Blocked(Refused):
    """Our own player has blocked the other side, which is told DECLINED."""

    def __init__(self) -> None:
        super().__init__(Code.DECLINED)
        self.args = ("our player has blocked the other side",)


class Declined(Refused):
    """Our own player declined the proposed match; the other side is told DECLINED."""

    def __init__(self) -> None:
        super().__init__(Code.DECLINED)
        self.args = ("our player did not want the match",)


class NotTheSame(Refused):
    """Our own player sees other digits than the other one; the other side is told DIFFERENT."""

    def __init__(self) -> None:
        super().__init__(Code.DIFFERENT)
        self.args = ("our player sees other digits",)
