"""HPKE (RFC 9180) a second time, from its text: what a box of sealed talk must be, with a key that we choose.

Base mode, DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305, for the first message of a context.
"""

from __future__ import annotations

import hmac
from typing import Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from protocol.crypto.sealed import public_key
from protocol.crypto.sealed_talk import PADDED, TalkContext
from protocol.wire.encoding import encode

_KEM: Final = b"KEM" + (0x0020).to_bytes(2, "big")
_SUITE: Final = b"HPKE" + b"".join(number.to_bytes(2, "big") for number in (0x0020, 1, 3))


def seal(own: bytes, reader: bytes, info: bytes, message: bytes, aad: bytes = b"") -> bytes:
    """The key made for it and the sealed message; `own`: its secret; `reader`: the reader's key."""
    shared = X25519PrivateKey.from_private_bytes(own).exchange(X25519PublicKey.from_public_bytes(reader))
    key, nonce = schedule(_shared(shared, public_key(own), reader), info)
    return public_key(own) + ChaCha20Poly1305(key).encrypt(nonce, message, aad)


def box(own: bytes, reader: bytes, place: TalkContext, text: str) -> bytes:
    """A box of sealed talk as SPEC.md describes it."""
    message = text.encode() + b"\x80"
    size = next(size for size in PADDED if len(message) <= size)
    return seal(own, reader, info_of(place), message.ljust(size, b"\0"))


def info_of(place: TalkContext) -> bytes:
    return b"p2p-stratego/2 sealed talk\0" + encode(list(place))


def _shared(exchanged: bytes, enc: bytes, reader: bytes) -> bytes:
    """ExtractAndExpand, section 4.1."""
    prk = _extract(_KEM, b"", b"eae_prk", exchanged)
    return _expand(_KEM, prk, b"shared_secret", enc + reader, 32)


def schedule(shared: bytes, info: bytes) -> tuple[bytes, bytes]:
    """Key and nonce of the first message; KeySchedule in section 5.1."""
    context = b"\0" + _extract(_SUITE, b"", b"psk_id_hash", b"") + _extract(_SUITE, b"", b"info_hash", info)
    secret = _extract(_SUITE, shared, b"secret", b"")
    return _expand(_SUITE, secret, b"key", context, 32), _expand(_SUITE, secret, b"base_nonce", context, 12)


def _extract(suite: bytes, salt: bytes, label: bytes, data: bytes) -> bytes:
    """LabeledExtract, section 4."""
    return hmac.digest(salt or bytes(32), b"HPKE-v1" + suite + label + data, "sha256")


def _expand(suite: bytes, prk: bytes, label: bytes, info: bytes, length: int) -> bytes:
    """LabeledExpand, section 4, for at most 32 bytes."""
    full = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return hmac.digest(prk, full + b"\x01", "sha256")[:length]
