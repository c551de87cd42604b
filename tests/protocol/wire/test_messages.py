"""Messages: each tag and field, its sizes, and nothing in between."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Malformed
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.mix import Mixed
from protocol.record.asks.open import Opening
from protocol.record.asks.open_to import LookKey, SealedOpening
from protocol.record.asks.registry import CODEC
from protocol.record.asks.roll import Share
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.wire.encoding import decode, encode
from protocol.wire.messages import MAX_SLOTS, Message
from tests.helpers.machine.examples import examples

B32: Final = bytes(range(32))
BYTES32: Final = st.binary(min_size=32, max_size=32)
MOVES: Final = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=32)
MESSAGES: Final[st.SearchStrategy[Message]] = st.one_of(
    st.builds(Choice, MOVES),
    st.builds(HiddenChoice, BYTES32),
    st.builds(ShownChoice, MOVES, BYTES32),
    st.builds(Commitments, st.lists(BYTES32, min_size=1, max_size=8).map(tuple)),
    st.builds(Opening, st.integers(0, 127), BYTES32),
    st.builds(Share, BYTES32),
    st.builds(LookKey, BYTES32),
    st.builds(SealedOpening, BYTES32, st.binary(min_size=49, max_size=49)),
    st.builds(Mixed, st.lists(BYTES32, min_size=1, max_size=8).map(tuple)),
)
TAGS: Final[dict[type[Message], int]] = {
    Choice: 1,
    HiddenChoice: 2,
    ShownChoice: 3,
    Commitments: 4,
    Opening: 5,
    Share: 6,
    LookKey: 7,
    SealedOpening: 8,
    Mixed: 9,
}


@given(message=MESSAGES)
@examples(60, 600)
def test_a_message_is_read_as_it_was_written(message: Message) -> None:
    value = decode(encode(CODEC.value(message)))
    assert isinstance(value, list)
    assert value[0] == TAGS[type(message)]
    assert CODEC.parse(value) == message


def test_commitments_are_one_to_256() -> None:
    assert CODEC.parse([4, [B32] * MAX_SLOTS]) == Commitments((B32,) * MAX_SLOTS)
    for digests in ([], [B32] * (MAX_SLOTS + 1)):
        with pytest.raises(Malformed):
            CODEC.parse([4, digests])  # type: ignore[list-item]  # lists are invariant, and these hold bytes only


GOOD: Final[dict[str, list[Any]]] = {
    "Choice": [1, "go"],
    "HiddenChoice": [2, B32],
    "ShownChoice": [3, "go", B32],
    "Commitments": [4, [B32]],
    "Opening": [5, 7, B32],
    "Share": [6, B32],
    "LookKey": [7, B32],
    "SealedOpening": [8, B32, B32 + bytes(17)],
    "Mixed": [9, [B32]],
}
KINDS: Final[dict[str, Any]] = {
    "an integer": 7,
    "a boolean": True,
    "a text": "x" * 32,
    "32 bytes": B32,
    "49 bytes": B32 + bytes(17),
    "a bytearray": bytearray(B32),
    "an array": [],
    "an array of bytes": [B32],
    "nil": None,
    "a float": 1.0,
}
FITS: Final = {
    ("Choice", 1): {"a text"},
    ("HiddenChoice", 1): {"32 bytes"},
    ("ShownChoice", 1): {"a text"},
    ("ShownChoice", 2): {"32 bytes"},
    ("Commitments", 1): {"an array of bytes"},
    ("Opening", 1): {"an integer"},
    ("Opening", 2): {"32 bytes"},
    ("Share", 1): {"32 bytes"},
    ("LookKey", 1): {"32 bytes"},
    ("SealedOpening", 1): {"32 bytes"},
    ("SealedOpening", 2): {"49 bytes"},
    ("Mixed", 1): {"an array of bytes"},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "field"), FITS)
def test_row_18_every_field_takes_its_own_type_only(name: str, field: int, kind: str) -> None:
    value = [*GOOD[name]]
    value[field] = KINDS[kind]
    if kind in FITS[name, field]:
        CODEC.parse(value)
    else:
        with pytest.raises(Malformed):
            CODEC.parse(value)


@pytest.mark.parametrize("name", GOOD)
def test_a_message_has_exactly_its_fields(name: str) -> None:
    value = GOOD[name]
    CODEC.parse(value)
    wrongs: list[list[Any]] = [value[:-1], [*value, 0], [value]]
    for wrong in wrongs:
        with pytest.raises(Malformed):
            CODEC.parse(wrong)


@pytest.mark.parametrize("value", [7, "x", b"x", [], ["1", "go"], [True, "go"], [0, "go"], [10, B32], [B32]])
def test_what_has_no_known_tag_is_no_message(value: Any) -> None:
    with pytest.raises(Malformed):
        CODEC.parse(value)


@pytest.mark.parametrize("move", ["", "x" * 33, "é", "a\nb", "\x1b[31m", "\x7f", "a\0"])
def test_a_move_is_short_printable_ascii(move: str) -> None:
    for value in ([1, move], [3, move, B32]):
        with pytest.raises(Malformed):
            CODEC.parse(value)  # type: ignore[arg-type]  # lists are invariant, and these are values


@pytest.mark.parametrize("face", [-1, 128, 2**53])
def test_a_face_is_one_byte_on_the_wire(face: int) -> None:
    with pytest.raises(Malformed):
        CODEC.parse([5, face, B32])


def test_row_39_all_openings_and_all_commitments_are_equally_long() -> None:
    """A face from 128 on would take two bytes, a length that tells it."""
    assert len({len(encode(CODEC.value(Opening(face, B32)))) for face in range(128)}) == 1
    assert len({len(encode(CODEC.value(Commitments((bytes([face]) * 32,))))) for face in range(128)}) == 1
