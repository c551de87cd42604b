"""The ladder: a win opens the next opponent, and nothing else does."""

from __future__ import annotations

from typing import Any

import pytest

from cli.studies.statistics import ladder
from cli.studies.statistics.glicko import Rating
from cli.studies.statistics.ladder import Rung, shipped
from p2p_stratego.registry import ENTRIES, GAMES, OWN

ENTRY = ENTRIES["spies-and-lies"]
LEVELS = ladder.levels(ENTRY)


def row(level: str, result: str, **changes: Any) -> dict[str, Any]:
    """A row of the list of games: our player, red, against one bot."""
    winners = {"won": ["red"], "lost": ["blue"], "drawn": []}[result]
    played = {"game": ENTRY.name, "verdict": "complete", "reason": "points", "seat": "red", "bots": [level]}
    return played | {"winners": winners, "others": ["A bot"]} | changes


def opened(*rows: dict[str, Any], all_open: bool = False) -> list[str]:
    return [rung.level for rung in ladder.rungs(ENTRY, rows, all_open=all_open) if rung.open]


def test_a_newcomer_meets_the_weakest_and_a_win_opens_the_next() -> None:
    assert opened() == [*LEVELS[:1]]
    assert opened(row(LEVELS[0], "won")) == [*LEVELS[:2]]
    assert opened(row(LEVELS[0], "lost"), row(LEVELS[0], "drawn")) == [*LEVELS[:1]]
    assert opened(row(LEVELS[3], "won")) == [*LEVELS[:5]], "who beats one by --level needs no weaker one"
    assert opened(row(LEVELS[-1], "won")) == [*LEVELS] == opened(all_open=True)


@pytest.mark.parametrize(
    "changes",
    [
        {"bots": []},
        {"bots": ["tutor"]},
        {"others": ["Ben", "A bot"]},
        {"bots": [LEVELS[0], LEVELS[1]], "others": ["A bot", "Another"]},
        {"verdict": "incomplete"},
        {"verdict": "cheated"},
        {"practice": True},
        {"game": "stratego"},
    ],
)
def test_only_a_finished_match_against_bots_of_one_level_alone_counts(changes: dict[str, Any]) -> None:
    rungs = ladder.rungs(ENTRY, [row(LEVELS[0], "won", **changes)])
    assert [rung.open for rung in rungs] == [True] + [False] * (len(LEVELS) - 1)
    assert not any(rung.played for rung in rungs)
    assert ladder.rating(ENTRY, [row(LEVELS[0], "won", **changes)]) is None


def test_results_are_counted_by_opponent() -> None:
    rows = [row(LEVELS[0], result) for result in ("won", "won", "drawn", "lost")] + [row(LEVELS[1], "lost")]
    first, second, *_others = ladder.rungs(ENTRY, rows)
    assert (first, second) == (Rung(LEVELS[0], 2, 1, 1), Rung(LEVELS[1], 0, 0, 1))


@pytest.mark.parametrize(
    ("game", "winners", "score"),
    [
        ("spies", ["germany", "britain"], 0.5),
        ("spies-and-lies", ["red-a", "red-b"], 1.0),
        ("conquest", ["blue", "green"], 0.0),
    ],
)
def test_a_win_that_an_opponent_shares_is_a_draw_and_with_a_mate_it_is_a_win(
    game: str, winners: list[str], score: float
) -> None:
    """Level by points and money, SPIES! names both as winners."""
    names = GAMES[game].seat_names(2 if game == "spies" else 4)
    others = ["A bot"] * (len(names) - 1)
    won = row("cadet", "won", game=game, seat=names[0], winners=winners, others=others, bots=["cadet"] * 3)
    won["bots"] = won["bots"][: len(others)]
    assert [played for _level, played, _others in ladder.results(ENTRIES[game], [won])] == [score]


def test_wins_raise_a_rating_and_the_right_opponent_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = {level: Rating(1000.0 + 200 * at, 30.0) for at, level in enumerate(LEVELS)}
    monkeypatch.setattr(ladder, "shipped", lambda _game: steps)

    def right(*rows: dict[str, Any]) -> str:
        rungs = ladder.rungs(ENTRY, rows, all_open=True)
        return rungs[ladder.right(ENTRY, rungs, ladder.rating(ENTRY, rows))].level

    assert right() == LEVELS[0]
    weak = [row(LEVELS[0], result) for result in ("won", "lost") * 5]
    strong = [row(LEVELS[-1], result) for result in ("won", "lost") * 5]
    assert right(*weak) == LEVELS[0]
    assert right(*strong) == LEVELS[-1]
    rungs = ladder.rungs(ENTRY, weak)
    assert rungs[ladder.right(ENTRY, rungs, Rating(2500.0, 30.0))].level == LEVELS[1], "no closed one"


@pytest.mark.parametrize("game", sorted(OWN))
def test_the_cast_of_every_game_has_shipped_ratings(game: str) -> None:
    shipped.cache_clear()
    rated = shipped(game)
    assert {"agent", "cadet", "diplomat", "gambler", "quartermaster", "recruit"} <= rated.keys()
    assert rated.keys() <= ENTRIES[game].bots.keys()
    assert all(0 < rating.deviation < 150 for rating in rated.values())
    assert rated["recruit"].rating < rated["agent"].rating
