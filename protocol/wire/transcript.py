"""The transcript's file: a line that names the format, then frames, oldest first; all of it is public.

The file is self-contained: the genesis holds keys, names, options and versions.  It only grows: a crash
leaves at most an incomplete last frame, and only such a frame may be cut off (threat 35).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from protocol.errors import Malformed, Refusal, Unsupported
from protocol.limits import MAX_TRANSCRIPT, MAX_WITH_PROOFS
from protocol.wire import labels
from protocol.wire.encoding import (
    ENTRY,
    FRAME_BYTES,
    GENESIS,
    PROOF,
    STATEMENT,
    Frame,
    decode,
    read_frame,
    read_record,
)

MAGIC: Final = b"p2p-stratego transcript %d\n" % labels.PROTOCOL_VERSION
_TOO_LONG: Final = "The file is far too long to be the transcript of a match."
_OF_A_MATCH: Final = (ENTRY, STATEMENT, PROOF)
"""The kinds of frames behind the genesis."""
_MISPLACED: Final = "A record is of a kind that cannot stand at its place."
_ANY_MAGIC: Final = re.compile(rb"p2p-stratego transcript (0|[1-9]\d{0,17})\n")


class NotATranscript(Refusal):
    """The file is something else altogether."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The parts of a transcript's bytes.

    `genesis`: the payload of the first frame; `frames`: the whole frames after it; `size`: the bytes up to
    the end of the last whole frame; `torn`: an incomplete frame follows; `damage`: why reading stopped
    before the end, or None.
    """

    genesis: bytes
    frames: tuple[Frame, ...]
    size: int
    torn: bool
    damage: str | None


class Records:
    """The records of a transcript, read one by one and not kept.

    `genesis`: the payload of the first frame.  `size`, `torn` and `damage` are those of Contents, up to
    the point of the last iteration.
    """

    def __init__(self, data: bytes) -> None:
        """Raises NotATranscript, Unsupported for a later version, and Malformed if the first frame is not
        whole.
        """
        if len(data) > MAX_WITH_PROOFS:
            raise NotATranscript(_TOO_LONG)
        if not data.startswith(MAGIC):
            other = _ANY_MAGIC.match(data)
            if other is None:
                raise NotATranscript("The file is not a transcript of a match.")
            raise Unsupported("transcript", int(other[1]), labels.PROTOCOL_VERSION)
        first = read_frame(data, len(MAGIC))
        if first is None:
            raise Malformed("The transcript ends within its first record.")
        if first.kind != GENESIS:
            raise Malformed(_MISPLACED)
        if len(data) > MAX_TRANSCRIPT and len(data) > longest(first.payload):
            raise NotATranscript(_TOO_LONG)
        self._data = data
        self._start = self.size = len(MAGIC) + len(first)
        self.genesis = first.payload
        self.torn = False
        self.damage: str | None = None

    def __iter__(self) -> Iterator[Frame]:
        for kind, payload in self.payloads():
            yield Frame(kind, payload)

    def payloads(self) -> Iterator[tuple[int, bytes]]:
        """The same without an object a record: its kind (ENTRY, STATEMENT or PROOF) and its payload."""
        data, position = self._data, self._start
        self.size, self.torn, self.damage = position, False, None
        try:
            while record := read_record(data, position):
                kind, payload = record
                if kind not in _OF_A_MATCH or (kind == PROOF and not _many(self.genesis)):
                    self.damage = _MISPLACED
                    return
                yield record
                self.size = position = position + FRAME_BYTES + len(payload)
            self.torn = position < len(data)
        except Malformed as error:
            self.damage = str(error)


def longest(genesis: bytes) -> int:
    """The most bytes of a transcript of the match with this genesis body, which is not checked."""
    with suppress(Malformed):
        match decode(genesis):
            case [_, _, _, _, _, 1, _, *_]:
                return MAX_WITH_PROOFS
    return MAX_TRANSCRIPT


def _many(genesis: bytes) -> bool:
    """Whether the match with this genesis body, which is not checked, has three seats or more."""
    with suppress(Malformed):
        match decode(genesis):
            case [_, _, _, _, list() as players, *_]:
                return len(players) > 2
    return False


def start(genesis: bytes) -> bytes:
    """The first bytes of the transcript of the match with this genesis body."""
    return MAGIC + bytes(Frame(GENESIS, genesis))


def write(genesis: bytes, frames: Iterable[Frame]) -> bytes:
    """A whole transcript."""
    return start(genesis) + b"".join(map(bytes, frames))


def read(data: bytes) -> Contents:
    """Split a transcript into its frames.  Raises the same as Records."""
    records = Records(data)
    frames = tuple(records)
    return Contents(records.genesis, frames, records.size, records.torn, records.damage)
