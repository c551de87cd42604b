"""The analysis of Conquest Stratego: what holds for every game, with two to four seats."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from p2p_stratego.conquest.bots import analysis, prospects
from p2p_stratego.conquest.rules.atlas import NEIGHBOURS
from p2p_stratego.conquest.rules.notation import move, zones
from p2p_stratego.conquest.rules.observation import own_faces
from p2p_stratego.conquest.rules.pieces import FIXED
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.analysis import Judgement, MadeDecision
from p2p_stratego.core.view import View
from tests.helpers.games.judged import never, played

SEATS = (2, 3, 4)


@cache
def game(seats: int) -> tuple[list[MadeDecision], list[Any]]:
    """A short game between agents."""
    return played("conquest", seats, seats=seats, options={"rounds": 4})


@cache
def judged(seats: int) -> list[Judgement]:
    """All its decisions."""
    return list(analysis.judge(game(seats)[0], never))


@pytest.mark.parametrize("seats", SEATS)
def test_no_choice_is_better_than_the_best(seats: int) -> None:
    known = [judgement for judgement in judged(seats) if judgement.lost is not None]
    assert {"move", "attack"} <= {judgement.kind for judgement in known}
    assert all(0 <= (judgement.lost or 0.0) <= 1 for judgement in known)
    assert all(judgement.lost == 0 for judgement in known if judgement.best == judgement.chosen)


@pytest.mark.parametrize("seats", SEATS)
def test_chances_sum_to_one_and_are_exact_at_the_end(seats: int) -> None:
    states = game(seats)[1]
    for state, look in zip(states, analysis.outlooks(states, seats, {}), strict=True):
        assert sum(look.seen) == pytest.approx(1.0)
        assert look.begun == (state.turn > 0)
        assert all(chance == 0 for seat, chance in enumerate(look.seen) if state.status[seat] != "in")
    winners = states[-1].ended.winners
    assert {seat for seat, chance in enumerate(prospects.chance(states[-1])) if chance} == set(winners)


@pytest.mark.parametrize("seats", SEATS)
def test_attacks_have_odds_of_what_their_player_knew(seats: int) -> None:
    attacks = [judgement for judgement in judged(seats) if judgement.kind == "attack"]
    assert attacks
    for attack in attacks:
        assert 0 <= (attack.odds or 0.0) <= 1
        assert attack.came is not None
        assert attack.luck is not None
        assert attack.knew
        if attack.odds in (0.0, 1.0):
            assert attack.came == bool(attack.odds)


def test_pieces_that_nobody_opened_leave_a_move_unjudged_and_an_attack_with_its_odds() -> None:
    made = next(judgement.made for judgement in judged(2) if judgement.kind == "attack")
    view: View[Any] = made.view
    blind = View(view.seat, view.state, {}, view.decision, view.since)
    (judgement,) = analysis.judge([MadeDecision(0, 0, blind, made.answer, made.after)], never)
    assert (judgement.unknown, judgement.lost) == (True, None)
    assert judgement.odds is not None


def test_a_move_of_a_piece_that_never_moves_is_a_breach_and_is_not_judged() -> None:
    """Nobody sees that before the end, so it is among the options; it is no choice beside others."""
    for judgement in judged(2):
        view: View[Any] = judgement.made.view
        state = now(view)
        if judgement.kind != "move" or zones(judgement.made.answer) is None:
            continue
        fixed = [at for at, face in own_faces(state, view.known) if face in FIXED]
        free = [(at, beside) for at in fixed for beside in NEIGHBOURS[at] if state.board[beside] is None]
        if free:
            answer = move(*free[0])
            (blinded,) = analysis.judge([MadeDecision(0, 0, view, answer, judgement.made.after)], never)
            assert (blinded.chosen, blinded.best, blinded.lost) == (analysis.in_words(answer), "", None)
            return
    raise AssertionError("no piece that never moves had room")


def test_luck_is_about_nothing_over_many_attacks() -> None:
    luck = [judgement.luck for seats in SEATS for judgement in judged(seats) if judgement.luck is not None]
    assert len(luck) > 20
    assert abs(sum(luck) / len(luck)) < 0.05


def test_the_summary_counts_attacks_won_and_expected() -> None:
    own = [judgement for judgement in judged(2) if judgement.made.seat == 0]
    attacks = [judgement for judgement in own if judgement.kind == "attack"]
    summary = analysis.summary("Anna", own)
    assert summary[0].startswith(
        f"Anna won {sum(bool(attack.came) for attack in attacks)} of {len(attacks)} attacks; "
    )
    assert analysis.summary("Anna", []) == ["Anna attacked nothing."]


def test_weights_are_there_for_each_measure_and_table() -> None:
    for seats in SEATS:
        assert len(prospects.fitted().by[seats]) == len(prospects.MEASURES)
        assert prospects.fitted().steepness[seats] > 0


@pytest.mark.parametrize("seats", SEATS)
def test_who_came_nearer_to_a_flag_is_named_where_there_is_one_enemy(seats: int) -> None:
    names = ("Ann", "Ben", "Cleo", "Dan")[:seats]
    states = game(seats)[1]
    reasons = (analysis.reason(before, after, names, {}) for before, after in pairwise(states))
    near = [sentence for sentence in reasons if sentence and "near" in sentence]
    assert near
    assert any(sentence.startswith("Enemies") for sentence in near) == (seats > 2)


def test_what_is_answered_to_a_card_has_words() -> None:
    """Yes and no, and zones; never the notation, which is English."""
    answers = {
        judgement.chosen for seats in SEATS for judgement in judged(seats) if judgement.kind == "effect"
    }
    assert answers
    assert not any(
        word in answer.split() for answer in answers for word in ("place", "look", "regroup", "draw")
    )


def test_of_a_flag_that_changes_hands_nothing_is_said_but_that() -> None:
    """Not that nobody stands near to where it can be."""
    captures = [
        (seats, before, after)
        for seats in SEATS
        for before, after in pairwise(game(seats)[1])
        if before.flags != after.flags and after.ended is None
    ]
    assert captures
    for seats, before, after in captures:
        names = ("Ann", "Ben", "Cleo", "Dan")[:seats]
        assert analysis.reason(before, after, names, {}) == ""
        assert "flag" in " ".join(analysis.step_results(before, after, names))
