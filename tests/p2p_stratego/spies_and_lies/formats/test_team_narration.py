"""What is told at a table of three or four: acts by the player, all that is shared by the side."""

from __future__ import annotations

import pytest

from p2p_stratego.core.driver import drive
from p2p_stratego.core.game import Breach, Outcome
from p2p_stratego.spies_and_lies.formats.narration import ending, step, tell_turn
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.seating import Seating
from p2p_stratego.spies_and_lies.rules.state import State
from tests.helpers.spies_and_lies.table import BASE, line, replace

FOUR_NAMES = ("Anna", "Boris", "Cleo", "Dora")
FOUR = replace(BASE, seating=Seating(4), tokens=(0, 0))
RED, BLUE = frozenset({0, 2}), frozenset({1, 3})


def played(state: State, *answers: object) -> State:
    left = iter(answers)
    return drive(GAME.turn(state), lambda _: next(left))


def told(state: State, *answers: object) -> str:
    after = played(state, *answers)
    assert after.report is not None
    return tell_turn(after.report, FOUR_NAMES)


def test_players_guess_and_sides_score() -> None:
    assert told(FOUR, "guess 3", 3) == (
        "Anna guesses the Miner (3) at Boris's mission 1. It is. Red scores 2 for identifying it."
    )
    assert told(replace(FOUR, turn=4), "guess 1", 3) == (
        "Cleo guesses the Spy (1) at Dora's mission 3. It is the Miner (3), which goes into action. "
        "Blue scores 3 with the Miner (3). Blue's Miner (3) stays in force today."
    )


def test_a_side_is_caught_and_each_of_its_players_pays() -> None:
    state = replace(FOUR, turn=6, caught=(False, True), cards=(BASE.cards[0], line(8, 5, 9)))
    assert told(state, 3) == (
        "Dora's mission 4 counts as identified, for Blue was caught out of order: the Miner (3). "
        "Red scores 2 for it."
    )


def test_a_card_that_stays_closed_is_told_with_its_owner() -> None:
    state = drive(GAME.gone(FOUR, 1), lambda _: None)
    assert told(state) == (
        "Boris's mission 1 stays face down, for Boris is gone, and counts as identified. Red scores 2 for it."
    )
    assert told(FOUR, "guess 1", None).startswith(
        "Anna guesses the Spy (1) at Boris's mission 1. Boris's mission 1 stays face down"
    )


@pytest.mark.parametrize(
    ("before", "gone", "line"),
    [
        (FOUR, 2, "Cleo is gone; Anna plays on for both. Cleo's missions 3 and 4 will stay face down."),
        (replace(FOUR, phase="deploy"), 1, "Boris is gone; Dora plays on for both."),
    ],
)
def test_a_departure_is_told_with_who_plays_on_and_what_stays_closed(
    before: State, gone: int, line: str
) -> None:
    after = drive(GAME.gone(before, gone), lambda _: None)
    assert step(before, after, FOUR_NAMES) == (line,)


def test_a_morning_tells_who_lays_when_and_a_side_without_an_exhausted_soldier() -> None:
    dawn = replace(FOUR, phase="night", turn=8, cards=(line(), line(1, 3, 8, 9)))
    morning = played(dawn, 0)
    assert step(dawn, morning, FOUR_NAMES) == (
        "Day 2 of 3, Blue guesses first. Exhausted: Red's nobody; Blue's Spy (1).",
    )
    looking = played(morning, (None, None))
    assert step(morning, looking, FOUR_NAMES) == (
        "Day 2: the first soldiers lie; Cleo and Dora lay the others.",
    )


def test_everybodys_marks_are_told_by_name() -> None:
    before = replace(FOUR, phase="intel", intel=((1, 4),))
    after = played(before, 2, ("mark 12", "mark none", "mark 4", "mark 34"))
    assert step(before, after, FOUR_NAMES) == (
        "Day 1: the intel is 4 to 7. Anna marks missions 1 and 2; Boris marks nothing; "
        "Cleo marks mission 4; Dora marks missions 3 and 4.",
    )


@pytest.mark.parametrize(
    ("outcome", "names", "sentence"),
    [
        (
            Outcome(BLUE, "territory"),
            FOUR_NAMES,
            "Blue (Boris and Dora) wins: after the last day the agent stands on Red's ground.",
        ),
        (
            Outcome(RED, "cheated", Breach(3, "card-laid-twice")),
            FOUR_NAMES,
            "Red (Anna and Cleo) wins: Dora laid a soldier twice on one day.",
        ),
        (
            Outcome(frozenset({1}), "flag"),
            FOUR_NAMES[:3],
            "Blue (Boris) wins: the flag is taken, and every card of that day was in order.",
        ),
        (
            Outcome(frozenset(), "draw"),
            FOUR_NAMES,
            "A draw: the agent stands in the middle, and the points are equal.",
        ),
    ],
)
def test_an_end_names_both_players_of_a_side(outcome: Outcome, names: tuple[str, ...], sentence: str) -> None:
    assert ending(outcome, names) == sentence
