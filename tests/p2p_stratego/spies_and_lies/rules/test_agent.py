"""The double agent: infiltration, the walls, the flag, and the undo."""

from __future__ import annotations

import pytest

from p2p_stratego.spies_and_lies.rules.components import BLUE, GENERAL, LIEUTENANT, RED, SERGEANT, SPY
from p2p_stratego.spies_and_lies.rules.state import Effect, slot
from tests.helpers.spies_and_lies.table import (
    BASE,
    blue_shows,
    effects,
    guessed,
    in_action,
    replace,
    report,
)


@pytest.mark.parametrize("day", [1, 2, 3])
def test_reaching_10_moves_the_agent_as_many_steps_as_the_days_number(day: int) -> None:
    state = replace(BASE, day=day, intel=((1, 4),) * 1 + ((4, 7), (7, 10), (4, 7))[:day], points=(9, 0))
    assert guessed(state, 3, 3, token=False).agent == day


def test_each_time_a_marker_comes_round_the_agent_moves() -> None:
    after = guessed(replace(BASE, points=(0, 6)), 8, token=True)  # 14: 4 kept; the token's 4: 8
    assert (after.points, after.agent) == ((0, 8), -1)
    state = replace(BASE, day=2, intel=((1, 4), (4, 7), (4, 7)), points=(0, 9))
    after = guessed(state, 8, token=True)  # 17: 7 kept; the token's 4: 11
    assert (after.points, after.agent) == ((0, 0), -4)


def test_the_enemy_wall_stops_the_agent_and_further_steps_are_lost() -> None:
    after = in_action(GENERAL, replace(BASE, agent=-3))
    assert (after.agent, after.moved, after.ended) == (-4, (0, 1), None)
    assert effects(after) == [Effect("agent", BLUE, 1), Effect("wall", BLUE, 1)]


def test_an_exact_arrival_at_the_wall_stops_there_too() -> None:
    after = in_action(GENERAL, replace(BASE, agent=-2))
    assert (after.agent, after.ended) == (-4, None)
    assert effects(after) == [Effect("agent", BLUE, 2), Effect("wall", BLUE, 0)]


def test_steps_after_the_arrival_are_lost_for_the_whole_turn() -> None:
    state = replace(BASE, agent=-3, points=(0, 8))
    after = guessed(state, LIEUTENANT, token=True)  # one step to the wall, then 8 + 4 reaches 10
    assert (after.agent, after.points, after.ended) == (-4, (0, 0), None)
    assert effects(after)[-1] == Effect("wall", BLUE, 1)


def test_the_wall_is_as_far_away_as_the_options_say() -> None:
    assert in_action(GENERAL, replace(BASE, wall=2, agent=-1)).agent == -2
    assert in_action(GENERAL, replace(BASE, wall=8, agent=-5)).agent == -7


def test_a_step_in_a_later_turn_takes_the_flag() -> None:
    state = in_action(LIEUTENANT, replace(BASE, agent=-3, turn=0))
    assert state.agent == -4
    state = replace(state, turn=2, cards=BASE.cards, points=(0, 0), intel=((1, 4), (1, 4)))
    closed = {slot(1, BLUE, mission): rank for mission, rank in ((1, 3), (3, 9), (4, 10))}
    state = replace(state, marks=(frozenset(), frozenset({1})))
    after = guessed(state, LIEUTENANT, closed=closed)
    assert after.agent == -5
    assert after.ended is not None
    assert (after.ended.winners, after.ended.reason) == (frozenset({BLUE}), "flag")


def test_the_next_turn_is_already_a_later_one_also_as_guesser() -> None:
    state = in_action(LIEUTENANT, replace(BASE, agent=-3))
    assert (state.guesser, state.agent) == (BLUE, -4)
    state = replace(state, points=(0, 9))
    closed = {slot(1, BLUE, mission): rank for mission, rank in ((2, 6), (3, 9), (4, 10))}
    state = replace(state, marks=(frozenset(), frozenset({1, 2})))
    after = guessed(state, 9, 9, token=False, closed=closed)  # blue identifies red's card: 11 points
    assert after.agent == -5
    assert after.ended is not None
    assert after.ended.reason == "flag"


def test_one_side_on_the_wall_does_not_let_the_other_take_its_own_flag() -> None:
    after = in_action(GENERAL, replace(BASE, agent=4))
    assert (after.agent, after.ended) == (2, None)


def test_driven_back_from_the_wall_the_agent_must_arrive_again() -> None:
    state = replace(BASE, agent=-4, tokens=(0, 0), turn=1)
    state = guessed(state, LIEUTENANT)  # red's: one step up
    assert state.agent == -3
    after = in_action(GENERAL, state)
    assert (after.agent, after.ended) == (-4, None)


def test_an_undo_that_puts_the_agent_on_the_wall_does_not_open_the_way_in_the_same_turn() -> None:
    # Blue is caught and its moves of today are undone up to its own wall; red then scores 10 in that turn.
    state = replace(blue_shows(BASE, 8), agent=2, moved=(0, 3), points=(9, 0))
    after = guessed(state, 3, token=False)
    assert (after.agent, after.points, after.ended) == (4, (0, 0), None)
    assert effects(after)[-1] == Effect("wall", RED, 1)


def test_an_agent_that_was_on_the_wall_before_an_undo_may_step_on() -> None:
    state = replace(blue_shows(BASE, 8), agent=4, moved=(0, 3), points=(9, 0))
    state = replace(state, cards=((None,) * 4, state.cards[BLUE]), marks=(frozenset({2, 3}), frozenset()))
    closed = {slot(1, RED, mission): rank for mission, rank in ((1, 3), (2, 5), (3, 6), (4, 9))}
    after = guessed(state, 3, token=False, closed=closed)
    assert after.agent == 5
    assert after.ended is not None
    assert (after.ended.winners, after.ended.reason) == (frozenset({RED}), "flag")


def test_a_turn_is_played_to_its_end_after_the_flag_and_the_agent_goes_no_further() -> None:
    state = replace(BASE, agent=-4, points=(0, 7), marks=(frozenset(), frozenset()))
    closed = {slot(1, BLUE, mission): rank for mission, rank in ((2, 8), (3, 9), (4, 10))}
    after = guessed(state, SERGEANT, token=True, lie=True, closed=closed)
    assert (after.agent, after.points, after.tokens) == (-5, (0, 4), (1, 0))
    assert effects(after) == [
        Effect("points", BLUE, 4),
        Effect("infiltrated", BLUE, 0),
        Effect("flag", BLUE, 0),
        Effect("points", BLUE, 4),
    ]


def test_a_second_infiltration_behind_the_flag_moves_nothing() -> None:
    state = replace(BASE, agent=-4, points=(0, 9), marks=(frozenset(), frozenset()))
    closed = {slot(1, BLUE, mission): rank for mission, rank in ((2, 4), (3, 9), (4, 10))}
    after = guessed(state, 8, token=True, closed=closed)  # 17: flag, 7 kept; 11: round again
    assert (after.agent, after.points) == (-5, (0, 0))


def test_an_undo_counts_the_steps_that_were_made_not_those_lost_at_the_wall() -> None:
    state = in_action(GENERAL, replace(BASE, agent=-3))
    after = guessed(replace(state, turn=2), SPY, token=None)
    assert report(after).result == "incorrect-order"
    assert after.agent == -3
