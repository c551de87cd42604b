"""A message that one seat alone can read: talk between two at a table where all records go to all.

HPKE (RFC 9180), base mode, single shot: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305, by the
library `cryptography`.  The base mode names no writer, and need not: the statement that carries the box is
signed.  `info` holds the match, both seats and the statement's index (section 8.1 of the RFC), so a box opens
at one place only (threat 4).  Every call draws a key of its own, so no key and nonce ever meet two messages.

The text is padded (ISO/IEC 7816-4) to one of two lengths: a box tells whether a message is short or long.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from p2p_stratego.core.game import Seat
from protocol.wire import labels
from protocol.wire.encoding import encode

PADDED: Final = (256, 2048)
"""Bytes of a message with its padding; the longest text, 500 characters of four bytes, fits the second."""
BOX_SIZES: Final = tuple(32 + size + 16 for size in PADDED)
"""Bytes of a box: the key made for it, the message, the tag."""
_END: Final = b"\x80"
_SUITE: Final = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)


class TalkContext(NamedTuple):
    """The context of a box of talk, where alone it opens.

    `game`: the match's id, 32 bytes; `number`: the index of the writer's statement.
    """

    game: bytes
    writer: Seat
    reader: Seat
    number: int


def seal(place: TalkContext, key: bytes, message: bytes) -> bytes:
    """A box with `message` (at most 2,047 bytes) for the reader, whose key (32 bytes) is sound.

    Two calls give two different boxes, so the caller keeps the box that it sends.
    """
    size = next(size for size in PADDED if len(message) < size)
    padded = (message + _END).ljust(size, b"\0")
    return _SUITE.encrypt(padded, X25519PublicKey.from_public_bytes(key), info=_info(place))


def unseal(place: TalkContext, secret: bytes, box: bytes) -> bytes | None:
    """The message in a box of any bytes; None if it does not open here with `secret`, 32 bytes."""
    try:
        padded = _SUITE.decrypt(box, X25519PrivateKey.from_private_bytes(secret), info=_info(place))
    except InvalidTag:
        return None
    message = padded.rstrip(b"\0")
    return message.removesuffix(_END) if message.endswith(_END) else None


def _info(place: TalkContext) -> bytes:
    return labels.SEALED_TALK + b"\0" + encode(place)
