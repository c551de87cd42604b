"""Canonical bytes: one value, one encoding, and nothing else gets in (threats 12 to 19)."""

from __future__ import annotations

import hashlib
import math
import random
import struct
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any, Final
from zlib import crc32

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Malformed
from protocol.wire import encoding, labels
from protocol.wire.encoding import (
    ENTRY,
    GENESIS,
    MAX_ARRAY,
    MAX_DEPTH,
    MAX_INT,
    MAX_PAYLOAD,
    MAX_TEXT,
    MAX_VALUES,
    PROOF,
    RECORDED,
    STATEMENT,
    Deframer,
    Frame,
    decode,
    encode,
    read_frame,
    tagged,
)
from protocol.wire.normal_form import normal_form
from tests.helpers.machine.examples import examples

TEXTS: Final = st.text(max_size=40).map(normal_form)
LEAVES: Final = st.integers(0, MAX_INT) | st.binary(max_size=300) | TEXTS
VALUES: Final = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=5), max_leaves=30)


def refused(data: bytes) -> bool:
    try:
        decode(data)
    except Malformed:
        return True
    return False


def peak(work: Callable[[], object]) -> int:
    """Bytes that `work` held at most, Python's and msgpack's objects both."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# Values


@given(value=VALUES)
@examples(80, 800)
def test_what_is_encoded_is_decoded(value: Any) -> None:
    depth = _depth(value)
    if depth > MAX_DEPTH:
        assert refused(encode(value))
    else:
        assert decode(encode(value)) == value


def _depth(value: Any) -> int:
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


@given(data=st.binary(max_size=60))
@examples(120, 1200)
def test_bytes_are_refused_or_are_the_encoding_of_their_value(data: bytes) -> None:
    if not refused(data):
        assert encode(decode(data)) == data


@given(value=VALUES, at=st.integers(0, 10_000), bit=st.integers(0, 7))
@examples(80, 800)
def test_a_flipped_bit_gives_another_value_or_none(value: Any, at: int, bit: int) -> None:
    data = bytearray(encode(value))
    data[at % len(data)] ^= 1 << bit
    if not refused(bytes(data)):
        assert decode(bytes(data)) != value


@pytest.mark.parametrize("integer", [0, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, MAX_INT])
def test_integers_at_every_border_of_a_width(integer: int) -> None:
    assert decode(encode(integer)) == integer


@pytest.mark.parametrize("size", [0, 1, 31, 32, 255, 256, 1000, MAX_TEXT, 65000])
def test_texts_and_bytes_at_every_border_of_a_width(size: int) -> None:
    assert decode(encode(b"x" * size)) == b"x" * size
    if size <= MAX_TEXT:
        assert decode(encode("x" * size)) == "x" * size


def test_row_106_a_text_is_refused_by_its_length_before_its_form_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Lengths are numbers of code points, whatever each takes."""
    for letter in ("x", "\u00e9", "\uac00", "\U0001d400"):
        assert decode(encode(letter * MAX_TEXT)) == letter * MAX_TEXT
        assert refused(encode(letter * (MAX_TEXT + 1)))
    monkeypatch.setattr(encoding, "is_normal", lambda text: pytest.fail(f"{len(text)} are looked at"))
    assert refused(encode(["\u0300\u0334" * MAX_TEXT]))


@pytest.mark.parametrize(
    "integer", [MAX_INT + 1, 2**63, 2**64 - 1, -1, -32, -33, -128, -(2**15), -(2**31), -(2**63)]
)
def test_integers_outside_the_range_are_refused(integer: int) -> None:
    assert refused(encode(integer))
    assert refused(encode([integer]))


@given(value=VALUES, more=st.binary(min_size=1, max_size=3))
@examples(24, 240)
def test_nothing_may_follow_a_value_and_nothing_be_missing(value: Any, more: bytes) -> None:
    data = encode(value)
    assert refused(data + more)
    assert all(refused(data[:size]) for size in range(min(len(data), 40)))


def test_texts_are_in_normal_form_c() -> None:
    assert decode(encode("é")) == "é"
    assert refused(encode("e\u0301"))
    assert refused(encode(["ok", "\u212b"]))  # the Ångström sign, whose NFC is the letter
    for spoilt in (b"\xa1\xff", b"\xa3\xed\xa0\x80", b"\xa2\xc0\xaf", b"\xa4\xf4\x90\x80\x80"):
        assert refused(spoilt)  # no UTF-8: a stray byte, half a surrogate pair, overlong, beyond Unicode


def test_row_12_depth_is_limited() -> None:
    for levels in range(1, MAX_DEPTH + 1):
        assert not refused(b"\x91" * (levels - 1) + b"\x90")
    for levels in (9, 10, 500, 1023, 1024, 1025, 60_000, 100_000):
        assert refused(b"\x91" * (levels - 1) + b"\x90")
        assert refused(b"\x91" * levels)


def test_row_12_nested_arrays_cannot_claim_more_than_they_bring() -> None:
    """Each of a thousand nested arrays claims as many items as the message has bytes."""
    for claim in (b"\xdc\xe0\x00", b"\xdc\x01\x00"):
        data = claim * 1020 + b"\x01" * 60_000
        assert peak(partial(refused, data)) < 4 * 1024 * 1024
        assert refused(data)


def test_row_106_all_arrays_together_hold_at_most_4096_values() -> None:
    """An array of 255 counts for 256 in the one around it."""
    full: list[Any] = [[0] * 255] * (MAX_VALUES // 256)
    assert decode(encode(full)) == full
    assert decode(encode([full[:-1], [[]] * 254])) == [full[:-1], [[]] * 254]
    assert refused(encode([*full, 0]))
    assert refused(encode([*full, []]))
    assert refused(encode([full[:-1], [[]] * 255]))


def test_arrays_hold_at_most_256_items() -> None:
    assert decode(encode([0] * MAX_ARRAY)) == [0] * MAX_ARRAY
    assert refused(encode([0] * (MAX_ARRAY + 1)))


def test_row_106_a_frame_in_many_pieces_is_looked_at_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not with each piece: that would copy all that came before it."""
    looks: list[int] = []

    def counted(data: bytes, start: int) -> Frame | None:
        looks.append(len(data))
        return read_frame(data, start)

    monkeypatch.setattr(encoding, "read_frame", counted)
    frames = [Frame(ENTRY, bytes(MAX_PAYLOAD)), Frame(ENTRY, b""), Frame(STATEMENT, b"it")]
    deframer, came = Deframer(), list[Frame]()
    for byte in b"".join(map(bytes, frames)):
        came += deframer.feed(bytes((byte,)))
    assert came == frames
    assert deframer.pending == 0
    assert len(looks) <= 4 * len(frames)


HUGE: Final = 2**32 - 1
CLAIMS: Final = {
    "str8": b"\xd9\xff",
    "str16": b"\xda\xff\xff",
    "str32": b"\xdb" + struct.pack(">I", HUGE),
    "bin8": b"\xc4\xff",
    "bin16": b"\xc5\xff\xff",
    "bin32": b"\xc6" + struct.pack(">I", HUGE),
    "array16": b"\xdc\xff\xff",
    "array32": b"\xdd" + struct.pack(">I", HUGE),
    "map16": b"\xde\xff\xff",
    "map32": b"\xdf" + struct.pack(">I", HUGE),
    "ext8": b"\xc7\xff\x05",
    "ext16": b"\xc8\xff\xff\x05",
    "ext32": b"\xc9" + struct.pack(">I", HUGE) + b"\x05",
}


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_row_13_claimed_lengths_cost_nothing(claim: bytes) -> None:
    for data in (claim, claim + bytes(100), b"\x91" + claim, claim + bytes(60_000)):
        assert refused(data)
        assert peak(partial(refused, data)) < 2 * 1024 * 1024


@pytest.mark.parametrize(
    "data",
    [
        b"\x80",
        b"\x81\x01\x02",
        b"\x82\x01\x02\x01\x03",
        b"\x82\x02\x01\x01\x01",
        b"\x81\x90\x01",
        b"\x91\x80",
    ],
    ids=["empty", "one pair", "duplicate keys", "unsorted keys", "an array for a key", "in an array"],
)
def test_row_14_maps_do_not_exist(data: bytes) -> None:
    assert refused(data)


@pytest.mark.parametrize("number", [0.0, -0.0, 1.0, math.nan, math.inf, -math.inf, 5e-324])
def test_row_15_floats_do_not_exist(number: float) -> None:
    for data in (b"\xca" + struct.pack(">f", number), b"\xcb" + struct.pack(">d", number)):
        assert refused(data)
        assert refused(b"\x91" + data)


def test_row_16_integers_are_as_short_as_they_can_be() -> None:
    """Every value in every width that is wider than its own."""
    widths = {1: b"\xcc", 2: b"\xcd", 4: b"\xce", 8: b"\xcf"}
    signed = {1: b"\xd0", 2: b"\xd1", 4: b"\xd2", 8: b"\xd3"}
    for value in (0, 1, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, MAX_INT):
        for size, code in widths.items():
            if value < 256**size:
                data = code + value.to_bytes(size, "big")
                assert refused(data) != (data == encode(value))
        for size, code in signed.items():
            if value < 256**size // 2:
                assert refused(code + value.to_bytes(size, "big"))


def test_row_16_lengths_are_as_short_as_they_can_be() -> None:
    forms: list[tuple[Callable[[int], Any], dict[int, bytes]]] = [
        (lambda n: "x" * n, {1: b"\xd9", 2: b"\xda", 4: b"\xdb"}),
        (lambda n: b"x" * n, {1: b"\xc4", 2: b"\xc5", 4: b"\xc6"}),
    ]
    for make, widths in forms:
        for length in (0, 1, 31, 32, 255, 256, 300):
            for size, code in widths.items():
                if length < 256**size:
                    data = code + length.to_bytes(size, "big") + b"x" * length
                    assert refused(data) != (data == encode(make(length)))
    for length in (0, 1, 15, 16, 255):
        for size, code in {2: b"\xdc", 4: b"\xdd"}.items():
            data = code + length.to_bytes(size, "big") + b"\x01" * length
            assert refused(data) != (data == encode([1] * length))


def test_row_17_ext_and_timestamp_types_do_not_exist() -> None:
    for code in range(256):
        for header in (b"\xd4", b"\xd5", b"\xd6", b"\xd7", b"\xd8"):  # fixext of 1, 2, 4, 8, 16 bytes
            size = 1 << header[0] - 0xD4
            assert refused(header + bytes([code]) + bytes(size))
        for size in (0, 1, 4, 8, 12):
            for header, width in ((b"\xc7", 1), (b"\xc8", 2), (b"\xc9", 4)):
                assert refused(header + size.to_bytes(width, "big") + bytes([code]) + bytes(size))
    assert refused(msgpack.packb(msgpack.Timestamp(1, 1)))


@pytest.mark.parametrize("data", [b"\xc0", b"\xc2", b"\xc3", b"\xc1"], ids=["nil", "false", "true", "unused"])
def test_row_18_nil_and_booleans_do_not_exist(data: bytes) -> None:
    assert refused(data)
    assert refused(b"\x91" + data)


def test_row_18_a_text_is_not_bytes_and_neither_is_a_number() -> None:
    assert decode(encode("1")) == "1" != decode(encode(b"1"))
    assert decode(encode(1)) == 1
    assert len({encode(value) for value in (1, "1", b"1", [1], ["1"], [b"1"])}) == 6


def test_row_19_more_than_a_frame_can_hold_is_not_even_looked_at() -> None:
    assert decode(encode(b"x" * (MAX_PAYLOAD - 3))) == b"x" * (MAX_PAYLOAD - 3)
    with pytest.raises(Malformed, match="over the limit"):
        decode(encode(b"x" * (MAX_PAYLOAD - 2)))
    with pytest.raises(Malformed, match="over the limit"):
        decode(bytes(64 * 1024 + 1))
    with pytest.raises(Malformed, match="over the limit"):
        bytes(Frame(ENTRY, bytes(MAX_PAYLOAD + 1)))
    assert len(bytes(Frame(ENTRY, bytes(MAX_PAYLOAD)))) == MAX_PAYLOAD + 9


def test_the_dearest_message_is_refused_cheaply() -> None:
    """64 KiB of the smallest arrays, each an object, are read before they are counted."""
    row = b"\xdc\x01\x00" + b"\x90" * 256
    data = (b"\xdc\x00\xfc" + row * 252)[:MAX_PAYLOAD]
    assert refused(data)
    assert peak(lambda: refused(data)) < 16 * 1024 * 1024


# Tagged hashes


def test_a_tagged_hash_is_bip_340s() -> None:
    tag = hashlib.sha256(labels.ENTRY).digest()
    digest = tagged(labels.ENTRY)
    for data in (b"", b"x", bytes(64), bytes(1000)):
        assert digest(data) == hashlib.sha256(tag + tag + data).digest()


def test_a_tagged_hash_starts_afresh_each_time_and_differs_by_label() -> None:
    digest = tagged(labels.ENTRY)
    assert digest(b"x") == digest(b"x")
    assert len({tagged(label)(b"x") for label in labels.ALL}) == len(labels.ALL)


# Frames


@given(kind=st.integers(0, 255), payload=st.binary(max_size=400))
@examples(40, 400)
def test_a_frame_is_read_as_it_was_written(kind: int, payload: bytes) -> None:
    frame = Frame(kind, payload)
    data = bytes(frame)
    assert len(data) == len(frame)
    assert read_frame(data, 0) == frame
    assert read_frame(b"abc" + data, 3) == frame
    assert all(read_frame(data[:size], 0) is None for size in range(len(data)))


def test_a_frame_has_the_shape_that_the_specification_gives() -> None:
    data = bytes(Frame(ENTRY, b"hello"))
    assert data[:3] == b"\x02\x00\x05"
    assert data[5:10] == b"hello"
    assert data[10:] == crc32(b"hello").to_bytes(4, "big")
    assert len(data) == 14
    assert (GENESIS, ENTRY, STATEMENT, PROOF) == RECORDED == (1, 2, 3, 4)


def test_row_35_no_flipped_bit_in_a_frame_passes_or_looks_like_a_torn_tail() -> None:
    data = bytes(Frame(ENTRY, bytes(range(40))))
    for at in range(len(data) * 8):
        flipped = bytearray(data)
        flipped[at // 8] ^= 1 << at % 8
        with pytest.raises(Malformed):
            read_frame(bytes(flipped), 0)


@given(
    frames=st.lists(st.builds(Frame, st.integers(0, 255), st.binary(max_size=50)), max_size=6),
    seed=st.integers(),
)
@examples(24, 240)
def test_frames_come_out_the_same_however_their_bytes_were_cut(frames: list[Frame], seed: int) -> None:
    data = b"".join(map(bytes, frames))
    whole = Deframer()
    assert list(whole.feed(data)) == frames
    assert whole.pending == 0
    single = Deframer()
    assert [frame for byte in data for frame in single.feed(bytes([byte]))] == frames
    rng, pieces, position, out = random.Random(seed), Deframer(), 0, []
    while position < len(data):
        size = rng.randrange(1, 30)
        out += list(pieces.feed(data[position : position + size]))
        position += size
    assert out == frames


def test_a_damaged_frame_ends_what_a_deframer_gives() -> None:
    good, bad = bytes(Frame(ENTRY, b"good")), bytearray(bytes(Frame(ENTRY, b"bad")))
    bad[6] ^= 1
    deframer = Deframer()
    frames = deframer.feed(good + bytes(bad))
    assert next(frames) == Frame(ENTRY, b"good")
    with pytest.raises(Malformed):
        next(frames)
    assert deframer.pending == len(bad)


def test_what_is_not_complete_is_held_back() -> None:
    deframer = Deframer()
    data = bytes(Frame(STATEMENT, b"later"))
    assert list(deframer.feed(data[:-1])) == []
    assert deframer.pending == len(data) - 1
    assert list(deframer.feed(data[-1:])) == [Frame(STATEMENT, b"later")]
    assert deframer.pending == 0
