"""Each game's readable playthrough is what the rules make of its answers today."""

from __future__ import annotations

import pytest

from p2p_stratego.registry import GAMES
from tests.golden import PLAYTHROUGHS, written


def test_no_game_lacks_a_golden_game() -> None:
    assert set(GAMES) <= set(PLAYTHROUGHS)


@pytest.mark.parametrize("game", PLAYTHROUGHS)
def test_the_rules_still_play_the_golden_game_as_it_is_written(game: str) -> None:
    assert PLAYTHROUGHS[game]() == written(game).read_text(encoding="utf-8")


def test_the_golden_game_of_spies_and_lies_is_worth_reading() -> None:
    """It touches enough of the rules to change with most of them."""
    text = written("spies-and-lies").read_text(encoding="utf-8")
    marks = ("It is.", "out of order", "falsely", "caught", "retreats", "goes into action", "undone", "flag")
    more = (
        "blasts",
        "two soldiers",
        "wins a deception token",
        "uses the exhausted",
        "reaches 10",
        "falls from",
    )
    assert [words for words in marks + more if words not in text] == []


def test_the_golden_game_of_stratego_is_worth_reading() -> None:
    text = written("stratego").read_text(encoding="utf-8")
    marks = (
        "squares",
        "claims not to break",
        "it is a scout",
        "beats",
        "falls to",
        "both fall",
        "flag!",
        "Bomb",
    )
    assert [words for words in marks if words not in text] == []


def test_the_golden_games_of_mates_are_worth_reading() -> None:
    """Mates lay in two steps and look; of four one goes, its cards stay closed and its mate plays on."""
    three, four = (written(f"spies-and-lies-{seats}").read_text(encoding="utf-8") for seats in (3, 4))
    for text in (three, four):
        assert "to red-b alone" in text
        assert "the first soldiers lie" in text
    marks = ("red-b has gone", "plays on for both", "stays face down, for Cleo is gone", "critical")
    assert [words for words in marks[:3] if words not in four] == []
    assert "false line" in four or "never shown" in four


def test_the_golden_game_of_spies_is_worth_reading() -> None:
    text = written("spies").read_text(encoding="utf-8")
    marks = ("is too strong", "Papers", "Double-cross", "is a counterspy", "brings", "puts out")
    more = ("captures it", "killed by", "hides", "drop of", "escapes to", "looks for", "talks with", "1938.")
    rare = (
        "alone and sealed",
        "accepts",
        "declines",
        "Vienna becomes territory",
        "makes that year the last one",
    )
    assert [words for words in marks + more + rare if words not in text] == []
