"""Identities: Ed25519 keys, their fingerprints, and the rule by which keys and signatures count as valid.

Acceptance rule, the same for every verifier (threats 28 and 29; libsodium's): a key is 32 bytes, the
canonical encoding of a point of the prime-order subgroup other than the identity; a signature R ‖ S has
S < L, R not of small order, and R equal to the encoding of [S]B − [h]A, without cofactor.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from nacl.bindings import (
    crypto_core_ed25519_is_valid_point,
    crypto_sign,
    crypto_sign_open,
    crypto_sign_seed_keypair,
)
from nacl.exceptions import BadSignatureError

from protocol.errors import Malformed
from protocol.failures import UnsafeLibrary
from protocol.wire import labels
from protocol.wire.encoding import tagged

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64

_BASE_POINT: Final = bytes.fromhex("58" + "66" * 31)
_NO_KEYS: Final = tuple(
    bytes.fromhex(text)
    for text in (
        # The base point, and twice it, plus points of order 2, 4 and 8, then a point of order 8 and one of 4.
        "9599999999999999999999999999999999999999999999999999999999999999",
        "245c079551b9a0f1a9aec79baef0c668a9e05d3617a15de23dd6dcf60c329fdd",
        "9bad33f580df7ecc49df5342bac8145d5bedc40f573d1b067f3c4ce449689a15",
        "98519eadf35b995233b51b5cd23e9cc5a28b639b5a4af0ec903cb960d81b7819",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "0000000000000000000000000000000000000000000000000000000000000080",
    )
)
"""Points outside the prime-order subgroup; libsodium 1.0.20 accepts the first two (CVE-2025-69277)."""

_fingerprint = tagged(labels.FINGERPRINT)
_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base32: no lookalikes


class Identity:
    """A player's signing key.  Its repr shows nothing of it (threat 38)."""

    __slots__ = ("_secret", "key")

    def __init__(self, seed: bytes) -> None:
        """`seed`: 32 secret bytes (RFC 8032's private key)."""
        self.key, self._secret = crypto_sign_seed_keypair(seed)

    def __repr__(self) -> str:
        return f"<identity {fingerprint(self.key)}>"

    def sign(self, label: bytes, data: bytes) -> bytes:
        """64 bytes over `label`, a zero byte and `data`; the same input always gives the same signature."""
        return crypto_sign(label + b"\0" + data, self._secret)[:SIGNATURE_BYTES]


@cache
def check_library() -> None:
    """Test the library once on a valid point and on the invalid ones (1 ms).  Raises UnsafeLibrary."""
    if not crypto_core_ed25519_is_valid_point(_BASE_POINT) or any(
        map(crypto_core_ed25519_is_valid_point, _NO_KEYS)
    ):
        raise UnsafeLibrary


def is_point(data: bytes) -> bool:
    """Whether 32 bytes are the one encoding of a point of the prime-order subgroup other than the identity.

    Raises UnsafeLibrary.
    """
    check_library()
    return len(data) == KEY_BYTES and crypto_core_ed25519_is_valid_point(data)


@lru_cache(maxsize=1024)
def check_key(key: bytes) -> None:
    """Raise Malformed unless only an owner can sign for `key` (32 bytes).  Raises UnsafeLibrary."""
    if not is_point(key):
        raise Malformed("A public key is not a valid Ed25519 key, so anybody could sign for it.")


def verify(key: bytes, label: bytes, data: bytes, signature: bytes) -> bool:
    """Whether `signature` (64 bytes) is `key`'s over `data` under `label`; `key` has passed check_key."""
    if len(signature) != SIGNATURE_BYTES:
        return False
    try:
        crypto_sign_open(signature + label + b"\0" + data, key)
    except BadSignatureError:
        return False
    return True


def fingerprint(key: bytes) -> str:
    """The text that people compare: 80 bits of the key's hash as four groups of four digits of base 32."""
    number = int.from_bytes(_fingerprint(key)[:10], "big")
    letters = "".join(_ALPHABET[number >> shift & 31] for shift in range(75, -1, -5))
    return "-".join(letters[i : i + 4] for i in range(0, 16, 4))
