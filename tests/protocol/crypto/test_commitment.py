"""Commitments: hiding, binding, and good for one place only (threats 1 to 5)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from typing import Any, Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from protocol.crypto.commitment import hide_choice, hide_face
from protocol.seat.secrets import MatchSecrets
from protocol.wire import labels
from protocol.wire.encoding import encode, tagged
from tests.helpers.machine.examples import examples

GAME, OTHER_GAME, SALT = bytes(32), bytes([1]) * 32, bytes(range(32))
BYTES32: Final = st.binary(min_size=32, max_size=32)
PLACES: Final = st.tuples(BYTES32, st.integers(0, 4), st.integers(0, 65_535), BYTES32, st.integers(0, 127))


def test_a_commitment_is_the_hash_that_the_specification_gives() -> None:
    digest = hide_face(GAME, 1, 23, 7, SALT)
    assert digest == tagged(labels.COMMITMENT)(encode([GAME, 1, 23, SALT, 7]))
    assert hide_choice(GAME, 1, 5, "left", SALT) == tagged(labels.HIDDEN_CHOICE)(
        encode([GAME, 1, 5, SALT, "left"])
    )


def test_row_01_guessing_the_layout_finds_nothing_without_the_salt() -> None:
    """All layouts of four cards out of ten, with every salt that a stranger could think of."""
    secrets = MatchSecrets(bytes(range(32)))
    laid = (2, 3, 5, 9)
    digests = [hide_face(GAME, 0, slot, face, secrets.salt(GAME, 0, slot)) for slot, face in enumerate(laid)]
    public = [
        bytes(32),
        GAME,
        secrets.nonce,
        secrets.links(0, 16)[0],
        secrets.salt(OTHER_GAME, 0, 0),
        b"\xff" * 32,
    ]
    layouts = {
        layout
        for layout in combinations(range(1, 11), 4)
        for salt in [*public, *digests]
        if any(hide_face(GAME, 0, slot, face, salt) in digests for slot, face in enumerate(layout))
    }
    assert layouts == set()
    salts = [secrets.salt(GAME, 0, slot) for slot in range(4)]
    assert [
        layout
        for layout in combinations(range(1, 11), 4)
        if [hide_face(GAME, 0, s, face, salts[s]) for s, face in enumerate(layout)] == digests
    ] == [laid]


def test_row_01_equal_cards_have_different_commitments() -> None:
    secrets = MatchSecrets(bytes(32))
    digests = {hide_face(GAME, 0, slot, 7, secrets.salt(GAME, 0, slot)) for slot in range(200)}
    assert len(digests) == 200


@given(first=PLACES, other=PLACES)
@examples(40, 400)
def test_row_03_two_different_openings_never_have_one_commitment(
    first: tuple[Any, ...], other: tuple[Any, ...]
) -> None:
    """Whatever is different, the bytes that are hashed are: every field carries its own length."""
    assume(first != other)
    assert encode([first[0], first[1], first[2], first[3], first[4]]) != encode([*other])
    game, seat, slot, salt, face = first
    digest = hide_face(game, seat, slot, face, salt)
    assert digest != hide_face(other[0], other[1], other[2], other[4], other[3])


@given(data=st.binary(min_size=40, max_size=120), cuts=st.tuples(*[st.integers(0, 100)] * 2))
@examples(80, 800)
def test_row_03_the_border_between_game_and_salt_cannot_move(data: bytes, cuts: tuple[int, int]) -> None:
    """The same bytes cut up in another way are another preimage, for commitments and for hidden choices."""
    end, other = (cut % len(data) for cut in cuts)
    assume(end != other)
    assert hide_face(data[:end], 1, 2, 3, data[end:]) != hide_face(data[:other], 1, 2, 3, data[other:])
    assert hide_choice(data[:end], 1, 2, "a", data[end:]) != hide_choice(
        data[:other], 1, 2, "a", data[other:]
    )


def test_row_03_the_borders_between_numbers_cannot_move() -> None:
    """At every border of their widths: no two of these places and faces run together."""
    seats, slots, faces = (0, 1, 4, 12), (0, 1, 12, 23, 123, 127, 128, 255, 256, 65_535), (0, 1, 3, 23, 127)
    places = list(product(seats, slots, faces))
    digests = {hide_face(GAME, seat, slot, face, SALT) for seat, slot, face in places}
    assert len(digests) == len(places)


@given(move=st.text("abc 0123", min_size=1, max_size=20), cut=st.integers(1, 19))
@examples(40, 400)
def test_row_03_the_border_between_salt_and_move_cannot_move(move: str, cut: int) -> None:
    head, tail = move[:cut], move[cut:]
    assume(tail)
    assert hide_choice(GAME, 1, 5, tail, SALT + head.encode()) != hide_choice(GAME, 1, 5, move, SALT)


ELSEWHERE: Final[dict[str, Callable[[bytes], bool]]] = {
    "another game": lambda d: d == hide_face(OTHER_GAME, 1, 23, 7, SALT),
    "another seat": lambda d: d == hide_face(GAME, 0, 23, 7, SALT),
    "another slot": lambda d: d == hide_face(GAME, 1, 22, 7, SALT),
    "seat and slot exchanged": lambda d: d == hide_face(GAME, 23, 1, 7, SALT),
    "another face": lambda d: d == hide_face(GAME, 1, 23, 8, SALT),
    "another salt": lambda d: d == hide_face(GAME, 1, 23, 7, SALT[::-1]),
    "a hidden choice": lambda d: hide_choice(GAME, 1, 23, "7", SALT) == d,
}


@pytest.mark.parametrize("opens", ELSEWHERE.values(), ids=ELSEWHERE)
def test_row_04_a_commitment_means_nothing_in_another_place(opens: Callable[[bytes], bool]) -> None:
    assert not opens(hide_face(GAME, 1, 23, 7, SALT))


@pytest.mark.parametrize(
    "other",
    [
        (OTHER_GAME, 1, 5, "left", SALT),
        (GAME, 0, 5, "left", SALT),
        (GAME, 1, 6, "left", SALT),
        (GAME, 1, 5, "right", SALT),
        (GAME, 1, 5, "left", SALT[::-1]),
    ],
    ids=["game", "seat", "ask", "move", "salt"],
)
def test_row_04_a_hidden_choice_means_nothing_in_another_place(
    other: tuple[bytes, int, int, str, bytes],
) -> None:
    assert hide_choice(GAME, 1, 5, "left", SALT) != hide_choice(*other)


def test_row_05_a_mirrored_commitment_cannot_be_opened_by_the_mirror() -> None:
    """Besides being refused as repeated, it holds another seat."""
    digest = hide_face(GAME, 0, 4, 7, SALT)
    assert not any(digest == hide_face(GAME, 1, slot, 7, SALT) for slot in range(24))
