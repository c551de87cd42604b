"""Beliefs over closed pieces against counting every way they can lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.core.game import Face
from p2p_stratego.stratego.bots.beliefs import chances, even_chances
from p2p_stratego.stratego.rules.board import NAMES as SQUARE_NAMES
from p2p_stratego.stratego.rules.board import SQUARE_NAMED
from p2p_stratego.stratego.rules.pieces import (
    BLUE,
    BOMB,
    FACE_NAMED,
    FACES,
    FLAG,
    MARSHAL,
    MINER,
    NAMES,
    RED,
    SCOUT,
)
from p2p_stratego.stratego.rules.state import State, slot
from tests.helpers.stratego.boards import Table, position

RED_SIDE = "a1 flag, b1 scout"


def lying(
    faces: Sequence[Face], moved: Sequence[bool], leanings: Mapping[int, Sequence[float]]
) -> list[list[float]]:
    """By piece and face: the chances, from every order in which an honest side can have laid these faces."""
    sums = [[0.0] * len(FACES) for _ in faces]
    for laid in permutations(faces):
        if not any(has_moved and face in (BOMB, FLAG) for face, has_moved in zip(laid, moved, strict=True)):
            weight = prod(leanings[k][face] if k in leanings else 1.0 for k, face in enumerate(laid))
            for row, face in zip(sums, laid, strict=True):
                row[face] += weight
    return [[share / sum(row) for share in row] for row in sums]


def blue_closed(faces: Sequence[Face], moved: Sequence[bool]) -> State:
    """Blue's closed pieces in row 8, from a on."""
    pieces = ", ".join(
        f"{SQUARE_NAMES[70 + k]} {NAMES[face]}{'*' if has_moved else ''}"
        for k, (face, has_moved) in enumerate(zip(faces, moved, strict=True))
    )
    return Table(RED_SIDE, pieces).state


honest_sides = st.lists(
    st.tuples(st.sampled_from(FACES), st.booleans()).map(
        lambda it: (it[0], it[1] and it[0] not in (FLAG, BOMB))
    ),
    min_size=1,
    max_size=6,
)


@given(honest_sides)
def test_without_leanings_the_chances_are_exact(side: list[tuple[Face, bool]]) -> None:
    faces, moved = [face for face, _ in side], [has_moved for _, has_moved in side]
    odds = chances(blue_closed(faces, moved), BLUE)
    for k, row in enumerate(lying(faces, moved, {})):
        assert odds[70 + k] == pytest.approx(row)


@given(honest_sides, st.data())
def test_with_leanings_every_row_and_every_face_still_adds_up(
    side: list[tuple[Face, bool]], data: st.DataObject
) -> None:
    faces, moved = [face for face, _ in side], [has_moved for _, has_moved in side]
    weights = st.lists(st.floats(0.05, 20), min_size=len(FACES), max_size=len(FACES))
    leanings = {slot(BLUE, k): data.draw(weights) for k in range(len(side)) if data.draw(st.booleans())}
    odds = chances(blue_closed(faces, moved), BLUE, leanings)
    for row in odds.values():
        assert sum(row) == pytest.approx(1)
    for k, exact in enumerate(lying(faces, moved, {})):
        assert [share > 0 for share in odds[70 + k]] == [share > 0 for share in exact]


def test_leanings_come_near_to_the_exact_answer() -> None:
    faces = [FLAG, BOMB, SCOUT, SCOUT, MINER, MARSHAL]
    moved = [False, False, False, True, False, True]
    leanings = {
        0: [4.0 if face == FLAG else 1.0 for face in FACES],
        2: [0.5 if face == BOMB else 1.0 for face in FACES],
        5: [3.0 if face == MARSHAL else 1.0 for face in FACES],
    }
    odds = chances(blue_closed(faces, moved), BLUE, {slot(BLUE, k): row for k, row in leanings.items()})
    for k, exact in enumerate(lying(faces, moved, leanings)):
        assert odds[70 + k] == pytest.approx(exact, abs=0.11)  # so few pieces are the hardest case
    for face in FACES:
        assert sum(row[face] for row in odds.values()) == pytest.approx(faces.count(face), abs=0.02)


def test_an_open_piece_is_what_it_shows() -> None:
    state = position("a1 flag, b1 scout", "a10 flag, b10 marshal")
    odds = chances(state, BLUE, {})
    assert odds[SQUARE_NAMED["b10"]][MARSHAL] == 1
    assert sum(odds[SQUARE_NAMED["b10"]]) == 1
    assert chances(state, RED).keys() == {SQUARE_NAMED["a1"], SQUARE_NAMED["b1"]}


def test_what_never_moved_is_all_that_is_left_once_everything_else_has() -> None:
    state = Table(RED_SIDE, "a10 flag, b10 bomb, c7 scout*, d7 miner*").state
    odds = chances(state, BLUE)
    assert odds[SQUARE_NAMED["a10"]][FLAG] == odds[SQUARE_NAMED["b10"]][FLAG] == 0.5
    assert odds[SQUARE_NAMED["c7"]][SCOUT] == 0.5


@pytest.mark.parametrize(
    ("laid", "claimed"),
    [
        ("a10 flag*, b10 scout*", None),  # the flag has walked
        ("a10 flag, b10 bomb*", None),  # nothing is left that may have moved
        ("a10 scout, b10 miner*", "bomb bomb"),
        ("a10 scout, b10 miner*, c10 spy*", "bomb flag spy"),
    ],
)
def test_a_side_that_cannot_be_honest_still_gets_chances(laid: str, claimed: str | None) -> None:
    state = Table(RED_SIDE, laid, should_be={BLUE: claimed} if claimed else None).state
    leanings = {slot(BLUE, 0): [float(face + 1) for face in FACES]}
    for odds in (chances(state, BLUE), chances(state, BLUE, leanings)):
        assert len(odds) == laid.count(",") + 1
        for row in odds.values():
            assert sum(row) == pytest.approx(1)
            assert min(row) >= 0


def test_even_chances_are_those_of_any_such_piece() -> None:
    state = Table(RED_SIDE, "a10 flag, b10 bomb, c9 scout, c7 scout*, d7 miner*").state
    unmoved, moved = even_chances(state, BLUE)
    odds = chances(state, BLUE)
    assert odds[SQUARE_NAMED["b10"]] == unmoved
    assert odds[SQUARE_NAMED["d7"]] == moved
    assert unmoved[FACE_NAMED["bomb"]] == pytest.approx(1 / 3)
