"""The chart of soldiers: what each does in action, and what a Captain makes of an exhausted one."""

from __future__ import annotations

import pytest

from p2p_stratego.core.game import Choose, Open
from p2p_stratego.core.rulebook import drive
from p2p_stratego.spies_and_lies.rules.components import (
    BLUE,
    BOMB,
    CAPTAIN,
    COLONEL,
    GENERAL,
    LIEUTENANT,
    MARSHAL,
    MINER,
    RED,
    SCOUT,
    SERGEANT,
    SPY,
)
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.state import Effect, State
from tests.helpers.spies_and_lies.table import (
    BASE,
    effects,
    guessed,
    in_action,
    replace,
    result,
    truthfully,
)


def tired(*ranks: int, state: State = BASE) -> State:
    """A state in which these soldiers of blue are exhausted."""
    return replace(state, exhausted=((2,), ranks))


# Simple gains


@pytest.mark.parametrize(
    ("soldier", "points"),
    [(SPY, 1), (SCOUT, 2), (MINER, 3), (SERGEANT, 4), (COLONEL, 8), (BOMB, 0), (LIEUTENANT, 0), (GENERAL, 0)],
)
def test_the_owner_gains_the_soldiers_points(soldier: int, points: int) -> None:
    state = tired(MARSHAL)
    assert in_action(soldier, state).points == (0, points)


@pytest.mark.parametrize(("soldier", "steps"), [(LIEUTENANT, 1), (GENERAL, 2), (BOMB, 0), (SERGEANT, 0)])
def test_lieutenant_and_general_push_the_agent(soldier: int, steps: int) -> None:
    after = in_action(soldier)
    assert after.agent == -steps
    assert after.moved == (0, steps)


def test_red_pushes_the_agent_up() -> None:
    after = guessed(replace(BASE, turn=1, tokens=(0, 0)), GENERAL)
    assert (after.agent, after.moved) == (2, (2, 0))


def test_the_guesser_gains_nothing_by_a_soldier_in_action() -> None:
    assert in_action(SERGEANT, replace(BASE, points=(5, 0))).points == (5, 4)


# Spy


def test_a_spy_wins_a_spare_token() -> None:
    after = in_action(SPY)
    assert (after.tokens, after.spare) == ((1, 1), 1)


def test_nobody_holds_more_than_two_tokens() -> None:
    after = guessed(replace(BASE, tokens=(0, 2), spare=1), SPY, token=False)
    assert (after.tokens, after.spare) == ((0, 2), 1)


def test_a_token_laid_on_the_spy_makes_room_for_the_one_it_wins() -> None:
    after = guessed(replace(BASE, tokens=(0, 2), spare=1), SPY, token=True)
    assert (after.tokens, after.spare, after.points) == ((0, 2), 0, (0, 5))


def test_without_a_spare_token_the_spy_wins_none() -> None:
    after = in_action(SPY, replace(BASE, spare=0))
    assert (after.tokens, after.spare) == ((1, 0), 0)


# What stays in force


@pytest.mark.parametrize("soldier", [SPY, SCOUT, MINER])
def test_spy_scout_and_miner_stay_in_force_for_their_owner(soldier: int) -> None:
    after = in_action(soldier, tired(MARSHAL))
    assert after.active == (frozenset(), frozenset({soldier}))


@pytest.mark.parametrize("soldier", [SERGEANT, LIEUTENANT, BOMB, COLONEL, GENERAL])
def test_no_other_soldier_stays_in_force(soldier: int) -> None:
    assert in_action(soldier).active == (frozenset(), frozenset())


def test_several_soldiers_can_be_in_force() -> None:
    state = replace(BASE, active=(frozenset({SCOUT}), frozenset({SPY})))
    assert in_action(MINER, state).active == (frozenset({SCOUT}), frozenset({SPY, MINER}))


# Bomb


def test_a_bomb_in_action_waits_for_its_owners_next_guess() -> None:
    state = in_action(BOMB)
    assert state.blast == (False, True)
    after = guessed(state, 9, token=False)  # blue guesses red's mission 1
    assert result(after) == "retreated"
    assert after.blast == (False, False)


def test_only_the_next_guess_meets_the_blast() -> None:
    state = guessed(in_action(BOMB), 9, token=False)
    state = guessed(replace(state, tokens=(0, 0)), 9)
    assert result(guessed(state, 10, marshal="ten")) == "activated"


# Colonel


@pytest.mark.parametrize(("before", "left"), [(0, 8), (1, 9), (2, 0), (7, 5), (9, 7)])
def test_a_colonels_points_beyond_10_are_kept(before: int, left: int) -> None:
    after = in_action(COLONEL, replace(BASE, points=(0, before)))
    assert after.points == (0, left)
    assert after.agent == (-1 if before >= 2 else 0)


@pytest.mark.parametrize(("soldier", "before"), [(SERGEANT, 9), (MINER, 8), (SCOUT, 9)])
def test_all_others_points_beyond_10_are_lost(soldier: int, before: int) -> None:
    after = in_action(soldier, replace(tired(MARSHAL), points=(0, before)))
    assert (after.points, after.agent) == ((0, 0), -1)


def test_a_guessers_points_beyond_10_are_lost() -> None:
    state = replace(BASE, points=(9, 0), tokens=(0, 0))
    after = guessed(state, 9, 9)
    assert (after.points, after.agent) == ((0, 0), 1)


# Marshal


@pytest.mark.parametrize("before", [0, 4, 9])
def test_ten_points_bring_the_marker_round_to_0_whatever_it_showed(before: int) -> None:
    after = in_action(MARSHAL, replace(BASE, points=(7, before)), marshal="ten")
    assert (after.points, after.agent) == ((7, 0), -1)


@pytest.mark.parametrize(
    ("before", "left", "agent"),
    [((7, 0), (2, 5), 0), ((3, 4), (0, 9), 0), ((0, 5), (0, 0), -1), ((5, 9), (0, 0), -1)],
)
def test_five_points_also_cost_the_enemy_five_but_not_below_0(
    before: tuple[int, int], left: tuple[int, int], agent: int
) -> None:
    after = in_action(MARSHAL, replace(BASE, points=before), marshal="five")
    assert (after.points, after.agent) == (left, agent)


# Captain


def test_a_captain_scores_6() -> None:
    assert in_action(CAPTAIN, captain="points").points == (0, 6)


def test_a_captain_may_use_any_of_the_owners_exhausted_soldiers_and_no_other() -> None:
    seen: list[tuple[str, ...]] = []

    def answer(ask: Choose | Open) -> object:
        if isinstance(ask, Open):
            return CAPTAIN
        seen.append(tuple(ask.options))
        return next(iter(ask.options))

    drive(GAME.turn(truthfully(replace(tired(SPY, BOMB), tokens=(0, 0)), CAPTAIN)), answer)
    assert seen[-1] == ("captain points", "captain 1", "captain 7")


@pytest.mark.parametrize(
    ("soldier", "points", "agent"),
    [
        (SPY, 1, 0),
        (SCOUT, 2, 0),
        (MINER, 3, 0),
        (SERGEANT, 4, 0),
        (LIEUTENANT, 0, -1),
        (BOMB, 0, 0),
        (COLONEL, 8, 0),
        (GENERAL, 0, -2),
    ],
)
def test_a_copied_soldier_acts_as_if_it_were_there_itself(soldier: int, points: int, agent: int) -> None:
    copied = in_action(CAPTAIN, tired(soldier), captain=str(soldier))
    itself = in_action(soldier, tired(MARSHAL))
    assert (copied.points, copied.agent) == ((0, points), agent) == (itself.points, itself.agent)
    assert (copied.active, copied.blast, copied.tokens) == (itself.active, itself.blast, itself.tokens)
    assert effects(copied) == [Effect("copied", BLUE, soldier), *effects(itself)]


def test_a_copied_colonel_keeps_what_is_over() -> None:
    after = in_action(CAPTAIN, replace(tired(COLONEL), points=(0, 7)), captain="8")
    assert after.points == (0, 5)


@pytest.mark.parametrize(("choice", "points"), [("ten", (7, 0)), ("five", (2, 5))])
def test_a_copied_marshal_lets_its_owner_choose(choice: str, points: tuple[int, int]) -> None:
    state = replace(tired(MARSHAL), points=(7, 0))
    assert in_action(CAPTAIN, state, captain="10", marshal=choice).points == points


@pytest.mark.parametrize(("soldier", "finder"), [(MARSHAL, SPY), (BOMB, MINER)])
def test_a_copied_marshal_or_bomb_retreats_in_vain_before_spy_or_miner(soldier: int, finder: int) -> None:
    state = replace(tired(soldier), active=(frozenset({finder}), frozenset()))
    after = in_action(CAPTAIN, state, captain=str(soldier))
    assert (after.points, after.agent, after.blast) == ((0, 0), 0, (False, False))
    assert effects(after) == [Effect("copied", BLUE, soldier), Effect("in vain", BLUE, soldier)]


@pytest.mark.parametrize(("soldier", "finder"), [(MARSHAL, MINER), (BOMB, SPY)])
def test_a_copied_soldier_heeds_only_the_enemy_that_finds_it(soldier: int, finder: int) -> None:
    state = replace(tired(soldier), active=(frozenset({finder}), frozenset({SPY, MINER})))
    after = in_action(CAPTAIN, state, captain=str(soldier), marshal="ten" if soldier == MARSHAL else None)
    assert Effect("in vain", BLUE, soldier) not in effects(after)


def test_a_token_pays_4_though_the_copied_soldier_retreated() -> None:
    state = replace(tired(MARSHAL), active=(frozenset({SPY}), frozenset()))
    after = guessed(state, CAPTAIN, token=True, captain="10")
    assert after.points == (0, 4)


def test_a_copied_soldier_stays_exhausted() -> None:
    after = in_action(CAPTAIN, tired(SPY), captain="1")
    assert after.exhausted == ((2,), (SPY,))


def test_a_captain_of_red_uses_reds_exhausted_soldier() -> None:
    state = replace(BASE, turn=1, tokens=(0, 0), exhausted=((GENERAL,), (2,)))
    assert guessed(state, CAPTAIN, captain="9").agent == 2
    assert state.guesser != RED
