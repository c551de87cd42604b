"""Glicko-2: the paper's example, and what must hold of any games."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.studies.statistics.glicko import UNSURE, Game, Played, Rating, over_time, rated

RATINGS = st.builds(Rating, st.floats(800, 2600), st.floats(30, 350), st.floats(0.03, 0.1))


def test_the_worked_example_of_the_paper() -> None:
    """Glickman, "Example of the Glicko-2 system" (2012): three games of a player rated 1500."""
    games = [
        Played(Rating(1400, 30), 1),
        Played(Rating(1550, 100), 0),
        Played(Rating(1700, 300), 0),
    ]
    new = rated(Rating(1500, 200, 0.06), games)
    assert new.rating == pytest.approx(1464.06, abs=0.01)
    assert new.deviation == pytest.approx(151.52, abs=0.01)
    assert new.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_period_without_games_only_makes_less_sure() -> None:
    idle = rated(Rating(1500, 200, 0.06), [])
    assert (idle.rating, idle.volatility) == (1500, 0.06)
    assert idle.deviation == pytest.approx(200.2714, abs=0.0001), (
        "step 6: the root of 200² + (173.7178 · 0.06)²"
    )
    assert rated(Rating(), []).deviation == UNSURE


@settings(max_examples=60, deadline=None)
@given(RATINGS, st.lists(st.tuples(RATINGS, st.sampled_from((0.0, 0.5, 1.0))), min_size=1, max_size=8))
def test_more_points_never_rate_lower(player: Rating, games: list[tuple[Rating, float]]) -> None:
    played = [Played(against, score) for against, score in games]
    new = rated(player, played)
    assert all(map(math.isfinite, new))
    assert 0 < new.deviation <= UNSURE
    better = [Played(game.against, 1.0) for game in played]
    assert rated(player, better).rating >= new.rating - 1e-9


def test_two_players_of_one_game_move_alike_and_idle_days_cost_sureness() -> None:
    ratings = over_time(
        [(3, [Game("a", "b", 1.0)]), (40, [Game("a", "c", 0.5)]), (41, [Game("b", "c", 0.0)])]
    )
    (_, won), (day, drew) = ratings["a"]
    (_, lost), _ = ratings["b"]
    assert won.rating - 1500 == pytest.approx(1500 - lost.rating)
    assert day == 40
    rested = over_time([(3, [Game("a", "b", 1.0)]), (4, [Game("a", "c", 0.5)])])["a"][1][1]
    assert drew.deviation > rested.deviation
    assert [day for day, _ in ratings["c"]] == [40, 41]
