"""Contests: what is counted, what is repeated, and what an engine's failure costs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from cli.play.arena import contest as arena_contest
from cli.play.arena.contest import (
    TWO,
    ArenaGame,
    Contender,
    ContestTerms,
    EngineContender,
    LevelContender,
    Tally,
    contest,
)
from cli.play.arena.figures import Results, Sprt
from cli.play.arena.report import Contest, plain, record, text
from cli.play.engines.engine_bot import EngineBot
from p2p_stratego.core.game import Outcome
from p2p_stratego.core.view import PastMatches
from p2p_stratego.registry import GAMES
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from tests.golden.dialogues import assert_told
from tests.helpers.program.engines import FakePipe, Reply, obliging, polite

GAME = GAMES["spies-and-lies"]


def recruits(game: str = GAME.name) -> tuple[Contender, Contender]:
    return LevelContender(game, "recruit"), LevelContender(game, "recruit")


def played(games: int, table: ContestTerms = TWO, name: str = GAME.name) -> list[ArenaGame]:
    return list(contest(GAMES[name], recruits(name), games, 1, table))


def tallied(games: list[ArenaGame]) -> Tally:
    tally = Tally()
    for game in games:
        tally.count(game)
    return tally


def test_every_game_is_counted_once_and_can_be_repeated() -> None:
    games = played(20)
    tally = tallied(games)
    assert tally.results.games == len(games) == 20
    assert games == played(20)
    assert len({game.decisions for game in games}) == 20


def test_a_bot_that_learns_can_look_back_on_the_games_before(monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[list[tuple[int, Any]]] = []

    class Learner(Recruit):
        def meet(self, past: PastMatches[Any]) -> None:
            met.append([(match.seat, match.states[-1]) for match in past()])

    monkeypatch.setattr(arena_contest, "make_bot", lambda _game, _level, chance, _think: Learner(chance))
    list(contest(GAME, recruits(), 3, 1))
    assert [len(past) for past in met] == [0, 0, 1, 1, 2, 2]
    assert [seat for seat, _ in met[-2]] == [1, 0]  # newest first: the first player's
    assert [seat for seat, _ in met[-1]] == [0, 1]
    assert [state for _, state in met[-1]] == [state for _, state in met[-2]]


def test_the_first_player_has_each_seat_as_often() -> None:
    assert [sorted(game.first) for game in played(4)] == [[0], [1], [0], [1]]


@pytest.mark.parametrize("seats", [3, 4])
def test_at_a_larger_table_the_first_player_has_a_whole_side(seats: int) -> None:
    games = played(6, ContestTerms(seats))
    about = Contest(GAME, ContestTerms(seats), 1, recruits(), tallied(games))
    assert about.tally.results.games == 6
    assert_told("arena", f"six games at a table of {seats}", "\n".join(text(about)), "6 games", "lost")
    assert {game.first for game in games} == {*GAME.sides(seats)}


def test_an_option_changes_the_games_that_are_played() -> None:
    hasty = tallied(played(10, ContestTerms(options={"army": "barrage", "quiet": 1}), "stratego"))
    usual = tallied(played(10, ContestTerms(options={"army": "barrage"}), "stratego"))
    assert hasty.results.drawn > usual.results.drawn


def test_the_figures_are_told_with_their_intervals_and_times() -> None:
    two = recruits()
    tally = Tally()
    for game in contest(GAME, two, 3, 1):
        tally.count(game)
    report = "\n".join(text(Contest(GAME, ContestTerms(), 1, two, tally, Sprt(0, 10))))
    assert_told("arena", "three games", report, "colours", "95 %")
    assert "test of 0 against 10 Elo: log-likelihood ratio -0.09, not decided" in report
    assert report.count("ms a decision") == 2
    values = plain(Contest(GAME, ContestTerms(), 1, two, tally))
    assert values["won"] + values["drawn"] + values["lost"] == values["games"] == 3


def test_points_are_told_where_the_rules_count_them() -> None:
    two = recruits("spies")
    tally = tallied(list(contest(GAMES["spies"], two, 1, 1)))
    assert len(tally.points) == 1
    report = "\n".join(text(Contest(GAMES["spies"], ContestTerms(), 1, two, tally)))
    assert_told("arena", "a game with points", report, "points on average")


def test_a_record_has_its_tags_each_decision_and_the_result() -> None:
    about = Contest(GAME, ContestTerms(), 1, recruits(), Tally())
    (game,) = played(1)
    tags, moves = record(about, game).split("\n\n")
    assert '[Seed "1/0"]' in tags
    assert '[Red "recruit (red)"]' in tags
    assert moves.split().count("red") + moves.split().count("blue") == len(game.decisions)
    result = "1-0" if 0 in game.outcome.winners else "0-1" if game.outcome.winners else "1/2-1/2"
    assert f'[Result "{result}"]' in tags
    assert moves.rstrip().endswith(result)


def weary(place: int) -> Callable[[], EngineBot]:
    """Makes players of an engine, of which the one hired as number `place` resigns beside a mate."""
    hired = iter(range(9))

    def hire() -> EngineBot:
        own, paired = next(hired), False
        usual = polite(obliging)

        def replies(message: dict[str, Any]) -> Iterable[Reply]:
            nonlocal paired
            if message["type"] == "game":
                paired = [message["seat"]] not in message["sides"]
            if message["type"] == "decide" and own == place and paired:
                return [{"type": "resign", "number": message["number"]}]
            return usual(message)

        line = FakePipe(replies)
        return EngineBot(lambda: line, {}, line.clock, random.Random(1))

    return hire


def test_the_engine_that_gives_up_loses_whoever_gave_up_before() -> None:
    """At a table of three a player has two seats in every other game: its second one is idle in between."""
    two = EngineContender("First", weary(1), 10.0), EngineContender("Second", weary(0), 10.0)
    games = list(contest(GAME, two, 2, 1, ContestTerms(3)))
    assert [(len(game.first), game.score) for game in games] == [(2, 0), (1, 1)]


@pytest.mark.parametrize(
    ("winners", "results", "result"),
    [
        ({0}, Results(won=1), "1-0"),
        ({2, 3}, Results(lost=1), "0-1"),
        ({0, 2}, Results(drawn=1), "1/2-1/2"),
        ((), Results(drawn=1), "1/2-1/2"),
    ],
)
def test_a_shared_first_place_is_a_draw(winners: set[int], results: Results, result: str) -> None:
    game = ArenaGame(0, ("a", "b", "c", "d"), frozenset({0}), Outcome(frozenset(winners), "rounds"), (), None)
    assert tallied([game]).results == results
    about = Contest(GAMES["conquest"], ContestTerms(4), 1, recruits("conquest"), Tally())
    assert f'[Result "{result}"]' in record(about, game)
