"""Scenario files: the format's every clause, what is refused, where, and which lines stand before it."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_stratego.scenarios import LONGEST, PLAYERS, load, play
from p2p_stratego.script import Line, ScenarioError

EXAMPLE: dict[str, Any] = {
    "game": "spies-and-lies",
    "options": {"wall": 4},
    "starter": "red",
    "old_intel": [1, 4],
    "days": [
        {
            "exhausted": {"red": [7], "blue": [2]},
            "deploy": {"red": [1, 4, 8, 10], "blue": [3, 5, 6, 9]},
            "intel": [4, 7],
            "tokens": {"red": [], "blue": [2, 3]},
            "turns": [{"guess": 3}, {"guess": 2, "deception": True}, {"guess": 1}],
        }
    ],
}
MISSES: list[dict[str, Any]] = [{"guess": rank} for rank in (2, 2, 3, 3, 4, 1, 1, 1)]
"""A day of EXAMPLE's cards on which nobody guesses right."""
QUIET: dict[str, Any] = {
    "exhausted": {"red": [4], "blue": [5]},
    "deploy": {"red": [1, 2, 3, 8], "blue": [1, 2, 3, 8]},
    "intel": [4, 7],
    "tokens": {"red": [], "blue": []},
    "turns": [{"guess": 7}] * 8,
}
"""A second day, after EXAMPLE's first."""


def scenario(*turns: dict[str, Any], **day: Any) -> dict[str, Any]:
    """EXAMPLE with other turns and other parts of its day."""
    made = deepcopy(EXAMPLE)
    made["days"][0] |= deepcopy({**day, "turns": [*turns]})
    return made


def days(*days: dict[str, Any], **whole: Any) -> dict[str, Any]:
    return deepcopy({**EXAMPLE, "days": [*days], **whole})


def first_day(turns: int = 8) -> dict[str, Any]:
    return dict(EXAMPLE["days"][0], turns=MISSES[:turns])


def stopped(value: object) -> tuple[list[Line], ScenarioError]:
    """The lines that stand, and the error after them."""
    lines: list[Line] = []
    with pytest.raises(ScenarioError) as error:
        lines.extend(play(value))  # keeps what came before the error
    return lines, error.value


def refused(value: object, day: int = 1, turn: int = 1, lines: int = 0) -> str:
    """Why a scenario is refused, and only there."""
    stood, error = stopped(value)
    assert (error.where, len(stood)) == ({"day": day, "turn": turn}, lines)
    assert str(error) == f"day {day}, turn {turn}: {error.why}"
    return error.why


# What is printed


def test_the_lines_have_the_promised_keys_in_the_promised_order() -> None:
    printed = [json.dumps(line) for line in play(EXAMPLE)]
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
    *lines, last = play(dict(won, options={"wall": 2}))
    assert [line["agent"] for line in lines] == [-1, -1, -2, -2, -3]
    assert last == {"winner": "blue", "reason": "flag", "agent": -3, "points": {"red": 1, "blue": 0}}


def test_an_impossible_card_has_no_line_and_ends_the_game() -> None:
    deploy = {"red": [7, 8, 9, 10], "blue": [3, 5, 6, 9]}
    lines = list(play(scenario({"guess": 3}, {"guess": 2}, deploy=deploy)))
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
    lines = list(play(dict(cheat, options={"wall": 2})))
    assert [line.get("result") for line in lines] == ["activated", "activated", "activated", None]
    assert (lines[-1]["winner"], lines[-1]["reason"], lines[-1]["agent"]) == ("red", "cheated", -3)


def test_without_days_the_game_has_not_begun() -> None:
    nothing = {"winner": None, "reason": "unfinished", "agent": 0, "points": {"red": 0, "blue": 0}}
    assert list(play(days())) == [nothing]


def test_a_day_without_turns_is_unfinished() -> None:
    assert [line["reason"] for line in play(scenario())] == ["unfinished"]


def test_a_whole_game_runs_through_three_days_with_both_starters() -> None:
    third = dict(QUIET, exhausted={"red": [1], "blue": [8]}, intel=[7, 10], tokens={"red": [4], "blue": []})
    third["deploy"] = {"red": [2, 3, 4, 8], "blue": [1, 2, 3, 4]}
    second = dict(
        QUIET, exhausted={"red": [8], "blue": [5]}, deploy={"red": [1, 2, 3, 4], "blue": [1, 2, 3, 8]}
    )
    lines = list(play(days(first_day(), second, third, starter="blue")))
    assert len(lines) == 25
    starters = [line["guesser"] for line in lines[:-1] if line["turn"] == 1]
    assert starters == ["blue", "red", "blue"]
    assert lines[-1]["reason"] in ("territory", "points", "draw")


def test_too_few_turns_end_the_game_even_if_more_days_are_written() -> None:
    lines = list(play(days(first_day(7), dict(QUIET, deploy="not even looked at"))))
    assert (len(lines), lines[-1]["reason"]) == (8, "unfinished")


# Options


def test_options_may_be_left_out() -> None:
    short = deepcopy(EXAMPLE)
    del short["options"]
    assert list(play(short)) == list(play(EXAMPLE)) == list(play(dict(EXAMPLE, options={})))


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
        list(PLAYERS["spies-and-lies"](dict(EXAMPLE, game="stratego")))


# Days


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


@pytest.mark.parametrize("value", [None, [], 1, {"turns": []}])
def test_a_day_is_an_object_with_its_keys(value: object) -> None:
    refused(days(first_day(), value), day=2, lines=8)  # type: ignore[arg-type]  # the point of the test


def test_an_intel_card_must_still_be_in_the_deck() -> None:
    """Two of each range, the old intel among them."""
    assert len(list(play(days(first_day(), QUIET)))) == 17
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
    assert len(list(play(after_double_damage(*tired)))) == 17


@pytest.mark.parametrize("tired", [(), (5,), (5, 5), (5, 2), (1, 5, 9)])
def test_after_double_damage_another_count_or_rank_is_refused(tired: tuple[int, ...]) -> None:
    assert "two" in refused(after_double_damage(*tired), day=2, lines=8)


def test_marks_may_be_written_in_any_order() -> None:
    turned = scenario({"guess": 3}, tokens={"red": [], "blue": [3, 2]})
    assert list(play(turned)) == list(play(scenario({"guess": 3})))


# Turns


@pytest.mark.parametrize(
    "turn",
    [
        None,
        3,
        [3],
        {},
        {"deception": False},
        {"guess": 0},
        {"guess": 11},
        {"guess": "3"},
        {"guess": 3.0},
        {"guess": True},
        {"guess": None},
        {"guess": 3, "deception": 1},
        {"guess": 3, "deception": None},
        {"guess": 3, "captain": "seven"},
        {"guess": 3, "captain": 0},
        {"guess": 3, "captain": True},
        {"guess": 3, "captain": None},
        {"guess": 3, "marshal": 10},
        {"guess": 3, "marshal": "eleven"},
        {"guess": 3, "mission": 1},
    ],
)
@pytest.mark.parametrize("before", [0, 2])
def test_a_turn_that_breaks_the_format_is_refused_after_the_lines_before_it(turn: Any, before: int) -> None:
    refused(scenario(*MISSES[:before], turn), turn=before + 1, lines=before)


def test_a_ninth_turn_is_refused_after_eight_lines() -> None:
    assert "eight" in refused(scenario(*MISSES, {"guess": 1}), turn=9, lines=8)


def test_a_token_must_be_held() -> None:
    turns = [dict(MISSES[0], deception=True), MISSES[1], dict(MISSES[2], deception=True)]
    assert "token" in refused(scenario(*turns), turn=3, lines=2)


def test_to_lay_no_token_may_be_said_by_who_has_none() -> None:
    turns = [dict(MISSES[0], deception=True), MISSES[1], dict(MISSES[2], deception=False)]
    assert list(play(scenario(*turns))) == list(play(scenario(*turns[:2], MISSES[2])))


def caught(*turns: dict[str, Any]) -> dict[str, Any]:
    """Blue is caught out of order with its second card; then these turns, the first of them blue's guess."""
    deploy = {"red": [1, 4, 8, 10], "blue": [5, 3, 6, 9]}
    three = [{"guess": 1}, {"guess": 2}, {"guess": 1}]
    return scenario(*three, *turns, deploy=deploy, tokens={"red": [], "blue": [1, 3]})


def test_a_counted_card_has_an_empty_turn() -> None:
    lines = list(play(caught({"guess": 1}, {})))
    assert [line.get("result") for line in lines[2:]] == ["incorrect-order", "activated", "counted", None]


COUNTED_TURNS = [{"guess": 6}, {"deception": False}, {"deception": True}, {"captain": "points"}]


@pytest.mark.parametrize("turn", COUNTED_TURNS)
def test_a_counted_card_takes_nothing(turn: dict[str, Any]) -> None:
    refused(caught({"guess": 1}, turn), turn=5, lines=4)


def test_the_one_that_caught_the_other_still_has_its_own_cards_guessed() -> None:
    assert "guess" in refused(caught({}), turn=4, lines=3)


def points(line: Line, side: str) -> int:
    marker = line["points"]
    assert isinstance(marker, dict)
    return int(marker[side])


def captains(**turn: Any) -> dict[str, Any]:
    """Blue's Captain, whose Scout is exhausted, with its third card."""
    return scenario(*MISSES[:4], {"guess": 1, **turn})


@pytest.mark.parametrize(("choice", "gained"), [({}, 6), ({"captain": "points"}, 6), ({"captain": 2}, 2)])
def test_a_captain_scores_by_default_or_uses_an_exhausted_one(choice: dict[str, Any], gained: int) -> None:
    *_, before, after, _ = play(captains(**choice))
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
    assert list(play(written)) == list(play(plain))


@pytest.mark.parametrize(("choice", "gained"), [({}, 10), ({"marshal": "ten"}, 10), ({"marshal": "five"}, 5)])
def test_a_marshal_takes_ten_by_default_or_five(choice: dict[str, Any], gained: int) -> None:
    *_, before, after, _ = play(scenario(*MISSES[:7], {**MISSES[7], **choice}))  # red's Marshal
    expected = points(before, "red") + gained
    assert points(after, "red") == (expected if expected < 10 else 0)
    assert points(after, "blue") == max(0, points(before, "blue") - (5 if gained == 5 else 0))


def test_a_captain_that_uses_the_marshal_chooses_for_it_too() -> None:
    copied = captains(captain=10, marshal="five")
    copied["days"][0]["exhausted"]["blue"] = [10]
    copied["days"][0]["deploy"]["red"] = [3, 4, 8, 10]
    *_, before, after, _ = play(copied)
    assert points(after, "blue") == points(before, "blue") + 5


def test_a_copied_marshal_that_retreats_has_nothing_to_choose() -> None:
    copied = captains(captain=10)
    copied["days"][0]["exhausted"]["blue"] = [10]  # red's Spy has gone into action with the second card
    *_, before, after, _ = play(copied)
    assert points(after, "blue") == points(before, "blue")
    copied["days"][0]["turns"][4]["marshal"] = "five"
    assert "no place" in refused(copied, turn=5, lines=4)


def test_choices_for_an_impossible_card_are_not_held_against_the_scenario() -> None:
    """The game ended at once, before anybody could have been asked."""
    cheat = captains(captain=3)
    cheat["days"][0]["exhausted"]["blue"] = [6]
    *_, last = play(cheat)
    assert last["reason"] == "cheated"


# After the end


def test_a_turn_after_the_end_is_refused_and_the_outcome_not_told() -> None:
    cheat = scenario(*MISSES[:3], deploy={"red": [1, 4, 8, 10], "blue": [3, 3, 6, 9]})
    assert [line.get("reason") for line in play(cheat)] == [None, None, "cheated"]
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


@settings(derandomize=True, max_examples=300, deadline=None)
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
        lines.extend(play(broken))
    except ScenarioError as error:
        why = str(error)
    assert ("winner" in lines[-1]) if not why else all("result" in line for line in lines)
    assert why.isprintable()
    assert len(why) < 300
