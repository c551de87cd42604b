"""No text of others can steer a terminal (threat 23) or pass for another unnoticed (threat 24)."""

from __future__ import annotations

import sys
import unicodedata

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth, wcwidth

from cli.text.names import person
from cli.text.sanitize import MOST_CELLS, cell, cells, crop, escape, looks_like, most_cells

ATTACKS = [
    "\x1b]52;c;cm0gLXJmIH4=\x07",  # OSC 52: write the clipboard
    "\x1b]8;;https://example.org\x1b\\free points\x1b]8;;\x1b\\",  # OSC 8: a link that says something else
    "\x9d52;c;cm0gLXJmIH4=\x9c",  # the same with C1 controls
    "\x1b[2J\x1b[H\x1b[31mYou have lost.",
    "\x1b]0;title\x07",
    "\x1bP$qm\x1b\\",  # DCS, answered by some terminals as if typed
    "\x1b[6n\x05",  # reports, likewise
    "ok\r\x1b[KBoris resigns",
    "line\nBoris resigns",
    "line\u2028Boris resigns\u2029",
    "\u202egnp.exe",  # bidirectional override
    "\u2066isolate\u2069",
    "An\u200bna",
    "An\u00adna",
    "\ufeffAnna",
    "e" + "\u0301" * 200,
    "\U000e0041\U000e0042",  # tags
    "👩\u200d👩\u200d👧",
    "\ud800",
    "\ufffe\U0010ffff",
    "\x00",
    "\x7f",
]


def obeyed(text: str) -> bool:
    """Whether a terminal could do anything with `text` but print it in one line.

    str.isprintable is false for every control, format, surrogate, private, unassigned and separating code
    point but the space.
    """
    return not text.isprintable()


EVERY = range(sys.maxunicode + 1)
CHUNK = 1024
"""Code points that are escaped in one call, each in brackets, which no mark composes with."""


@pytest.mark.parametrize("plane", range(0, len(EVERY), 0x10000))
def test_row_23_every_code_point_is_shown_in_one_line_and_obeyed_by_none(plane: int) -> None:
    """Of the planes 4 to 13, in which Unicode has assigned nothing, every eighth chunk and the last one."""
    empty = 0x40000 <= plane < 0xE0000
    assert not empty or {unicodedata.category(chr(point)) for point in EVERY[plane : plane + 0x10000]} == {
        "Cn"
    }
    for start in (*range(plane, plane + 0x10000, 8 * CHUNK if empty else CHUNK), plane + 0x10000 - CHUNK):
        points = [chr(point) for point in EVERY[start : start + CHUNK]]
        shown = escape("".join(f"({point})" for point in points), 20 * CHUNK)
        assert not obeyed(shown), hex(start)
        assert min(shown.count("("), shown.count(")")) >= CHUNK, hex(start)  # nothing around it was swallowed


@pytest.mark.parametrize("plane", range(0, len(EVERY), 0x10000))
def test_row_23_what_takes_no_cell_of_its_own_is_spelt_out_without_a_letter_before_it(plane: int) -> None:
    for point in EVERY[plane : plane + 0x10000]:
        if wcwidth(chr(point)) <= 0:
            assert all(wcwidth(c) in (1, 2) for c in escape(f" {chr(point)}", 40)), hex(point)


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_row_23_an_attack_becomes_visible_text(attack: str, ascii_only: bool) -> None:
    shown = escape(attack, ascii_only=ascii_only)
    assert not obeyed(shown)
    assert "\n" not in shown
    assert not ascii_only or shown.removesuffix("…").isascii()
    # Printed raw, a terminal shows exactly these characters on its first line, and nothing else anywhere.
    screen = pyte.Screen(MOST_CELLS, 4)
    screen.set_mode(pyte.modes.LNM)
    stream = pyte.Stream(screen)
    stream.feed(shown)
    assert screen.title == ""
    assert "".join(screen.display[1:]).strip() == ""


@given(st.text(alphabet=st.characters()), st.integers(min_value=1, max_value=60))
def test_row_23_safe_text_never_exceeds_its_width_and_is_safe_again(text: str, limit: int) -> None:
    shown = escape(text, limit)
    assert cells(shown) <= limit
    assert not obeyed(shown)
    assert escape(shown, limit) == shown


def test_row_23_a_long_flood_is_cut_before_it_costs_anything() -> None:
    shown = escape("\x1b" * 10_000_000)
    assert cells(shown) <= MOST_CELLS
    assert shown.endswith("…")


NAMES = ["Łukasz Żółć", "Nguyễn Thị Ánh", "Борис", "Ελένη", "山田太郎", "김철수", "שרה", "محمد", "हिन्दी"]


def test_ordinary_names_of_many_languages_are_left_alone() -> None:
    for name in NAMES:
        assert escape(name) == unicodedata.normalize("NFC", name)


def test_in_ascii_latin_letters_become_plain_and_others_are_spelt_out() -> None:
    shown = {"Søren Þór": "Soren Thor", "Łukasz Żółć": "Lukasz Zolc", "Đorđe Strauß": "Dorde Strauss"}
    shown |= {"Ægir Œuvre": "AEgir OEuvre", "Ǿ": "O", "Бо": "<U+0411><U+043E>"}
    for name, plain in shown.items():
        assert escape(name, ascii_only=True) == plain


def test_white_space_of_any_kind_becomes_a_space() -> None:
    assert escape("a\tb\u00a0c\u3000d\x85e") == "a b c d e"


def test_cropping_never_splits_a_wide_character() -> None:
    assert crop("山田太郎", 5) == "山田…"
    assert crop("山田太郎", 4) == "山…"
    assert crop("abc", 0) == ""


LOOK_ALIKES = [
    ("Alice", "Аlice"),  # Cyrillic А
    ("Alice", "AIice"),  # capital i
    ("Alice", "A1ice"),
    ("paypal", "раураl"),
    ("Boris", "B0ris"),
    ("modern", "rnodern"),
    ("vivian", "vvivian".replace("vvi", "vi")),
    ("Zoe", "Zoë"),
    ("Soren", "Søren"),  # alike in ASCII
    ("Anna", "ＡＮＮＡ"),  # full width
    ("Anna", "An na"),
    ("Anna", "ANNA"),
    ("Αnna", "Anna"),  # Greek Α
    ("Jill", "Ji11"),
]


@pytest.mark.parametrize(("name", "other"), LOOK_ALIKES)
def test_row_24_look_alike_names_are_noticed_and_shown_with_fingerprints_that_differ(
    name: str, other: str
) -> None:
    assert looks_like(name, other)
    assert person(name, "AAAA-BBBB-CCCC-DDDD") != person(other, "EEEE-FFFF-GGGG-HHHH")
    assert person(other, "EEEE-FFFF-GGGG-HHHH").endswith(" [EEEE-FFFF-GGGG-HHHH]")


UNLIKE = [("Anna", "Anne"), ("Boris", "Doris"), ("山田", "山本"), ("Max", "Maxi")]


@pytest.mark.parametrize(("name", "other"), UNLIKE)
def test_row_24_different_names_are_told_apart(name: str, other: str) -> None:
    assert not looks_like(name, other)


def test_row_24_a_name_cannot_push_its_fingerprint_out_of_sight() -> None:
    shown = person("A" * 32 + "\x1b[8m", "AAAA-BBBB-CCCC-DDDD")
    assert shown.endswith("…” [AAAA-BBBB-CCCC-DDDD]")
    assert cells(shown) <= 24 + 22


# Widths (threat 23): text that takes more cells than we count wraps a line, and the rest looks like ours.

MARKS = [chr(p) for p in EVERY if unicodedata.category(chr(p)) in ("Mc", "Mn")]
SPACING = [mark for mark in MARKS if unicodedata.category(mark) == "Mc"]
NON_SPACING = [mark for mark in MARKS if unicodedata.category(mark) == "Mn"]


def test_row_23_a_spacing_mark_has_a_cell_and_a_non_spacing_one_has_none() -> None:
    assert all(cell(mark) == 1 for mark in SPACING)
    assert all(cell(mark) == wcswidth(f"a{mark}") - 1 for mark in NON_SPACING)
    assert sum(map(cell, NON_SPACING)) < 10  # those that a newer Unicode calls spacing


@pytest.mark.parametrize("marks", [SPACING, NON_SPACING], ids=["spacing", "non-spacing"])
def test_row_23_a_letter_with_a_mark_is_at_least_as_wide_as_wcwidth_says(marks: list[str]) -> None:
    for mark in marks:
        assert cells("क" + mark) >= wcswidth("क" + mark), hex(ord(mark))


@given(st.text(alphabet=st.characters()))
def test_row_23_what_is_shown_is_never_wider_than_counted(text: str) -> None:
    shown = escape(text, 400)
    assert wcswidth(shown) <= cells(shown) <= most_cells(shown)


def test_row_23_a_flood_of_spacing_marks_is_cut_by_the_cells_it_takes() -> None:
    shown = escape("का" * 500, 60)
    assert cells(shown) <= 60
    assert sum(1 for c in shown if unicodedata.category(c) != "Mn") <= 60
