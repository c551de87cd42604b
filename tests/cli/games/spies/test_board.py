"""The map of SPIES! drawn: its exact size, what stands where, and nothing hidden."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from cli.games.spies.map import board
from cli.games.spies.map.board import ROOMY, TIGHT, WIDE, Chart
from cli.games.spies.snapshot import snapshot, standing
from cli.text.language import install as speak
from cli.text.layout import ascii_line, place_of, width, words
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.atlas import CITY_NAMED, NAMES
from p2p_stratego.spies.rules.counters import SPACES
from p2p_stratego.spies.rules.observation import secret_face
from p2p_stratego.spies.rules.state import State
from tests.helpers.spies.moments import asked, context, moments, options

SIZES = [(chart.columns, chart.rows) for chart in (WIDE, ROOMY, TIGHT)]
SIZES += [(132, 50), (100, 40), (60, 18), (78, 27)]


@cache
def late() -> View[State]:
    return asked(moments(3), "turn", lambda view: view.state.year == 1935)


def drawn(view: View[State], columns: int, rows: int, **more: str) -> list[str]:
    return [words(line) for line in board.draw(context(view, **more), columns, rows)]


@pytest.mark.parametrize(("columns", "rows"), [size for size in SIZES if size >= board.LEAST])
def test_it_has_the_size_asked_for_also_in_ascii(columns: int, rows: int) -> None:
    for view in (late(), moments(3)[0][0], moments(3)[-1][0]):
        lines = board.draw(context(view), columns, rows)
        assert len(lines) == rows
        assert {width(line) for line in lines} == {columns}
        assert {width(ascii_line(line)) for line in lines} == {columns}
        assert all(words(ascii_line(line)).isascii() for line in lines)


@pytest.mark.parametrize(("columns", "rows"), SIZES[:3])
def test_a_click_finds_every_city(columns: int, rows: int) -> None:
    lines = board.draw(context(late()), columns, rows)
    places = {place_of(style) for line in lines for style, _ in line}
    assert places - {None} == set(NAMES)


def test_the_smallest_map_fits_beside_the_panels_of_a_small_window() -> None:
    assert board.LEAST == (51, 14)
    assert board.fitting(132, 50) == (WIDE.columns, WIDE.rows)
    assert board.fitting(132, WIDE.rows - 1) == (ROOMY.columns, ROOMY.rows)
    assert board.fitting(ROOMY.columns - 1, 60) == (TIGHT.columns, TIGHT.rows)


def test_names_of_goals_cursor_and_spy_are_embraced() -> None:
    view = asked(moments(3), "secret")
    goals = {CITY_NAMED[word.split(" ")[1]] for word in options(view)}
    text = "\n".join(drawn(view, ROOMY.columns, ROOMY.rows))
    for goal in goals:
        assert re.search(f"×[{board.CAPITAL}{board.HAVEN}]?{ROOMY.label(goal)}", text)
    text = "\n".join(drawn(view, ROOMY.columns, ROOMY.rows, cursor="vienna"))
    assert "[Vienna]" in text


@pytest.mark.parametrize("chart", [WIDE, ROOMY, TIGHT], ids=["wide", "roomy", "tight"])
def test_the_cities_that_a_picked_spy_can_reach_are_lit_with_the_points_that_takes(chart: Chart) -> None:
    view = asked(moments(3), "turn", lambda view: any(word.startswith("sail") for word in options(view)))
    spy = next(word.split(" ")[1] for word in options(view) if word.startswith("sail"))
    at = snapshot(context(view, typed=spy))
    direct = {CITY_NAMED[word.split(" ")[2]] for word in options(view) if word.startswith(f"move {spy} ")}
    assert {city for city, points in at.points.items() if points == 1} == direct
    assert max(at.points.values()) == min(view.state.ap, SPACES)
    assert at.harbours
    lines = drawn(view, chart.columns, chart.rows, typed=spy)
    for city, (column, row) in chart.corners.items():
        sign = lines[row][min(chart.headed(city)[1], column) - 1]
        if city in at.points:
            assert sign in (str(at.points[city]), "⁰¹²³⁴⁵"[at.points[city]]), NAMES[city]
        assert (sign == board.BY_SEA) == (city in at.harbours), NAMES[city]
    assert "\n".join(lines).count("▶") == 1


@pytest.mark.parametrize(
    ("widths", "columns", "rows", "placed"),
    [
        ((8, 10, 11, 7, 13, 8, 7, 7), 26, 3, (0, 1, 2, 0, 2, 0, 1, 1)),
        ((3, 3), 7, 1, (0, 0)),
        ((3, 4), 7, 1, (0,)),
        ((9,), 8, 3, ()),
        ((), 8, 3, ()),
    ],
)
def test_entries_of_the_legend_share_the_rows(
    widths: tuple[int, ...], columns: int, rows: int, placed: tuple[int, ...]
) -> None:
    assert board.in_rows(widths, columns, rows) == placed


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_the_larger_maps_tell_what_their_signs_mean(language: str) -> None:
    view = late()
    spy = next(word.split(" ")[1] for word in options(view) if word.startswith("move"))
    speak(language)
    try:
        for chart, typed in product((WIDE, ROOMY), ("", spy)):
            lines = drawn(view, chart.columns, chart.rows, typed=typed)
            corner = " ".join(line[: chart.corner[0]] for line in lines[: chart.corner[1]])
            for sign in ("g1 ", "gP ", "■ ", "◆3 ", "!4 ", "── ", "·· ", *("2 ",) * bool(typed)):
                assert sign in corner, (language, sign)
    finally:
        speak("en")


def test_a_name_that_fills_its_cell_keeps_its_last_letter_beside_a_haven() -> None:
    text = "\n".join(drawn(asked(moments(3), "turn"), ROOMY.columns, ROOMY.rows))
    assert f"{board.HAVEN}Istanbul" in text
    assert f"{board.HAVEN}Tangiers" in text


@pytest.mark.parametrize("chart", [WIDE, ROOMY, TIGHT], ids=["wide", "roomy", "tight"])
def test_the_sign_of_a_goal_never_stands_right_before_another_name(chart: Chart) -> None:
    for view in (asked(moments(3), what) for what in ("secret", "police", "place")):
        at = snapshot(context(view))
        lines = drawn(view, chart.columns, chart.rows)
        for city in set(chart.corners) - at.goals:
            column, row = chart.corners[city]
            assert column == 0 or lines[row][column - 1] != "×", NAMES[city]


def cells(view: View[State], chart: Chart = ROOMY) -> dict[str, str]:
    """By city, all that its cell shows, row by row."""
    contents = dict.fromkeys(NAMES, "")
    for line in board.draw(context(view), chart.columns, chart.rows):
        for style, part in line:
            if (place := place_of(style)) is not None:
                contents[place] += part
    return contents


def test_the_widest_map_leaves_nothing_out() -> None:
    for view, _ in moments(3)[::40]:
        shown = cells(view, WIDE)
        assert not any(board.MORE in cell for cell in shown.values())
        for city, name in enumerate(NAMES):
            assert name in shown[name].lower()
            for unit in standing(view.state, city):
                assert not unit.sign or re.search(
                    rf"{board.LETTERS[unit.power or 0]}\S*{unit.sign}", shown[name]
                )


def test_the_smallest_map_tells_secrets_that_one_can_read_from_closed_ones() -> None:
    view = asked(moments(3), "turn")
    for of in (view, replace(view, known={})):
        shown = cells(of, TIGHT)
        for city, name in enumerate(NAMES):
            known = [
                secret_face(of.state, secret, of.known) is not None for secret in of.state.secrets_in(city)
            ]
            assert (board.SECRET in shown[name]) == (not all(known)), name
            assert (board.READ in shown[name]) == (bool(known) and all(known)), name


def test_a_closed_secret_is_a_square_to_all_but_those_who_know_it() -> None:
    view = asked(moments(3), "turn")
    read, blind = cells(view), cells(replace(view, known={}))
    lying = [secret for secret in view.state.secrets if secret.where == "map"]
    assert not any(
        sign in cell for cell in blind.values() for sign in (board.GENUINE_SIGN, board.COUNTERSPY_SIGN)
    )
    readable = [secret for secret in lying if secret.slot in view.known]
    signs = [board.secret_sign(view.known[secret.slot]) for secret in readable]
    shown = [sign in read[NAMES[secret.city]] for secret, sign in zip(readable, signs, strict=True)]
    assert shown.count(True) > len(shown) // 2  # the rest is behind a "+"
    assert len(readable) < len(lying)


def test_what_stands_in_a_city_is_all_that_the_state_has_there() -> None:
    state = late().state
    spies = [unit for city in range(len(NAMES)) for unit in standing(state, city) if unit.sign.isdigit()]
    assert len(spies) == sum(spy.where == "map" for spy in state.spies)
    secrets = [
        unit.secret for city in range(len(NAMES)) for unit in standing(state, city) if unit.secret is not None
    ]
    lying = [secret for secret, laid in enumerate(state.secrets) if laid.where == "map"]
    assert sorted(secrets) == lying
    police = sum(unit.sign == "P" for city in range(len(NAMES)) for unit in standing(state, city))
    assert police == sum(map(len, state.police))
