"""The maps of SPIES!: every city has a place of its own that a click finds."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from cli.games.spies.map import links
from cli.games.spies.map.board import ROOMY, TIGHT, WIDE, Chart
from p2p_stratego.spies.rules.atlas import BY_AIR, BY_RAIL, CITY_NAMED, NAMES

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
def test_every_cell_of_a_city_belongs_to_it_and_no_line_covers_a_name(chart: Chart) -> None:
    lines = chart.lines()
    for city in chart.corners:
        assert all(chart.city(*cell) == city for cell in cells(chart, city))
        name, column = chart.headed(city)
        assert not {(column + at, chart.corners[city][1]) for at in range(len(name))} & set(lines)
    assert all(0 <= column < chart.columns and 0 <= row < chart.rows for column, row in lines)


@CHARTS
def test_a_gap_parts_each_city_from_the_next_one_and_a_click_on_the_sign_in_it_finds_the_city(
    chart: Chart,
) -> None:
    taken = {cell for city in chart.corners for cell in cells(chart, city)}
    for city, (column, row) in chart.corners.items():
        for y in range(chart.high):
            assert (column - 1, row + y) not in taken, NAMES[city]
            assert column == 0 or chart.city(column - 1, row + y) == city


@pytest.mark.parametrize("chart", [WIDE, ROOMY], ids=["wide", "roomy"])
def test_each_railway_is_a_line_from_name_to_name_and_each_airline_is_dotted(chart: Chart) -> None:
    rooms, drawn = chart.rooms(), chart.lines()
    plan = links.Plan(rooms, chart.columns, chart.rows)
    for start, end in sorted(BY_RAIL):
        way = [cell for cell, _step in plan.way(start, end)]
        assert all(max(abs(x - to_x), abs(y - to_y)) == 1 for (x, y), (to_x, to_y) in pairwise(way))
        for city, (column, row) in ((start, way[0]), (end, way[-1])):
            at = rooms[city]
            assert row == at.row
            assert 0 <= column - at.column < at.length
    assert set(drawn.values()) >= set("─│╱╲┼·")
    railways = links.rails(rooms, chart.columns, chart.rows)
    for start, end in BY_AIR:
        assert links.airlines(rooms, railways, [(min(start, end), max(start, end))]), (
            NAMES[start],
            NAMES[end],
        )


@pytest.mark.parametrize("chart", [WIDE, ROOMY], ids=["wide", "roomy"])
def test_railways_share_a_cell_only_where_they_cross_straight(chart: Chart) -> None:
    plan = links.Plan(chart.rooms(), chart.columns, chart.rows)
    plan.draw(BY_RAIL)
    assert set(plan.drawn) == {link for link in BY_RAIL if link[0] < link[1]}
    shared = Counter(cell for cells in plan.drawn.values() for cell in cells)
    assert {cell for cell, lines in shared.items() if lines > 1} == {
        cell for cell, sign in plan.signs.items() if sign in "┼╳"
    }
    assert max(shared.values()) == 2
    assert all(plan.drawn.values())


def test_nothing_stands_in_the_corner_of_the_legend() -> None:
    for chart in (WIDE, ROOMY):
        columns, rows = chart.corner
        corner = {(x, y) for x in range(columns) for y in range(rows)}
        names = {cell for city in chart.corners for cell in cells(chart, city)}
        assert not corner & (names | set(chart.lines()))


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
