"""What is told of a step: who, what, and why, in one line."""

from __future__ import annotations

import pytest

from p2p_stratego.core.game import Breach, Outcome
from p2p_stratego.spies_and_lies.formats.narration import ending, step, tell_turn
from p2p_stratego.spies_and_lies.rules.soldiers import BOMB, CAPTAIN, MARSHAL, SPY
from p2p_stratego.spies_and_lies.rules.state import slot
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


@pytest.mark.parametrize(
    ("told", "state", "card", "named", "token", "lie"),
    [
        (
            "Ann guesses the General (9) at Bob's mission 1. It is. Ann scores 2 for identifying it.",
            NO_TOKENS, 9, 9, None, False,
        ),
        (
            "Ann guesses the Spy (1) at Bob's mission 1, a deception token on it. It is the Marshal (10), "
            "falsely marked, and counts as identified. Ann scores 2 for it.",
            BASE, 10, 1, True, True,
        ),
        (
            "Ann guesses the Spy (1) at Bob's mission 1. It is the Captain (6), falsely left unmarked, "
            "and counts as identified. Ann scores 2 for it.",
            NO_TOKENS, 6, 1, None, True,
        ),
        (
            "Ann guesses the Spy (1) at Bob's mission 2. It is the Miner (3), out of order, and counts as "
            "identified. The agent goes back 1 step: what Bob moved it today is undone. "
            "Bob's marker falls from 4 to 0 for the broken order. Ann scores 2 for it.",
            replace(blue_shows(NO_TOKENS, 8), agent=-1, moved=(0, 1), points=(0, 4)), 3, 1, None, False,
        ),
        (
            "Bob's mission 2 counts as identified, for Bob was caught out of order: the Miner (3). "
            "Ann's Bomb blasts it. Two soldiers of Bob will be exhausted tomorrow for the blast. "
            "Ann scores 2 for it.",
            replace(blue_shows(NO_TOKENS, 8), caught=(False, True), blast=(True, False)),
            3, None, None, False,
        ),
        (
            "Ann guesses the Spy (1) at Bob's mission 1. It is the Bomb (7), "
            "which retreats before Ann's Miner (3).",
            replace(NO_TOKENS, active=(frozenset({3}), frozenset())), BOMB, 1, None, False,
        ),
        (
            "Ann guesses the Lieutenant (5) at Bob's mission 1. It is the Scout (2), which cannot be there.",
            NO_TOKENS, 2, 5, None, False,
        ),
    ],
)  # fmt: skip
def test_a_turn_is_told_by_its_result(
    told: str, state: object, card: int, named: int | None, token: bool | None, lie: bool
) -> None:
    assert isinstance(state, type(BASE))
    assert tell_turn(report(guessed(state, card, named, token=token, lie=lie)), NAMES) == told


def test_what_a_soldier_does_is_told_in_order() -> None:
    state = replace(BASE, agent=-3, points=(3, 9), exhausted=((2,), (SPY,)))
    told = tell_turn(report(in_action(CAPTAIN, state, captain="1")), NAMES)
    assert told.split(". ", 2)[2] == (
        "Bob's Captain uses the exhausted Spy (1). Bob scores 1 with the Spy (1). "
        "Bob's marker reaches 10 and goes on from 0. "
        "Bob pushes the agent 1 step for reaching 10 on day 1. "
        "It stands on Ann's wall and has to wait there for another turn. "
        "Bob wins a deception token with the Spy (1). Bob's Spy (1) stays in force today."
    )


@pytest.mark.parametrize(
    ("told", "state", "card", "named", "token"),
    [
        (
            "It is. Ann scores 4 for identifying it, doubled by the Scout (2) in force.",
            replace(NO_TOKENS, active=(frozenset({2}), frozenset())), 9, 9, None,
        ),
        (
            "It is the Miner (3), which goes into action. Bob scores 3 with the Miner (3). "
            "Bob's Miner (3) stays in force today. Bob scores 4 for the deception token.",
            BASE, 3, 9, True,
        ),
        (
            "It is the Bomb (7), which retreats before Ann's Miner (3). "
            "Bob scores 4 for the deception token.",
            replace(BASE, active=(frozenset({3}), frozenset())), BOMB, 9, True,
        ),
        (
            "It is the General (9), which goes into action. Bob pushes the agent 2 steps "
            "with the General (9). Bob scores 4 for the deception token. "
            "Bob's marker reaches 10 and goes on from 0. "
            "Bob pushes the agent 1 step for reaching 10 on day 1.",
            replace(BASE, points=(0, 8)), 9, 1, True,
        ),
        (
            "It is the Lieutenant (5), which retreats. Ann's Bomb blasts it.",
            replace(NO_TOKENS, blast=(True, False)), 5, 1, None,
        ),
    ],
)  # fmt: skip
def test_every_point_and_every_step_says_why(
    told: str, state: object, card: int, named: int | None, token: bool | None
) -> None:
    assert isinstance(state, type(BASE))
    assert tell_turn(report(guessed(state, card, named, token=token)), NAMES).endswith(told)


def test_a_raid_and_a_bomb_are_told() -> None:
    raid = in_action(MARSHAL, replace(BASE, points=(3, 0)), marshal="five")
    assert tell_turn(report(raid), NAMES).endswith(
        "goes into action. Bob scores 5 with the Marshal (10). Ann loses 3 to Bob's Marshal."
    )
    assert tell_turn(report(in_action(BOMB)), NAMES).endswith("Bob's next guess today will meet a blast.")


def test_a_flag_its_closed_cards_and_the_outcome_are_told() -> None:
    before = replace(NO_TOKENS, agent=-4, marks=(frozenset(), frozenset({2})))
    closed = {slot(1, 1, 2): 6, slot(1, 1, 3): 8, slot(1, 1, 4): 10}
    after = guessed(before, 5, closed=closed)
    told = step(before, after, NAMES)
    assert told[0].endswith("goes into action. Bob takes Ann's flag with the Lieutenant (5)!")
    assert told[1:] == (
        "Bob shows mission 2: the Captain (6).",
        "Bob shows mission 3: the Colonel (8).",
        "Bob shows mission 4: the Marshal (10).",
        "Bob wins: the flag is taken, and every card of that day was in order.",
    )


def test_the_beginning_the_deployment_and_the_intel_are_told() -> None:
    deploy = replace(BASE, phase="deploy", intel=((1, 4),), exhausted=((2,), (7, 9)))
    assert step(None, deploy, NAMES) == (
        "The wall is 4 steps away. The old intel is 1 to 4.",
        "Day 1 of 3, Ann guesses first. Exhausted: Ann's Scout (2); Bob's Bomb (7) and General (9).",
    )
    intel = replace(deploy, phase="intel")
    assert step(deploy, intel, NAMES) == ("Day 1: both sides have deployed.",)
    marked = replace(BASE, marks=(frozenset({1, 3, 4}), frozenset()))
    assert step(intel, marked, NAMES) == (
        "Day 1: the intel is 4 to 7. Ann marks missions 1, 3 and 4; Bob marks nothing.",
    )
    marked = replace(BASE, marks=(frozenset({2}), frozenset({1, 2, 3, 4})))
    assert "Ann marks mission 2; Bob marks every mission." in step(intel, marked, NAMES)[0]


def test_a_night_tells_the_new_day() -> None:
    before = replace(BASE, phase="night", turn=8, cards=(line(1, 3, 8, 10), line(5, 4, 6, 9)))
    after, _ = rolled(before, 0)
    told = "Day 2 of 3, Bob guesses first. Exhausted: Ann's Spy (1); Bob's Lieutenant (5)."
    assert step(before, after, NAMES) == (told,)


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (Outcome(frozenset({0}), "resigned"), "Ann wins: Bob has resigned."),
        (Outcome(frozenset(), "draw"), "A draw: the agent stands in the middle, and the points are equal."),
        (Outcome(frozenset(), "agreed"), "A draw: agreed."),
        (Outcome(frozenset({1}), "unresponsive"), "Bob claims the game: Ann did not answer."),
        (
            Outcome(frozenset({1}), "cheated", Breach(0, "card-laid-twice")),
            "Bob wins: Ann laid a soldier twice on one day.",
        ),
        (
            Outcome(frozenset({0}), "critical-flaw"),
            "Ann wins: Bob took the flag with a card out of order, or a closed one falsely marked or never "
            "shown.",
        ),
    ],
)
def test_every_ending_is_told(outcome: Outcome, told: str) -> None:
    assert ending(outcome, NAMES) == told
