"""Stratego at a running screen: cursor keys, letters, mouse, as a terminal shows them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_stratego.stratego import GAME
from p2p_stratego.stratego.setups import write_line
from tests.cli.ends import Ends
from tests.cli.stratego.moments import CORNER, CRATERS
from tests.cli.terminal import DOWN, ENTER, ESCAPE, F1, F2, LEFT, RIGHT, TAB, UP, Player, Terminal, at_screen

BOARD_ROW, BOARD_COLUMN = 4, 4
"""Where a10 stands on a screen of 80 × 24, counted from 1: the cell between it and the number of its row."""


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path, game=GAME)
    yield both
    both.close()


def click(square: str) -> str:
    """A mouse button pressed and let go on a square, as xterm reports it (SGR 1006)."""
    column = BOARD_COLUMN + 4 * "abcdefghij".index(square[0]) + 2
    row = BOARD_ROW + 10 - int(square[1:])
    return at(column, row)


def at(column: int, row: int, button: int = 0) -> str:
    return f"\x1b[<{button};{column};{row}M\x1b[<{button};{column};{row}m"


async def set_up(player: Player) -> str:
    """Both have set up: Anna CORNER, Boris CRATERS."""
    player.ends.connect()
    boris = player.ends.desk(1)
    for line in (write_line(CRATERS), "ready"):
        boris.enter(line)
        player.ends.pump()
    await player.press(write_line(CORNER), ENTER)
    return await player.press("ready", ENTER)


def test_a_side_is_set_up_by_arrows_and_single_keys(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        assert "Set up your army. Take it as it stands" in await player.look()
        await player.press(write_line(CORNER), ENTER)
        assert "[ 6 ]" in await player.press(UP)  # the cursor appears amid the front row: f4
        assert "▶ 6 [ · ]" in await player.press(ENTER, RIGHT)
        shown = await player.press(ENTER)  # from f4 to g4
        assert "8   · [ 6 ]" in shown
        shown = await player.press("B")
        assert "[ B ]" in shown
        assert "To place  6" in shown
        assert "1 still to place" in await player.press(".")
        shown = await player.press("6")
        assert "[ 6 ]" in shown
        assert "All pieces stand." in shown
        assert "❯ ready" in await player.press("rea", TAB)
        assert "Boris is still setting up." in await player.press(ENTER)

    at_screen(ends, ends.desk(0), play)


def test_a_move_is_made_with_the_cursor_and_shown(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        await player.press(UP, LEFT)  # f4, e4
        shown = await player.press(" ")
        assert "❯ e4" in shown
        assert "○" in shown
        shown = await player.press("k")
        assert "[ ○ ]" in shown
        shown = await player.press(ENTER)
        assert "Anna moves e4 to e5." in shown
        assert "↑" in shown
        assert "Boris is to move." in shown

    at_screen(ends, ends.desk(0), play)


def test_letters_move_the_cursor_and_are_still_letters(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        assert "[" in await player.press("j")
        shown = await player.press("4j5")  # j4j5, though j is a key that moves the cursor
        assert "❯ j4j5" in shown
        await player.press(ENTER)
        assert "Anna moves j4 to j5." in player.terminal.text()
        assert "❯ help" in await player.press("help")
        assert "─ Help" in await player.press(ENTER)

    at_screen(ends, ends.desk(0), play)


def test_the_mouse_picks_and_moves(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        shown = await player.press(click("j4"))
        assert "❯ j4" in shown
        # The cursor stands there too, and its brackets go first.
        assert "[ 5 ]" in shown
        shown = await player.press(click("j4"))
        assert "❯ j4" not in shown
        shown = await player.press(click("j4"), click("j5"))
        assert "Anna moves j4 to j5." in shown

    at_screen(ends, ends.desk(0), play)


def test_the_mouse_sets_up_from_the_tray(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.press("clear", ENTER)
        shown = await player.press(at(13, 17))  # the first piece of the tray
        assert "❯ marshal" in shown
        shown = await player.press(click("b2"))
        assert "[ M ]" in shown
        assert "To place  9" in shown
        shown = await player.press(click("c2"))  # nothing picked: the next piece
        assert "[ 9 ]" in shown

    at_screen(ends, ends.desk(0), play)


def test_offered_choices_can_be_clicked(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.look()
        row = next(
            number for number, line in enumerate(player.terminal.lines(), 1) if " ready · random" in line
        )
        assert "❯ ready" in await player.press(at(4, row))
        assert "Boris is still setting up." in await player.press(at(4, row))

    at_screen(ends, ends.desk(0), play)


def test_a_refused_target_leaves_the_piece_picked(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        shown = await player.press(click("j4"), click("h8"))
        assert "is not possible" in shown
        assert "❯ j4" in shown
        shown = await player.press(click("j5"))
        assert "Anna moves j4 to j5." in shown

    at_screen(ends, ends.desk(0), play)


def test_escape_lets_go_and_then_hides_the_cursor(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        assert "❯ f4" in await player.press(UP, ENTER)
        shown = await player.press(ESCAPE)
        assert "❯ f4" not in shown
        assert "[ 6 ]" in shown
        assert "[ 6 ]" not in await player.press(ESCAPE)

    at_screen(ends, ends.desk(0), play)


def test_a_page_is_closed_by_a_click_and_scrolled_by_the_wheel(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        assert "─ Help" in await player.press(F1)
        first = player.terminal.lines()[2]
        await player.press(at(20, 8, 65))
        assert player.terminal.lines()[2] != first
        assert "─ Help" not in await player.press(at(20, 8))

    at_screen(ends, ends.desk(0), play)


def test_the_mouse_can_be_given_back_to_the_terminal(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        assert "\x1b[?1006h" in player.terminal.written.getvalue()
        assert "The mouse is off." in await player.press("mouse off", ENTER)
        assert "\x1b[?1006l" in player.terminal.written.getvalue()
        assert "The mouse is on." in await player.press("mouse", ENTER)

    at_screen(ends, ends.desk(0), play)


def test_panels_turn_and_the_typed_line_can_be_completed(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        assert "─ Left, yours" in player.terminal.lines()[1]
        assert "─ Notes on Boris" in (await player.press(F2)).split("\n")[1]
        assert "❯ i4i5" in await player.press("i4i", TAB)
        await player.press(ESCAPE)
        assert "❯ e4d4" in await player.press("e4", DOWN)  # the first of those that begin like this

    at_screen(ends, ends.desk(0), play)


def test_a_big_screen_is_filled_and_clicks_find_their_squares_there_too(ends: Ends) -> None:
    terminal = Terminal(140, 45)

    async def play(player: Player) -> None:
        await set_up(player)
        row = next(
            number for number, line in enumerate(player.terminal.lines(), 1) if line.startswith("  4 ")
        )
        shown = await player.press(at(9 * 6 + 6, row + 1))  # the second line of j4
        assert "❯ j4" in shown

    at_screen(ends, ends.desk(0), play, terminal)
