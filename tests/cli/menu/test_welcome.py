"""What the menu knows of our player: whose turn it is, who waits, results, rows of wins and days."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from cli.menu import welcome
from cli.menu.line_menu import going_on
from cli.studies.puzzles import progress
from cli.studies.puzzles.collection import of_day
from cli.studies.puzzles.progress import Progress, Try
from p2p_stratego.registry import ENTRIES

NOON = time.mktime((2026, 3, 14, 12, 0, 0, 0, 0, -1))
DAY = 86_400


def row(*others: str, days: int = 0, own: bool = True, **changes: Any) -> dict[str, Any]:
    """A match that goes on since so many days; `own`: it is our player's turn."""
    return {
        "game": "stratego",
        "verdict": "incomplete",
        "seat": "red",
        "owed": {"seat": "red" if own else "blue", "message": "Move"},
        "others": list(others),
        "bots": [],
        "changed": int(NOON - days * DAY),
        "resumable": True,
        "unfinished": True,
        "open": False,
        "watched": False,
        "practice": False,
        "transcript": "",
    } | changes


def against(level: str, *, won: bool, days: int = 0) -> dict[str, Any]:
    """A finished match against a bot."""
    ended = {"verdict": "complete", "reason": "flag", "winners": ["red" if won else "blue"]}
    going = row("a bot", days=days, bots=[level], owed=None, resumable=False, unfinished=False)
    return going | ended


BOT: dict[str, Any] = {"bots": ["agent"]}


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([], ""),
        ([row("Ben", own=False)], ""),
        ([row("Ben", open=True)], ""),
        ([row("Ben", resumable=False)], ""),
        ([row("Agent bot", **BOT)], "Your turn in 1 game."),
        ([row("Ben")], "Your turn in 1 game; Ben is waiting."),
        (
            [row("Agent bot", days=9, **BOT), row("Ben", days=1), row("Cleo")],
            "Your turn in 3 games; Ben has been waiting since yesterday.",
        ),
        (
            [row("Ben", days=1), row("Cleo", days=3)],
            "Your turn in 2 games; Cleo has been waiting for 3 days.",
        ),
        ([row("Ben", "Cleo", days=3)], "Your turn in 1 game."),
        (
            [row("Ben", days=2, own=False, verdict="unresponsive")],
            "Your turn in 1 game; Ben has been waiting for 2 days.",
        ),
    ],
)
def test_who_waits_for_our_player(rows: Sequence[dict[str, Any]], sentence: str) -> None:
    assert welcome.turns(rows, NOON) == sentence


def test_a_game_that_waits_for_us_goes_on_first_with_people_before_bots() -> None:
    theirs, bot, ben = row("Root", own=False), row("Agent bot", **BOT), row("Ben")
    elsewhere = row("Ada", open=True)
    names = [going["others"][0] for going in going_on([elsewhere, theirs, bot, ben])]
    assert names == ["Ben", "Agent bot", "Root", "Ada"]


@pytest.mark.parametrize(
    ("days", "in_a_row"),
    [((), 0), ((0,), 1), ((1,), 1), ((0, 0, 1, 2, 4), 3), ((1, 2), 2), ((2, 3), 0)],
)
def test_days_in_a_row_end_today_or_yesterday(days: Sequence[int], in_a_row: int) -> None:
    assert welcome.days_in_a_row([row("Ben", days=day) for day in days], NOON) == in_a_row


def test_how_it_stands_is_told_of_the_game_played_last() -> None:
    rows = [
        against("cadet", won=True),
        against("cadet", won=True, days=1),
        against("cadet", won=False, days=2),
        against("recruit", won=True, days=3),
        against("agent", won=False, days=5) | {"game": "conquest"},
    ]
    assert welcome.standing([], NOON) == ""
    assert welcome.standing([row("Ben")], NOON) == ""
    lines = welcome.standing(rows, NOON)
    assert lines.startswith("Stratego: The Recruit 1:0, The Cadet 2:1.")
    assert lines.endswith("2 wins in a row. Played on 4 days in a row.")
    drawn = against("recruit", won=True) | {"winners": []}
    assert welcome.standing([drawn], NOON) == "Stratego: The Recruit 0:0 (1 drawn)."


def test_the_way_up_is_not_shown_beside_an_unfinished_game_with_that_opponent() -> None:
    rows = [against("recruit", won=True) | {"id": "1"}]
    upward = welcome.next_match(rows, all_open=False)
    assert upward is not None
    assert upward.level == "cadet"
    assert welcome.next_match([row("a bot", bots=["cadet"]), *rows], all_open=False) is None
    assert welcome.next_match([row("a bot", bots=["agent"]), *rows], all_open=False) == upward


def test_a_rating_is_told_once_it_says_something() -> None:
    games = [against("cadet", won=at % 2 == 0, days=at) for at in range(12)]
    assert "Rating" not in welcome.standing(games[:1], NOON)
    assert "Rating" in welcome.standing(games, NOON)


def test_the_puzzle_of_the_day_is_told_with_its_days_in_a_row(tmp_path: Path) -> None:
    day = date.fromtimestamp(NOON).toordinal()

    def line_after(*days: int) -> str:
        tries = tuple(Try(day - ago, of_day(day - ago, None).number, right=True) for ago in days)
        progress.save(tmp_path, Progress(tries))
        return welcome.puzzle_of_the_day(tmp_path, NOON)

    assert welcome.puzzle_of_the_day(tmp_path / "none", NOON) == "Today's puzzle waits under Learn."
    assert line_after(3) == "Today's puzzle waits under Learn."
    assert line_after(1) == "Today's puzzle waits under Learn; yesterday's is solved."
    assert line_after(2, 1) == "Today's puzzle waits under Learn; one was solved on 2 days in a row."
    assert line_after(0) == "Today's puzzle is solved."
    assert line_after(1, 0) == "Today's puzzle is solved, on 2 days in a row."
    assert welcome.greeting([row("Agent bot", **BOT)], NOON, line_after(0)) == [
        "Your turn in 1 game. Today's puzzle is solved."
    ]


def test_every_game_says_for_how_many_how_long_and_what_it_is_about() -> None:
    for entry in ENTRIES.values():
        words = welcome.game_row(entry)
        assert words.startswith(f"{entry.title}  ")
        assert " players" in words
        assert "minutes" in words or "hours" in words
        assert entry.about
        assert words.endswith(f"; {entry.about}")
    assert welcome.how_long([0]) == ""
