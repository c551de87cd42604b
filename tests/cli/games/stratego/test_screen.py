"""Stratego at a running screen: cursor keys, letters, mouse, as a terminal shows them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.table.orders import actions
from cli.table.scene import presentation
from p2p_stratego.stratego.rules.board import PLACE, SQUARE_NAMED
from p2p_stratego.stratego.rules.game import GAME
from tests.helpers.links.ends import Ends
from tests.helpers.program.terminal import (
    DOWN,
    ENTER,
    ESCAPE,
    F1,
    F2,
    F3,
    F4,
    F5,
    LEFT,
    RIGHT,
    TAB,
    UP,
    Player,
    Terminal,
    at_screen,
)
from tests.helpers.stratego.boards import write_line
from tests.helpers.stratego.moments import CORNER, CRATERS

BOARD_ROW, BOARD_COLUMN = 4, 4
"""Where a10 stands on a screen of 80 × 24, counted from 1: the cell between it and the number of its row."""

CLEAR = "\x15"
"""Ctrl-U: an empty line, whatever was typed before."""


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


def asked(player: Player) -> str:
    """The question, or what is waited for, as far as it fits into one row."""
    return presentation.question(player.front.table)[0][:60]


def newest(player: Player) -> str:
    """The newest event."""
    return player.front.table.log.history[-1]


async def set_up(player: Player) -> str:
    """Both have set up: Anna CORNER, Boris CRATERS."""
    player.ends.connect()
    boris = player.ends.table(1)
    for line in (write_line(CRATERS), "ready"):
        actions.enter(boris, line)
        player.ends.pump()
    await player.press(write_line(CORNER), ENTER)
    return await player.press("ready", ENTER)


def test_a_side_is_set_up_by_arrows_and_single_keys(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        assert asked(player) in await player.look()
        await player.press(write_line(CORNER), ENTER)
        assert "[ 6 ]" in await player.press(UP)  # the cursor appears amid the front row: f4
        assert "▶ 6 [ · ]" in await player.press(ENTER, RIGHT)
        shown = await player.press(ENTER)  # from f4 to g4
        assert "8   · [ 6 ]" in shown
        assert "g4: captain." in shown
        shown = await player.press("*")
        assert "B [" in shown  # the cursor goes on to h4
        assert "h4: " in shown
        assert "To place  6" in shown
        shown = await player.press(LEFT, ".")
        assert asked(player) in shown
        assert "All pieces" not in shown
        shown = await player.press(LEFT, "6")
        assert "6 [" in shown
        assert "All pieces" in shown
        assert "❯ ready" in await player.press("rea", TAB)
        shown = await player.press(ENTER)
        assert asked(player) in shown
        assert not player.front.table.asked

    at_screen(ends, ends.table(0), play)


def test_a_move_is_made_with_the_cursor_and_shown(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        await player.press(UP, LEFT)  # f4, e4
        shown = await player.press(" ")
        assert "❯ e4" in shown
        assert "○" in shown
        shown = await player.press(UP)
        assert "[ ○ ]" in shown
        shown = await player.press(ENTER)
        assert newest(player) in shown
        assert "e4 to e5" in newest(player)
        assert "↑" in shown
        assert asked(player) in shown

    at_screen(ends, ends.table(0), play)


def test_squares_are_typed_in_every_column_with_the_cursor_on_the_board(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        table = player.front.table
        for column in "abcdefghijABCDEFGHIJ":
            await player.press("clear", ENTER, UP)
            shown = await player.press(f"{column}1 flag")
            assert f"❯ {column}1 flag" in shown
            await player.press(ENTER)
            assert table.setting_up is not None
            setup = table.setting_up.draft.setup
            assert [place for place, face in enumerate(setup) if face is not None] == [
                PLACE[0][SQUARE_NAMED[f"{column.lower()}1"]]
            ]

    at_screen(ends, ends.table(0), play)


def test_a_column_that_does_not_exist_is_refused(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        table = player.front.table
        await player.press(UP)
        assert table.setting_up is not None
        before = table.setting_up.draft
        for line in ("k1 flag", "l1 flag", "K1 B", "m1 flag"):
            shown = await player.press(CLEAR, line, ENTER)
            assert f"no square {line[:2].lower()}" in shown
            assert table.setting_up.draft == before

    at_screen(ends, ends.table(0), play)


def test_every_line_arrives_whole_with_the_cursor_on_the_board(ends: Ends) -> None:
    lines = (
        "load north wall",
        "log",
        "leave",
        "hand",
        "save mine",
        "setups",
        "undo",
        "/hi",
        "B1 flag",
        "j4j5",
    )

    async def play(player: Player) -> None:
        ends.connect()
        for line in lines:
            assert f"❯ {line}" in await player.press(CLEAR, UP, line)

    at_screen(ends, ends.table(0), play)


def test_what_is_no_answer_to_a_picked_piece_stands_alone(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.press(write_line(CORNER), ENTER)
        for line in ("ready", "undo", "save mine", "a1 flag", "help", "/hi", "f3 a1 b1"):
            assert "❯ f3 " in await player.press(CLEAR, click("f3"))
            assert f"❯ {line} " in await player.press(line)

    at_screen(ends, ends.table(0), play)


def test_what_answers_a_picked_piece_is_typed_behind_it(ends: Ends) -> None:
    typed = {"g4": "f3g4", " to g4": "f3 to g4", " bomb": "f3 bomb", " 2, a1 -": "f3 2, a1 -"}

    async def play(player: Player) -> None:
        ends.connect()
        await player.press(write_line(CORNER), ENTER)
        for more, line in typed.items():
            await player.press(CLEAR, click("f3"))
            player.front.hands.line.cursor.to("")  # so that Space is a space
            assert f"❯ {line} " in await player.press(more)

    at_screen(ends, ends.table(0), play)


def test_a_command_of_one_letter_behind_a_picked_piece_is_that_command(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        assert "─ The board" in await player.press(click("f4"), "b", ENTER)

    at_screen(ends, ends.table(0), play)


def test_what_is_typed_after_a_clicked_choice_replaces_it(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.press("mirror", ENTER)  # so that there is something to undo
        for line in ("save mine", "undo", "a1 b1", "/hi", "?", " save mine", "clear"):
            await player.press(CLEAR)
            row = next(
                number for number, text in enumerate(player.terminal.lines(), 1) if " ready · random" in text
            )
            assert "❯ ready" in await player.press(at(4, row))
            assert f"❯ {line.strip()} " in await player.press(line)

    at_screen(ends, ends.table(0), play)


def test_another_answer_replaces_the_one_that_was_clicked(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        await player.press("resign", ENTER)
        assert "❯ yes" in await player.press(DOWN)
        assert "❯ no " in await player.press("no")
        assert "Resign" not in await player.press(ENTER)

    at_screen(ends, ends.table(0), play)


def test_pages_open_during_a_question_and_answer_nothing(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        assert "yes/no ❯" in await player.press("resign", ENTER)
        for key, title in ((F1, "Help"), (F5, "History"), (F4, "Rules in short")):
            shown = await player.press(key)
            assert f"─ {title}" in shown
            assert "yes/no ❯" in shown
            assert "Please answer" not in shown
        shown = await player.press(ESCAPE)
        assert f"─ {title}" not in shown
        assert asked(player) in shown
        assert "Notes are off." in await player.press(F3)
        assert "wins" in await player.press("yes", ENTER)

    at_screen(ends, ends.table(0), play)


def test_arrows_scroll_an_open_page_and_leave_the_cursor(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        await player.press(UP, F1)
        first = player.terminal.lines()[2:4]
        await player.press(DOWN, LEFT, RIGHT)
        assert player.terminal.lines()[2] == first[1]
        await player.press(UP, UP)
        assert player.terminal.lines()[2] == first[0]
        assert player.front.hands.line.cursor.place == "f4"

    at_screen(ends, ends.table(0), play)


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
        assert newest(player) in shown
        assert "j4 to j5" in newest(player)

    at_screen(ends, ends.table(0), play)


def test_the_mouse_sets_up_from_the_tray(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.press("clear", ENTER)
        shown = await player.press(at(13, 17))  # the first piece of the tray
        assert "❯ marshal" in shown
        shown = await player.press(click("b2"))
        assert "[ M ]" in shown
        assert "To place  9" in shown
        shown = await player.press(click("c2"))  # nothing is picked: nothing is put, and keys are told
        assert "[ · ]" in shown
        assert "To place  9" in shown
        assert "c2: empty." in shown
        assert "9 [" in await player.press("9")

    at_screen(ends, ends.table(0), play)


def test_offered_choices_can_be_clicked(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.look()
        row = next(
            number for number, line in enumerate(player.terminal.lines(), 1) if " ready · random" in line
        )
        assert "❯ ready" in await player.press(at(4, row))
        shown = await player.press(at(4, row))
        assert asked(player) in shown
        assert not player.front.table.asked

    at_screen(ends, ends.table(0), play)


def test_a_refused_target_leaves_the_piece_picked(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        shown = await player.press(click("j4"), click("h8"))
        assert "is not possible" in shown
        assert "❯ j4" in shown
        shown = await player.press(click("j5"))
        assert newest(player) in shown
        assert "j4 to j5" in newest(player)

    at_screen(ends, ends.table(0), play)


def test_escape_lets_go_and_then_hides_the_cursor(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        assert "❯ f4" in await player.press(UP, ENTER)
        shown = await player.press(ESCAPE)
        assert "❯ f4" not in shown
        assert "[ 6 ]" in shown
        assert "[ 6 ]" not in await player.press(ESCAPE)

    at_screen(ends, ends.table(0), play)


def test_a_page_is_closed_by_a_click_and_scrolled_by_the_wheel(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        assert "─ Help" in await player.press(F1)
        first = player.terminal.lines()[2]
        await player.press(at(20, 8, 65))
        assert player.terminal.lines()[2] != first
        assert "─ Help" not in await player.press(at(20, 8))

    at_screen(ends, ends.table(0), play)


def test_the_mouse_can_be_given_back_to_the_terminal(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        assert "\x1b[?1006h" in player.terminal.written.getvalue()
        assert "mouse is off" in await player.press("mouse off", ENTER)
        assert "\x1b[?1006l" in player.terminal.written.getvalue()
        assert "mouse is on" in await player.press("mouse", ENTER)

    at_screen(ends, ends.table(0), play)


def test_panels_turn_and_the_typed_line_can_be_completed(ends: Ends) -> None:
    async def play(player: Player) -> None:
        await set_up(player)
        assert "─ Left, yours" in player.terminal.lines()[1]
        assert "─ Notes" in (await player.press(F2)).split("\n")[1]
        assert "❯ i4i5" in await player.press("i4i", TAB)
        await player.press(ESCAPE)
        assert "❯ e4" in await player.press("e", TAB, ESCAPE, "e4")
        await player.press(ESCAPE)
        assert "❯ e4e5" in await player.press("e4", DOWN)  # the first of those that begin like this

    at_screen(ends, ends.table(0), play)


def test_a_big_screen_is_filled_and_clicks_find_their_squares_there_too(ends: Ends) -> None:
    terminal = Terminal(140, 45)

    async def play(player: Player) -> None:
        await set_up(player)
        row = next(
            number for number, line in enumerate(player.terminal.lines(), 1) if line.startswith("  4 ")
        )
        shown = await player.press(at(9 * 6 + 6, row + 1))  # the second line of j4
        assert "❯ j4" in shown

    at_screen(ends, ends.table(0), play, terminal)
