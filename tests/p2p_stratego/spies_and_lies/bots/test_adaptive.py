"""Recognising a style from the record, answering it, and what somebody who pretends one can count on."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from p2p_stratego.core.view import PastMatch, View
from p2p_stratego.spies_and_lies.bots.adaptive import (
    CAP,
    CREDIT,
    EQUILIBRIUM,
    LAST,
    LEAST_EQUILIBRIUM,
    MOST_BANKED,
    RISKS,
    STRANGER,
    UNKNOWN,
    Acquaintance,
    Adaptive,
    Turn,
    accounted,
    acquainted,
    remembered,
    turns,
)
from p2p_stratego.spies_and_lies.bots.agent import Agent
from p2p_stratego.spies_and_lies.bots.answering import TokenStory, likely, line_answers
from p2p_stratego.spies_and_lies.bots.equilibrium import Equilibrium
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from p2p_stratego.spies_and_lies.bots.solving import game_of, solved
from p2p_stratego.spies_and_lies.bots.styles import STYLES
from p2p_stratego.spies_and_lies.rules.asks import commit_ask
from p2p_stratego.spies_and_lies.rules.components import BLUE, RED
from p2p_stratego.spies_and_lies.rules.state import State
from tests.helpers.spies_and_lies.bots import Make, game
from tests.helpers.spies_and_lies.rounds import DAWN, MORNINGS

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
    known = met(Recruit, 2)
    assert all(-CAP <= odds <= CAP for odds in known.log_odds.values())
    surest = Acquaintance(dict.fromkeys(STYLES, CAP), MOST_BANKED)
    for acquaintance in (known, surest, STRANGER):
        assert acquaintance.account <= MOST_BANKED
        for day in (1, 2, 3):
            assert sum(acquaintance.shares(day).values()) <= 1 - LEAST_EQUILIBRIUM


def test_no_answer_is_given_at_more_risk_than_answers_have_won() -> None:
    sure = {"agent": CAP, "recruit": -CAP}
    for day, risk in enumerate(RISKS, 1):
        full = Acquaintance(sure, risk - CREDIT).shares(day)["agent"]
        assert full > 0.8
        assert Acquaintance(sure, risk / 2 - CREDIT).shares(day)["agent"] == pytest.approx(full / 2)
        assert set(Acquaintance(sure, -CREDIT).shares(day).values()) == {0.0}
        assert set(Acquaintance(sure, -1.0).shares(day).values()) == {0.0}


def test_luck_is_not_in_the_account() -> None:
    """A turn in which we play the equilibrium is worth the same however our lots fell; an answer is not."""
    turn = Turn(1, False, {}, {EQUILIBRIUM: (1.0, 0.0), "agent": (1.0, 0.2), "recruit": (1.0, -0.1)})
    assert turn.brought({EQUILIBRIUM: 1.0, "agent": 0.0, "recruit": 0.0}) == 0.0
    assert turn.brought({EQUILIBRIUM: 0.5, "agent": 0.5, "recruit": 0.0}) == pytest.approx(0.1)
    # We come here twice as often by the answer, which is read, as by the equilibrium.
    read = Turn(1, True, {}, {EQUILIBRIUM: (0.1, 0.01), "agent": (0.2, -0.08), "recruit": (0.0, 0.0)})
    assert read.brought({EQUILIBRIUM: 0.5, "agent": 0.5, "recruit": 0.0}) == pytest.approx(-0.035 / 0.15)


@pytest.mark.usefixtures("hasty")
def test_a_turn_is_worth_what_the_choices_bring() -> None:
    states = game((Recruit, Agent), 3)[1]
    known = list(turns(states[:14], BLUE))
    guessed, laid = ([turn for turn in known if turn.laid == ours] for ours in (False, True))
    assert guessed
    assert laid
    for turn in guessed:
        assert turn.ways[EQUILIBRIUM] == (1.0, 0.0)
        assert any(gained for _, gained in turn.ways.values())
    for turn in laid:
        assert all(0 <= came <= 1 for came, _ in turn.ways.values())


def test_a_series_never_costs_more_than_the_credit() -> None:
    """Whatever the turns bring: the account holds no more than their sum, so a debt is never forgiven."""
    lots = Random(1)
    for _ in range(50):
        account = total = 0.0
        for _ in range(200):
            brought = lots.uniform(-0.1, 0.1)
            account, total = accounted(account, brought), total + brought
            assert account <= min(total + 1e-9, MOST_BANKED)
            assert accounted(-0.3, 0.0) == -0.3


@pytest.mark.usefixtures("hasty")
def test_a_long_series_has_no_credit() -> None:
    """Else somebody who owes could wait until it is forgotten, and borrow anew."""
    match = (game((Recruit, Agent), 0)[1], BLUE)
    assert remembered([]) == STRANGER
    assert remembered([match]) == acquainted(STRANGER, *match)
    long = remembered([match] * (LAST + 1))
    assert long == remembered([match] * (LAST + 5))
    assert [remembered([((), BLUE)] * many).account for many in (LAST, LAST + 1)] == [0.0, -CREDIT]
    assert set(remembered([((), BLUE)] * (LAST + 1)).shares(1).values()) == {0.0}


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


@pytest.mark.usefixtures("hasty")
def test_earlier_matches_are_read_once_and_only_the_last_ones() -> None:
    """As records tell them: newest first, and the bot on either side."""
    match, read = game((Recruit, Agent), 3)[1], list[int]()

    def past() -> Iterator[PastMatch[State]]:
        for number in range(LAST + 9):
            read.append(number)
            yield PastMatch(match, RED)

    bot = Adaptive(Random(1))
    bot.meet(past)
    view = View(0, DAWN, {}, commit_ask(1, RED, (1, 2, 3, 4), 0))
    decided = bot.decide(view)
    bot.decide(view)
    assert read == list(range(LAST + 1))
    known = remembered([(match, BLUE)] * (LAST + 1))
    assert decided == Adaptive(Random(1), known).decide(view)
    new = Adaptive(Random(1), known)
    new.meet(lambda: iter(()))
    assert new.decide(view) == Adaptive(Random(1)).decide(view)


# Answers


@pytest.mark.parametrize("style", list(STYLES))
def test_the_answer_to_a_style_gains_more_than_the_equilibrium(style: str) -> None:
    game_, half_day = game_of(FIRST, RED), STYLES[style].half_day(FIRST, RED)
    best, worst = game_.best_responses(half_day)
    value = solved(FIRST, RED).value
    assert best > value + 0.02  # as owner
    assert worst < value - 0.02  # as guesser
    values = game_.line_values(half_day)
    answers = line_answers(game_, half_day)
    assert max(answers.values()) == answers[game_.tree.lines[values.index(max(values))]] == 1.0


def test_the_odds_of_a_style_are_odds() -> None:
    for style in STYLES.values():
        half_day = style.half_day(FIRST, BLUE)
        assert sum(half_day.lines) == pytest.approx(1)
        for _, _, first, other in half_day.tree.pairs:
            assert half_day.marks[first] + half_day.marks[other] == pytest.approx(1)


@pytest.mark.usefixtures("hasty")
def test_a_token_tells_of_the_card_under_it() -> None:
    states = game((Equilibrium, Equilibrium), 1)[1]
    state = next(state for state in states if state.phase == "mission" and state.guesser == RED)
    solution = solved(FIRST, BLUE)
    plain = likely(solution, state)
    laid = likely(solution, state, (TokenStory(0, 1, laid=True),))
    kept = likely(solution, state, (TokenStory(0, 1, laid=False),))
    for odds in filter(None, (plain, laid, kept)):
        assert sum(odds.values()) == pytest.approx(1)
    assert kept != laid
