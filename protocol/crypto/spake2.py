"""SPAKE2 (RFC 9382): two ends that know the same few words agree on a key; an eavesdropper learns nothing.

The suite is SPAKE2-edwards25519-SHA256-HKDF-HMAC.  All arithmetic on secrets is libsodium's, in constant
time.  Party A calls, party B answers.  Each exchange lets either end, or an attacker between them, test one
guess of the words, and shows only whether the guess was right.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from enum import Enum
from typing import Final, NamedTuple

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_scalar_mul,
    crypto_core_ed25519_scalar_reduce,
    crypto_core_ed25519_sub,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)

from protocol.crypto.keys import is_point
from protocol.errors import Malformed

SHARE_BYTES: Final = 32
"""Bytes of pA and of pB."""
CONFIRMATION_BYTES: Final = 32
_WIDE_BYTES: Final = 64
"""Bytes that are reduced to a scalar; 64 bits more than a scalar would be enough (RFC 9382, 3.2)."""
M: Final = bytes.fromhex("d048032c6ea0b6d697ddc2e86bda85a33adac920f1bf18e1b0c6d166a5cecdaf")
N: Final = bytes.fromhex("d3bfb518f44f3430f29d0c92af503865a1ed3281dc69b35dd868ba85f886c4ab")
"""Points whose logarithms nobody knows (RFC 9382, section 4)."""
_IDENTITY: Final = bytes((1,)) + bytes(31)
_COFACTOR: Final = bytes((8,)) + bytes(31)
_SCRYPT: Final = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26, "dklen": _WIDE_BYTES}
_CONFIRMATION_KEYS: Final = b"ConfirmationKeys"


class SpakeParty(Enum):
    """An end of an exchange: A blinds with M and unblinds with N, B the other way round."""

    A = 0
    B = 1


class SpakeKeys(NamedTuple):
    """The result of an exchange, equal at both ends if their words are.

    `shared`: Ke, 16 bytes; `of_a`, `of_b`: the confirmations (32 bytes each) with which A and B show that
    they have Ke.
    """

    shared: bytes
    of_a: bytes
    of_b: bytes


def password_scalar(words: bytes, salt: bytes) -> bytes:
    """w: 32 bytes, little endian, from a password of any length.  Takes a tenth of a second and 32 MiB."""
    return crypto_core_ed25519_scalar_reduce(hashlib.scrypt(words, salt=salt, **_SCRYPT))


class SpakeExchange:
    """An end of one exchange; never use it for a second exchange: the secret scalar would repeat."""

    def __init__(self, party: SpakeParty, w: bytes, names: tuple[bytes, bytes], chance: bytes = b"") -> None:
        """`w`: as from `password_scalar`; `names`: of A and of B; `chance`: 64 fresh bytes, drawn here by
        default.
        """
        self._party, self._w, self._names = party, w, names
        self._secret = crypto_core_ed25519_scalar_reduce(chance or secrets.token_bytes(_WIDE_BYTES))
        ours, theirs = (M, N) if party is SpakeParty.A else (N, M)
        self._unblind = crypto_scalarmult_ed25519_noclamp(w, theirs)
        self.share = crypto_core_ed25519_add(
            crypto_scalarmult_ed25519_noclamp(w, ours), crypto_scalarmult_ed25519_base_noclamp(self._secret)
        )
        """pA or pB, 32 bytes, for the other end."""

    def keys(self, share: bytes, bound: bytes) -> SpakeKeys:
        """The keys, from the other end's `share` (32 bytes); `bound`: bytes that both must know, too (the
        RFC's AAD).

        Raises Malformed for a share that no honest end sends.
        """
        if not is_point(share):
            raise Malformed("A share of SPAKE2 is not a point of the group.")
        point = crypto_core_ed25519_sub(share, self._unblind)
        if hmac.compare_digest(point, _IDENTITY):
            raise Malformed("A share of SPAKE2 holds nothing but the words.")
        eightfold = crypto_core_ed25519_scalar_mul(self._secret, _COFACTOR)
        k = crypto_scalarmult_ed25519_noclamp(eightfold, point)
        shares = (self.share, share) if self._party is SpakeParty.A else (share, self.share)
        return schedule(self._names, shares, k, self._w[::-1], bound)


def schedule(
    names: tuple[bytes, bytes], shares: tuple[bytes, bytes], k: bytes, w: bytes, bound: bytes
) -> SpakeKeys:
    """The keys from the transcript of an exchange; the same for every group (RFC 9382, sections 3.3 and 4).

    `names`, `shares`: of A and of B; `k`: the point that both have computed; `w`: big endian, of a scalar's
    length; `bound`: the AAD.
    """
    transcript = b"".join(len(part).to_bytes(8, "little") + part for part in (*names, *shares, k, w))
    digest = hashlib.sha256(transcript).digest()
    half = len(digest) // 2
    shared, rest = digest[:half], digest[half:]
    kdf = HKDF(algorithm=SHA256(), length=2 * half, salt=None, info=_CONFIRMATION_KEYS + bound)
    both = kdf.derive(rest)
    of_a, of_b = (hmac.digest(key, transcript, "sha256") for key in (both[:half], both[half:]))
    return SpakeKeys(shared, of_a, of_b)
