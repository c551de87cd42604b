"""Scenario files: every clause about a turn, and which lines stand before one that is refused."""

from __future__ import annotations

from typing import Any

import pytest

from p2p_stratego.core.scenario import Line
from p2p_stratego.registry import play_scenario
from tests.helpers.spies_and_lies.scenario import MISSES, refused, scenario


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        (None, "object"),
        (3, "object"),
        ([3], "object"),
        ({}, "lacks"),
        ({"deception": False}, "lacks"),
        ({"guess": 0}, "guess"),
        ({"guess": 11}, "guess"),
        ({"guess": "3"}, "guess"),
        ({"guess": 3.0}, "guess"),
        ({"guess": True}, "guess"),
        ({"guess": None}, "guess"),
        ({"guess": 3, "deception": 1}, "deception"),
        ({"guess": 3, "deception": None}, "deception"),
        ({"guess": 3, "captain": "seven"}, "captain"),
        ({"guess": 3, "captain": 0}, "captain"),
        ({"guess": 3, "captain": True}, "captain"),
        ({"guess": 3, "captain": None}, "captain"),
        ({"guess": 3, "marshal": 10}, "marshal"),
        ({"guess": 3, "marshal": "eleven"}, "marshal"),
        ({"guess": 3, "mission": 1}, "mission"),
    ],
)
@pytest.mark.parametrize("before", [0, 2])
def test_a_turn_that_breaks_the_format_is_refused_after_the_lines_before_it(
    turn: Any, why: str, before: int
) -> None:
    assert why in refused(scenario(*MISSES[:before], turn), turn=before + 1, lines=before)


def test_a_ninth_turn_is_refused_after_eight_lines() -> None:
    assert "eight" in refused(scenario(*MISSES, {"guess": 1}), turn=9, lines=8)


def test_a_token_must_be_held() -> None:
    turns = [dict(MISSES[0], deception=True), MISSES[1], dict(MISSES[2], deception=True)]
    assert "token" in refused(scenario(*turns), turn=3, lines=2)


def test_to_lay_no_token_may_be_said_by_who_has_none() -> None:
    turns = [dict(MISSES[0], deception=True), MISSES[1], dict(MISSES[2], deception=False)]
    assert list(play_scenario(scenario(*turns))) == list(play_scenario(scenario(*turns[:2], MISSES[2])))


# Counted cards


def caught(*turns: dict[str, Any]) -> dict[str, Any]:
    """Blue is caught out of order with its second card; then these turns, the first of them blue's guess."""
    deploy = {"red": [1, 4, 8, 10], "blue": [5, 3, 6, 9]}
    three = [{"guess": 1}, {"guess": 2}, {"guess": 1}]
    return scenario(*three, *turns, deploy=deploy, tokens={"red": [], "blue": [1, 3]})


def test_a_counted_card_has_an_empty_turn() -> None:
    lines = list(play_scenario(caught({"guess": 1}, {})))
    assert [line.get("result") for line in lines[2:]] == ["incorrect-order", "activated", "counted", None]


COUNTED_TURNS = [{"guess": 6}, {"deception": False}, {"deception": True}, {"captain": "points"}]


@pytest.mark.parametrize("turn", COUNTED_TURNS)
def test_a_counted_card_takes_nothing(turn: dict[str, Any]) -> None:
    [key] = turn
    assert f'"{key}" has no place' in refused(caught({"guess": 1}, turn), turn=5, lines=4)


def test_the_one_that_caught_the_other_still_has_its_own_cards_guessed() -> None:
    assert "guess" in refused(caught({}), turn=4, lines=3)


# Choices of the Captain and the Marshal


def points(line: Line, side: str) -> int:
    marker = line["points"]
    assert isinstance(marker, dict)
    return int(marker[side])


def captains(**turn: Any) -> dict[str, Any]:
    """Blue's Captain, whose Scout is exhausted, with its third card."""
    return scenario(*MISSES[:4], {"guess": 1, **turn})


@pytest.mark.parametrize(("choice", "gained"), [({}, 6), ({"captain": "points"}, 6), ({"captain": 2}, 2)])
def test_a_captain_scores_by_default_or_uses_an_exhausted_one(choice: dict[str, Any], gained: int) -> None:
    *_, before, after, _ = play_scenario(captains(**choice))
    assert points(after, "blue") == points(before, "blue") + gained


@pytest.mark.parametrize("rank", [1, 6, 7])
def test_a_captain_cannot_use_a_soldier_that_is_not_exhausted(rank: int) -> None:
    assert "exhausted" in refused(captains(captain=rank), turn=5, lines=4)


@pytest.mark.parametrize("turn", [{"guess": 6, "captain": 2}, {"guess": 1, "marshal": "five"}])
def test_a_choice_that_nobody_has_to_make_is_refused(turn: dict[str, Any]) -> None:
    """The Captain was identified; no Marshal is there."""
    assert "no place" in refused(scenario(*MISSES[:4], turn), turn=5, lines=4)


@pytest.mark.parametrize("extra", [{"captain": "points"}, {"marshal": "ten"}, {"deception": False}])
def test_a_default_may_be_written_where_nobody_asks(extra: dict[str, Any]) -> None:
    plain, written = scenario(*MISSES[:4], {"guess": 6}), scenario(*MISSES[:4], {"guess": 6, **extra})
    assert list(play_scenario(written)) == list(play_scenario(plain))


@pytest.mark.parametrize(("choice", "gained"), [({}, 10), ({"marshal": "ten"}, 10), ({"marshal": "five"}, 5)])
def test_a_marshal_takes_ten_by_default_or_five(choice: dict[str, Any], gained: int) -> None:
    *_, before, after, _ = play_scenario(scenario(*MISSES[:7], {**MISSES[7], **choice}))  # red's Marshal
    expected = points(before, "red") + gained
    assert points(after, "red") == (expected if expected < 10 else 0)
    assert points(after, "blue") == max(0, points(before, "blue") - (5 if gained == 5 else 0))


def test_a_captain_that_uses_the_marshal_chooses_for_it_too() -> None:
    copied = captains(captain=10, marshal="five")
    copied["days"][0]["exhausted"]["blue"] = [10]
    copied["days"][0]["deploy"]["red"] = [3, 4, 8, 10]
    *_, before, after, _ = play_scenario(copied)
    assert points(after, "blue") == points(before, "blue") + 5


def test_a_copied_marshal_that_retreats_has_nothing_to_choose() -> None:
    copied = captains(captain=10)
    copied["days"][0]["exhausted"]["blue"] = [10]  # red's Spy has gone into action with the second card
    *_, before, after, _ = play_scenario(copied)
    assert points(after, "blue") == points(before, "blue")
    copied["days"][0]["turns"][4]["marshal"] = "five"
    assert "no place" in refused(copied, turn=5, lines=4)


def test_choices_for_an_impossible_card_are_not_held_against_the_scenario() -> None:
    """The game ended at once, before anybody could have been asked."""
    cheat = captains(captain=3)
    cheat["days"][0]["exhausted"]["blue"] = [6]
    *_, last = play_scenario(cheat)
    assert last["reason"] == "cheated"
