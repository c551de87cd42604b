"""The analysis of Spies & Lies: positions whose right answer is known, and what holds for every game."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from p2p_stratego.core.analysis import COSTLY, Judgement, MadeDecision
from p2p_stratego.core.game import Choose, Commit
from p2p_stratego.core.values import replace
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots import analysis
from p2p_stratego.spies_and_lies.bots.agent import Agent, believed
from p2p_stratego.spies_and_lies.bots.characters import ADVISER
from p2p_stratego.spies_and_lies.formats.narration import card
from p2p_stratego.spies_and_lies.rules.components import RANKS
from p2p_stratego.spies_and_lies.rules.notation import GUESSES, KEEP, LAY
from p2p_stratego.spies_and_lies.rules.state import State, slot
from tests.golden.dialogues import assert_told
from tests.helpers.games.judged import judged, never, played


@cache
def games() -> list[tuple[list[MadeDecision], list[Any]]]:
    """Four games of two agents, and one of two teams."""
    teams = played("spies-and-lies", 5, seats=4)
    return [*(played("spies-and-lies", seed) for seed in range(4)), teams]


@cache
def every() -> list[Judgement]:
    """All their decisions."""
    return [judgement for made, _states in games() for judgement in analysis.judge(made, never)]


def judgements_of(kind: str) -> list[Judgement]:
    """Those of one kind."""
    return [judgement for judgement in every() if judgement.kind == kind]


def answered(made: MadeDecision, answer: Any) -> Judgement:
    """The judgement of another answer to the same decision; what came of it is not known."""
    (judgement,) = analysis.judge([MadeDecision(made.number, made.step, made.view, answer, None)], never)
    return judgement


def test_a_certain_card_is_best_named_and_anything_else_costs() -> None:
    certain = next(judgement for judgement in judgements_of("guess") if judgement.best_odds == 1.0)
    assert certain.knew[0].odds == 1.0
    best = answered(certain.made, next(move for move in GUESSES if card(GUESSES[move]) == certain.best))
    assert (best.odds, best.lost) == (1.0, 0.0)
    others = [answered(certain.made, move) for move in GUESSES]
    assert sum(judgement.odds or 0.0 for judgement in others) == pytest.approx(1.0)
    assert all((judgement.lost or 0.0) > 0 for judgement in others if judgement.odds == 0.0)
    (luck,) = {judgement.luck for judgement in analysis.judge([certain.made], never)}
    assert luck == pytest.approx(0.0)


def test_the_odds_of_all_guesses_are_the_bots_beliefs_and_sum_to_one() -> None:
    for judgement in judgements_of("guess"):
        likely: Mapping[int, float] = believed(judgement.made.view.state)
        assert sum(likely.values()) == pytest.approx(1.0)
        assert judgement.odds == likely.get(GUESSES[str(judgement.made.answer)], 0.0)
        assert 0 <= (judgement.lost or 0.0) < 1


def test_beliefs_always_contain_the_truth() -> None:
    for judgement in judgements_of("guess"):
        soldier = judgement.made.after.report.soldier
        assert believed(judgement.made.view.state)[soldier] > 0
        assert judgement.came == (soldier == GUESSES[str(judgement.made.answer)])


def test_no_choice_is_better_than_the_best_and_the_best_costs_nothing() -> None:
    for judgement in every():
        assert judgement.lost is None or judgement.lost >= 0
        if judgement.best == judgement.chosen and judgement.lost is not None:
            assert judgement.lost == pytest.approx(0.0)


def test_the_expected_luck_of_a_guess_is_nothing() -> None:
    """Whatever the card turns out to be, by its odds: the mean of luck is 0."""
    guess = judgements_of("guess")[3]
    state: State = guess.made.view.state
    owner, likely = 1 - state.guesser, believed(state)
    total = 0.0
    for rank, odds in likely.items():
        report = replace(guess.made.after.report, soldier=rank)
        after = replace(guess.made.after, report=report)
        (judgement,) = analysis.judge([MadeDecision(0, 0, guess.made.view, guess.made.answer, after)], never)
        total += odds * (judgement.luck or 0.0)
    assert owner in (0, 1)
    assert total == pytest.approx(0.0, abs=1e-9)


def test_luck_is_about_nothing_over_many_games() -> None:
    luck = [judgement.luck for judgement in judgements_of("guess") if judgement.luck is not None]
    assert len(luck) > 80
    assert abs(sum(luck) / len(luck)) < 0.03


def test_bits_are_those_of_lines_left_and_opening_takes_them_all() -> None:
    """After the marks a line has at most log2(462) bits; a line that is open has none."""
    for _made, states in games():
        for state in states:
            for seat in (0, 1):
                assert 0 <= analysis.bits(state, seat) <= 8.86
                if state.phase == "mission" and None not in state.cards[seat]:
                    assert analysis.bits(state, seat) == 0


def test_marks_tell_and_a_false_mark_is_a_lie() -> None:
    marking = judgements_of("marks")[0]
    assert (marking.given or 0.0) > 0
    assert isinstance(marking.made.view.decision, Choose)
    answers = [answered(marking.made, move) for move in marking.made.view.decision.options]
    assert {answer.kind for answer in answers} == {"marks", "lie"}
    assert all(answer.lost is None for answer in answers if answer.kind == "lie")


def test_what_its_own_bot_draws_by_lot_costs_nothing_and_a_weak_line_does() -> None:
    """Nobody could lay the best line each morning unread: the hints, which draw one, were called mistakes."""
    deployment = judgements_of("line")[0]
    adviser = Agent(random.Random(1), ADVISER)
    drawn = [answered(deployment.made, adviser.decide(deployment.made.view)) for _ in range(200)]
    costs = [judgement.lost for judgement in drawn if judgement.lost is not None]
    assert len(costs) == 200
    assert 0 < sum(cost > 0 for cost in costs) <= 200 * 0.08, "one of 20 is beyond the lots"
    assert sum(judgement.best == judgement.chosen for judgement in drawn) < 20
    lines = [answered(deployment.made, line).lost for line in combinations(RANKS, 4)]
    assert sum(cost is not None and cost >= COSTLY for cost in lines) > 20


def test_a_line_out_of_order_is_a_lie_and_an_unknown_one_is_not_judged() -> None:
    deployment = judgements_of("line")[0]
    assert isinstance(deployment.made.view.decision, Commit)
    exhausted = deployment.made.view.state.exhausted[deployment.made.seat]
    high, low = [rank for rank in (10, 9, 8, 3, 2, 1) if rank not in exhausted][:2]
    rest = [rank for rank in (7, 6, 5) if rank not in exhausted][:2]
    assert answered(deployment.made, (high, low, *rest)).kind == "lie"
    unknown = answered(deployment.made, None)
    assert (unknown.unknown, unknown.lost) == (True, None)


def test_a_token_is_judged_by_the_card_below_it() -> None:
    token = judgements_of("token")[0]
    state = token.made.view.state
    both = [answered(token.made, move) for move in (KEEP, LAY)]
    assert min(judgement.lost or 0.0 for judgement in both) == 0.0
    assert not any(judgement.knew for judgement in both)  # its player knows the own card
    known = {
        name: face
        for name, face in token.made.view.known.items()
        if name != slot(state.day, 1 - state.guesser, state.mission)
    }
    blind = View(token.made.seat, state, known, token.made.view.decision, token.made.view.since)
    (judgement,) = analysis.judge([MadeDecision(0, 0, blind, KEEP, None)], never)
    assert judgement.unknown


def test_the_summary_counts_hits_and_expectation() -> None:
    own = [judgement for judgement in judged("spies-and-lies", 0) if judgement.made.seat == 0]
    guesses = [judgement for judgement in own if judgement.kind == "guess"]
    (sentence,) = analysis.summary("Anna", own)
    hits, expected = sum(bool(guess.came) for guess in guesses), sum(guess.odds or 0.0 for guess in guesses)
    assert f"{hits} of {len(guesses)}" in sentence
    assert f"; {expected:.1f} were" in sentence
    assert_told("analyse", "the summary of a side", sentence)


def test_a_falsely_marked_card_counts_as_identified_and_is_not_named_rightly() -> None:
    wrong = next(judgement for judgement in judgements_of("guess") if judgement.came is False)
    after: State = wrong.made.after
    assert after.report is not None
    caught = replace(after, report=replace(after.report, result="incorrect-intel"))
    made = dataclasses.replace(wrong.made, after=caught)
    summary = analysis.summary("Anna", [dataclasses.replace(wrong, made=made)])
    assert_told("analyse", "a card that was falsely marked", "\n".join(summary))


def test_who_plays_at_random_loses_more_than_the_agent() -> None:
    def lost(level: str) -> float:
        judgements = [
            judgement for seed in range(2) for judgement in judged("spies-and-lies", seed, level=level)
        ]
        return sum(judgement.lost or 0.0 for judgement in judgements) / len(judgements)

    assert lost("recruit") > 2 * lost("agent")


def test_it_takes_no_chance() -> None:
    made = games()[1][0]
    random.seed(1)
    first = list(analysis.judge(made, never))
    random.seed(2)
    assert list(analysis.judge(made, never)) == first
