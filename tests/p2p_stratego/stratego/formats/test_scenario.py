"""Stratego's scenarios: their format, their lines, their outcomes, and what is refused with which words."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_stratego.core.scenario import ScenarioError, load
from p2p_stratego.registry import play_scenario
from p2p_stratego.stratego.rules.armies import ARMIES
from p2p_stratego.stratego.rules.board import HOME
from p2p_stratego.stratego.rules.board import NAMES as SQUARES
from p2p_stratego.stratego.rules.pieces import FACE_NAMED, NAMES
from p2p_stratego.stratego.rules.state import open_position
from tests.helpers.machine.examples import examples
from tests.helpers.stratego.boards import after, moves
from tests.helpers.stratego.naive import referee
from tests.helpers.stratego.texts import DUEL
from tests.helpers.stratego.walks import Pieces, choose, set_up, setup_of, skirmish

Scenario = dict[str, Any]


def scenario(red: str, blue: str, *steps: str, **more: object) -> Scenario:
    """A scenario of any position: "a1 flag, b1 bomb"."""
    setup = {
        side: dict(word.split() for word in written.split(",")) if written else {}
        for side, written in (("red", red), ("blue", blue))
    }
    return {"game": "stratego", "setup": setup, "moves": list(steps), **more}


def outcome(red: str, blue: str, *steps: str) -> dict[str, object]:
    """The last line."""
    *_, last = play_scenario(scenario(red, blue, *steps))
    return last


def refused(value: object) -> tuple[list[object], ScenarioError]:
    """The lines that stand, and why there are no more."""
    lines: list[object] = []
    with pytest.raises(ScenarioError) as error:
        lines.extend(play_scenario(value))  # which keeps the lines before the error
    return lines, error.value


def test_a_scenario_prints_a_line_a_move_and_then_the_outcome() -> None:
    assert list(play_scenario(DUEL)) == [
        {"ply": 1, "player": "red", "move": "a4a5", "result": "moved", "attacker": None, "defender": None},
        {"ply": 2, "player": "blue", "move": "b7b5", "result": "moved", "attacker": None, "defender": None},
        {
            "ply": 3,
            "player": "red",
            "move": "b4b5",
            "result": "both",
            "attacker": "scout",
            "defender": "scout",
        },
        {"ply": 4, "player": "blue", "move": "a7a6", "result": "moved", "attacker": None, "defender": None},
        {"winner": None, "reason": "unfinished", "plies": 4},
    ]


@pytest.mark.parametrize(
    ("red", "blue", "move", "result"),
    [
        ("a5 miner", "a6 bomb, j10 spy", "a5a6", "won"),
        ("a5 spy, a1 spy", "a6 bomb, j10 spy", "a5a6", "lost"),
        ("a5 spy, a1 spy", "a6 spy, j10 spy", "a5a6", "both"),
        ("a5 spy", "a6 flag", "a5a6", "flag"),
    ],
)
def test_an_attack_names_both_pieces(red: str, blue: str, move: str, result: str) -> None:
    line = next(play_scenario(scenario(red, blue, move)))
    attacker, defender = (pieces.split(", ")[0].partition(" ")[2] for pieces in (red, blue))
    assert (line["result"], line["attacker"], line["defender"]) == (result, attacker, defender)


def test_without_moves_it_is_unfinished() -> None:
    assert outcome("a1 spy", "j10 spy") == {"winner": None, "reason": "unfinished", "plies": 0}


def test_taking_the_flag_wins() -> None:
    assert outcome("a1 scout", "a10 flag", "a1a10") == {"winner": "red", "reason": "flag", "plies": 1}


# No move


STUCK = ("a1 flag, b1 spy", "j10 flag, b3 bomb")


def test_who_cannot_move_after_a_move_has_lost_at_once() -> None:
    assert outcome(*STUCK, "b1b2") == {"winner": "red", "reason": "no-moves", "plies": 1}


def test_that_it_cannot_move_may_be_said_and_changes_nothing() -> None:
    assert outcome(*STUCK, "b1b2", "none") == outcome(*STUCK, "b1b2")
    assert len(list(play_scenario(scenario(*STUCK, "b1b2", "none")))) == 2


def test_neither_can_move() -> None:
    pieces = ("a1 flag, b1 spy", "j10 flag, b2 bomb")
    drawn = {"winner": None, "reason": "draw", "plies": 1}
    assert outcome(*pieces, "b1b2") == drawn
    assert outcome(*pieces, "b1b2", "none") == drawn
    assert outcome(*pieces, "b1b2", "none", "none") == drawn


def test_before_the_first_move_only_a_word_ends_the_game() -> None:
    assert outcome("a1 flag", "j10 spy")["reason"] == "unfinished"
    assert outcome("a1 flag", "j10 spy", "none") == {"winner": "blue", "reason": "no-moves", "plies": 0}
    assert outcome("", "", "none") == {"winner": None, "reason": "draw", "plies": 0}
    assert outcome("", "", "none", "none") == {"winner": None, "reason": "draw", "plies": 0}


def test_a_false_none_is_illegal() -> None:
    assert outcome("a1 spy", "j10 spy", "none") == {
        "winner": None,
        "reason": "illegal",
        "rule": "false-claim",
        "plies": 0,
    }


def test_who_may_only_repeat_itself_cannot_move() -> None:
    """Red goes to and fro in a corridor; its fourth move back is illegal, and it has no other."""
    walk = ["a1a2", "j10j9", "a2a1", "j9i9", "a1a2", "i9i10"]
    assert outcome("a1 spy, b1 flag, b2 bomb, a3 bomb", "j10 spy", *walk) == {
        "winner": "blue",
        "reason": "no-moves",
        "plies": 6,
    }


# Illegal moves


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("j9j8", "not-yours"),
        ("e5e6", "not-yours"),
        ("a1a2", "bomb-or-flag"),
        ("c4c5", "crater"),
        ("c4e6", "too-far"),
        ("c4c1", "too-far"),
        ("d4d7", "crater"),
        ("d4a4", "blocked"),
        ("d4c4", "blocked"),
        ("d4d4", "blocked"),
    ],
)
def test_the_first_illegal_move_ends_the_play(move: str, rule: str) -> None:
    last = outcome(
        "a1 flag, c4 spy, d4 scout", "j9 spy, j10 flag", "c4c3", "j9i9", "c3c4", "i9j9", move, "zz"
    )
    assert last == {"winner": None, "reason": "illegal", "rule": rule, "plies": 4}


def test_it_ends_with_a_move_that_only_a_repetition_forbids() -> None:
    walk = ["a1a2", "j10j9", "a2a1", "j9i9", "a1a2", "i9i10", "a2a1"]
    assert outcome("a1 spy", "j10 spy", *walk)["rule"] == "two-squares"


# Format


def test_a_strict_set_up_is_exactly_the_army_on_its_own_rows() -> None:
    short = json.loads(json.dumps(DUEL))
    del short["setup"]["red"]["a1"]
    doubled = json.loads(json.dumps(DUEL))
    doubled["setup"]["blue"]["j7"] = "marshal"
    abroad = json.loads(json.dumps(DUEL))
    abroad["setup"]["red"]["a5"] = abroad["setup"]["red"].pop("a4")
    for value, words in ((short, "1 of the flag"), (doubled, "1 of the marshal"), (abroad, "a5")):
        lines, error = refused(value)
        assert lines == []
        assert words in str(error)
        assert list(play_scenario(dict(value, strict=False)))


def test_an_army_of_ones_own_is_its_twelve_counts() -> None:
    game = scenario("a1 flag, b1 spy", "a10 flag, b10 spy", "b1b2", strict=True)
    own = dict(game, options={"army": "0-0-0-0-0-0-0-0-0-1-0-1"})
    assert list(play_scenario(own))[-1]["reason"] == "unfinished"
    assert "army" in str(refused(game)[1])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("options", []),
        ("options", {"army": "chess"}),
        ("options", {"army": 7}),
        ("options", {"quiet": 200}),
        ("strict", 1),
        ("strict", "true"),
        ("strict", None),
        ("setup", None),
        ("setup", {"red": {}}),
        ("setup", {"red": {}, "blue": {}, "green": {}}),
        ("setup", {"red": [], "blue": {}}),
        ("setup", {"red": {"a0": "spy"}, "blue": {}}),
        ("setup", {"red": {"a11": "spy"}, "blue": {}}),
        ("setup", {"red": {"A1": "spy"}, "blue": {}}),
        ("setup", {"red": {"c5": "spy"}, "blue": {}}),
        ("setup", {"red": {"a1": "Spy"}, "blue": {}}),
        ("setup", {"red": {"a1": 1}, "blue": {}}),
        ("setup", {"red": {"a1": None}, "blue": {}}),
        ("setup", {"red": {"a1": "spy"}, "blue": {"a1": "spy"}}),
        ("moves", None),
        ("moves", "a1a2"),
        ("comment", "unknown keys are not skipped"),
        ("game", "Stratego"),
    ],
)
def test_what_breaks_the_format_is_refused_before_the_first_line(key: str, value: object) -> None:
    lines, error = refused(dict(DUEL, strict=False) | {key: value})
    assert lines == []
    assert len(str(error)) < 300


@pytest.mark.parametrize("key", ["setup", "moves"])
def test_a_scenario_has_all_its_keys(key: str) -> None:
    lines, error = refused({name: value for name, value in DUEL.items() if name != key})
    assert lines == []
    assert key in str(error)


def test_options_and_strictness_may_be_left_out() -> None:
    short = {key: DUEL[key] for key in ("game", "setup", "moves")}
    assert list(play_scenario(short)) == list(play_scenario(DUEL))


@pytest.mark.parametrize(
    "move", [None, 7, True, "", "a4", "a4a", "a4a11", "a0a1", "k1k2", "A4A5", "a4-a5", "None", ["a4a5"]]
)
def test_what_is_no_move_is_refused_with_its_place_after_the_lines_that_stand(move: object) -> None:
    lines, error = refused(dict(DUEL, moves=["a4a5", move, "a7a6"]))
    assert len(lines) == 1
    assert error.where == {"ply": 2}


@pytest.mark.parametrize(
    ("pieces", "steps"),
    [
        (("a1 scout", "a10 flag, j10 spy"), ["a1a10", "j10j9"]),
        (("a1 scout", "a10 flag, j10 spy"), ["a1a10", "none"]),
        (STUCK, ["b1b2", "j10j9"]),
        (STUCK, ["b1b2", "none", "none"]),
        (STUCK, ["b1b2", None]),
        (("a1 flag", "j10 spy"), ["none", "none"]),
        (("", ""), ["none", "none", "none"]),
    ],
)
def test_nothing_may_follow_the_end(pieces: tuple[str, str], steps: list[str]) -> None:
    lines, error = refused(scenario(*pieces, *steps))
    assert len(lines) == len([move for move in steps[:1] if move != "none"])
    assert "ended" in str(error)
    assert error.where["ply"] > 1


# Against the naive rules


def walked(random: Random, pieces: Pieces, count: int) -> list[str]:
    """Legal moves from there, and now and then something else."""
    state = open_position(ARMIES["classic"], pieces)
    steps: list[str] = []
    for _ in range(count):
        possible = sorted(moves(state))
        if not possible or state.ended:
            break
        if random.random() < 0.02:
            return [*steps, random.choice(["none", "".join(random.choices(SQUARES, k=2))])]
        steps.append(choose(random, state, possible))
        state = after(state, steps[-1])
    return steps


@examples(80, 800)
@given(st.randoms(use_true_random=False), st.sampled_from(["skirmish", "classic", "duel"]))
def test_the_referee_and_a_second_writing_of_the_rules_agree(random: Random, kind: str) -> None:
    pieces = skirmish(random) if kind == "skirmish" else set_up(random, kind)
    whole = {"game": "stratego", "setup": setup_of(pieces), "moves": walked(random, pieces, 150)}
    assert list(play_scenario(whole)) == referee(whole)
    assert list(play_scenario(load(json.dumps(whole).encode()))) == referee(whole)


def test_every_piece_has_its_name_in_scenarios() -> None:
    assert set(FACE_NAMED) == set(NAMES)
    assert len(HOME[0]) == 40
