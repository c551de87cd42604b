"""Sealed talk: RFC 9180 as two programs read it; one reader, one place, two lengths."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.sealed import public_key
from protocol.crypto.sealed_talk import BOX_SIZES, PADDED, TalkContext, seal, unseal
from tests.helpers.crypto import hpke
from tests.helpers.machine.examples import examples

PLACE: Final = TalkContext(bytes(32), writer=2, reader=1, number=7)
READER: Final = bytes([1]) * 32
OWN: Final = bytes([2]) * 32


def test_the_second_implementation_is_that_of_rfc_9180() -> None:
    """Appendix A.2.1: base mode, DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305, message 0."""
    made = hpke.seal(
        bytes.fromhex("f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600"),
        bytes.fromhex("4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a"),
        b"Ode on a Grecian Urn",
        b"Beauty is truth, truth beauty",
        b"Count-0",
    )
    assert made.hex() == (
        "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a"
        "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28"
    )


@given(text=st.text(max_size=500), reader=st.binary(min_size=32, max_size=32))
@examples(24, 240)
def test_the_reader_reads_what_was_sealed_by_either_implementation(text: str, reader: bytes) -> None:
    message = text.encode(errors="ignore")
    key = public_key(reader)
    assert unseal(PLACE, reader, seal(PLACE, key, message)) == message
    assert unseal(PLACE, reader, hpke.box(OWN, key, PLACE, message.decode())) == message


@pytest.mark.parametrize(("length", "size"), [(0, 0), (1, 0), (255, 0), (256, 1), (2000, 1), (2047, 1)])
def test_row_39_a_box_tells_only_whether_a_message_is_short(length: int, size: int) -> None:
    made = seal(PLACE, public_key(READER), b"x" * length)
    assert len(made) == BOX_SIZES[size] == PADDED[size] + 48


def test_the_longest_text_has_a_box() -> None:
    assert 500 * len("𝛀".encode()) < PADDED[-1]


def test_two_boxes_of_one_message_have_nothing_in_common() -> None:
    first, second = (seal(PLACE, public_key(READER), b"yes") for _ in range(2))
    assert first[:32] != second[:32]
    assert first[32:] != second[32:]


@pytest.mark.parametrize(
    "change", [{"game": bytes(31) + b"\x01"}, {"writer": 0}, {"reader": 0}, {"number": 8}, {"number": 6}]
)
def test_row_77_a_box_opens_at_its_place_alone(change: dict[str, Any]) -> None:
    made = seal(PLACE, public_key(READER), b"meet me in Prague")
    assert unseal(PLACE, READER, made) == b"meet me in Prague"
    assert unseal(PLACE._replace(**change), READER, made) is None


@pytest.mark.parametrize("size", [0, 1, 31, 32, 47, 48, 49, 303, 305, 2096])
def test_row_77_bytes_of_any_length_do_not_open(size: int) -> None:
    assert unseal(PLACE, READER, bytes(size)) is None


@given(at=st.integers(0, BOX_SIZES[0] * 8 - 1))
@examples(40, 400)
def test_row_77_a_box_with_one_bit_changed_does_not_open(at: int) -> None:
    made = bytearray(hpke.box(OWN, public_key(READER), PLACE, "meet me in Prague"))
    made[at // 8] ^= 1 << at % 8
    if at == 255:  # X25519 ignores this bit of a key (RFC 7748, section 5), but HPKE hashes the key as sent
        assert bytes(made[:32]) != public_key(OWN)
    assert unseal(PLACE, READER, bytes(made)) is None


@pytest.mark.parametrize(
    "padded", [bytes(256), b"x" * 256, b"hello" + bytes(251), b"hello\x80\x01" + bytes(249)]
)
def test_row_77_what_is_padded_otherwise_is_no_message(padded: bytes) -> None:
    made = hpke.seal(OWN, public_key(READER), hpke.info_of(PLACE), padded)
    assert len(made) == BOX_SIZES[0]
    assert unseal(PLACE, READER, made) is None


def test_a_text_may_end_like_its_padding() -> None:
    for message in (b"a\x80", b"a\0", b"a\x80\0\0", b"\0"):
        assert unseal(PLACE, READER, seal(PLACE, public_key(READER), message)) == message
