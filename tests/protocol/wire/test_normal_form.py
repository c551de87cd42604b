"""Normal form C by Unicode 3.2: what came later stands for itself, whatever this Python knows of it."""

from __future__ import annotations

import unicodedata
from unicodedata import ucd_3_2_0

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.wire.normal_form import is_normal, normal_form
from tests.helpers.examples import examples

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
@examples(200)
def test_a_normal_form_is_normal_and_means_the_same(text: str) -> None:
    normal = normal_form(text)
    assert is_normal(normal)
    assert normal_form(normal) == normal
    assert ucd_3_2_0.normalize("NFD", normal) == ucd_3_2_0.normalize("NFD", text)


@given(text=TEXTS.map(lambda text: "".join(c for c in text if ucd_3_2_0.category(c) != "Cn")))
@examples(200)
def test_without_later_code_points_it_is_what_every_later_version_says(text: str) -> None:
    """But for the five ideographs of Corrigendum 4."""
    changed = {"\U0002f868", "\U0002f874", "\U0002f91f", "\U0002f95f", "\U0002f9bf"}
    if changed.isdisjoint(text):
        assert normal_form(text) == unicodedata.normalize("NFC", text)
