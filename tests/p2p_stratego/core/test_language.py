"""Sentences in the player's language, and in English where programs read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from p2p_stratego.core.language import _, _c, english, install, mark, mark_c, n_, number


class Backwards:
    """A language in which every sentence is the English one in brackets."""

    def gettext(self, message: str, /) -> str:
        return f"[{message}]"

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        return f"[{singular if n == 1 else plural}]"

    def pgettext(self, context: str, message: str, /) -> str:
        return {"decimal point": ",", "between thousands": "."}.get(context, f"[{context}: {message}]")


@pytest.fixture(autouse=True)
def backwards() -> Iterator[None]:
    install(Backwards())
    yield
    install(None)


def test_a_sentence_is_translated_and_its_fields_are_filled() -> None:
    assert _("{name} wins.", name="Anna") == "[Anna wins.]"
    assert _("A draw.") == "[A draw.]"
    assert [n_("{count} card", "{count} cards of {name}", count, name="Bo") for count in (0, 1, 2)] == [
        "[0 cards of Bo]",
        "[1 card]",
        "[2 cards of Bo]",
    ]


def test_a_field_is_never_read_as_a_sentence() -> None:
    assert _("{name} wins.", name="{name.__class__} {0}") == "[{name.__class__} {0} wins.]"


def test_braces_of_a_sentence_without_fields_stand_for_themselves() -> None:
    assert _("{host,join}") == "[{host,join}]"


def test_a_marked_sentence_is_english_until_it_is_shown() -> None:
    table = {"draw": mark("A draw.")}
    assert table == {"draw": "A draw."}
    assert _(table["draw"]) == "[A draw.]"


def test_nothing_is_translated_into_nothing() -> None:
    assert _("") == ""


def test_programs_read_english() -> None:
    with english():
        assert _("A draw.") == "A draw."
        assert n_("{count} card", "{count} cards", 2) == "2 cards"
        with english():
            pass
        assert _("A draw.") == "A draw."
    assert _("A draw.") == "[A draw.]"


def test_a_word_of_several_senses_is_translated_in_its_context() -> None:
    assert _c("of a verdict", "complete") == "[of a verdict: complete]"
    assert _c("of a key", "play {what}", what="a4") == "[of a key: play a4]"
    assert _c("of a key", mark_c("of a key", "play")) == "[of a key: play]"
    with english():
        assert _c("of a verdict", "complete") == "complete"


def test_a_number_is_written_as_in_the_language() -> None:
    assert [number(1234.56, 1), number(-0.5, 2), number(1234567), number(2, 1, sign=True)] == [
        "1.234,6", "-0,50", "1.234.567", "+2,0",
    ]  # fmt: skip
    with english():
        assert number(1234.56, 1) == "1,234.6"
