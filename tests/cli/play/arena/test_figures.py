"""Shares, Elo and the sequential test, against published figures and against chance."""

from __future__ import annotations

import random
from math import log

import pytest

from cli.play.arena.figures import ERROR, Results, Sprt, elo, elo_interval, wilson


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_the_published_one(won: int, games: int, low: float, high: float) -> None:
    assert wilson(won, games) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("games", range(1, 60))
def test_no_share_is_below_none_or_above_all(games: int) -> None:
    """Rounding alone would tell a player without a win that its share may be -0.0 %."""
    assert f"{wilson(0, games)[0]:.1%}" == "0.0%"
    assert wilson(games, games)[1] <= 1


# FIDE, Rating Regulations, table 8.1.1; it goes by the normal curve, which differs by 3 at most here.
@pytest.mark.parametrize(("score", "difference"), [(0.5, 0), (0.64, 102), (0.76, 202), (0.36, -102)])
def test_a_score_is_worth_the_known_difference(score: float, difference: int) -> None:
    assert elo(score) == pytest.approx(difference, abs=3)


@pytest.mark.parametrize("won", [0, 7, 20])
def test_a_side_without_a_loss_or_a_win_has_no_difference_but_a_bound(won: int) -> None:
    results = Results(won, 0, 20 - won)
    low, high = elo_interval(results)
    assert (elo(results.score) is None) == (won in (0, 20))
    assert (low is None, high is None) == (won == 0, won == 20)


def test_draws_narrow_no_interval_below_that_of_wins_and_losses() -> None:
    assert elo_interval(Results(10, 80, 10)) == elo_interval(Results(50, 0, 50))


@pytest.mark.parametrize(("strength", "wrong"), [(0.0, "higher"), (40.0, "lower")])
def test_the_sequential_test_errs_no_more_often_than_it_says(strength: float, wrong: str) -> None:
    """300 contests of players of exactly one of the two strengths; a tenth of the games are drawn."""
    sprt, chance, errors = Sprt(0.0, 40.0), random.Random(1), 0
    score = 1 / (1 + 10 ** (-strength / 400))
    share = (score - 0.05) / 0.9
    for _ in range(300):
        results = Results(0, 0, 0)
        while (accepted := sprt.accepted(results) if results.games else None) is None:
            drawn = chance.random() < 0.1
            won = not drawn and chance.random() < share
            results = Results(results.won + won, results.drawn + drawn, results.lost + (not (won or drawn)))
        errors += accepted == wrong
    assert errors <= 300 * (ERROR + 0.025)  # two standard deviations


def test_the_first_games_decide_nothing() -> None:
    assert Sprt(0.0, 10.0).accepted(Results(3, 0, 0)) is None


@pytest.mark.parametrize(("won", "lost"), [(6, 0), (0, 6), (33, 7), (158, 115)])
def test_without_draws_the_ratio_is_that_of_wald(won: int, lost: int) -> None:
    """Also where all games went one way: six wins decide nothing of 70 % against 60 %."""
    sprt = Sprt(elo(0.6) or 0, elo(0.7) or 0)
    exact = won * log(0.7 / 0.6) + lost * log(0.3 / 0.4)
    assert sprt.ratio(Results(won, 0, lost)) == pytest.approx(exact, abs=0.002)


def test_a_draw_speaks_for_the_bound_that_it_is_nearer_to() -> None:
    assert Sprt(0, 40).ratio(Results(10, 10, 10)) < 0 < Sprt(-40, 0).ratio(Results(10, 10, 10))
