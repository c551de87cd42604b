"""Short codes: the list of words, and what a person may type."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.failures import NotACode
from protocol.rendezvous.short_code import MAX_NUMBER, WORDS, ShortCode, completions, is_code, new_code, read
from tests.helpers.machine.examples import examples

CODES = st.builds(ShortCode, st.integers(1, MAX_NUMBER), st.tuples(*2 * [st.sampled_from(WORDS)]))


def test_the_list_is_good_for_ten_bits_a_word() -> None:
    assert len(set(WORDS)) == 1024
    assert sorted(WORDS) == list(WORDS)
    assert all(re.fullmatch("[a-z]{4,7}", word) for word in WORDS)
    assert len({word[:4] for word in WORDS}) == 1024


def test_no_slip_of_one_letter_makes_another_word() -> None:
    """Words at distance 1 are the same once a letter of either is left out, or one at the same place."""
    near = defaultdict(set)
    for word in WORDS:
        near[word].add(word)
        for at in range(len(word)):
            near[word[:at] + word[at + 1 :]].add(word)
            near[word[:at] + "?" + word[at + 1 :]].add(word)
    shared = {frozenset(words) for key, words in near.items() if len(words) > 1 and "?" in key}
    shared |= {frozenset(words) for key, words in near.items() if len(words) > 1 and key in WORDS}
    assert not shared


@given(CODES, st.sampled_from([" ", "-", "  ", " - ", "_", ", ", "–"]), st.booleans())
def test_a_code_may_be_typed_in_many_ways(code: ShortCode, between: str, upper: bool) -> None:
    typed = f" {str(code).replace('-', between)}\n"
    assert is_code(typed)
    assert read(typed.upper() if upper else typed) == code


@given(CODES)
def test_four_letters_of_a_word_are_enough(code: ShortCode) -> None:
    first, second = code.words
    assert read(f"{code.number} {first[:4]} {second[:4]}") == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        "7-amber",
        "7-amber-violin-amber",
        "0-amber-violin",
        "1000-amber-violin",
        "amber-violin",
        "-1-a-b",
    ],
)
def test_a_text_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(NotACode) as error:
        read(text)
    assert error.value.word == ""


@examples(10, 80)
@given(st.text(max_size=80))
def test_any_other_text_is_refused_as_what_it_is(text: str) -> None:
    try:
        code = read(text)
    except NotACode:
        return
    assert read(str(code)) == code


def test_a_word_that_is_not_on_the_list_is_told_with_those_that_may_be_meant() -> None:
    with pytest.raises(NotACode) as error:
        read("7-amber-violn")
    assert (error.value.word, error.value.near[0]) == ("violn", "violin")
    with pytest.raises(NotACode) as error:
        read("7-a-amber")
    assert error.value.word == "a"
    assert len(error.value.near) == 3


def test_a_begun_code_is_completed() -> None:
    assert completions("7-amb") == ["7-amber"]
    assert completions("7 ambe tig") == ["7-amber-tiger"]
    assert completions("7-am")[0] == "7-amber"
    with pytest.raises(NotACode) as error:
        read("7-amb")
    assert error.value.near == ("7-amber",)
    assert completions("7-") == completions("7-a") == completions("7") == []
    assert completions("7-a-tig") == completions("7-amber-tiger-tig") == []


def test_a_code_shows_its_words_in_no_repr() -> None:
    code = new_code(7)
    assert not any(word in repr(code) for word in code.words)


def test_w_is_of_the_number_and_both_words() -> None:
    codes = [
        ShortCode(7, ("amber", "tiger")),
        ShortCode(8, ("amber", "tiger")),
        ShortCode(7, ("tiger", "amber")),
    ]
    assert len({code.scalar() for code in codes}) == 3
