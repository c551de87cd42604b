"""A terminal's answer about its background is taken out of what is typed, whenever and however it comes."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cli.text.background import Answers, can_be_asked, guessed, shade_of
from cli.text.theme import Shade, table

ANSWERS = ("\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "\x1b]11;rgb:1e/1e/1e\x07", "\x1b]11;#fdf6e3\x9c")


@pytest.mark.parametrize(
    ("answer", "shade"),
    [
        ("rgb:ffff/ffff/ffff", "light"),
        ("rgb:0000/0000/0000", "dark"),
        ("rgba:fdfd/f6f6/e3e3/ffff", "light"),
        ("rgb:0/2b/36", "dark"),
        ("rgb:f/f/f", "light"),
        ("#ffffff", "light"),
        ("#002b36", "dark"),
        ("rgb:ffff/ffff", None),
        ("rgb:fffff/0/0", None),
        ("rgb:gg/gg/gg", None),
        ("#fffffff", None),
        ("?", None),
        ("", None),
        ("rgb:ffff/ffff/ffff\n", None),
    ],
)
def test_the_shade_of_an_answer(answer: str, shade: Shade | None) -> None:
    assert shade_of(answer) == shade


@pytest.mark.parametrize(
    ("colours", "shade"),
    [
        ("15;0", "dark"),
        ("0;15", "light"),
        ("0;default;15", "light"),
        ("12;8", "dark"),
        ("0;7", "light"),
        ("7;default", None),
        ("", None),
        ("0;16", None),
        ("0;²", None),
    ],
)
def test_what_the_environment_tells(colours: str, shade: Shade | None) -> None:
    assert guessed({"COLORFGBG": colours}) == shade
    assert guessed({}) is None
    assert can_be_asked({"TERM": "xterm-256color"})
    assert not can_be_asked({"TERM": "linux"})


@given(
    typed=st.lists(
        st.sampled_from(["a", "guess 4", "\x1b[A", "\x1bOP", "\x1b", "]", "11;", "é", "\x1b]0;t\x07"])
    ),
    answers=st.lists(st.tuples(st.integers(0, 40), st.sampled_from(ANSWERS)), max_size=2),
    cuts=st.lists(st.integers(0, 200), max_size=6),
)
def test_no_byte_of_an_answer_counts_as_a_key_and_no_key_is_lost(
    typed: list[str], answers: list[tuple[int, str]], cuts: list[int]
) -> None:
    """Answers may come between any two keys, and both in any pieces."""
    assume("\x1b]11;" not in "".join(typed))  # then it is an answer
    parts = [*typed, "."]  # what may begin an answer comes with the next key
    for at, answer in answers:
        parts.insert(min(at, len(parts) - 1), answer)
    text = "".join(parts)
    shades: list[Shade] = []
    filtered, got, before = Answers(shades.append), "", 0
    for cut in [*sorted(cuts), len(text)]:
        got += filtered.keep(text[before:cut])
        before = max(before, cut)
    assert len(shades) == len(answers)
    # An Esc that a cut leaves alone at the end of a piece is passed on at once, as the key that it mostly is.
    assert got.replace("\x1b", "") == "".join([*typed, "."]).replace("\x1b", "")
    assert 0 <= got.count("\x1b") - "".join(typed).count("\x1b") <= len(answers)


def test_keys_that_begin_like_an_answer_come_with_the_next_one() -> None:
    filtered = Answers(lambda _: None)
    assert filtered.keep("a\x1b]") == "a"  # Alt-]
    assert filtered.keep("1") == ""
    assert filtered.keep("2") == "\x1b]12"


def test_an_answer_that_never_ends_holds_nothing_but_itself_back() -> None:
    shades: list[Shade] = []
    filtered = Answers(shades.append)
    assert filtered.keep("ab\x1b]11;rgb:" + "f" * 1000) == "ab"
    assert len(filtered.held) < 100
    assert filtered.keep("\x07c") == "c"
    assert shades == []


@pytest.mark.parametrize("key", ["\r", "\x03", "\x1b[A", "\x7f"])
def test_the_next_key_ends_an_answer_without_end(key: str) -> None:
    """Pasted text, or an answer that a lost line cut off, takes nobody's keyboard away."""
    filtered = Answers(lambda _: None)
    assert filtered.keep("a\x1b]11;rgb:ff") == "a"
    assert filtered.keep(key + "b") == key + "b"
    assert filtered.keep("\x1b]11;" + "x" * 100) == ""
    assert "".join(map(filtered.keep, key + "cd")).endswith("cd")


def test_a_background_decides_only_where_nobody_has() -> None:
    assert table("auto", 2**24, "light") is table("light", 256)
    assert table("auto", 256, "dark") is table("auto", 256) is table("dark", 256)
    assert table("dark", 256, "light") is table("dark", 256)
    assert table("auto", 16, "light") is table("auto", 16)
