"""Lines drawn by whole rows: the cells that prompt_toolkit's own window would draw, and the mouse on them."""

from __future__ import annotations

from random import Random

import pytest
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Point
from prompt_toolkit.document import Document
from prompt_toolkit.layout import FormattedTextControl, Window
from prompt_toolkit.layout.containers import Container
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Screen, WritePosition
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from cli.screen.widgets import Rows, input_line
from cli.text.layout import Line, marked, styled

COLUMNS, LEFT, TOP = 12, 3, 2


def drawn(
    container: Container, rows: int, handlers: MouseHandlers | None = None
) -> list[list[tuple[str, str]]]:
    """The characters and styles of COLUMNS cells of `rows` rows, after `container` was drawn there."""
    screen = Screen()
    where = WritePosition(LEFT, TOP, COLUMNS, rows)
    container.write_to_screen(screen, handlers or MouseHandlers(), where, "", False, None)
    screen.draw_all_floats()
    assert screen.height == TOP + rows
    return [
        [
            (
                cell.char,
                cell.style.removesuffix("class:last-line").strip(),
            )  # the toolkit's, which we give no style
            for cell in (screen.data_buffer[y][x] for x in range(LEFT, LEFT + COLUMNS))
        ]
        for y in range(TOP, TOP + rows)
    ]


def rows_of(*lines: Line, scrolls: bool = False) -> Rows:
    return Rows(lambda: lines, lambda *_: None, scrolls=scrolls)


def test_the_cells_are_those_of_the_toolkits_own_window() -> None:
    rng = Random(1)
    for _ in range(100):
        fragments = [
            (rng.choice(("", "class:dim")), "".join(rng.choices("ab─★漢字é ", k=rng.randint(1, 6))))
            for _ in range(rng.randrange(9))
        ]
        ours = drawn(rows_of(tuple(fragments)), 1)[0]
        theirs = drawn(Window(FormattedTextControl(list(fragments)), wrap_lines=False), 1)[0]
        until = sum(1 for cell in theirs if cell[1] != "[transparent]")
        assert ours[:until] == theirs[:until], fragments
        assert set(ours[until:]) <= {(" ", "")}, fragments


def test_a_mark_without_width_stands_with_its_letter() -> None:
    row = drawn(rows_of(styled("e\u0301字\u0301x"), styled("\u0301x")), 2)
    assert [cell[0] for cell in row[0][:4]] == ["e\u0301", "字\u0301", "", "x"]
    assert row[1][0][0] == "x", "a mark without a letter is left out"


def test_a_short_line_covers_all_that_stood_below_it() -> None:
    screen, where = Screen(), WritePosition(0, 0, COLUMNS, 1)
    for text in ("x" * COLUMNS, "ab"):
        rows_of(styled(text)).write_to_screen(screen, MouseHandlers(), where, "", False, None)
    assert "".join(screen.data_buffer[0][x].char for x in range(COLUMNS)) == "ab" + " " * (COLUMNS - 2)


@pytest.mark.parametrize(("wanted", "first"), [(0, 0), (3, 3), (99, 7), (-5, 0)])
def test_scrolling_stops_at_both_ends(wanted: int, first: int) -> None:
    rows = rows_of(*(styled(str(number)) for number in range(10)), scrolls=True)
    rows.top = wanted
    assert [row[0][0] for row in drawn(rows, 3)] == [str(first + at) for at in range(3)]
    assert (rows.top, rows.seen) == (first, 3)


def test_a_click_tells_the_place_that_is_drawn_there() -> None:
    shown: list[str | None] = []
    lines = [
        styled("none"),
        (*styled("to "), *styled("a1", marked("a1"))),
        (*styled("漢 "), *styled("a2", marked("a2"))),
    ]
    rows, handlers = Rows(lambda: lines, lambda place, _: shown.append(place)), MouseHandlers()
    drawn(rows, 3, handlers)
    for column, row in ((0, 0), (0, 1), (3, 1), (4, 1), (9, 1), (2, 2), (4, 2)):
        at = Point(LEFT + column, TOP + row)
        event = MouseEvent(at, MouseEventType.MOUSE_UP, MouseButton.LEFT, frozenset())
        handlers.mouse_handlers[at.y][at.x](event)
    assert shown == [None, None, "a1", "a1", None, "a2"]


def test_a_typed_line_is_seen_from_its_beginning_again_once_it_is_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where it was longer than its row."""
    monkeypatch.setattr(
        Buffer, "load_history_if_not_yet_loaded", lambda _: None
    )  # it wants a running program
    typed = Buffer()
    line = input_line(typed)
    for text, seen in (
        ("abcdefghijklmnopqrstuvwxyz", "pqrstuvwxyz "),
        ("abcdefg", "abcdefg     "),
        ("ab", "ab          "),
    ):
        typed.document = Document(text)
        assert "".join(cell for cell, _ in drawn(line, 1)[0]) == seen
