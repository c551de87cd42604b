"""Spies & Lies told in another language than English."""

from __future__ import annotations

import pytest

from cli.text import language
from p2p_stratego.core.language import install
from p2p_stratego.spies_and_lies.formats import narration
from p2p_stratego.spies_and_lies.rules.soldiers import BLUE
from p2p_stratego.spies_and_lies.rules.state import Effect, Report


@pytest.mark.parametrize(
    ("points", "told"), [(1, "1 Punkt mit: Spionin (1)."), (3, "3 Punkte mit: Spionin (1).")]
)
def test_points_are_counted_in_words_that_agree(points: int, told: str) -> None:
    scored = (Effect("points", BLUE, points),)
    report = Report(1, 1, 0, 1, 5, False, False, 1, "activated", scored, (0, points), 0, (2, 2), 0, 1)
    language.install("de")
    try:
        assert narration.tell_turn(report, ("Anna", "Boris")).endswith(f"Boris bekommt {told}")
    finally:
        install(None)
