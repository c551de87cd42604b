"""What is told of a step: who, what, and why, in one line."""

from __future__ import annotations

import pytest

from p2p_stratego.core.game import Breach, Outcome
from p2p_stratego.spies_and_lies.formats.narration import ending, step, tell_turn
from p2p_stratego.spies_and_lies.rules.components import BOMB, CAPTAIN, MARSHAL, SPY
from p2p_stratego.spies_and_lies.rules.state import slot
from tests.golden.dialogues import assert_told
from tests.helpers.spies_and_lies.table import (
    BASE,
    blue_shows,
    guessed,
    in_action,
    line,
    replace,
    report,
    rolled,
)

NAMES = ("Ann", "Bob")
NO_TOKENS = replace(BASE, tokens=(0, 0))


def assert_sentences(situation: str, *sentences: str) -> None:
    """Each sentence of a step stands on a line of its own; those of a turn are one line."""
    assert_told("spies-and-lies-events", situation, "\n".join(sentences))


@pytest.mark.parametrize(
    ("situation", "state", "card", "named", "token", "lie"),
    [
        ("a General is identified", NO_TOKENS, 9, 9, None, False),
        ("a Marshal with a false mark is taken for a Spy", BASE, 10, 1, True, True),
        ("a Captain falsely unmarked is taken for a Spy", NO_TOKENS, 6, 1, None, True),
        (
            "a Miner out of order, and what Bob moved is undone",
            replace(blue_shows(NO_TOKENS, 8), agent=-1, moved=(0, 1), points=(0, 4)), 3, 1, None, False,
        ),
        (
            "a mission behind one out of order, blasted by the Bomb",
            replace(blue_shows(NO_TOKENS, 8), caught=(False, True), blast=(True, False)),
            3, None, None, False,
        ),
        (
            "a Bomb retreats before a Miner",
            replace(NO_TOKENS, active=(frozenset({3}), frozenset())), BOMB, 1, None, False,
        ),
        ("a Scout where it cannot be", NO_TOKENS, 2, 5, None, False),
    ],
)  # fmt: skip
def test_a_turn_is_told_by_its_result(
    situation: str, state: object, card: int, named: int | None, token: bool | None, lie: bool
) -> None:
    assert isinstance(state, type(BASE))
    assert_sentences(situation, tell_turn(report(guessed(state, card, named, token=token, lie=lie)), NAMES))


def test_what_a_soldier_does_is_told_in_order() -> None:
    state = replace(BASE, agent=-3, points=(3, 9), exhausted=((2,), (SPY,)))
    sentences = tell_turn(report(in_action(CAPTAIN, state, captain="1")), NAMES)
    assert_sentences("a Captain uses an exhausted Spy", sentences)


@pytest.mark.parametrize(
    ("situation", "state", "card", "named", "token"),
    [
        (
            "a Scout in force doubles the points",
            replace(NO_TOKENS, active=(frozenset({2}), frozenset())), 9, 9, None,
        ),
        ("a Miner with a token goes into action", BASE, 3, 9, True),
        ("a Bomb with a token retreats", replace(BASE, active=(frozenset({3}), frozenset())), BOMB, 9, True),
        (
            "a General with a token pushes, and the marker goes round",
            replace(BASE, points=(0, 8)), 9, 1, True,
        ),
        ("a Lieutenant retreats into a blast", replace(NO_TOKENS, blast=(True, False)), 5, 1, None),
    ],
)  # fmt: skip
def test_every_point_and_every_step_says_why(
    situation: str, state: object, card: int, named: int | None, token: bool | None
) -> None:
    assert isinstance(state, type(BASE))
    assert_sentences(situation, tell_turn(report(guessed(state, card, named, token=token)), NAMES))


def test_a_raid_and_a_bomb_are_told() -> None:
    raid = in_action(MARSHAL, replace(BASE, points=(3, 0)), marshal="five")
    assert_sentences("a raid", tell_turn(report(raid), NAMES))
    assert_sentences("a Bomb in action", tell_turn(report(in_action(BOMB)), NAMES))


def test_a_flag_its_closed_cards_and_the_outcome_are_told() -> None:
    before = replace(NO_TOKENS, agent=-4, marks=(frozenset(), frozenset({2})))
    closed = {slot(1, 1, 2): 6, slot(1, 1, 3): 8, slot(1, 1, 4): 10}
    after = guessed(before, 5, closed=closed)
    assert_sentences("the flag is taken", *step(before, after, NAMES))


def test_the_beginning_the_deployment_and_the_intel_are_told() -> None:
    deploy = replace(BASE, phase="deploy", intel=((1, 4),), exhausted=((2,), (7, 9)))
    assert_sentences("the beginning", *step(None, deploy, NAMES))
    intel = replace(deploy, phase="intel")
    assert_sentences("both have deployed", *step(deploy, intel, NAMES))
    marked = replace(BASE, marks=(frozenset({1, 3, 4}), frozenset()))
    assert_sentences("three marks and none", *step(intel, marked, NAMES))
    marked = replace(BASE, marks=(frozenset({2}), frozenset({1, 2, 3, 4})))
    assert_sentences("one mark and all", *step(intel, marked, NAMES))


def test_a_night_tells_the_new_day() -> None:
    before = replace(BASE, phase="night", turn=8, cards=(line(1, 3, 8, 10), line(5, 4, 6, 9)))
    after, _ = rolled(before, 0)
    assert_sentences("a night", *step(before, after, NAMES))


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(frozenset({0}), "resigned"),
        Outcome(frozenset(), "draw"),
        Outcome(frozenset(), "agreed"),
        Outcome(frozenset({1}), "unresponsive"),
        Outcome(frozenset({1}), "cheated", Breach(0, "card-laid-twice")),
        Outcome(frozenset({0}), "critical-flaw"),
    ],
)
def test_every_ending_is_told(outcome: Outcome) -> None:
    assert_sentences(f"winners {sorted(outcome.winners)}: {outcome.reason}", ending(outcome, NAMES))
