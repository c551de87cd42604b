"""A series of numbers as a picture in the terminal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.text.layout import ascii_line, width, words
from cli.text.plot import plot


@settings(max_examples=40)
@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=300),
    st.integers(8, 120),
    st.integers(1, 8).map(lambda half: 2 * half + 1),
)
def test_every_row_has_its_cells_and_plain_signs(series: list[float], columns: int, rows: int) -> None:
    lines = plot(series, columns, rows, left=("top", "mid", "low"), here=len(series) // 2)
    assert len(lines) == rows
    assert {width(line) for line in lines} == {columns}
    assert all(words(ascii_line(line)).isascii() for line in lines)
    assert sum(words(line).count("●") for line in lines) == 1


@pytest.mark.parametrize(("value", "row"), [(1.0, 0), (0.5, 4), (0.0, 8), (7.0, 0), (-1.0, 8)])
def test_a_value_stands_in_its_row(value: float, row: int) -> None:
    lines = [words(line) for line in plot([value], 12, 9)]
    assert [at for at, line in enumerate(lines) if "█" in line] == [row]


def test_time_goes_from_left_to_right() -> None:
    (top, *_, low) = (words(line) for line in plot([1.0] * 5 + [0.0] * 5, 22, 9, left=("100 %", "", "0 %")))
    assert top.startswith("100 % ┤")
    assert top.index("█") < low.index("█")
