"""Attacks: who survives, where, and what is known and lost afterwards."""

from __future__ import annotations

import pytest

from p2p_stratego.core.game import Outcome
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.pieces import BOMB, FACE_NAMED, FACES, FLAG, MOBILE, NAMES, PIECES
from tests.helpers.stratego.boards import after, at, moves, position, report
from tests.helpers.stratego.naive import STRENGTH, fight

RESULTS = {"won": ("red", "red"), "lost": (None, "blue"), "both": (None, None)}


def test_the_table_of_pieces_has_each_once() -> None:
    assert len(set(NAMES)) == len(FACES) == 12
    assert len({piece.letter for piece in PIECES}) == 12
    assert {NAMES[face]: face for face in range(1, 11)} == STRENGTH
    assert set(range(1, 11)) == MOBILE


@pytest.mark.parametrize("attacker", sorted(NAMES[face] for face in MOBILE))
@pytest.mark.parametrize("defender", NAMES)
def test_an_attack_ends_as_the_rules_say(attacker: str, defender: str) -> None:
    state = after(position(f"a5 {attacker}, a1 flag", f"a6 {defender}, j10 flag"), "a5a6")
    last = report(state)
    assert (last.result, last.attacker, last.defender) == (
        fight(attacker, defender),
        FACE_NAMED[attacker],
        FACE_NAMED[defender],
    )
    red_falls = last.result in ("lost", "both")
    blue_falls = last.result != "lost"
    assert state.lost == (
        bytes([FACE_NAMED[attacker]] * red_falls),
        bytes([FACE_NAMED[defender]] * blue_falls),
    )
    assert at(state, "a5") is None
    standing = {"lost": f"blue {defender}", "both": None}.get(last.result, f"red {attacker}")
    assert at(state, "a6") == standing


@pytest.mark.parametrize(
    ("attacker", "defender", "result"),
    [
        ("marshal", "general", "won"),
        ("general", "marshal", "lost"),
        ("spy", "marshal", "won"),
        ("marshal", "spy", "won"),
        ("spy", "general", "lost"),
        ("scout", "spy", "won"),
        ("miner", "bomb", "won"),
        ("marshal", "bomb", "lost"),
        ("captain", "captain", "both"),
        ("spy", "spy", "both"),
        ("scout", "flag", "flag"),
    ],
)
def test_attacks_that_the_rule_text_names(attacker: str, defender: str, result: str) -> None:
    assert report(after(position(f"a5 {attacker}", f"a6 {defender}"), "a5a6")).result == result


def test_a_bomb_that_beat_an_attacker_stays() -> None:
    state = after(position("a5 marshal, b5 miner", "a6 bomb, j10 spy"), "a5a6", "j10j9", "b5b6", "j9j10")
    assert at(state, "a6") == "blue bomb"
    assert at(after(state, "b6a6"), "a6") == "red miner"


def test_who_takes_the_flag_has_won() -> None:
    state = after(position("a5 spy, a1 flag", "a6 flag, j10 marshal"), "a5a6")
    assert state.phase == "over"
    assert GAME.outcome(state) == Outcome(frozenset({0}), "flag")


def test_an_attack_ends_the_calm() -> None:
    state = after(position("a5 miner, j1 spy", "a7 scout, j10 spy"), "j1j2", "j10j9")
    assert state.calm == 2
    assert after(state, "a5a6", "a7a6").calm == 0
    assert moves(state)
    assert FLAG != BOMB
