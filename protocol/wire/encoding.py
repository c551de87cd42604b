"""Canonical bytes: the msgpack subset of the protocol, tagged hashes, and frames.

Texts are judged by Unicode 3.2, which every Python carries unchanged (RFC 3454 pins the same version): by the
tables of the running version, two auditors could differ.  Values are arrays of integers, byte strings, NFC
strings and arrays; a value has one encoding, and the decoder refuses every other encoding (threats 12 to 18).
No other module may call msgpack.
"""

from __future__ import annotations

import hashlib
import re
import struct
from binascii import crc_hqx
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import field
from typing import Any, Final, Literal, TypeAlias, cast
from zlib import crc32

import msgpack

from p2p_stratego.core.values import frozen
from protocol.errors import Malformed
from protocol.wire.normal_form import is_normal

Value: TypeAlias = "int | bytes | str | list[Value]"

MAX_DEPTH: Final = 8
"""Arrays within arrays; the deepest message of the protocol, a genesis, has three."""
MAX_ARRAY: Final = 256
"""Items in one array; no message needs more."""
MAX_VALUES: Final = 4096
"""Values in all arrays of a message; the largest message, a REVEAL, needs a quarter of that."""
MAX_TEXT: Final = 2048
"""Code points in one text; the longest is an option that holds a scenario."""
_INT_BITS: Final = 53
MAX_INT: Final = 2**_INT_BITS - 1
"""Integers are 0 to 2^53 − 1, so that every language and JSON hold them exactly."""
MAX_PAYLOAD: Final = 0xFFFF
"""Bytes in a frame: its length field has 16 bits, so a longer one cannot even be claimed (threat 19)."""

GENESIS, ENTRY, STATEMENT, PROOF = 1, 2, 3, 4
RECORDED: Final = (GENESIS, ENTRY, STATEMENT, PROOF)
"""Frame kinds that stand in a transcript; kinds from 16 on are between two ends of a channel only."""

_HEAD: Final = struct.Struct(">BH2x")
"""Kind and length, before the two bytes of their check."""
_CHECK: Final = struct.Struct(">I")
"""The check of the payload."""
_HEADER: Final = _HEAD.size
_TRAILER: Final = _CHECK.size
FRAME_BYTES: Final = _HEADER + _TRAILER
"""Bytes of a frame beside its payload."""

encode: Final = cast("Callable[[Any], bytes]", msgpack.Packer(use_bin_type=True).pack)
"""The encoding of a value (lists or tuples, ints, bytes, str); the caller vouches for the types."""


def decode(data: bytes) -> Value:
    """The value whose encoding is exactly `data`.

    Raises Malformed for anything that `encode` would not write: trailing bytes, padded lengths, maps, nil,
    booleans, floats, ext types, negative or huge integers, texts of more than 2,048 code points or that are
    not NFC, arrays of more than 256 items, more than 4,096 values in all, or depth over 8.  msgpack's own
    parser is iterative with a fixed stack, and every claimed length is limited before anything is allocated:
    an array's above all, for msgpack sets aside the room that each of 1,024 nested ones claims (threats 12
    and 13).
    """
    if len(data) > MAX_PAYLOAD:
        raise Malformed(f"A message of {len(data)} bytes is over the limit of {MAX_PAYLOAD}.")
    try:
        # The limits of texts, byte strings, maps and ext are those of the data by themselves.
        value = msgpack.unpackb(data, max_array_len=MAX_ARRAY)
    except (ValueError, TypeError, msgpack.UnpackException) as error:
        raise Malformed("The bytes are not an encoded message.") from error
    if type(value) is list:
        _check(value, MAX_DEPTH - 1)
    else:
        _check([value], MAX_DEPTH)
    # Padded integers and lengths parse, too.  To encode again is the one check that misses none.
    if encode(value) != data:
        raise Malformed("The bytes are not the canonical encoding of their value.")
    return value  # type: ignore[no-any-return]  # _check has checked the type


def _check(items: list[Any], depth: int) -> int:
    """Raise Malformed for types outside the subset; `depth`: how many more arrays may nest in `items`.

    Returns the number of values in the array and all arrays within.  Types are exact: True is not 1 (threat
    18).  One loop an array, since every record of an audit passes here.
    """
    values = len(items)
    for item in items:
        kind = type(item)
        if kind is int:
            if item >> _INT_BITS:  # true of every negative integer, too
                raise Malformed("An integer is outside 0 to 2^53 - 1.")
        elif kind is bytes:
            continue
        elif kind is list:
            if depth == 0:
                raise Malformed(f"A message is nested deeper than {MAX_DEPTH}.")
            values += _check(item, depth - 1) if item else 0
            if values > MAX_VALUES:
                raise Malformed(f"A message holds more than {MAX_VALUES} values.")
        elif kind is not str:
            raise Malformed(
                f"A message holds a {kind.__name__}; only integers, bytes, texts and arrays exist."
            )
        elif len(item) > MAX_TEXT:  # the length before the form: normalizing costs time (threat 106)
            raise Malformed(f"A text has more than {MAX_TEXT} code points.")
        elif not (item.isascii() or is_normal(item)):
            raise Malformed("A text is not in Unicode normal form C, or has too many marks in a row.")
    return values


def tagged(label: bytes, algorithm: Literal["sha256", "sha512"] = "sha256") -> Callable[[bytes], bytes]:
    """The tagged hash of BIP-340 for `label`: H(H(label) ‖ H(label) ‖ data), 32 or 64 bytes.

    `algorithm`: H, whose block is as long as two of its digests: the tag fills one block.
    """
    tag = hashlib.new(algorithm, label).digest()
    start = hashlib.new(algorithm, tag + tag)

    def digest(data: bytes) -> bytes:
        state = start.copy()
        state.update(data)
        return state.digest()

    return digest


@frozen
class Frame:
    """One unit on the wire and in a file: its kind (0 to 255) and its payload (at most 65,535 bytes)."""

    kind: int
    payload: bytes = field(repr=False)

    def __len__(self) -> int:
        """Bytes of the whole frame."""
        return _HEADER + len(self.payload) + _TRAILER

    def __bytes__(self) -> bytes:
        """kind u8 ‖ length u16 ‖ CRC-16 of these three bytes ‖ payload ‖ CRC-32 of the payload, big endian.

        The first check tells a torn tail (length is right, bytes are missing) from bit rot in the length, so
        that rot can never pass for a tail to be cut (threat 35).  The second finds rot in unsigned bytes.
        """
        size = len(self.payload)
        if size > MAX_PAYLOAD:
            raise Malformed(f"A message of {size} bytes is over the limit of {MAX_PAYLOAD}.")
        head = bytes((self.kind,)) + size.to_bytes(2, "big")
        check = crc_hqx(head, 0xFFFF).to_bytes(2, "big")
        return head + check + self.payload + crc32(self.payload).to_bytes(4, "big")


class Deframer:
    """Bytes in, whole frames out, wherever the bytes were cut."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._wanted = _HEADER
        """Bytes that must be here before the next frame can be read any further."""

    @property
    def pending(self) -> int:
        """Bytes held back because their frame is not complete yet."""
        return len(self._rest)

    def feed(self, data: bytes) -> Iterator[Frame]:
        """All frames completed by `data`.  Raises Malformed at the first damaged one; nothing follows it."""
        self._rest += data
        # Without this each piece would cost a copy of all bytes before it (threat 106).
        if len(self._rest) < self._wanted:
            return
        data, start = bytes(self._rest), 0
        try:
            while (frame := read_frame(data, start)) is not None:
                start += len(frame)
                yield frame
        finally:  # also if the caller takes no further frame, or the next one is damaged
            del self._rest[:start]
            self._wanted = _HEADER
            if len(self._rest) >= _HEADER:
                self._wanted = FRAME_BYTES + int(_HEAD.unpack_from(self._rest)[1])


def read_frame(data: bytes, start: int) -> Frame | None:
    """The frame at `start`, or None if its end is missing.  Raises Malformed if it is damaged."""
    record = read_record(data, start)
    return None if record is None else Frame(*record)


def read_record(data: bytes, start: int) -> tuple[int, bytes] | None:
    """Kind and payload of the frame at `start`, as `read_frame` reads it."""
    body = start + _HEADER
    try:
        kind, size = _HEAD.unpack_from(data, start)
        if crc_hqx(data[start:body], 0xFFFF):  # the CRC over bytes and their own CRC is 0
            raise Malformed("A record's length is damaged.")
        end = body + size
        (check,) = _CHECK.unpack_from(data, end)
    except struct.error:  # the data end within the header or the check
        return None
    payload = data[body:end]
    if crc32(payload) != check:
        raise Malformed("A record's content is damaged.")
    return kind, payload


def holds_frame(data: bytes, start: int, kinds: Collection[int]) -> bool:
    """Whether a whole frame of one of `kinds` (1 to 255) begins anywhere from `start` on.

    Both checks pass by chance at one place in 2^48, so a program once wrote such a frame (threat 35).
    """
    for candidate in re.finditer(b"[" + re.escape(bytes(kinds)) + b"]", data[start:]):
        with suppress(Malformed):
            if read_frame(data, start + candidate.start()) is not None:
                return True
    return False
