"""Scenario files: every clause about a day, and what is refused, where."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from p2p_stratego.registry import play_scenario
from tests.helpers.spies_and_lies.scenario import EXAMPLE, QUIET, days, first_day, refused, scenario


@pytest.mark.parametrize("key", ["exhausted", "deploy", "intel", "tokens", "turns"])
def test_a_day_has_all_its_keys(key: str) -> None:
    short = deepcopy(EXAMPLE)
    del short["days"][0][key]
    assert key in refused(short)


@pytest.mark.parametrize("key", ["exhausted", "deploy", "tokens"])
@pytest.mark.parametrize("value", [None, [], {}, {"red": []}, {"red": [], "blue": [], "green": []}])
def test_what_both_sides_do_is_written_for_both_and_nobody_else(key: str, value: object) -> None:
    assert key in refused(scenario(**{key: value}))


@pytest.mark.parametrize(
    ("key", "red"),
    [
        ("exhausted", []),
        ("exhausted", [1, 2]),
        ("exhausted", [0]),
        ("exhausted", [11]),
        ("exhausted", ["spy"]),
        ("exhausted", 7),
        ("deploy", [1, 2, 3]),
        ("deploy", [1, 2, 3, 5, 6]),
        ("deploy", [0, 1, 2, 3]),
        ("deploy", [1, 2, 3, 11]),
        ("deploy", [1, 2, 3, 5.0]),
        ("deploy", [True, 2, 3, 5]),
        ("deploy", None),
        ("tokens", [0]),
        ("tokens", [5]),
        ("tokens", [2, 2]),
        ("tokens", ["1"]),
        ("tokens", [None]),
    ],
)
@pytest.mark.parametrize("side", ["red", "blue"])
def test_each_sides_part_is_checked(side: str, key: str, red: object) -> None:
    value = dict(EXAMPLE["days"][0][key], **{side: red})
    why = refused(scenario(**{key: value}))
    assert key in why
    assert side in why


@pytest.mark.parametrize("value", [[1, 5], [4], [4, 7, 7], "4-7", None, [4, 7.0]])
def test_intel_is_one_of_the_three_ranges(value: object) -> None:
    assert "intel" in refused(scenario(intel=value))


@pytest.mark.parametrize("value", [None, {}, "eight", 8])
def test_turns_are_a_list(value: object) -> None:
    assert "turns" in refused(dict(EXAMPLE, days=[dict(EXAMPLE["days"][0], turns=value)]))


@pytest.mark.parametrize(
    ("value", "why"), [(None, "object"), ([], "object"), (1, "object"), ({"turns": []}, "exhausted")]
)
def test_a_day_is_an_object_with_its_keys(value: Any, why: str) -> None:
    assert why in refused(days(first_day(), value), day=2, lines=8)


def test_an_intel_card_must_still_be_in_the_deck() -> None:
    """Two of each range, the old intel among them."""
    assert len(list(play_scenario(days(first_day(), QUIET)))) == 17
    used_up = dict(QUIET, intel=[4, 7])
    assert "deck" in refused(days(first_day(), used_up, old_intel=[4, 7]), day=2, lines=8)


@pytest.mark.parametrize(("red", "blue"), [([2], [5]), ([4], [4]), ([4, 8], [5]), ([4], [])])
def test_later_exactly_one_of_the_four_deployed_is_exhausted(red: list[int], blue: list[int]) -> None:
    second = dict(QUIET, exhausted={"red": red, "blue": blue})
    assert "exhausted" in refused(days(first_day(), second), day=2, lines=8)


def after_double_damage(*tired: int) -> dict[str, Any]:
    """Red's blast met a Lieutenant that red identified; on day 2 these soldiers of blue are exhausted."""
    first = dict(
        first_day(),
        exhausted={"red": [10], "blue": [2]},
        deploy={"red": [7, 8, 9, 4], "blue": [1, 5, 6, 9]},
        tokens={"red": [1], "blue": [2, 3]},
        turns=[{"guess": rank} for rank in (2, 2, 5, 3, 4, 1, 1, 1)],
    )
    return days(first, dict(QUIET, exhausted={"red": [4], "blue": [*tired]}))


@pytest.mark.parametrize("tired", [(5, 9), (9, 5)])
def test_after_double_damage_exactly_two_are_exhausted_in_any_order(tired: tuple[int, ...]) -> None:
    assert len(list(play_scenario(after_double_damage(*tired)))) == 17


@pytest.mark.parametrize("tired", [(), (5,), (5, 5), (5, 2), (1, 5, 9)])
def test_after_double_damage_another_count_or_rank_is_refused(tired: tuple[int, ...]) -> None:
    assert "two" in refused(after_double_damage(*tired), day=2, lines=8)


def test_marks_may_be_written_in_any_order() -> None:
    turned = scenario({"guess": 3}, tokens={"red": [], "blue": [3, 2]})
    assert list(play_scenario(turned)) == list(play_scenario(scenario({"guess": 3})))
