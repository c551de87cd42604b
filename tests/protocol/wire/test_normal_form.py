"""Normal form C by Unicode 3.2: what came later stands for itself, whatever this Python knows of it."""

from __future__ import annotations

import unicodedata
from unicodedata import ucd_3_2_0

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.wire import normal_form as module
from protocol.wire.normal_form import MAX_MARKS, has_few_marks, is_normal, normal_form
from tests.helpers.machine.examples import examples

LATER = "\u0357\u1b05\u1b35\u0dca\U0001f600\U0001133c\ufffe"
"""U+0357 combines, and U+1B05 U+1B35 compose, in later versions; U+0DCA is as old as 3.0."""
TEXTS = st.text(st.characters(codec="utf-8") | st.sampled_from(LATER + "ae\u0301\u0323\u1100\u1161"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\u1b05\u1b35", id="a pair that composes since 5.0"),
        pytest.param("a\u0357\u0323", id="a mark that has a class since 4.0 before one of a lower class"),
        pytest.param("a\U0001f600\u0301", id="a mark behind a later code point"),
        pytest.param("\u0b47\u0300\u0b3e", id="a pair around a mark: Corrigendum 5"),
        pytest.param("\U0002136a", id="what U+2F868 stands for by the data as published"),
        pytest.param("\ue000", id="for private use"),
    ],
)
def test_these_are_in_normal_form(text: str) -> None:
    assert is_normal(text)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("e\u0301", "é"),
        ("\u1b05e\u0301\u1b35", "\u1b05é\u1b35"),
        ("a\u0301\u0323", "\u1ea1\u0301"),
        ("\U0002f868", "\U0002136a"),
    ],
)
def test_these_are_not(text: str, normal: str) -> None:
    assert not is_normal(text)
    assert normal_form(text) == normal


@given(text=TEXTS)
@examples(80, 800)
def test_a_normal_form_is_normal_and_means_the_same(text: str) -> None:
    normal = normal_form(text)
    assert is_normal(normal)
    assert normal_form(normal) == normal
    assert ucd_3_2_0.normalize("NFD", normal) == ucd_3_2_0.normalize("NFD", text)


@given(text=TEXTS.map(lambda text: "".join(c for c in text if ucd_3_2_0.category(c) != "Cn")))
@examples(80, 800)
def test_without_later_code_points_it_is_what_every_later_version_says(text: str) -> None:
    """But for the five ideographs of Corrigendum 4."""
    changed = {"\U0002f868", "\U0002f874", "\U0002f91f", "\U0002f95f", "\U0002f9bf"}
    if changed.isdisjoint(text):
        assert normal_form(text) == unicodedata.normalize("NFC", text)


MARKS = [chr(code) for code in range(0x110000) if ucd_3_2_0.combining(chr(code))]
"""All of them: the tables of 3.2 give no later code point a combining class other than 0."""


@pytest.mark.parametrize("mark", ["\u0300", "\u0334", "\u0345", "\u05b0", "\U0001d165"])
def test_row_106_thirty_marks_may_stand_in_a_row_and_no_more(mark: str) -> None:
    """UAX #15, Stream-Safe Text Format: 30 are more than any writing needs."""
    assert is_normal("q" + mark * MAX_MARKS)
    assert is_normal(mark * MAX_MARKS + "q" + mark * MAX_MARKS)
    assert not is_normal("q" + mark * (MAX_MARKS + 1))
    assert not is_normal(mark * (MAX_MARKS + 1))


@pytest.mark.parametrize("between", ["q", "\u0357", "\u0903", "\U0001f600"])
def test_a_run_of_marks_ends_at_any_code_point_that_is_none_by_unicode_3_2(between: str) -> None:
    """U+0357 is a mark in later versions alone; U+0903 is one that has no combining class."""
    assert is_normal("q" + "\u0300" * MAX_MARKS + between + "\u0300" * MAX_MARKS)


def test_row_106_every_mark_counts_and_so_do_letters_that_are_marks_in_disguise() -> None:
    """U+0F73 has the class 0 and stands for two marks, so a row of it would cost as much to reorder."""
    disguised = {
        chr(code)
        for code in range(0x110000)
        if ucd_3_2_0.category(chr(code)) != "Cn"
        and ucd_3_2_0.decomposition(chr(code))
        and ucd_3_2_0.combining(ucd_3_2_0.normalize("NFD", chr(code))[0])
    }
    for mark in {*MARKS, *disguised}:
        assert has_few_marks("q" + mark * MAX_MARKS)
        assert not has_few_marks("q" + mark * (MAX_MARKS + 1))
    assert {"\u0344", "\u0f73", "\u0f75", "\u0f81"} <= disguised


@pytest.mark.parametrize(
    "text",
    [
        "a" + "\u0300" * 15_000 + "\u0334" * 15_000,
        "\u0300\u0334" * 15_000,
        "\u0f73" * 20_000,
        "\u0344" * 30_000,
        ("\u0f73" * 40 + "a") * 500,
    ],
)
def test_row_106_a_long_row_of_marks_is_refused_before_it_is_reordered(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To reorder n marks in a row takes n * n steps."""

    class Data:
        category, combining = ucd_3_2_0.category, ucd_3_2_0.combining

        @staticmethod
        def normalize(form: str, run: str) -> str:
            raise AssertionError(f"{len(run)} code points are normalized to {form}")

    monkeypatch.setattr(module, "ucd_3_2_0", Data)
    assert not is_normal(text)


@given(text=st.text(st.sampled_from([*MARKS[:40], "a", "\u0357", "\u00e9", "\u0f73"]), max_size=200))
@examples(80, 800)
def test_row_106_no_run_that_is_normalized_stands_for_many_more_marks(text: str) -> None:
    """Three behind one letter, and two for one mark, are the most that the tables of 3.2 give."""
    if not has_few_marks(text):
        return
    run = longest = 0
    for letter in ucd_3_2_0.normalize("NFD", text):
        run = run + 1 if ucd_3_2_0.combining(letter) else 0
        longest = max(longest, run)
    assert longest <= 3 + 2 * MAX_MARKS
