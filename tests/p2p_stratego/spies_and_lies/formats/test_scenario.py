"""Scenario files: what is printed, what is wrong with the whole, its reading and its end."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.core.scenario import LONGEST, Line, ScenarioError, load
from p2p_stratego.registry import play_scenario
from p2p_stratego.spies_and_lies.formats.scenario import play
from tests.helpers.machine.examples import examples
from tests.helpers.spies_and_lies.scenario import (
    EXAMPLE,
    MISSES,
    QUIET,
    days,
    first_day,
    refused,
    scenario,
    stopped,
)

# What is printed


def test_the_lines_have_the_promised_keys_in_the_promised_order() -> None:
    printed = [json.dumps(line) for line in play_scenario(EXAMPLE)]
    assert printed[0] == (
        '{"day": 1, "turn": 1, "guesser": "red", "mission": 1, "soldier": 3, "result": "identified", '
        '"points": {"red": 2, "blue": 0}, "agent": 0, "deception": {"red": 1, "blue": 1}}'
    )
    assert printed[-1] == (
        '{"winner": null, "reason": "unfinished", "agent": -1, "points": {"red": 7, "blue": 0}}'
    )
    assert len(printed) == 4


def test_a_won_game_names_its_winner() -> None:
    won = scenario(
        {"guess": 1},  # blue's Lieutenant: one step
        {"guess": 2},  # red's Spy
        {"guess": 1, "captain": 9},  # the exhausted General: one step to the wall, one lost
        {"guess": 4},  # blue identifies the Sergeant
        {"guess": 1},  # blue's Colonel: 2 + 8 points, and the step behind the wall
        exhausted={"red": [7], "blue": [9]},
        deploy={"red": [1, 4, 8, 10], "blue": [5, 6, 8, 10]},
        tokens={"red": [], "blue": [1, 2]},
    )
    *lines, last = play_scenario(dict(won, options={"wall": 2}))
    assert [line["agent"] for line in lines] == [-1, -1, -2, -2, -3]
    assert last == {"winner": "blue", "reason": "flag", "agent": -3, "points": {"red": 1, "blue": 0}}


def test_an_impossible_card_has_no_line_and_ends_the_game() -> None:
    deploy = {"red": [7, 8, 9, 10], "blue": [3, 5, 6, 9]}
    lines = list(play_scenario(scenario({"guess": 3}, {"guess": 2}, deploy=deploy)))
    assert len(lines) == 2
    assert lines[-1] == {"winner": "blue", "reason": "cheated", "agent": 0, "points": {"red": 2, "blue": 0}}


def test_an_impossible_card_shown_after_the_flag_leaves_the_line_of_the_turn() -> None:
    cheat = scenario(
        {"guess": 1},  # blue's General: to the wall
        {"guess": 1},  # red's Scout
        {"guess": 1, "marshal": "ten"},  # blue's Marshal: the flag
        deploy={"red": [2, 4, 8, 10], "blue": [9, 10, 10, 10]},
        tokens={"red": [], "blue": []},
    )
    lines = list(play_scenario(dict(cheat, options={"wall": 2})))
    assert [line.get("result") for line in lines] == ["activated", "activated", "activated", None]
    assert (lines[-1]["winner"], lines[-1]["reason"], lines[-1]["agent"]) == ("red", "cheated", -3)


def test_without_days_the_game_has_not_begun() -> None:
    nothing = {"winner": None, "reason": "unfinished", "agent": 0, "points": {"red": 0, "blue": 0}}
    assert list(play_scenario(days())) == [nothing]


def test_a_day_without_turns_is_unfinished() -> None:
    assert [line["reason"] for line in play_scenario(scenario())] == ["unfinished"]


def test_a_whole_game_runs_through_three_days_with_both_starters() -> None:
    third = dict(QUIET, exhausted={"red": [1], "blue": [8]}, intel=[7, 10], tokens={"red": [4], "blue": []})
    third["deploy"] = {"red": [2, 3, 4, 8], "blue": [1, 2, 3, 4]}
    second = dict(
        QUIET, exhausted={"red": [8], "blue": [5]}, deploy={"red": [1, 2, 3, 4], "blue": [1, 2, 3, 8]}
    )
    lines = list(play_scenario(days(first_day(), second, third, starter="blue")))
    assert len(lines) == 25
    starters = [line["guesser"] for line in lines[:-1] if line["turn"] == 1]
    assert starters == ["blue", "red", "blue"]
    assert lines[-1]["reason"] in ("territory", "points", "draw")


def test_too_few_turns_end_the_game_even_if_more_days_are_written() -> None:
    lines = list(play_scenario(days(first_day(7), dict(QUIET, deploy="not even looked at"))))
    assert (len(lines), lines[-1]["reason"]) == (8, "unfinished")


# The whole and its options


def test_options_may_be_left_out() -> None:
    short = deepcopy(EXAMPLE)
    del short["options"]
    assert (
        list(play_scenario(short))
        == list(play_scenario(EXAMPLE))
        == list(play_scenario(dict(EXAMPLE, options={})))
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("options", None),
        ("options", {"wall": 1}),
        ("options", {"wall": 9}),
        ("options", {"wall": 4.0}),
        ("options", {"wall": True}),
        ("options", {"starter": "red"}),
        ("starter", "random"),
        ("starter", None),
        ("starter", ["red"]),
        ("old_intel", [1, 5]),
        ("old_intel", [4, 1]),
        ("old_intel", [1, 4, 4]),
        ("old_intel", [True, 4]),
        ("old_intel", "1-4"),
        ("days", None),
        ("days", {}),
        ("comment", "unknown keys are not skipped"),
    ],
)
def test_what_is_wrong_with_the_whole_is_said_before_the_first_turn(key: str, value: object) -> None:
    assert f'"{key}"' in refused(dict(EXAMPLE, **{key: value})).replace("'", '"') or key == "options"


@pytest.mark.parametrize("key", ["starter", "old_intel", "days"])
def test_a_scenario_has_all_its_keys(key: str) -> None:
    short = deepcopy(EXAMPLE)
    del short[key]
    assert key in refused(short)


@pytest.mark.parametrize(
    "value", [None, 7, "spies-and-lies", [], [EXAMPLE], {}, {"game": "chess"}, {"game": []}]
)
def test_what_names_no_known_game_is_no_scenario(value: object) -> None:
    lines, error = stopped(value)
    assert (lines, error.where) == ([], {})
    assert "game" in str(error)


def test_a_games_own_player_knows_its_name_too() -> None:
    with pytest.raises(ScenarioError):
        list(play(dict(EXAMPLE, game="stratego")))


# After the end


def test_a_turn_after_the_end_is_refused_and_the_outcome_not_told() -> None:
    cheat = scenario(*MISSES[:3], deploy={"red": [1, 4, 8, 10], "blue": [3, 3, 6, 9]})
    assert [line.get("reason") for line in play_scenario(cheat)] == [None, None, "cheated"]
    cheat["days"][0]["turns"].append({"guess": 1})
    assert "ended" in refused(cheat, turn=4, lines=2)


def test_a_day_after_the_end_is_refused() -> None:
    cheat = scenario(*MISSES[:3], deploy={"red": [1, 4, 8, 10], "blue": [3, 3, 6, 9]})
    cheat["days"].append(QUIET)
    assert "ended" in refused(cheat, day=2, lines=2)


def test_a_fourth_day_is_refused_after_24_lines() -> None:
    third = dict(QUIET, exhausted={"red": [1], "blue": [1]}, intel=[7, 10], tokens={"red": [4], "blue": [4]})
    third["deploy"] = {"red": [2, 3, 4, 8], "blue": [2, 3, 4, 8]}
    assert "ended" in refused(days(first_day(), QUIET, third, QUIET), day=4, lines=24)


# Reading


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff\xfe{}",
        b"\x00" * 100,
        b'{"game": NaN}',
        b'{"game": -Infinity}',
        b'{"game": "stratego", "game": "spies-and-lies"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"[" + b"9" * 10_000 + b"]",
        b" " * (LONGEST + 1),
        b"{} {}",
    ],
)
def test_what_is_not_strict_json_is_no_scenario(data: bytes) -> None:
    with pytest.raises(ScenarioError) as error:
        load(data)
    assert error.value.where == {}


def test_json_is_read_as_it_stands() -> None:
    assert load(json.dumps(EXAMPLE).encode()) == EXAMPLE


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


def places(value: object) -> list[tuple[Any, Any]]:
    """Every part of a JSON value, as what it stands in and its key there."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, part in inside for place in ((value, key), *places(part))]


@examples(120, 1200)
@given(st.data(), JSON)
def test_whatever_stands_anywhere_the_answer_is_lines_or_a_scenario_error(
    data: st.DataObject, junk: object
) -> None:
    broken = scenario(*MISSES)
    holder, key = data.draw(st.sampled_from(places(broken)))
    holder[key] = junk
    lines: list[Line] = []
    why = ""
    try:
        lines.extend(play_scenario(broken))
    except ScenarioError as error:
        why = str(error)
    assert ("winner" in lines[-1]) if not why else all("result" in line for line in lines)
    assert why.isprintable()
    assert len(why) < 300
