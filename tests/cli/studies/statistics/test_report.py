"""Statistics in words."""

from __future__ import annotations

from dataclasses import replace

from cli.studies.statistics import ladder, report
from cli.studies.statistics.glicko import Rating
from cli.studies.statistics.player import Player
from cli.studies.statistics.results import OfGame, Score
from cli.text import language
from p2p_stratego.core.language import install
from p2p_stratego.registry import ENTRIES


def test_a_seat_among_several_is_told_in_the_language_that_is_spoken() -> None:
    game = OfGame("conquest", seats={"red/3": Score(), "blue": Score()})
    language.install("de")
    try:
        lines = "\n".join(report.sentences(Player("00" * 32, "Ann"), [game], [], {}))
    finally:
        install(None)
    assert "als rot/3" in lines
    assert "als blau" in lines


def test_the_rating_of_our_player_is_that_of_the_ladder() -> None:
    """The end page, the menu and the statistics tell the same number."""
    entry = ENTRIES["stratego"]
    row = {"game": entry.name, "verdict": "complete", "reason": "resigned", "seat": "red"}
    rows = [row | {"bots": ["recruit"], "winners": ["blue"], "others": ["A bot"]}]
    own = ladder.rating(entry, rows)
    assert own is not None
    game = OfGame(
        entry.name, total=Score(lost=1), on_ladder=own, ladder_matches=1, ratings=[(0, Rating(1668.0, 208.0))]
    )

    def page(results: OfGame) -> str:
        return "\n".join(report.sentences(Player("00" * 32, "Ann"), [results], [], {}))

    assert f"{round(own.rating)}, with 95 % between" in page(game)
    assert "1668" not in page(game)
    assert "1668" in page(replace(game, total=Score(won=1, lost=1))), "people were among the others"
