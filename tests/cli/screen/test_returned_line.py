"""A line that comes back is selected: letters replace it, a space goes on, other keys edit it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.ends import Ends
from tests.helpers.program.terminal import (
    BACKSPACE,
    DOWN,
    ENTER,
    ESCAPE,
    TAB,
    UP,
    Player,
    at_screen,
    below_the_board,
)
from tests.helpers.spies_and_lies.typing_in import honest_line


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path)
    yield both
    both.close()


def test_a_line_that_comes_back_is_replaced_by_what_is_typed_next_and_edited_by_other_keys(
    ends: Ends, chronicle: Chronicle
) -> None:
    """The next line was glued to it: "no2 5 8 10"."""

    async def play(player: Player) -> None:
        ends.connect()
        buffer = player.front.hands.line.buffer
        await player.look()
        shown = await player.press("1 2 3", ENTER)
        assert buffer.text == "1 2 3"
        chronicle.show("three soldiers, and Enter", *below_the_board(shown))
        await player.press("4 5")
        assert buffer.text == "4 5"
        await player.press(ENTER, BACKSPACE, "6")
        assert buffer.text == "4 6"
        await player.press(ENTER, "\x1b[H", "1 ")  # Home
        assert buffer.text == "1 4 6"
        await player.press(ENTER, "\x1b[200~7 8\x1b[201~")
        assert buffer.text == "7 8"
        await player.press(ENTER, " 9")
        assert buffer.text == "7 8 9"
        await player.press(ENTER, ESCAPE)
        assert buffer.text == ""
        crooked = " ".join(reversed(honest_line(player.front.table).split()))
        shown = await player.press(crooked, ENTER, "no", ENTER)
        chronicle.show("a line out of order, and no", *below_the_board(shown))
        assert buffer.text == crooked
        shown = await player.press(TAB)
        assert "say ❯" in shown
        assert buffer.text == ""
        await player.press(TAB, "h")
        assert buffer.text == "h"

    at_screen(ends, ends.table(0), play)
    assert_as_kept(chronicle)


CTRL_A, CTRL_E, CTRL_K, CTRL_U, CTRL_W = "\x01", "\x05", "\x0b", "\x15", "\x17"


@pytest.mark.parametrize("returned", [False, True])
def test_the_keys_that_edit_any_line_edit_one_that_came_back(ends: Ends, returned: bool) -> None:
    """Ctrl-U and Ctrl-K did nothing to it, and Ctrl-W took all of it."""

    async def play(player: Player) -> None:
        ends.connect()
        buffer = player.front.hands.line.buffer
        before = ("1 2 3", ENTER) if returned else ("1 2 3",)
        for keys, left in (
            ((CTRL_U,), ""),
            ((CTRL_W,), "1 2 "),
            ((CTRL_A, CTRL_K), ""),
            ((CTRL_A, "4 "), "4 1 2 3"),
            ((CTRL_E, " 4"), "1 2 3 4"),
        ):
            await player.press(*before, *keys)
            assert buffer.text == left, keys
            await player.press(CTRL_E, CTRL_U)
            assert buffer.text == ""

    at_screen(ends, ends.table(0), play)


def test_a_refused_answer_to_yes_or_no_comes_back_and_a_command_is_told_to_wait(
    ends: Ends, chronicle: Chronicle
) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.press("resign", ENTER)
        shown = await player.press("maybe", ENTER)
        assert player.front.hands.line.buffer.text == "maybe"
        chronicle.show("resign, and then maybe", *below_the_board(shown))
        shown = await player.press("draw", ENTER)
        chronicle.show("and then draw", *below_the_board(shown))
        await player.press("no", ENTER)
        assert player.front.table.pending is None
        assert not player.front.table.over

    at_screen(ends, ends.table(0), play)
    assert_as_kept(chronicle)


def test_an_arrow_keeps_a_refused_line_that_no_choice_goes_on_from(ends: Ends) -> None:
    """It put the answer of another soldier in its place."""

    async def play(player: Player) -> None:
        ends.connect()
        buffer = player.front.hands.line.buffer
        for line in ("hello", "1 2 3 11"):
            for arrow in (UP, DOWN):
                await player.press(line, ENTER, arrow, arrow)
                assert buffer.text == line
                await player.press("x")
                assert buffer.text == f"{line}x", "it is edited from its end"
                await player.press(ESCAPE)
        begun = honest_line(player.front.table)[:1]
        await player.press(begun, ENTER)
        assert buffer.text == begun, "three more belong to it"
        await player.press(UP)
        assert buffer.text.startswith(begun)
        await player.press(DOWN, DOWN)
        assert buffer.text.startswith(begun)

    at_screen(ends, ends.table(0), play)


def test_a_refused_command_leaves_nothing_to_mend_in_the_line(ends: Ends) -> None:
    """A refused hint stood in the line, where the next key replaced it."""

    async def play(player: Player) -> None:
        ends.connect()
        await player.look()
        shown = await player.press("hint", ENTER)
        assert "No hint: other people play here." in shown
        assert player.front.hands.line.buffer.text == ""

    at_screen(ends, ends.table(0), play)


def test_a_hint_in_the_line_is_no_line_that_comes_back(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        exchange = player.front.table.replica.exchange
        exchange.route = replace(exchange.route, bots={1: "agent"})
        await player.look()
        shown = await player.press("hint", ENTER, "yes", ENTER)
        assert "Esc clears the line" not in shown, "there it closes the page"
        shown = await player.press(ESCAPE)
        assert player.front.hands.line.buffer.text
        assert "The hint stands in the line: Enter sends it. Esc clears the line." in shown
        assert "Your line is back" not in shown

    at_screen(ends, ends.table(0), play)
