"""Answers to questions of yes or no, switches, and words to leave with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cli.text.language import ENGLISH, install, leaves, on_or_off, yes_or_no


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    install(ENGLISH)


@pytest.mark.parametrize(
    ("language", "yes", "no"),
    [
        ("en", ("y", "yes", " YES "), ("n", "no")),
        ("de", ("j", "ja", "yes", "y"), ("n", "nein", "no")),
        ("nl", ("j", "Ja", "yes"), ("n", "nee", "no")),
    ],
)
def test_english_and_the_spoken_language_are_understood(
    language: str, yes: tuple[str, ...], no: tuple[str, ...]
) -> None:
    install(language)
    assert [yes_or_no(text) for text in yes] == [True] * len(yes)
    assert [yes_or_no(text) for text in no] == [False] * len(no)
    assert yes_or_no("") is yes_or_no("jaja") is None


@pytest.mark.parametrize(
    ("language", "on", "off", "leave"),
    [("en", "On", "off", "leave"), ("de", "an", "Aus", "Verlassen"), ("nl", "aan", "uit", "weggaan")],
)
def test_a_switch_and_the_word_to_leave_are_understood_as_they_are_shown(
    language: str, on: str, off: str, leave: str
) -> None:
    install(language)
    assert [on_or_off(word) for word in (on, "on", off, "off", "")] == [True, True, False, False, None]
    assert leaves(leave)
    assert leaves("q")
    assert not leaves("")
