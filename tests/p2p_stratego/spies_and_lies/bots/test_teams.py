"""Bots as mates and as opponents, in any seat: they keep the rules together, and stand in for each other."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from p2p_stratego.core.game import Ask, Choose, Commit, Open, Roll
from p2p_stratego.core.values import replace
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.agent import Agent
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, chances
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from p2p_stratego.spies_and_lies.rules.asks import commit_ask, mark_ask
from p2p_stratego.spies_and_lies.rules.checks import out_of_order
from p2p_stratego.spies_and_lies.rules.components import RED
from p2p_stratego.spies_and_lies.rules.notation import mark
from p2p_stratego.spies_and_lies.rules.observation import honest_marks, laid_line, own_line, seen_line
from p2p_stratego.spies_and_lies.rules.seating import Seating
from p2p_stratego.spies_and_lies.rules.state import NONE_CLOSED, State, slot
from tests.helpers.machine.examples import runs
from tests.helpers.spies_and_lies.bots import Make, game
from tests.helpers.spies_and_lies.table import BASE

LOOKING = replace(BASE, seating=Seating(4), phase="look", intel=((1, 4),), exhausted=((10,), (1,)))
NOBODY = (None, None, None, None)


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize(("make", "games"), [(Recruit, runs(40, 400)), (Agent, runs(4, 40))])
def test_mates_keep_every_rule_together(seats: int, make: Make, games: int) -> None:
    for seed in range(games):
        played, states = game([make] * seats, seed, wall=2 + seed % 7)
        assert played.outcome.reason in ("flag", "territory", "points", "draw")
        for state in states:
            if state.report is not None:
                assert state.report.result in ("identified", "retreated", "activated")


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize(("make", "games"), [(Recruit, runs(50, 400)), (Agent, runs(5, 40))])
def test_bots_play_on_when_mates_leave(seats: int, make: Make, games: int) -> None:
    ends: Counter[str] = Counter()
    for seed in range(games):
        played, states = game([make] * seats, seed, wall=2 + seed % 7, leaves=0.02)
        ends[played.outcome.reason] += 1
        for state in states:
            if state.report is not None and state.report.soldier is not None:
                assert state.report.result in ("identified", "retreated", "activated")
    assert ends["deserted"] < games
    assert "cheated" not in ends


@pytest.mark.parametrize("seats", [3, 4])
def test_agents_beat_recruits_in_every_seating(seats: int) -> None:
    # They win some 98 of 100.
    won = 0
    for seed in range(8):
        side = seed % 2
        makes: list[Make] = [Agent if seat % 2 == side else Recruit for seat in range(seats)]
        won += side in game(makes, seed, wall=2 + seed % 7)[0].outcome.winners
    assert won >= 6


def test_an_agent_plays_with_a_recruit_as_its_mate() -> None:
    won = sum(
        0 in game([Agent, Recruit, Recruit, Recruit], seed, wall=2 + seed % 7)[0].outcome.winners
        for seed in range(10)
    )
    assert won >= 6


# Laying


def second(first: tuple[int, int], **changes: Any) -> View[State]:
    """Red's second mate is asked for soldiers after it has looked at these."""
    known = {slot(1, RED, mission): rank for mission, rank in enumerate(first, 1)}
    return View(2, replace(LOOKING, **changes), known, commit_ask(1, RED, (3, 4), 2))


@pytest.mark.parametrize("make", [Agent, Recruit])
def test_the_second_mate_goes_on_in_order_from_what_it_has_seen(make: Make) -> None:
    laid = {make(Random(seed)).decide(second((2, 7))) for seed in range(60)}
    assert len(laid) > 2
    for pair in laid:
        assert not out_of_order((2, 7, *pair))
        assert not {2, 7, 10} & set(pair)


@pytest.mark.parametrize("make", [Agent, Recruit])
@pytest.mark.parametrize(("first", "breaches"), [((8, 9), 1), ((9, 3), 2), ((9, 8), 2)])
def test_where_no_rising_order_is_left_the_order_is_broken_as_little_as_can_be(
    make: Make, first: tuple[int, int], breaches: int
) -> None:
    for seed in range(20):
        pair = make(Random(seed)).decide(second(first))
        assert len(set(first) | set(pair) | {10}) == 5
        assert len(out_of_order((*first, *pair))) == breaches


@pytest.mark.parametrize("make", [Agent, Recruit])
def test_the_first_mate_leaves_room_for_the_second(make: Make) -> None:
    state = replace(LOOKING, phase="deploy")
    for seed in range(60):
        pair = make(Random(seed)).decide(View(0, state, {}, commit_ask(1, RED, (1, 2), 0)))
        line = chances(Evidence((10,), (*pair, None, None)))
        assert not out_of_order((*pair, None, None))
        assert line[3]


@pytest.mark.parametrize("make", [Agent, Recruit])
def test_a_mate_that_stands_in_goes_on_from_its_own_soldiers(make: Make) -> None:
    known = {slot(1, RED, 1): 3, slot(1, RED, 2): 6}
    late = View(0, replace(LOOKING, phase="intel"), known, commit_ask(1, RED, (3, 4), 0))
    early = View(2, LOOKING, {}, commit_ask(1, RED, (1, 2), 2))
    for seed in range(20):
        assert not out_of_order((3, 6, *make(Random(seed)).decide(late)))
        assert not out_of_order((*make(Random(seed)).decide(early), None, None))


# What a mate sees


def test_a_mates_soldiers_are_seen_from_the_look_until_the_own_ones_are_laid() -> None:
    looking = second((2, 7))
    assert seen_line(looking) == (2, 7, None, None)
    assert laid_line(looking) == (2, 7, None, None)
    assert own_line(looking) == NOBODY
    known = {**looking.known, slot(1, RED, 3): 8, slot(1, RED, 4): 9}
    for phase in ("look", "intel", "mission"):
        later = View(2, replace(LOOKING, phase=phase), known)
        assert seen_line(later) == NOBODY
        assert own_line(later) == (None, None, 8, 9)


def test_who_has_laid_first_sees_nothing_of_its_mates_cards() -> None:
    known = {slot(1, RED, 1): 2, slot(1, RED, 2): 7}
    assert seen_line(View(0, LOOKING, known)) == NOBODY
    assert own_line(View(0, LOOKING, known)) == (2, 7, None, None)


@pytest.mark.parametrize("make", [Agent, Recruit])
def test_a_mate_marks_its_own_missions_honestly(make: Make) -> None:
    state = replace(LOOKING, phase="intel")
    ask = mark_ask(state.seating, NONE_CLOSED).asks[2]
    assert isinstance(ask, Choose)
    known = {slot(1, RED, mission): rank for mission, rank in enumerate((2, 7, 4, 8), 1)}
    view = View(2, state, known, ask, ((Roll(5), 4),))
    assert honest_marks(view) == (mark({4}), mark({3, 4}))
    decisions = {make(Random(seed)).decide(view) for seed in range(40)}
    assert decisions == {mark({4}), mark({3, 4})}


def test_a_closed_card_tells_a_guesser_nothing_by_its_missing_mark() -> None:
    state = replace(BASE, seating=Seating(4), marks=(frozenset(), frozenset({3, 4})))
    open_mind = Evidence.of(replace(state, closed=(frozenset(), frozenset({1, 2}))), 1)
    assert 5 in chances(open_mind)[1]
    assert 5 not in chances(Evidence.of(state, 1))[1]


def test_a_closed_card_is_no_reason_to_stop_though_no_honest_line_fits() -> None:
    state = replace(BASE, seating=Seating(4), closed=(frozenset(), frozenset({2})))
    shown = Evidence((2,), (9, None, 3, None), (4, 7), frozenset({1}), state.closed[1])
    assert all(sum(share.values()) == pytest.approx(1) for share in chances(shown))


def test_an_open_card_of_another_kind_is_never_asked_of_a_bot() -> None:
    seen: list[Ask] = []

    class Noting(Recruit):
        def decide(self, view: View[State]) -> Any:
            seen.append(view.asked)
            return super().decide(view)

    game([Noting] * 4, 3, wall=5)
    assert not any(isinstance(ask, Open) for ask in seen)
    assert {type(ask) for ask in seen} == {Choose, Commit}
