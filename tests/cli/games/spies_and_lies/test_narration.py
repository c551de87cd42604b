"""Spies & Lies told: options, markers, and points and titles in another language than English."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cli.games.spies_and_lies.names import names
from cli.games.typed_names import folded, in_english
from cli.text import language
from p2p_stratego.core.language import install
from p2p_stratego.spies_and_lies.formats import narration
from p2p_stratego.spies_and_lies.rules.components import BLUE, COLONEL, SOLDIERS, title
from p2p_stratego.spies_and_lies.rules.state import Effect, Report
from tests.golden.sentences import Row, assert_answers
from tests.helpers.spies_and_lies.table import BASE, guessed, replace

PEOPLE = ("Anna", "Boris")
STANDING = {
    "the markers, with the agent near": guessed(replace(BASE, agent=-2, tokens=(1, 0)), COLONEL),
    "the markers, with the agent in the middle": guessed(replace(BASE, tokens=(0, 0)), COLONEL),
}


def test_options_and_markers_are_told_in_words() -> None:
    def answer(row: Row) -> Iterator[str]:
        if row.typed is not None:
            wall, starter = row.typed.split()
            yield from narration.options({"wall": int(wall), "starter": starter}, 2)
        elif row.place in STANDING:
            yield narration.standing(STANDING[row.place], PEOPLE)

    assert_answers("spies-and-lies-told", answer)


def test_the_markers_are_told_behind_a_mission_turn_and_nowhere_else() -> None:
    assert narration.standing(BASE, PEOPLE) == ""


@pytest.mark.parametrize(
    ("points", "words"), [(1, "1 Punkt mit: Spionin (1)."), (3, "3 Punkte mit: Spionin (1).")]
)
def test_points_are_counted_in_words_that_agree(points: int, words: str) -> None:
    scored = (Effect("points", BLUE, points),)
    report = Report(1, 1, 0, 1, 5, False, False, 1, "activated", scored, (0, points), 0, (2, 2), 0, 1)
    language.install("de")
    try:
        assert narration.tell_turn(report, PEOPLE).endswith(f"Boris bekommt {words}")
    finally:
        install(None)


@pytest.mark.parametrize(
    ("spoken", "ranks", "typed"),
    [
        ("de", (1, 4, 6), ("Spionin", "feldwebel", "kapitaen")),
        ("de", (1, 4, 6), ("spion", "Feldw", "Kapitän")),
        ("nl", (1, 4, 6), ("Spionne", "sergeant", "Kapitein")),
    ],
)
def test_titles_are_those_that_the_box_prints_shown_and_typed(
    spoken: str, ranks: tuple[int, ...], typed: tuple[str, ...]
) -> None:
    language.install(spoken)
    try:
        for rank, word in zip(ranks, typed, strict=True):
            assert folded(title(rank)).startswith(folded(word)[:5])
            assert in_english(word, names()).casefold() == SOLDIERS[rank].name.casefold()
    finally:
        install(None)
