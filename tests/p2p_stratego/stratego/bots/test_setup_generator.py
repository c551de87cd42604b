"""Set-ups that are dealt and set-ups that have names: whole armies, sensible, and never the same twice."""

from __future__ import annotations

from collections import Counter
from math import log2
from pathlib import Path
from random import Random
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.bots import placement as derived
from p2p_stratego.stratego.bots.placement_data import HALF, half, shares
from p2p_stratego.stratego.bots.setup_generator import (
    BESIDE,
    FRONT,
    dealt,
    hiding,
    placed,
    sample,
    soundness,
    varied,
)
from p2p_stratego.stratego.formats.diagram import PLACES, Setup
from p2p_stratego.stratego.formats.setups import answers, check, mirrored, read, templates
from p2p_stratego.stratego.rules.armies import ARMIES, MOST_PIECES, Army, named
from p2p_stratego.stratego.rules.pieces import BOMB, FACES, FLAG, IMMOBILE, MOBILE, NAMES, SCOUT
from tests.helpers.stratego.games import DATA, needs_data


@st.composite
def armies(draw: st.DrawFn) -> Army:
    """Any army that can be played."""
    counts = [0] * len(FACES)
    counts[FLAG] = 1
    counts[draw(st.sampled_from(sorted(MOBILE)))] += 1
    for face in draw(st.lists(st.sampled_from([f for f in FACES if f != FLAG]), max_size=MOST_PIECES - 2)):
        counts[face] += 1
    return named(bytes(counts))


def drawn(rows: str, army: str) -> Setup:
    """A set-up from a diagram."""
    return read(rows, ARMIES[army])[0]


@given(armies(), st.integers(0, 2**32))
def test_what_is_dealt_is_exactly_the_army_whatever_the_army(army: Army, seed: int) -> None:
    counts = Counter(dealt(army, Random(seed)))
    del counts[None]
    assert counts == Counter(army.faces)


@pytest.mark.parametrize("army", ARMIES.values(), ids=str)
def test_what_is_dealt_is_sensible_and_hardly_ever_the_same(army: Army) -> None:
    setups = [dealt(army, Random(seed)) for seed in range(40)]
    assert len(set(setups)) == len(setups)
    assert not any(setup.index(FLAG) in FRONT for setup in setups)
    guarded = [any(setup[place] == BOMB for place in BESIDE[setup.index(FLAG)]) for setup in setups]
    assert mean(guarded) > 0.7
    assert {setup.index(FLAG) % 10 < 5 for setup in setups} == {True, False}


@pytest.mark.parametrize("army", ARMIES.values(), ids=str)
def test_a_flag_that_is_to_be_hidden_has_four_bits_of_squares(army: Army) -> None:
    weights = hiding(army)
    whole = sum(weights.values())
    assert -sum(weight / whole * log2(weight / whole) for weight in weights.values()) > 4
    laid = Counter(varied(army, Random(seed)).index(FLAG) for seed in range(80))
    assert laid.keys() <= weights.keys()
    # Counts of 80 draws have less entropy than their source: by 29 / (2 × 80 × ln 2) bits, about 0.26.
    assert -sum(number / 80 * log2(number / 80) for number in laid.values()) > 3.7
    assert laid.keys().isdisjoint(FRONT)


@given(armies(), st.integers(0, 2**32))
def test_what_is_laid_with_a_hidden_flag_is_exactly_the_army(army: Army, seed: int) -> None:
    counts = Counter(varied(army, Random(seed)))
    del counts[None]
    assert counts == Counter(army.faces)


def test_soundness_counts_what_it_says() -> None:
    sound = drawn(
        """
        4  . M . . . . . . 9 .
        3  . S . . 2 . . . . .
        2  B . . . . . . . . .
        1  F 3 . . . . . 2 . .
        """,
        "barrage",
    )
    assert soundness(sound) == pytest.approx(soundness(mirrored(sound)))
    exposed = drawn(
        """
        4  . M . . . . . . 9 .
        3  . S . . 2 . . . . .
        2  . . . 3 . . . . . .
        1  F . . . . B . 2 . .
        """,
        "barrage",
    )
    in_front = drawn(
        """
        4  F M . . . . . . 9 .
        3  B S . . 2 . . . . .
        2  . 3 . . . . . . . .
        1  . . . . . . . 2 . .
        """,
        "barrage",
    )
    assert soundness(sound) > max(soundness(exposed), soundness(in_front))


def test_a_lane_that_is_blocked_and_a_piece_that_is_shut_in_count_against_a_setup() -> None:
    army = named(bytes([1, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 4]))
    rows = """
        4  {} 2 . . . . . . . .
        3  . . . . . . . . . .
        2  {} . . . . . . 3 . .
        1  {} {} . . . . . . F 2
        """
    free = read(rows.format("B", "B", ".", "B").replace("3  . .", "3  . B"), army)[0]
    shut = read(rows.format(".", "B", "2", "B").replace("4  . 2", "4  B B"), army)[0]
    assert soundness(shut) == pytest.approx(soundness(free) - 4)


@pytest.mark.parametrize("seed", range(5))
def test_an_army_whose_order_is_settled_finds_sensible_places(seed: int) -> None:
    army = ARMIES["quickplay"]
    faces, _ = answers(dealt(army, Random(seed)))
    setup = placed(faces, Random(seed))
    assert answers(setup)[0] == faces
    anyhow = mean(soundness(random_places(faces, number)) for number in range(20))
    assert soundness(setup) > anyhow


def random_places(faces: tuple[int, ...], seed: int) -> Setup:
    places = dict(zip(sorted(Random(seed).sample(range(PLACES), len(faces))), faces, strict=True))
    return tuple(places.get(place) for place in range(PLACES))


def test_a_sample_is_a_random_part_in_random_order() -> None:
    random = Random(3)
    drawn = [tuple(sample("abc", 2, random)) for _ in range(600)]
    assert len(set(drawn)) == 6
    assert min(drawn.count(template) for template in set(drawn)) > 60
    assert sorted(sample(range(5), 5, random)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("army", ARMIES.values(), ids=str)
def test_every_army_with_a_name_has_some_named_setups(army: Army) -> None:
    shapes = templates(army)
    assert len(shapes) >= 3
    assert len(set(shapes.values())) == len(shapes)
    for name, setup in shapes.items():
        check(setup, army)
        assert name.isalpha()
        assert name.islower()
        assert mirrored(setup) != setup
        assert soundness(setup) > mean(soundness(random_places(army.faces, seed)) for seed in range(30))


def test_an_army_of_ones_own_has_none() -> None:
    assert templates(named(bytes([1, 0, 1, *[0] * 9]))) == {}


def test_places_and_their_mirror_images_are_one_half_place() -> None:
    halves = [half(place) for place in range(PLACES)]
    assert [halves.count(number) for number in range(HALF)] == [2] * HALF
    assert [halves[place] for place in (0, 4, 5, 9, 10, 39)] == [0, 4, 4, 0, 5, 15]


@pytest.mark.parametrize("size", [2, 8, 13, 14, 20, 29, 30, 40])
def test_shares_are_even_on_average_and_never_nought(size: int) -> None:
    table = shares(size)
    assert len(table) == len(FACES)
    for row in table:
        assert len(row) == PLACES
        assert mean(row) == pytest.approx(1)
        assert min(row) > 0
    assert table[FLAG][0] > 2
    assert table[FLAG][35] < 1


def test_the_size_of_the_army_decides_whose_figures_are_taken() -> None:
    assert shares(8) == shares(13) != shares(14) == shares(29) != shares(30)
    assert shares(8)[BOMB] != shares(20)[BOMB]
    assert shares(8)[6] == shares(20)[6]  # nobody plays barrage with captains


@needs_data
@pytest.mark.parametrize("army", sorted(derived.FILES))
def test_the_shares_are_those_of_the_recorded_setups(army: str) -> None:
    counted = derived.shares(derived.setups(Path(DATA, derived.FILES[army])))
    table = shares(ARMIES[army].size)
    assert len(counted) == sum(count > 0 for count in ARMIES[army].counts)
    for face, row in counted.items():
        whole = mean(row) + 5
        assert [table[face][place] for place in range(PLACES)] == pytest.approx(
            [(row[half(place)] + 5) / whole for place in range(PLACES)]
        ), NAMES[face]


@needs_data
@pytest.mark.parametrize("army", sorted(derived.FILES))
def test_what_is_dealt_is_as_sound_as_what_people_play(army: str) -> None:
    played = list(derived.setups(Path(DATA, derived.FILES[army])))
    ours = [dealt(ARMIES[army], Random(seed)) for seed in range(30)]
    assert mean(map(soundness, ours)) > mean(map(soundness, played[::9]))


@needs_data
def test_the_table_can_be_derived_again(capsys: pytest.CaptureFixture[str]) -> None:
    derived.main(DATA)
    output = capsys.readouterr().out
    assert output.count("\n") == 3 + 7 + 12 + 12
    assert output.startswith("barrage:\nflag       364")


def test_pieces_that_cannot_move_are_not_what_a_front_is_made_of() -> None:
    for seed in range(20):
        setup = dealt(ARMIES["classic"], Random(seed))
        assert sum(setup[place] in IMMOBILE for place in FRONT) <= 5
        assert sum(face == SCOUT for face in setup) == 8
