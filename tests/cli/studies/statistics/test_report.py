"""Statistics in words."""

from __future__ import annotations

from cli.studies.statistics import report
from cli.studies.statistics.player import Player
from cli.studies.statistics.results import OfGame, Score
from cli.text import language
from p2p_stratego.core.language import install


def test_a_seat_among_several_is_told_in_the_language_that_is_spoken() -> None:
    game = OfGame("conquest", seats={"red/3": Score(), "blue": Score()})
    language.install("de")
    try:
        lines = "\n".join(report.sentences(Player("00" * 32, "Ann"), [game], [], {}))
    finally:
        install(None)
    assert "als rot/3" in lines
    assert "als blau" in lines
