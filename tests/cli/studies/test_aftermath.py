"""A look at a match that has just ended: the ladder, the rating, and nothing of matches that do not count."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cli.studies import aftermath
from cli.studies.statistics import ladder
from cli.text.names import bot_name
from p2p_stratego.registry import ENTRIES

ENTRY = ENTRIES["spies-and-lies"]
LEVELS = ladder.levels(ENTRY)
NOTHING = {"following": "", "closed": "this game does not count"}


def row(match: str, level: str, winner: str, **changes: Any) -> dict[str, Any]:
    """A row of the list of games: our player, red, against one bot."""
    played = {"id": match, "game": ENTRY.name, "verdict": "complete", "reason": "points", "seat": "red"}
    return played | {"bots": [level], "winners": [winner], "others": ["A bot"]} | changes


def standing(*rows: dict[str, Any], all_open: bool = False) -> dict[str, Any]:
    return aftermath.standing(ENTRY, rows, "now", all_open=all_open)


def test_a_win_opens_the_next_opponent_who_is_named() -> None:
    won = standing(row("now", LEVELS[0], "red"))
    opens, rating = won["standing"]
    assert bot_name(LEVELS[1]) in opens
    assert re.search(r"about \d+0, still a guess", rating), "of one game"
    assert (won["following"], won["level"]) == (bot_name(LEVELS[1]), LEVELS[1])
    again = standing(row("now", LEVELS[0], "red"), row("before", LEVELS[0], "red"))
    (rating,) = again["standing"]
    assert "still a guess" in rating, "nothing is opened twice"


def test_a_defeat_opens_nobody_and_costs_rating() -> None:
    lost = standing(row("now", LEVELS[0], "blue"), row("before", LEVELS[0], "red"))
    assert "still a guess" in lost["standing"][0]
    assert lost["level"] == LEVELS[1], "whoever was opened stays so"
    first = standing(row("now", LEVELS[0], "blue"))
    assert (first["following"], first["closed"]) == ("", f"first beat: {bot_name(LEVELS[0])}")
    assert standing(row("now", LEVELS[0], "blue"), all_open=True)["level"] == LEVELS[1]


def test_a_rating_that_many_games_tell_is_said_with_its_change() -> None:
    before = [row(f"before {at}", LEVELS[1], ("red", "blue")[at % 2]) for at in range(40)]
    assert re.search(
        r"^Your rating: \d+ \(-\d+\)\.$", standing(row("now", LEVELS[1], "blue"), *before)["standing"][-1]
    )


def test_nobody_comes_behind_the_strongest() -> None:
    won = standing(row("now", LEVELS[-1], "red"))
    assert any("strongest" in sentence for sentence in won["standing"])
    assert won["following"] == ""


@pytest.mark.parametrize("changes", [{"bots": []}, {"verdict": "cheated"}])
def test_a_match_that_does_not_count_changes_nothing(changes: dict[str, Any]) -> None:
    assert standing(row("now", LEVELS[0], "red", **changes)) == NOTHING


def test_practice_changes_nothing_and_keeps_nobody_from_whoever_was_open_before() -> None:
    practice = row("now", LEVELS[0], "red", practice=True)
    first = standing(practice)
    assert (first["standing"], first["following"], first["closed"]) == ([], "", NOTHING["closed"])
    later = standing(practice, row("before", LEVELS[0], "red"))
    assert (later["standing"], later["level"]) == ([], LEVELS[1])


def test_a_record_of_others_tells_nothing_of_oneself(tmp_path: Path, records: Path) -> None:
    assert list(aftermath.findings(tmp_path, records / "complete.p2ps")) == [NOTHING]
