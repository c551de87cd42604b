"""Pointing: the cursor's way, picks, moves entered at once, and the meaning of keys."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.games.interface import Players, ViewContext
from cli.games.stratego.pointer import BoardPointer
from cli.games.stratego.setup_editor import Draft
from cli.text.layout import marked, place_of, styled
from p2p_stratego.stratego.rules.pieces import BLUE
from tests.helpers.stratego.moments import BEGUN, DRAFT, MOMENTS, PLAYERS, TERMINAL, setting_up, view

POINTER = BoardPointer()
PLAY = MOMENTS["middle"]
SETUP = MOMENTS["setting-up"]


def stepped(context: ViewContext, *directions: str) -> str:
    for direction in directions:
        context = replace(context, cursor=POINTER.step(context, direction))
    return context.cursor


def test_the_cursor_begins_in_our_front_row_or_on_what_we_moved_last() -> None:
    assert stepped(ViewContext(view(BEGUN), PLAYERS), "up") == "f4"
    assert stepped(ViewContext(view(BEGUN, BLUE), Players(PLAYERS.names, BLUE)), "up") == "e7"
    assert stepped(PLAY, "left") == "f4"  # the last move was the enemy's
    assert stepped(MOMENTS["other-side"], "left") == "e6"


@pytest.mark.parametrize(
    ("seat", "directions", "place"),
    [
        (0, ("up", "up"), "f7"),
        (0, ("left",), "e5"),
        (0, ("right",), "i5"),  # over the crater
        (0, ("down", "down"), "f3"),
        (1, ("up",), "f4"),
        (1, ("left", "left"), "j5"),
        (1, ("right",), "e5"),
    ],
)
def test_the_cursor_goes_as_the_player_sees_the_board(
    seat: int, directions: tuple[str, ...], place: str
) -> None:
    context = replace(PLAY if seat == 0 else MOMENTS["other-side"], cursor="f5")
    assert stepped(context, *directions) == place


@pytest.mark.parametrize(
    ("place", "direction"), [("a1", "left"), ("a1", "down"), ("j10", "right"), ("j10", "up")]
)
def test_the_cursor_stays_on_the_board(place: str, direction: str) -> None:
    assert stepped(replace(PLAY, cursor=place), direction) == place


def test_while_setting_up_it_stays_on_our_own_rows() -> None:
    assert stepped(replace(SETUP, cursor="e4"), "up") == "e4"
    assert stepped(replace(SETUP, cursor="e3"), "up") == "e4"
    blue = ViewContext(setting_up(seat=BLUE), Players(PLAYERS.names, BLUE), draft=DRAFT)
    assert stepped(replace(blue, cursor="e7"), "up") == "e7"
    assert stepped(replace(blue, cursor="e7"), "down", "down") == "e9"


@pytest.mark.parametrize(
    ("typed", "place", "answer"),
    [
        ("", "f5", ("f5", False)),  # picked
        ("", "e6", ("", False)),  # the enemy's: nothing is picked yet
        ("", "d5", ("", False)),
        ("f5", "f5", ("", False)),  # let go
        ("f5", "i5", ("i5", False)),  # another one instead
        ("f5", "e5", ("f5e5", True)),
        ("f5", "b6", ("f5b6", True)),  # not possible: the table says why
        ("f5", "tray-marshal", ("", False)),
    ],
)
def test_pointing_picks_lets_go_and_moves(typed: str, place: str, answer: tuple[str, bool]) -> None:
    assert POINTER.point(replace(PLAY, typed=typed), place) == answer


@pytest.mark.parametrize(
    ("typed", "place", "answer"),
    [
        ("", "a1", ("a1", False)),
        ("a1", "a1", ("", False)),
        ("a1", "b3", ("a1 b3", True)),
        ("a1", "d4", ("a1 d4", True)),
        ("", "d4", ("", False)),  # nothing is left to place
        ("", "a5", ("", False)),  # not ours to set up on
        ("", "tray-scout", ("scout", False)),
        ("scout", "tray-scout", ("", False)),
        ("scout", "d4", ("d4 scout", True)),
    ],
)
def test_pointing_while_setting_up_exchanges_and_puts(
    typed: str, place: str, answer: tuple[str, bool]
) -> None:
    assert POINTER.point(replace(SETUP, typed=typed), place) == answer


def test_pointing_at_an_empty_square_puts_nothing_there() -> None:
    """The cursor then stands there, and a key names the piece."""
    empty = replace(SETUP, draft=Draft((None,) * 40))
    assert POINTER.point(empty, "d4") == ("", False)
    assert POINTER.point(replace(empty, typed="flag"), "d4") == ("d4 flag", True)


@pytest.mark.parametrize(
    ("seat", "squares"),
    [(0, ["a4", "b4", "j4", "a3", "j1"]), (1, ["j7", "i7", "a7", "j8", "a10"])],
)
def test_after_a_stroke_the_cursor_goes_on_through_all_of_ones_squares(seat: int, squares: list[str]) -> None:
    context = ViewContext(setting_up(seat=seat), PLAYERS, draft=DRAFT, cursor=squares[0])
    seen = [context.cursor]
    while (onward := POINTER.onward(context)) != context.cursor:
        seen.append(onward)
        context = replace(context, cursor=onward)
    assert len(seen) == len(set(seen)) == 40
    assert [square for square in seen if square in squares] == squares


@pytest.mark.parametrize(
    ("key", "line"),
    [
        *((str(rank), f"a1 {rank}") for rank in range(2, 10)),
        *(("1", "a1 spy"), ("0", "a1 marshal"), ("+", "a1 flag"), ("*", "a1 bomb")),
        *((".", "a1 -"), ("-", "a1 -"), ("é", None)),
    ],
)
def test_single_keys_put_pieces_while_setting_up_and_nothing_later(key: str, line: str | None) -> None:
    assert POINTER.stroke(replace(SETUP, cursor="a1"), key) == line
    assert POINTER.stroke(SETUP, key) is None
    assert POINTER.stroke(replace(PLAY, cursor="a1"), key) is None


@pytest.mark.parametrize("key", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/?")
def test_no_key_that_begins_a_typed_line_is_a_stroke(key: str) -> None:
    assert POINTER.stroke(replace(SETUP, cursor="a1"), key) is None


@pytest.mark.parametrize(
    ("pointed", "rest", "goes_on"),
    [
        ("a1", "b", True),
        ("a1", " b3", True),
        ("a1", " to b3", True),
        ("a1", " t", True),
        ("a1", "-", True),
        ("a1", " flag, b1 B", True),
        ("a1", " M", True),
        ("a1", "s", True),
        ("a1", "sa", False),
        ("a1", "r", False),
        ("a1", "b3 c", False),
        ("a1", "b1 flag, c1 B", False),
        ("a1", "k", False),
        ("scout", " ", True),
        ("scout", "d", False),
    ],
)
def test_behind_a_square_come_squares_and_while_setting_up_pieces(
    pointed: str, rest: str, goes_on: bool
) -> None:
    assert POINTER.goes_on(replace(SETUP, typed=pointed), rest) is goes_on


@pytest.mark.parametrize(
    ("rest", "goes_on"),
    [("f", True), ("x f5", True), ("flag", False), ("u", False), ("/", False)],
)
def test_in_play_behind_a_square_comes_another_one_only(rest: str, goes_on: bool) -> None:
    assert POINTER.goes_on(replace(PLAY, typed="f4"), rest) is goes_on


def test_every_place_of_a_drawn_board_is_one_that_can_be_pointed_at() -> None:
    drawn = [place_of(style) for line in TERMINAL.board.draw(PLAY, 47, 15) for style, _ in line]
    places = {place for place in drawn if place is not None}
    assert len(places) == 100
    for place in places:
        POINTER.point(PLAY, place)


def test_only_marked_text_has_a_place() -> None:
    line = (*styled("ab", "dim"), *styled("cd", "dim", marked("a4")), *styled("e"))
    assert [place_of(style) for style, _ in line] == [None, "a4", None]
