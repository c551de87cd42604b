"""How the agent judges: states, turns played in the head, and lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from p2p_stratego.core.game import Open, Outcome
from p2p_stratego.core.values import replace
from p2p_stratego.spies_and_lies.bots.beliefs import (
    DEPLOYMENTS,
    Evidence,
    chances,
    hand,
    members,
    possible,
)
from p2p_stratego.spies_and_lies.bots.deployment import (
    NOTHING,
    fares,
    guess_weights,
    likely_ranks,
    line_stakes,
    line_weights,
    payoffs,
)
from p2p_stratego.spies_and_lies.bots.evaluation import FLAG, HIT, lead, to_come, win_chance
from p2p_stratego.spies_and_lies.bots.lookahead import Stake, rehearse, stakes
from p2p_stratego.spies_and_lies.rules.chance import deck_left
from p2p_stratego.spies_and_lies.rules.components import BOMB, MARSHAL, MINER, SCOUT, SPY
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.notation import KEEP, MARKS
from p2p_stratego.spies_and_lies.rules.state import NO_MARKS, Shown, State, with_side
from tests.helpers.spies_and_lies.crook import Crook, crooked, honest
from tests.helpers.spies_and_lies.table import BASE, line

SERGEANT = 4


def states(games: int = 15) -> Iterator[State]:
    """Every state of some games, crooked ones among them."""
    for seed in range(games):
        player = (honest, crooked)[seed % 2]
        yield from player(Random(seed)).play(2 + seed % 7, "random")


def test_what_one_side_may_hope_for_the_other_has_to_fear() -> None:
    for state in states():
        assert lead(state, 0) == pytest.approx(-lead(state, 1))
        assert win_chance(state, 0) + win_chance(state, 1) == pytest.approx(1)
        assert 0 <= win_chance(state, 0) <= 1


def test_a_finished_game_is_judged_by_its_outcome() -> None:
    won = replace(BASE, phase="over", ended=Outcome(frozenset({1}), "flag"))
    assert (win_chance(won, 0), win_chance(won, 1)) == (0, 1)
    assert (lead(won, 0), lead(won, 1)) == (-FLAG, FLAG)
    drawn = replace(BASE, phase="over", ended=Outcome(frozenset(), "draw"))
    assert win_chance(drawn, 0) == 0.5


def test_no_lead_that_is_not_won_yet_counts_as_much_as_the_flag() -> None:
    assert all(abs(lead(state, 0)) < FLAG for state in states() if state.ended is None)


@pytest.mark.parametrize(
    "better",
    [
        {"agent": 1},
        {"points": (3, 0)},
        {"tokens": (2, 1)},
        {"blast": (True, False)},
        {"caught": (False, True)},
        {"double": (False, True)},
        {"active": (frozenset({SCOUT}), frozenset[int]())},
        {"active": (frozenset({SPY}), frozenset[int]())},
        {"active": (frozenset({MINER}), frozenset[int]())},
    ],
)
def test_what_helps_is_worth_something(better: dict[str, Any]) -> None:
    assert win_chance(replace(BASE, **better), 0) > win_chance(BASE, 0)


@pytest.mark.parametrize(("soldier", "prey"), [(SPY, MARSHAL), (MINER, BOMB)])
def test_a_soldier_in_force_is_worth_nothing_once_its_prey_is_gone(soldier: int, prey: int) -> None:
    hunting = (frozenset({soldier}), frozenset[int]())
    away = replace(BASE, turn=2, exhausted=((2,), (prey,)))
    shown = replace(BASE, turn=2, cards=(BASE.cards[0], line(prey)))
    for state in (away, shown):
        assert lead(replace(state, active=hunting), 0) == lead(state, 0)


def test_what_is_in_force_is_worth_nothing_when_the_day_is_over() -> None:
    evening = replace(BASE, phase="night", turn=8)
    assert lead(replace(evening, blast=(True, False)), 0) == lead(evening, 0)


def test_the_walk_of_the_last_turn_is_what_ten_soldiers_bring() -> None:
    # As owner without points, on day 3: 1 step of the Lieutenant, 2 of the General, 3 for the Marshal's 10.
    assert to_come(3, 7, 0, True).mean == pytest.approx((1 - HIT) * (1 + 2 + 3) / 10)
    # With 9 points every soldier that scores makes 3 steps, and so do the 2 points of a guesser.
    assert to_come(3, 7, 9, True).mean == pytest.approx((1 - HIT) * (1 + 2 + 7 * 3) / 10)
    assert to_come(3, 7, 9, False).mean == pytest.approx(HIT * 3)
    assert to_come(3, 8, 9, False) == (0, 0)


def test_the_colonel_keeps_what_is_beyond_ten() -> None:
    kept = to_come(1, 6, 5, False).mean - to_come(1, 6, 0, False).mean
    assert kept > 0


def played_turns(games: int = 20) -> Iterator[tuple[State, tuple[Any, ...], State]]:
    """Mission turns of honest games: before, what was answered up to what the rehearsal needs, after."""
    for seed in range(games):
        crook: Crook = honest(Random(seed))
        done = 0
        for before, after in pairwise(_counted(crook, 2 + seed % 7)):
            answers, done = crook.answers[before[1] : after[1]], after[1]
            if before[0].phase == "mission":
                opens = [i for i, (ask, _) in enumerate(answers) if isinstance(ask, Open)]
                end = opens[1] if len(opens) > 1 else len(answers)
                yield before[0], tuple(answer for _, answer in answers[:end]), after[0]
        assert done == len(crook.answers)


def _counted(crook: Crook, wall: int) -> list[tuple[State, int]]:
    return [(state, len(crook.answers)) for state in crook.play(wall, "random")]


def test_a_turn_in_the_head_ends_as_at_the_table() -> None:
    flags = 0
    for before, answers, after in played_turns():
        assert rehearse(before, answers, 0, win_chance) == pytest.approx(win_chance(after, 0))
        flags += after.ended is not None and after.ended.reason == "flag"
    assert flags > 0


def test_a_choice_still_open_is_taken_as_its_owner_likes_best() -> None:
    state = replace(BASE, exhausted=((1,), (1, 9)), tokens=(0, 0), marks=(frozenset(), frozenset({1})))
    options = [
        rehearse(state, ("guess 5", 6, option), 1, lead)
        for option in ("captain points", "captain 1", "captain 9")
    ]
    assert len(set(options)) == 3
    assert rehearse(state, ("guess 5", 6), 1, lead) == max(options)
    assert rehearse(state, ("guess 5", 6), 0, lead) == pytest.approx(-max(options))


def test_naming_a_card_is_worth_more_the_more_it_would_do() -> None:
    state = replace(BASE, tokens=(0, 0), marks=(frozenset(), frozenset({1})), intel=((1, 4), (1, 10)))
    by_rank = stakes(state, (), (1, 2, 3, 5, 9), lead)
    assert by_rank[9].gain > by_rank[5].gain > by_rank[3].gain > by_rank[2].gain > 0


def test_good_guesses_prefer_the_likely_and_the_dangerous_and_leave_nothing_out() -> None:
    even = Stake(1.0, 0.0, 1.0)
    named = guess_weights({1: 0.6, 2: 0.4}, {1: even, 2: even})
    assert sum(named.values()) == pytest.approx(1)
    assert named[1] > 0.6
    assert named[2] > 0
    feared = guess_weights({1: 0.5, 2: 0.5}, {1: even, 2: Stake(1.0, -1.0, 2.0)})
    assert feared[2] > 0.8


def mornings() -> Iterator[State]:
    return (state for state in states(6) if state.phase == "deploy")


@pytest.mark.parametrize("owner", [0, 1])
def test_mornings_whose_stakes_are_shared_have_the_same_ones(owner: int) -> None:
    """As if each morning were judged by itself, with every exhausted soldier of the other side."""
    asked = 0
    for state in mornings():
        for tired in ((), (MARSHAL,), (BOMB, MARSHAL), (SPY, BOMB), (SCOUT,), (MINER, SERGEANT)):
            exhausted = with_side(state.exhausted, 1 - owner, tired)
            there = replace(state, exhausted=exhausted)
            shared = line_stakes(there, owner)
            for mission, worths in enumerate(shared, 1):
                turn = 2 * (mission - 1) + (there.starter == owner)
                alone = replace(there, phase="mission", turn=turn, intel=(NOTHING,), marks=NO_MARKS)
                answers = (KEEP,) if there.tokens[owner] else ()
                assert worths == stakes(alone, answers, worths, lead)
                asked += 1
    assert asked


def test_all_lines_at_once_fare_as_each_does_alone() -> None:
    for state in list(mornings())[:3]:
        stake, lines, deck = line_stakes(state, 0), hand(state.exhausted[0]), deck_left(state.intel)
        together = payoffs(stake, state.exhausted[0], deck)
        assert together.keys() == set(members(lines))
        for index in list(together)[::17]:
            alone = 0.0
            for intel in deck:
                seen = [
                    lines & possible(Evidence(intel=intel, marks=marks))
                    for marks in MARKS.values()
                    if possible(Evidence(intel=intel, marks=marks)) >> index & 1
                ]
                assert len(seen) == (2 if SERGEANT in DEPLOYMENTS[index] else 1)
                alone += sum(fares(stake, DEPLOYMENTS[index], group) for group in seen) / len(seen)
            assert together[index] == pytest.approx(alone / len(deck), abs=1e-3)


def test_every_honest_line_is_laid_now_and_then_and_no_other() -> None:
    for state in mornings():
        for seat in (0, 1):
            weights = line_weights(state, seat)
            assert weights.keys() == set(members(hand(state.exhausted[seat])))
            assert max(weights.values()) == 1
            assert min(weights.values()) > 0


def test_expecting_a_good_player_rules_out_what_exact_beliefs_rule_out_and_nothing_else() -> None:
    crooks = 0
    for state in states(12):
        if state.phase != "mission" or GAME.outcome(state) is not None:
            continue
        owner = 1 - state.guesser
        evidence = Evidence.of(state, owner)
        likely = likely_ranks(state, owner)
        if likely is None:
            assert not possible(evidence)
            crooks += 1
            continue
        assert list(likely) == list(chances(evidence)[state.mission - 1])
        assert sum(likely.values()) == pytest.approx(1)
    assert crooks > 0


def test_the_line_of_a_day_is_expected_the_same_all_day() -> None:
    # What has been opened is learnt from; points won since the morning are not.
    early = replace(BASE, marks=(frozenset(), frozenset({2})))
    late = replace(
        early, points=(7, 9), agent=3, cards=((Shown(5, "activated"), None, None, None), early.cards[1])
    )
    assert likely_ranks(early, 1) == likely_ranks(late, 1)
