"""How a game ends: flag and critical flaw, the count after day 3, and cards that cannot be there."""

from __future__ import annotations

from typing import Any

import pytest

from p2p_stratego.core.game import Breach
from p2p_stratego.spies_and_lies.rules.checks import EXHAUSTED
from p2p_stratego.spies_and_lies.rules.components import BLUE, LIEUTENANT, RED
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.state import Shown, State, slot
from tests.helpers.spies_and_lies.table import (
    BASE,
    blue_shows,
    effects,
    guessed,
    line,
    replace,
    report,
    result,
)

AT_THE_WALL = replace(BASE, agent=-4, tokens=(1, 0))
"""Blue's next step takes red's flag; today's intel asks for marks on 4 to 7."""


def flag(mission: int, ranks: tuple[int, int, int, int], marks: set[int], **changes: Any) -> State:
    """Blue takes the flag with the card under `mission` of this line; those before it are shown."""
    state = replace(
        AT_THE_WALL,
        turn=2 * (mission - 1),
        cards=(BASE.cards[RED], line(*ranks[: mission - 1])),
        marks=(frozenset(), frozenset(marks)),
        **changes,
    )
    closed = {slot(1, BLUE, number): ranks[number - 1] for number in range(mission + 1, 5)}
    return guessed(state, ranks[mission - 1], closed=closed)


def ending(state: State) -> tuple[frozenset[int], str]:
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert state.phase == "over"
    return outcome.winners, outcome.reason


# Flag


def test_the_winner_shows_every_closed_card_and_the_loser_none() -> None:
    after = flag(1, (LIEUTENANT, 6, 8, 9), {1, 2})
    assert ending(after) == (frozenset({BLUE}), "flag")
    assert after.cards[BLUE] == (
        Shown(LIEUTENANT, "activated"),
        Shown(6, "opened"),
        Shown(8, "opened"),
        Shown(9, "opened"),
    )
    assert after.cards[RED] == BASE.cards[RED]
    assert after.turn == 1


def test_a_flag_by_the_last_card_leaves_nothing_to_show() -> None:
    assert ending(flag(4, (1, 2, 3, 9), set(), exhausted=((2,), (10,)))) == (frozenset({BLUE}), "flag")


@pytest.mark.parametrize(
    ("ranks", "marks"),
    [
        ((LIEUTENANT, 3, 8, 9), {1}),  # the Miner is out of order, face down
        ((LIEUTENANT, 9, 10, 8), {1}),  # the Colonel too, at the end
        ((LIEUTENANT, 6, 8, 9), {1}),  # the Captain is not marked
        ((LIEUTENANT, 6, 8, 9), {1, 2, 4}),  # the General is marked
    ],
)
def test_a_flaw_among_the_closed_cards_cancels_the_win(
    ranks: tuple[int, int, int, int], marks: set[int]
) -> None:
    assert ending(flag(1, ranks, marks)) == (frozenset({RED}), "critical-flaw")


def test_a_broken_order_that_was_already_punished_cancels_the_win_all_the_same() -> None:
    out_of_order = flag(3, (8, 3, 9, 10), set())
    assert ending(out_of_order) == (frozenset({RED}), "critical-flaw")


def test_a_false_mark_that_was_opened_before_is_paid_for_and_takes_nothing_from_the_win() -> None:
    falsely_marked = flag(2, (1, 9, 10, 4), {1})
    assert ending(falsely_marked) == (frozenset({BLUE}), "flag")
    assert ending(flag(2, (1, 9, 10, 4), {1, 3})) == (frozenset({RED}), "critical-flaw")


def test_a_false_mark_of_the_card_that_the_guesser_pays_with_is_paid_for_too() -> None:
    """The taker's card that was turned up last, falsely marked, in the turn before it guesses rightly."""
    state = replace(BASE, agent=4, points=(8, 0), tokens=(0, 0), turn=2, marks=(frozenset({1}), frozenset()))
    state = replace(state, cards=(line(2), line(1)), exhausted=((3,), (3,)))
    closed = {slot(1, RED, mission): rank for mission, rank in ((2, 8), (3, 9), (4, 10))}
    assert ending(guessed(state, 9, 9, closed=closed)) == (frozenset({RED}), "flag")


@pytest.mark.parametrize("marks", [{1}, {1, 3}])
def test_the_sergeant_is_no_flaw_wherever_it_stands_and_however_marked(marks: set[int]) -> None:
    assert ending(flag(1, (LIEUTENANT, 9, 4, 10), marks)) == (frozenset({BLUE}), "flag")


def test_the_agent_stays_behind_the_wall_also_when_the_win_is_cancelled() -> None:
    assert flag(1, (LIEUTENANT, 3, 8, 9), {1}).agent == -5


@pytest.mark.parametrize("ranks", [(LIEUTENANT, 2, 8, 9), (LIEUTENANT, 6, 6, 9), (LIEUTENANT, 3, 2, 9)])
def test_an_impossible_card_in_the_winners_line_is_cheating_and_ends_the_showing(
    ranks: tuple[int, int, int, int],
) -> None:
    after = flag(1, ranks, {1, 2, 3})
    assert ending(after) == (frozenset({RED}), "cheated")
    assert after.cards[BLUE][3] is None
    assert result(after) == "activated"
    assert after.ended is not None
    assert after.ended.breach is not None
    assert after.ended.breach.seat == BLUE


def test_the_guesser_too_can_take_the_flag() -> None:
    state = replace(BASE, agent=4, points=(8, 0), tokens=(0, 0), marks=(frozenset({2}), frozenset()))
    closed = {slot(1, RED, mission): rank for mission, rank in ((1, 1), (2, 7), (3, 8), (4, 10))}
    after = guessed(state, 9, 9, closed=closed)
    assert ending(after) == (frozenset({RED}), "flag")
    assert after.agent == 5
    assert after.cards[BLUE][1:] == (None, None, None)


# After day 3


def last(**changes: Any) -> State:
    """The last guess of day 3: blue, which started neither day 1 nor 3, misses red's General."""
    intel = ((1, 4), (4, 7), (7, 10), (1, 4))
    state = replace(BASE, day=3, turn=7, intel=intel, tokens=(0, 0), **changes)
    return guessed(state, 4)


@pytest.mark.parametrize(("agent", "winner"), [(1, RED), (4, RED), (-1, BLUE), (-4, BLUE)])
def test_after_day_3_the_agent_on_enemy_ground_wins(agent: int, winner: int) -> None:
    assert ending(last(agent=agent, points=(0, 0))) == (frozenset({winner}), "territory")


@pytest.mark.parametrize(("points", "winner"), [((0, 3), RED), ((0, 5), BLUE)])
def test_with_the_agent_in_the_middle_more_points_win(points: tuple[int, int], winner: int) -> None:
    assert ending(last(points=points)) == (frozenset({winner}), "points")  # red's Sergeant adds 4


def test_equal_points_then_are_a_draw() -> None:
    assert ending(last(points=(0, 4))) == (frozenset(), "draw")


@pytest.mark.parametrize(("day", "phase"), [(1, "night"), (2, "night"), (3, "over")])
def test_only_the_third_day_is_the_last(day: int, phase: str) -> None:
    intel = ((1, 4), (4, 7), (7, 10), (1, 4))[: day + 1]
    state = replace(BASE, day=day, turn=7, intel=intel, tokens=(0, 0), agent=1)
    assert guessed(state, 4).phase == phase


def test_a_flag_on_the_last_turn_is_a_flag_and_no_territory() -> None:
    state = replace(BASE, day=3, turn=7, agent=4, intel=((1, 4), (4, 7), (7, 10), (1, 4)), tokens=(0, 0))
    state = replace(state, cards=(line(1, 2, 3), line(1, 3, 5, 6)), exhausted=((10,), (10,)))
    state = replace(state, marks=(frozenset({1, 2, 3}), frozenset()))
    after = guessed(state, LIEUTENANT)
    assert ending(after) == (frozenset({RED}), "flag")


# Cheating


def test_an_exhausted_card_loses_the_game_on_sight() -> None:
    after = guessed(replace(BASE, points=(1, 2), agent=2), 2, token=True, lie=True)
    assert ending(after) == (frozenset({RED}), "cheated")
    assert after.ended is not None
    assert after.ended.breach is not None
    assert after.ended.breach == Breach(BLUE, EXHAUSTED)
    assert (result(after), effects(after)) == ("impossible", [])
    assert (after.points, after.agent, after.turn) == ((1, 2), 2, 0)
    assert after.cards[BLUE][0] == Shown(2, "impossible")
    assert report(after).tokens == (1, 0)


def test_a_card_laid_twice_loses_the_game_when_the_second_is_seen() -> None:
    state = replace(blue_shows(BASE, 5), tokens=(0, 0))
    assert ending(guessed(state, 5)) == (frozenset({RED}), "cheated")
    assert ending(guessed(replace(blue_shows(BASE, 4), tokens=(0, 0)), 4)) == (frozenset({RED}), "cheated")


def test_cheating_comes_before_every_line_of_the_table() -> None:
    counted = replace(blue_shows(BASE, 8, 3), caught=(False, True))
    assert ending(guessed(counted, 2)) == (frozenset({RED}), "cheated")
    assert ending(guessed(BASE, 2, 2, token=False)) == (frozenset({RED}), "cheated")


def test_the_same_soldier_on_both_sides_is_no_cheating() -> None:
    state = replace(BASE, cards=(line(9), BASE.cards[BLUE]), exhausted=((3,), (2,)), tokens=(0, 0))
    assert result(guessed(state, 9)) == "activated"
    assert result(guessed(state, 3)) == "activated"
