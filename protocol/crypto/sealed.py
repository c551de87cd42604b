"""A box that one seat alone can open: the opening of a slot, sealed to the seat that looks at it.

The integrated encryption scheme of Abdalla, Bellare and Rogaway ("The oracle Diffie-Hellman assumptions and
an analysis of DHIES", CT-RSA 2001; ECIES), built from X25519 (RFC 7748), HKDF-SHA256 (RFC 5869) and
ChaCha20-Poly1305 (RFC 8439).  As in RFC 9180, both public keys and the whole context go into the key.

The viewer's key serves one look, so its secret can be published afterwards: then everybody opens this box,
and no other one (COMPLAIN).  The AEAD does not commit to its key, and need not: both public keys are on
record, so an honest sender's box has one shared secret, and the opening in it has to fit a commitment.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from p2p_stratego.core.game import Face, Seat, Slot
from protocol.wire import labels
from protocol.wire.encoding import encode

BOX_BYTES: Final = 1 + 32 + 16
"""A face, a salt and the tag of the AEAD: equally long for all faces (threat 39)."""

_FIELD: Final = 2**255 - 19
_LOW_ORDER: Final = frozenset(
    (
        0,
        1,
        0x00B8495F16056286FDB1329CEB8D09DA6AC49FF1FAE35616AEB8413B7C7AEBE0,
        0x57119FD0DD4E22D8868E1C58C45C44045BEF839C55B1D0B1248C50A3BC959C5F,
        _FIELD - 1,
    )
)
"""The points whose order divides 8, on the curve or its twist (RFC 7748, section 6.1).

With such a key everybody knows the shared secret."""


class LookContext(NamedTuple):
    """The context of one look, where alone its box opens.

    `game`: the match's id, 32 bytes; `serial`: of the Ask.
    """

    game: bytes
    viewer: Seat
    owner: Seat
    slot: Slot
    serial: int


def public_key(secret: bytes) -> bytes:
    """The public key (32 bytes) of an X25519 secret (any 32 bytes)."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def is_sound(key: bytes) -> bool:
    """Whether 32 bytes are the one encoding of an X25519 key, and not of low order."""
    number = int.from_bytes(key, "little")
    return number < _FIELD and number not in _LOW_ORDER


def seal(
    place: LookContext, viewer_key: bytes, secret: bytes, face: Face, salt: bytes
) -> tuple[bytes, bytes]:
    """The sender's public key (32 bytes) and the box (BOX_BYTES) with `face` and `salt` (32 bytes).

    `viewer_key`: 32 bytes that pass `is_sound`; `secret`: 32 bytes, used for this place alone.  The same
    input gives the same box, and the place fixes the message: no key and nonce ever meet two messages.
    """
    key = public_key(secret)
    shared = X25519PrivateKey.from_private_bytes(secret).exchange(
        X25519PublicKey.from_public_bytes(viewer_key)
    )
    cipher, nonce = _cipher(place, shared, viewer_key, key)
    return key, cipher.encrypt(nonce, bytes((face,)) + salt, None)


def unseal(place: LookContext, secret: bytes, sender_key: bytes, box: bytes) -> tuple[Face, bytes] | None:
    """The face (0 to 255) and the salt (32 bytes) in a box; None if it does not open here with `secret`."""
    private = X25519PrivateKey.from_private_bytes(secret)
    try:
        shared = private.exchange(X25519PublicKey.from_public_bytes(sender_key))
    except ValueError:  # the shared secret is zero: a key of low order, or one made for this secret
        return None
    cipher, nonce = _cipher(place, shared, private.public_key().public_bytes_raw(), sender_key)
    try:
        opening = cipher.decrypt(nonce, box, None)
    except InvalidTag:
        return None
    return opening[0], opening[1:]


def _cipher(
    place: LookContext, shared: bytes, viewer_key: bytes, sender_key: bytes
) -> tuple[ChaCha20Poly1305, bytes]:
    info = labels.SEALED_OPENING + b"\0" + encode((*place, viewer_key, sender_key))
    derived = HKDF(algorithm=SHA256(), length=44, salt=None, info=info).derive(shared)
    return ChaCha20Poly1305(derived[:32]), derived[32:]
