"""Recognising a style from the record, answering it, and what somebody who pretends one can count on."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.adaptive import (
    CAP,
    CREDIT,
    FORGOTTEN,
    LEAST_EQUILIBRIUM,
    MOST_BANKED,
    RISKS,
    STRANGER,
    UNKNOWN,
    Acquaintance,
    Adaptive,
    acquainted,
)
from p2p_stratego.spies_and_lies.bots.agent import Agent
from p2p_stratego.spies_and_lies.bots.answering import TokenStory, likely, line_answers
from p2p_stratego.spies_and_lies.bots.equilibrium import Equilibrium
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from p2p_stratego.spies_and_lies.bots.solving import game_of, solved
from p2p_stratego.spies_and_lies.bots.styles import STYLES
from p2p_stratego.spies_and_lies.rules.soldiers import BLUE, RED
from p2p_stratego.spies_and_lies.rules.state import State
from tests.helpers.machine.examples import runs
from tests.helpers.spies_and_lies.bots import Make, game
from tests.helpers.spies_and_lies.rounds import MORNINGS

FIRST = MORNINGS["first"]


def met(make: Make, matches: int = 1, before: Acquaintance = STRANGER) -> Acquaintance:
    """What is known of blue after so many matches against red, a Recruit."""
    for seed in range(matches):
        before = acquainted(before, game((Recruit, make), seed)[1], BLUE)
    return before


@pytest.mark.usefixtures("hasty")
def test_a_match_tells_an_agent_from_a_recruit() -> None:
    agent, recruit = met(Agent).log_odds, met(Recruit).log_odds
    assert agent["agent"] > agent["recruit"]
    assert recruit["recruit"] > recruit["agent"]


@pytest.mark.usefixtures("quick")
def test_an_agent_is_recognised_and_the_equilibrium_is_not() -> None:
    assert met(Agent).log_odds["agent"] > 0
    assert max(met(Equilibrium).log_odds.values()) < 0


@pytest.mark.usefixtures("hasty")
def test_the_odds_are_capped_and_a_part_stays_with_the_equilibrium() -> None:
    known = met(Recruit, runs(3, 10))
    assert all(-CAP <= odds <= CAP for odds in known.log_odds.values())
    surest = Acquaintance(dict.fromkeys(STYLES, CAP), MOST_BANKED)
    for each in (known, surest, STRANGER):
        assert each.account <= MOST_BANKED
        for day in (1, 2, 3):
            assert sum(each.shares(day).values()) <= 1 - LEAST_EQUILIBRIUM


def test_no_answer_is_given_at_more_risk_than_answers_have_won() -> None:
    sure = {"agent": CAP, "recruit": -CAP}
    for day, risk in enumerate(RISKS, 1):
        full = Acquaintance(sure, risk - CREDIT).shares(day)["agent"]
        assert full > 0.8
        assert Acquaintance(sure, risk / 2 - CREDIT).shares(day)["agent"] == pytest.approx(full / 2)
        assert set(Acquaintance(sure, -CREDIT).shares(day).values()) == {0.0}
        assert set(Acquaintance(sure, -1.0).shares(day).values()) == {0.0}


@pytest.mark.usefixtures("hasty")
def test_the_account_is_what_the_turns_brought_beyond_the_equilibrium() -> None:
    """A hit pays more than the equilibrium hopes for, a miss less; the other side's, the other way round."""
    states = game((Recruit, Agent), 3)[1]
    ours, theirs = (acquainted(STRANGER, states[:12], side).account for side in (BLUE, RED))
    assert ours == pytest.approx(-theirs)
    for cut in range(2, 12):
        report, before = states[cut - 1].report, acquainted(STRANGER, states[: cut - 1], BLUE).account
        change = acquainted(STRANGER, states[:cut], BLUE).account - FORGOTTEN * before
        if report is None or report.guess is None:
            assert change == pytest.approx((1 - FORGOTTEN) * before)
        else:
            hit = report.guess == report.soldier
            assert (change > 0) == (hit if report.guesser == RED else not hit)


@pytest.mark.usefixtures("hasty")
def test_a_reputation_is_lost_within_a_match() -> None:
    agent = Acquaintance({"agent": CAP, "recruit": -CAP}, MOST_BANKED)
    assert agent.shares(1)["agent"] > 0.8
    assert met(Recruit, 1, agent).shares(1)["agent"] < 0.2


@pytest.mark.usefixtures("hasty")
def test_nothing_is_known_before_anybody_has_chosen() -> None:
    assert acquainted(STRANGER, (), BLUE) == acquainted(STRANGER, (FIRST,), BLUE) == STRANGER
    assert set(STRANGER.log_odds.values()) == {UNKNOWN}


@pytest.mark.usefixtures("hasty")
def test_all_that_it_remembers_is_in_the_record() -> None:
    """A bot made anew for each decision decides as one that has played from the beginning."""

    class Anew:
        def __init__(self, chance: Random) -> None:
            self.chance = chance

        def decide(self, view: View[State]) -> Any:
            return Adaptive(self.chance).decide(view)

    assert game((Anew, Agent), 2) == game((Adaptive, Agent), 2)


@pytest.mark.usefixtures("hasty")
def test_an_acquaintance_changes_what_it_plays() -> None:
    def friend(chance: Random) -> Adaptive:
        return Adaptive(chance, Acquaintance({"agent": CAP, "recruit": -CAP}, MOST_BANKED))

    assert game((friend, Agent), 1) != game((Adaptive, Agent), 1)


# Answers


@pytest.mark.parametrize("style", list(STYLES))
def test_the_answer_to_a_style_gains_more_than_the_equilibrium(style: str) -> None:
    game_, found = game_of(FIRST, RED), STYLES[style].half_day(FIRST, RED)
    best, worst = game_.best_responses(found)
    value = solved(FIRST, RED).value
    assert best > value + 0.02  # as owner
    assert worst < value - 0.02  # as guesser
    values = game_.line_values(found)
    answers = line_answers(game_, found)
    assert max(answers.values()) == answers[game_.tree.lines[values.index(max(values))]] == 1.0


def test_the_odds_of_a_style_are_odds() -> None:
    for style in STYLES.values():
        found = style.half_day(FIRST, BLUE)
        assert sum(found.lines) == pytest.approx(1)
        for _, _, one, other in found.tree.pairs:
            assert found.marks[one] + found.marks[other] == pytest.approx(1)


@pytest.mark.usefixtures("hasty")
def test_a_token_tells_of_the_card_under_it() -> None:
    states = game((Equilibrium, Equilibrium), 1)[1]
    state = next(state for state in states if state.phase == "mission" and state.guesser == RED)
    found = solved(FIRST, BLUE)
    plain = likely(found, state)
    laid = likely(found, state, (TokenStory(0, 1, laid=True),))
    kept = likely(found, state, (TokenStory(0, 1, laid=False),))
    for odds in filter(None, (plain, laid, kept)):
        assert sum(odds.values()) == pytest.approx(1)
    assert kept != laid
