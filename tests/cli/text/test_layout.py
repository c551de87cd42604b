"""Lines keep the width they promise, with any text in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.text.layout import (
    Line,
    ascii_line,
    ascii_text,
    beside,
    both_ends,
    boxed,
    centred,
    fit,
    hung,
    overlaid,
    own_line,
    series,
    styled,
    told_apart,
    whole,
    width,
    words,
    wrapped,
)
from cli.text.sanitize import cells, escape, most_cells

WIDE = "日本"
TEXTS = st.text(alphabet="ab 日é·─", max_size=12)
LINES: st.SearchStrategy[Line] = st.lists(
    st.tuples(st.sampled_from(["", "class:dim"]), TEXTS.filter(bool)), max_size=5
).map(tuple)


@given(LINES, st.integers(0, 40))
def test_fitting_gives_exactly_that_many_cells(line: Line, limit: int) -> None:
    assert width(fit(line, limit)) == limit


@given(LINES, st.integers(1, 40))
def test_a_line_that_fits_is_only_filled_up(line: Line, limit: int) -> None:
    if width(line) <= limit:
        assert words(fit(line, limit)) == words(line) + " " * (limit - width(line))
    else:
        assert words(fit(line, limit)).rstrip().endswith("…")


@given(LINES, LINES, st.integers(0, 40))
def test_both_ends_share_the_cells(left: Line, right: Line, limit: int) -> None:
    assert width(both_ends(left, right, limit)) == limit


@given(LINES, st.integers(2, 20), st.integers(0, 3))
def test_wrapping_loses_no_word_and_keeps_within(line: Line, limit: int, hang: int) -> None:
    rows = wrapped(line, limit, min(hang, limit - 2))
    assert all(width(row) <= limit for row in rows)
    assert "".join(map(words, rows)).replace(" ", "") == words(line).replace(" ", "")


def test_wrapping_breaks_at_spaces_and_hangs() -> None:
    rows = wrapped(styled("one two three four"), 9, 2)
    assert list(map(words, rows)) == ["one two", "  three", "  four"]


def test_a_word_longer_than_the_line_is_broken() -> None:
    assert list(map(words, wrapped(styled("abcdefgh ij"), 4))) == ["abcd", "efgh", "ij"]


def test_a_path_is_broken_behind_a_slash_only() -> None:
    path = "/home/anna/.local/share/p2p-stratego/games/b339dca46a769ef16b4f89384fca94e3/transcript.p2ps"
    rows = [words(line) for line in wrapped(styled(f"Record: {path}"), 60, 2)]
    assert rows[0] == "Record:"
    assert "".join(row.strip() for row in rows[1:]) == path
    assert all(row.endswith("/") for row in rows[1:-1])


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_a_command_stands_whole_on_a_line_of_its_own_however_long(columns: int) -> None:
    command = "p2p-stratego --home /tmp/a/folder/of/many/words export a76e8b83 --html a76e8b83.html"
    sentence = f"The game is saved, and can be gone on with like this: {own_line(command)}"
    *lines, last = hung(sentence, columns)
    assert last == f"  {command}"
    assert all(cells(line) <= columns for line in lines)
    assert hung(sentence, None) == [f"The game is saved, and can be gone on with like this: {command}"]
    within = hung(f"Look: {whole(f'`{command}`')} shows it.", columns)
    assert within == ["Look:", f"{' ' * 2}`{command}`", f"{' ' * 2}shows it."]


def test_in_errors_a_command_between_backticks_is_not_broken() -> None:
    text = "p2p-stratego: No game begins so. See `p2p-stratego --home /tmp/x games` for the list."
    assert hung(text, 40, whole_words=True) == [
        "p2p-stratego: No game begins so. See",
        "  `p2p-stratego --home /tmp/x games`",
        "  for the list.",
    ]
    assert "  `p2p-stratego --home /tmp/x games`" in hung(text, 30, whole_words=True)


@given(st.text(max_size=60), st.integers(10, 40))
def test_row_23_text_of_others_is_never_held_together(text: str, columns: int) -> None:
    for line in hung(f"Ann: {escape(own_line(text))}", columns):
        assert most_cells(line) <= columns


def test_boxes_columns_and_centres_keep_their_width() -> None:
    box = boxed("A title", [styled("text"), styled(WIDE)], 30)
    assert [width(line) for line in box] == [30] * 4
    assert words(box[0]) == "╭─ A title ──────────────────╮"
    assert words(boxed("", [], 30)[0]) == f"╭{'─' * 28}╮"
    assert words(boxed("", [], 12, foot="too long to fit")[1]) == "╰─ too l… ─╯"
    assert words(beside([styled("a")], [styled("b"), styled("c")], 3)[0]) == "a  b"
    assert words(centred(styled("ab"), 6)) == "  ab  "


def test_series_in_sentences() -> None:
    assert [series(list(parts)) for parts in ("", "a", "ab", "abc")] == ["", "a", "a and b", "a, b and c"]


def test_a_style_is_added_to_what_is_there() -> None:
    assert overlaid((("class:dim", "a"), ("", "b")), "fresh") == (
        ("class:dim class:fresh", "a"),
        ("class:fresh", "b"),
    )


@given(st.text(max_size=40))
def test_ascii_keeps_the_cells_and_is_ascii(text: str) -> None:
    line = styled(escape(text))
    plain = ascii_line(line)
    assert words(plain).isascii()
    assert width(plain) == width(line)


def test_ascii_signs_stay_apart_where_it_matters() -> None:
    assert ascii_text("╭─◉─◆─╮ ╔═╗ ■□ ░ ✓ ⚑▐ é ß ø 日") == "+-*-$-+ +=+ *. : v P( e s o ??"


@pytest.mark.parametrize(
    ("limit", "short"),
    [
        (20, ["Recruit bot", "Recruit bot 2", "Anna"]),
        (12, ["Recruit bot", "Recruit 2", "Anna"]),
        (9, ["Recruit", "Recruit 2", "Anna"]),
        (8, ["Recruit", "Recrui 2", "Anna"]),
        (5, ["Recr…", "Rec 2", "Anna"]),
        (3, ["Re…", "R 2", "An…"]),
    ],
)
def test_names_that_are_cut_keep_their_first_word_and_their_number(limit: int, short: list[str]) -> None:
    assert told_apart(["Recruit bot", "Recruit bot 2", "Anna"], limit) == short


@pytest.mark.parametrize(
    ("limit", "short"), [(7, ["Anna-…e", "Anna-…n", "日本"]), (3, ["A…e", "A…n", "日…"])]
)
def test_names_that_are_cut_alike_keep_their_ends(limit: int, short: list[str]) -> None:
    assert told_apart(["Anna-Marlene", "Anna-Marleen", "日本"], limit) == short
