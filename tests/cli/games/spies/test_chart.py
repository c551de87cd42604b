"""The maps of SPIES!: every city has a place of its own that a click finds."""

from __future__ import annotations

import pytest

from cli.games.spies.map.board import ROOMY, TIGHT, WIDE, Chart
from p2p_stratego.spies.rules.atlas import CITY_NAMED, NAMES

CHARTS = pytest.mark.parametrize("chart", [WIDE, ROOMY, TIGHT], ids=["wide", "roomy", "tight"])


def cells(chart: Chart, city: int) -> set[tuple[int, int]]:
    """Without the gap behind it."""
    column, row = chart.corners[city]
    return {(column + x, row + y) for x in range(chart.wide - 1) for y in range(chart.high)}


@CHARTS
def test_it_has_every_city_once_and_the_label_is_the_city_s(chart: Chart) -> None:
    words = chart.picture.split()
    assert len(words) == len(set(words)) == len(chart.corners) == len(NAMES) == 61
    for city in chart.corners:
        name = iter(NAMES[city])
        label = chart.label(city)
        assert all(letter in name for letter in label.lower()), label  # its letters, in the name's order


@CHARTS
def test_no_two_cities_share_a_cell_and_none_leaves_the_map(chart: Chart) -> None:
    taken: dict[tuple[int, int], int] = {}
    for city in chart.corners:
        for column, row in cells(chart, city):
            assert taken.setdefault((column, row), city) == city, NAMES[city]
            assert 0 <= row < chart.rows
            assert 0 <= column < chart.columns


@CHARTS
def test_every_cell_of_a_city_belongs_to_it_and_no_dot_covers_one(chart: Chart) -> None:
    for city in chart.corners:
        assert all(chart.city(*cell) == city for cell in cells(chart, city))
        assert not cells(chart, city) & chart.dots
    assert all(0 <= column < chart.columns and 0 <= row < chart.rows for column, row in chart.dots)


@CHARTS
def test_a_gap_parts_each_city_from_the_next_one_and_a_click_on_the_sign_in_it_finds_the_city(
    chart: Chart,
) -> None:
    taken = {cell for city in chart.corners for cell in cells(chart, city)}
    for city, (column, row) in chart.corners.items():
        for y in range(chart.high):
            assert (column - 1, row + y) not in taken | chart.dots, NAMES[city]
            assert chart.city(column - 1, row + y) == city


def test_the_widest_map_has_whole_names() -> None:
    assert [WIDE.label(city).lower() for city in range(len(NAMES))] == list(NAMES)


@CHARTS
@pytest.mark.parametrize(
    ("west", "east"),
    [
        ("london", "berlin"),
        ("paris", "vienna"),
        ("lisbon", "madrid"),
        ("berlin", "moscow"),
        ("tripoli", "haifa"),
    ],
)
def test_east_is_to_the_right(chart: Chart, west: str, east: str) -> None:
    assert chart.corners[CITY_NAMED[west]][0] < chart.corners[CITY_NAMED[east]][0]


@CHARTS
@pytest.mark.parametrize(
    ("north", "south"),
    [
        ("oslo", "berlin"),
        ("berlin", "munich"),
        ("paris", "marseilles"),
        ("rome", "tripoli"),
        ("warsaw", "athens"),
    ],
)
def test_north_is_up(chart: Chart, north: str, south: str) -> None:
    assert chart.corners[CITY_NAMED[north]][1] < chart.corners[CITY_NAMED[south]][1]
