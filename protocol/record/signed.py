"""The common part of entries and statements: a body, and the signature of a seat over it."""

from __future__ import annotations

from typing import ClassVar

from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.wire.encoding import Frame


class SignedRecord:
    """A record of a match; each kind of record has a field `payload`: body and signature as received."""

    __slots__ = ()
    payload: bytes
    frame_kind: ClassVar[int]

    @property
    def body(self) -> bytes:
        """The bytes that were signed, without label and game id; their hash identifies the record."""
        return self.payload[:-SIGNATURE_BYTES]

    @property
    def frame(self) -> Frame:
        """The frame in a transcript."""
        return Frame(self.frame_kind, self.payload)
