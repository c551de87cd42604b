"""Standings: tie-breaks in their order, by hand."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from cli.studies.tournament.event import System
from cli.studies.tournament.pairing import Bye, Game
from cli.studies.tournament.standings import Absent, Row, standings, uncounted


def order(rows: list[Row]) -> list[tuple[int, int]]:
    return [(row.place, row.player) for row in rows]


def test_direct_encounter_stands_before_sonneborn_berger() -> None:
    games = [
        Game(1, 1, 1, 2, (2, 0)),
        Game(1, 2, 3, 4, (1, 1)),
        Game(2, 1, 4, 1, (2, 0)),
        Game(2, 2, 2, 3, (2, 0)),
        Game(3, 1, 1, 3, (1, 1)),
        Game(3, 2, 2, 4, (2, 0)),
    ]
    rows = standings("round-robin", 4, games, [])
    # 2 has 4 half points; 1 and 4 have 3 each, and 4 has won against 1; 3 has 2.
    assert order(rows) == [(1, 2), (2, 4), (3, 1), (4, 3)]
    assert [row.direct for row in rows] == [None, 2, 0, None]
    assert [row.points for row in rows] == [4, 3, 3, 2]
    assert rows[0].sonneborn == 2 * 2 + 2 * 3


def test_buchholz_decides_among_those_who_have_not_met() -> None:
    games = [
        Game(1, 1, 1, 3, (2, 0)),
        Game(1, 2, 4, 2, (0, 2)),
        Game(2, 1, 2, 1, (1, 1)),
        Game(2, 2, 3, 4, (2, 0)),
    ]
    rows = standings("swiss", 4, games, [])
    # 1 and 2 drew with each other; 1 beat 3, who has 2 half points, and 2 beat 4, who has none.
    assert order(rows) == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert [row.buchholz for row in rows] == [3 + 2, 3 + 0, 3 + 0, 3 + 2]


def test_a_bye_counts_a_point_but_for_a_round_robin_and_nothing_in_a_tie_break() -> None:
    games = [Game(1, 1, 1, 2, (2, 0))]
    swiss = {row.player: row for row in standings("swiss", 3, games, [Bye(1, 3)])}
    assert (swiss[3].points, swiss[3].played, swiss[3].buchholz) == (2, 0, 0)
    robin = {row.player: row for row in standings("round-robin", 3, games, [Bye(1, 3)])}
    assert robin[3].points == 0


def test_equal_players_share_a_place() -> None:
    rows = standings("swiss", 4, [Game(1, 1, 1, 2, (1, 1)), Game(1, 2, 3, 4, (1, 1))], [])
    assert order(rows) == [(1, 1), (1, 2), (1, 3), (1, 4)]


def test_a_knockout_is_ordered_by_rounds() -> None:
    games = [Game(1, 1, 2, 3, (0, 2)), Game(2, 1, 3, 1, (2, 0))]
    assert order(standings("knockout", 3, games, [Bye(1, 1)])) == [(1, 3), (2, 1), (3, 2)]


def test_who_leaves_a_round_robin_early_counts_for_nobody() -> None:
    """FIDE Handbook C.06, chapter V, 4: at least half of the games must be played."""
    won_and_left = [Game(1, 1, 1, 4, (2, 0)), Game(2, 2, 1, 2, (0, 2), forfeit=True)]
    games = [*won_and_left, Game(1, 2, 2, 3, (1, 1))]
    assert uncounted("round-robin", 4, 3, games, {1: 2}) == {1}
    rows = standings("round-robin", 4, games, [], Absent({1: 2}, {1}))
    assert order(rows) == [(1, 2), (1, 3), (3, 4), (0, 1)]
    assert [row.points for row in rows] == [1, 1, 0, 0]
    assert [row.played for row in rows] == [1, 1, 0, 0]


def test_who_has_played_half_of_a_round_robin_counts_and_the_others_have_their_points() -> None:
    games = [
        Game(1, 1, 1, 4, (2, 0)),
        Game(2, 1, 4, 3, (1, 1)),
        Game(2, 2, 1, 2, (2, 0)),
        Game(3, 1, 3, 1, (2, 0), forfeit=True),
    ]
    assert uncounted("round-robin", 4, 3, games, {1: 3}) == frozenset()
    assert uncounted("round-robin", 4, 6, games, {1: 3}) == {1}, "two of six games, each against each twice"
    rows = {row.player: row for row in standings("round-robin", 4, games, [], Absent({1: 3}))}
    assert [rows[player].points for player in (1, 2, 3, 4)] == [4, 0, 3, 1]
    assert (rows[3].played, rows[3].won, rows[3].sonneborn) == (1, 0, 1), "a forfeit is no game"


def test_in_a_swiss_tournament_the_rounds_after_a_withdrawal_are_draws_for_the_opponents_tie_breaks() -> None:
    """FIDE Handbook C.07, article 16.3: they shall not pay for an opponent's going home."""
    games = [
        Game(1, 1, 1, 3, (2, 0)),
        Game(1, 2, 2, 4, (2, 0)),
        Game(2, 1, 2, 1, (1, 1)),
        Game(3, 1, 1, 4, (2, 0)),
    ]
    byes = [Bye(2, 4), Bye(3, 2)]
    rows = {row.player: row for row in standings("swiss", 4, games, byes, Absent({3: 2}))}
    assert rows[3].points == 0
    assert rows[1].buchholz == rows[2].points + rows[4].points + 2, "rounds 2 and 3 of player 3"
    forfeited = [*games, Game(2, 2, 3, 4, (0, 2), forfeit=True)]
    rows = {row.player: row for row in standings("swiss", 4, forfeited, byes[1:], Absent({3: 2}))}
    assert rows[1].buchholz == rows[2].points + rows[4].points + 1, "paired in round 2: a loss"


@settings(max_examples=50, deadline=None)
@given(
    st.sampled_from(["swiss", "round-robin", "knockout"]),
    st.integers(2, 7),
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_games_changes_nothing(system: System, players: int, rng: random.Random) -> None:
    games = []
    for number in range(1, 5):
        player, other = rng.sample(range(1, players + 1), 2)
        games.append(Game(number, 1, player, other, rng.choice([(2, 0), (1, 1), (0, 2), None])))
    mixed = rng.sample(games, len(games))
    assert standings(system, players, mixed, []) == standings(system, players, games, [])
    rows = standings(system, players, games, [])
    assert sum(row.points for row in rows) == 2 * sum(game.halves is not None for game in games)
    assert sorted(row.player for row in rows) == list(range(1, players + 1))
