"""The form of a post: one line, frames, and a signature over all of it; or the same as text for a mail.

    "p2p-stratego post 1" LF  POSTMARK  [GENESIS]  SYNC  …  SEAL       of a match
    "p2p-stratego post 1" LF  OFFER  SEAL                              to begin one

Between POSTMARK and SEAL stand the frames that the same two seats would exchange over a link.  The SEAL shows
the writer of the post, and that nobody cut, added or exchanged anything: a carrier can only keep the post
back, repeat it, or show it to others (threat 87).  Everything here is hostile until `check` has returned.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from p2p_stratego.core.game import Seat
from protocol.channel.channel import CARD, OFFER, POSTMARK, RECEIPT, SEAL, SYNC
from protocol.crypto.keys import SIGNATURE_BYTES, Identity, verify
from protocol.errors import Forged, Malformed, Refusal, Unsupported
from protocol.limits import MAX_POST, MAX_POST_TEXT
from protocol.wire import labels
from protocol.wire.encoding import (
    ENTRY,
    GENESIS,
    PROOF,
    STATEMENT,
    Frame,
    Value,
    decode,
    encode,
    read_frame,
    tagged,
)

VERSION: Final = 1
MAGIC: Final = b"p2p-stratego post %d\n" % VERSION
_ANY_MAGIC: Final = re.compile(rb"p2p-stratego post (0|[1-9]\d{0,17})\n")
BEGIN: Final = "-----BEGIN P2P-STRATEGO POST-----"
END: Final = "-----END P2P-STRATEGO POST-----"
COLUMNS: Final = 64
MAX_SERIAL: Final = 2**48
_BEHIND: Final = frozenset((ENTRY, STATEMENT, PROOF, RECEIPT, CARD))
"""The kinds of frames behind the SYNC; the other kinds of a link make sense only while both ends listen."""
CARRIED: Final = _BEHIND | {SYNC}
"""The kinds of frames that a post takes from a link."""
_BEFORE: Final = 3
"""Frames before the records: POSTMARK, perhaps a genesis, and SYNC."""
_BETWEEN: Final = b" \t\r\n>|"
"""Characters that mail programs put before quoted lines, or between lines."""
_BEGIN: Final = re.compile(rb"[ \t\r\n>|]{1,9}".join(map(re.escape, BEGIN.encode().split())))
_END: Final = re.compile(rb"[ \t\r\n>|]{1,9}".join(map(re.escape, END.encode().split())))

_digest = tagged(labels.POST)
_stamped = tagged(labels.STAMP)


class NotAPost(Refusal):
    """The bytes are no post."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """The serial of a post, and its signature by the writer's key (64 bytes, or empty for serial 0)."""

    serial: int = 0
    signature: bytes = b""

    @property
    def value(self) -> Value:
        """The value of the stamp in a POSTMARK."""
        return [self.serial, self.signature] if self.serial else []


NO_STAMP: Final = Stamp()
"""The stamp where there is no post."""


@dataclass(frozen=True, slots=True)
class Postmark:
    """The first frame of a post from `writer` to `reader` in the match with this id (32 bytes).

    `stamp`: its serial grows with each post of its writer in this match; `seen`: the stamp of the newest post
    of the reader that the writer has taken, or NO_STAMP.  Only the reader's key can have made `seen`, so
    nobody else can make the reader believe that it wrote a post unknown to it (threat 103).
    """

    match: bytes
    writer: Seat
    reader: Seat
    stamp: Stamp
    seen: Stamp = NO_STAMP

    @property
    def frame(self) -> Frame:
        """The frame that opens a post."""
        stamps = self.stamp.value, self.seen.value
        return Frame(POSTMARK, encode([self.match, self.writer, self.reader, *stamps]))

    def check(self, writer: bytes, reader: bytes) -> None:
        """Raise Forged unless the keys of `writer` and `reader` (32 bytes each) made the two stamps."""
        match, stamp, seen = self.match, self.stamp, self.seen
        _require_stamp(stamp, writer, stamp_digest(match, self.writer, self.reader, stamp.serial))
        if seen.serial:
            _require_stamp(seen, reader, stamp_digest(match, self.reader, self.writer, seen.serial))


def stamp_digest(match: bytes, writer: Seat, reader: Seat, serial: int) -> bytes:
    """The input of the signature of a Stamp: a hash (32 bytes)."""
    return _stamped(encode([match, writer, reader, serial]))


def stamp(identity: Identity, match: bytes, writer: Seat, reader: Seat, serial: int) -> Stamp:
    """The stamp on a post of `writer`, whose key is `identity`, to `reader`."""
    return Stamp(serial, identity.sign(labels.SIGN_STAMP, stamp_digest(match, writer, reader, serial)))


def _require_stamp(stamp: Stamp, key: bytes, signed: bytes) -> None:
    if not verify(key, labels.SIGN_STAMP, signed, stamp.signature):
        raise Forged("A post carries a stamp that the player whom it names did not make.")


@dataclass(frozen=True, slots=True)
class Post:
    """A post as it came.  `body`: all bytes up to the SEAL; `signature`: 64 bytes, not verified."""

    frames: tuple[Frame, ...]
    body: bytes
    signature: bytes

    @property
    def mark(self) -> Postmark | None:
        """The POSTMARK; None in an offer."""
        return read_mark(self.frames[0].payload) if self.frames[0].kind == POSTMARK else None

    @property
    def genesis(self) -> bytes | None:
        """The body of the genesis in the post, not parsed; None if it has none."""
        bodies = [frame.payload for frame in self.frames[1:2] if frame.kind == GENESIS]
        return bodies[0] if bodies else None

    @property
    def carried(self) -> list[Frame]:
        """The frames for the reader's copy: a SYNC, and all frames behind it."""
        return [frame for frame in self.frames if frame.kind not in (POSTMARK, GENESIS)]

    @property
    def sync(self) -> Frame:
        """The SYNC; only a post of a match has it."""
        return self.carried[0]

    def check(self, key: bytes) -> None:
        """Raise Forged unless the player with `key` (32 bytes) wrote the post."""
        if not verify(key, labels.SIGN_POST, _digest(self.body), self.signature):
            raise Forged("The post was not written by the player whom it names, or was changed since.")


def sealed_post(identity: Identity, frames: Iterable[Frame]) -> bytes:
    """The bytes of the post with these frames and a SEAL."""
    body = MAGIC + b"".join(map(bytes, frames))
    return body + bytes(Frame(SEAL, identity.sign(labels.SIGN_POST, _digest(body))))


def read_mark(payload: bytes) -> Postmark:
    """The content of a POSTMARK.  Raises Malformed."""
    match decode(payload):
        case [bytes() as game, int() as writer, int() as reader, list() as own, list() as seen] if (
            len(game) == 32 and writer != reader and own
        ):
            return Postmark(game, writer, reader, _read_stamp(own), _read_stamp(seen) if seen else NO_STAMP)
    raise Malformed("A POSTMARK is not a match, two seats, a stamp and another one.")


def _read_stamp(value: list[Value]) -> Stamp:
    match value:
        case [int() as serial, bytes() as signature] if (
            0 < serial < MAX_SERIAL and len(signature) == SIGNATURE_BYTES
        ):
            return Stamp(serial, signature)
    raise Malformed("A stamp is not a serial and a signature.")


def read(data: bytes) -> Post:
    """The post with exactly these bytes.  Raises NotAPost, Unsupported, or Malformed: cut or damaged."""
    magic = _ANY_MAGIC.match(data[:40])
    if magic is None:
        raise NotAPost("The bytes are no post.")
    if int(magic[1]) != VERSION:
        raise Unsupported("post", int(magic[1]), VERSION)
    if len(data) > MAX_POST:
        raise Malformed("The post is longer than any match.")
    frames = list[Frame]()
    at, sealed_from = len(MAGIC), 0
    while at < len(data):
        frame = read_frame(data, at)
        if frame is None:
            raise Malformed("The end of the post is missing.")
        if len(frames) >= _BEFORE and len(frame.payload) < SIGNATURE_BYTES:
            # Or millions of frames of a few bytes would fill our memory.
            raise Malformed("A record of the post has no room for a signature.")
        sealed_from, at = at, at + len(frame)
        frames.append(frame)
    if not frames or frames[-1].kind != SEAL or len(frames[-1].payload) != SIGNATURE_BYTES:
        raise Malformed("The end of the post is missing.")
    _require_form([frame.kind for frame in frames[:-1]])
    post = Post(tuple(frames[:-1]), data[:sealed_from], frames[-1].payload)
    _ = post.mark  # parse it now: a malformed POSTMARK is refused here, and not at its first use
    return post


def _require_form(kinds: list[int]) -> None:
    """Raise Malformed unless a post may hold frames of these kinds in this order."""
    if kinds == [OFFER]:
        return
    rest = kinds[2:] if kinds[1:2] == [GENESIS] else kinds[1:]
    if kinds[:1] != [POSTMARK] or rest[:1] != [SYNC] or not _BEHIND.issuperset(rest[1:]):
        raise Malformed("The post holds what no post holds, or in another order.")


# Text


def text(data: bytes) -> str:
    """A post as text for a mail: ASCII, lines of 64 characters, and one before and after them."""
    letters = base64.b64encode(data).decode("ascii")
    lines = (letters[at : at + COLUMNS] for at in range(0, len(letters), COLUMNS))
    return "\n".join((BEGIN, *lines, END)) + "\n"


def is_end(line: str) -> bool:
    """Whether a post ends in this line of a text."""
    return END in line


def posts_in(data: bytes) -> list[bytes]:
    """The bytes of each post in a file, which is a post itself, or a text such as a mail with posts in it.

    A saved mail may be in quoted-printable (RFC 2045, section 6.7): it is decoded if that yields more posts.
    Raises NotAPost if there is no post, and Malformed for a post without its end or with other characters.
    """
    if _ANY_MAGIC.match(data[:40]):
        return [data]
    if len(data) > MAX_POST_TEXT:
        raise Malformed("The text is longer than any post.")
    decoded = list[bytes]()
    if b"=" in data:
        with suppress(NotAPost, Malformed):
            decoded = _within(binascii.a2b_qp(data))
    try:
        plain = _within(data)
    except (NotAPost, Malformed):
        if not decoded:
            raise
        return decoded
    return decoded if len(decoded) > len(plain) else plain


def _within(data: bytes) -> list[bytes]:
    """The posts in a text, in lines or joined into one.  Raises NotAPost or Malformed."""
    posts, at = list[bytes](), 0
    while (begin := _BEGIN.search(data, at)) is not None:
        end = _END.search(data, begin.end())
        if end is None:
            raise Malformed("The end of the post is missing.")
        at = end.end()
        while (later := _BEGIN.search(data, begin.end(), end.start())) is not None:
            begin = later  # the post before it was cut
        letters = data[begin.end() : end.start()]
        posts.append(_letters(letters.translate(None, _BETWEEN)))  # one copy: no list of lines
    if not posts:
        raise NotAPost("There is no post in the text.")
    return posts


def _letters(letters: bytes) -> bytes:
    try:
        return base64.b64decode(letters, validate=True)
    except (ValueError, binascii.Error) as error:
        raise Malformed("A letter of the post is missing or wrong.") from error
