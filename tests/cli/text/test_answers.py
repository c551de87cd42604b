"""Answers to questions of yes or no."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cli.text.language import ENGLISH, install, yes_or_no


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
