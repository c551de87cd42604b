"""Sealed openings: one reader, one place, one length; keys that anybody could read with are told apart."""

from __future__ import annotations

from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.sealed import BOX_BYTES, LookContext, is_sound, public_key, seal, unseal
from protocol.wire import labels
from protocol.wire.encoding import encode
from tests.helpers.machine.examples import examples

PLACE: Final = LookContext(bytes(32), viewer=1, owner=0, slot=23, serial=7)
VIEWER: Final = bytes([1]) * 32
SENDER: Final = bytes([2]) * 32
SALT: Final = bytes([3]) * 32
_P: Final = 2**255 - 19
BYTES32: Final = st.binary(min_size=32, max_size=32)
FACES: Final = st.integers(0, 127)


def sealed(place: LookContext = PLACE, face: int = 5) -> tuple[bytes, bytes]:
    return seal(place, public_key(VIEWER), SENDER, face, SALT)


@given(viewer=BYTES32, sender=BYTES32, salt=BYTES32, face=FACES)
@examples(24, 240)
def test_the_viewer_reads_what_was_sealed(viewer: bytes, sender: bytes, salt: bytes, face: int) -> None:
    key, box = seal(PLACE, public_key(viewer), sender, face, salt)
    assert is_sound(key)
    assert len(box) == BOX_BYTES
    assert unseal(PLACE, viewer, key, box) == (face, salt)


def test_the_same_input_gives_the_same_bytes() -> None:
    assert sealed() == sealed()


def test_a_box_is_what_the_specification_gives() -> None:
    key, box = sealed()
    shared = X25519PrivateKey.from_private_bytes(VIEWER).exchange(X25519PublicKey.from_public_bytes(key))
    info = b"p2p-stratego/%d sealed opening\0" % labels.PROTOCOL_VERSION
    info += encode([bytes(32), 1, 0, 23, 7, public_key(VIEWER), key])
    derived = HKDF(algorithm=SHA256(), length=44, salt=bytes(32), info=info).derive(shared)
    assert box == ChaCha20Poly1305(derived[:32]).encrypt(derived[32:], b"\x05" + SALT, b"")


def test_keys_are_those_of_rfc_7748() -> None:
    """Section 6.1."""
    alice = bytes.fromhex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    assert public_key(alice).hex() == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"


@pytest.mark.parametrize("face", range(128))
def test_all_faces_are_equally_long(face: int) -> None:
    """Threat 39."""
    key, box = sealed(face=face)
    assert (len(key), len(box)) == (32, BOX_BYTES)


@pytest.mark.parametrize("field", LookContext._fields)
def test_row_04_a_box_opens_at_its_own_place_only(field: str) -> None:
    key, box = sealed()
    values = [bytes([9]) * 32 if name == "game" else getattr(PLACE, name) + 1 for name in LookContext._fields]
    mixed = [
        new if name == field else old
        for name, new, old in zip(LookContext._fields, values, PLACE, strict=True)
    ]
    other: Any = mixed
    assert unseal(LookContext(*other), VIEWER, key, box) is None


def test_seats_exchanged_are_another_place() -> None:
    key, box = sealed()
    assert unseal(PLACE._replace(viewer=0, owner=1), VIEWER, key, box) is None


@given(at=st.integers(0, BOX_BYTES * 8 - 1))
@examples(40, 400)
def test_a_box_with_a_bit_changed_does_not_open(at: int) -> None:
    key, box = sealed()
    spoilt = bytearray(box)
    spoilt[at // 8] ^= 1 << at % 8
    assert unseal(PLACE, VIEWER, key, bytes(spoilt)) is None


@given(data=st.binary(max_size=80))
@examples(24, 240)
def test_rubbish_does_not_open(data: bytes) -> None:
    assert unseal(PLACE, VIEWER, public_key(SENDER), data) is None


def test_another_secret_reads_nothing() -> None:
    key, box = sealed()
    assert unseal(PLACE, SENDER, key, box) is None


LOW_ORDER: Final = tuple(
    bytes.fromhex(text)
    for text in (
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        # The same again in a second encoding, p or 2^255 higher.
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000080",
    )
)


@pytest.mark.parametrize("key", LOW_ORDER, ids=lambda key: key.hex()[:8])
def test_a_key_of_low_order_is_not_sound_and_opens_nothing(key: bytes) -> None:
    assert not is_sound(key)
    assert unseal(PLACE, VIEWER, key, bytes(BOX_BYTES)) is None


@given(number=st.integers(2, 2**255 - 1))
@examples(40, 400)
def test_every_other_key_below_the_prime_is_sound_and_has_one_encoding(number: int) -> None:
    key = number.to_bytes(32, "little")
    assert is_sound(key) == (number < _P and key not in LOW_ORDER)
    assert not is_sound((number | 1 << 255).to_bytes(32, "little"))
