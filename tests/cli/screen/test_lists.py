"""The palette and the settings over the board; undo and confirm; a terminal that says that it is light."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.screen import look
from cli.screen.look import AppColours
from cli.screen.match import renderer
from cli.shell import parser, settings
from cli.shell.settings import Settings
from cli.table.scene import palette, preferences, presentation
from cli.table.scene.presentation import Typed
from cli.table.scene.scene import Overlay, OverlayRow
from cli.text import language
from cli.text.language import NAMES
from tests.golden.screens import assert_as_it_was
from tests.helpers.links.ends import Ends
from tests.helpers.program.terminal import (
    DOWN,
    ENTER,
    ESCAPE,
    F1,
    RIGHT,
    TAB,
    UP,
    Player,
    at_screen,
    displayed,
)
from tests.helpers.spies_and_lies.typing_in import honest_line

CTRL_P, F10, UNDO = "\x10", "\x1b[21~", "\x1f"


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path)
    yield both
    both.close()


@pytest.mark.parametrize(
    ("columns", "height", "ascii_only"), [(80, 24, False), (120, 40, False), (80, 24, True)]
)
@pytest.mark.parametrize("listed", ["commands", "settings"])
def test_a_list_as_it_looked(
    ends: Ends, listed: presentation.ListName, columns: int, height: int, *, ascii_only: bool
) -> None:
    ends.connect()
    of = presentation.scene(ends.table(0, Settings()), Typed(listed=listed, selected=3))
    shown = displayed(of, columns, height, ascii_only=ascii_only)
    assert_as_it_was(f"list-{listed}-{columns}x{height}{'-ascii' * ascii_only}", shown)


def test_the_selected_row_is_marked_from_end_to_end() -> None:
    """The cells between its parts were not, which tore it into pieces."""
    shown = renderer.draw_over(
        Overlay("List", (OverlayRow("a", "about", "on"), OverlayRow("b", "", "")), 0, ""), 80, 24
    )
    styles = [(style, text) for style, text in shown[1] if text.strip(" │")]
    assert styles
    inside = [style for style, text in shown[1] if "│" not in text]
    assert all("class:chosen" in style.split() for style in inside)
    assert not any("class:chosen" in style.split() for style, _ in shown[2])


@pytest.mark.parametrize("rows", [4, 8, 24])
def test_the_selected_row_can_be_read_whole(rows: int) -> None:
    about = "it says a good deal more than one line of a small window can hold, and to its last word"
    every = tuple(OverlayRow(f"row {at}", about, "F9") for at in range(30))
    for selected in (0, 15, 29):
        shown = [
            "".join(text for _, text in line)
            for line in renderer.draw_over(Overlay("List", every, selected, ""), 80, rows)
        ]
        assert len(shown) <= rows
        assert all(len(line) <= 80 for line in shown)
        assert about in " ".join(" ".join(shown).replace("│", " ").replace("F9", " ").split())


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("code", NAMES)
def test_the_other_rows_end_at_a_word(ends: Ends, code: str, columns: int) -> None:
    """Cut in the middle of a word, a row looks as if the window were too small."""
    ends.connect()
    language.install(code)
    try:
        listed = palette.overlay(ends.table(0), "", 0)
        drawn = renderer.draw_over(listed, columns, 60)
    finally:
        language.install("en")
    for row, line in zip(listed.rows[1:], drawn[-len(listed.rows) :], strict=False):
        shown = "".join(text for _, text in line)
        if "…" in shown:
            about = f"{row.about} ({row.dim})" if row.dim else row.about
            begun = shown.partition("…")[0].removeprefix("│").split(maxsplit=len(row.left.split()))[-1]
            assert about.startswith(begun)
            assert about[len(begun)] in " ,;:("


@pytest.mark.parametrize("code", NAMES)
def test_every_setting_stands_whole_in_a_small_window_whatever_rules(code: str) -> None:
    options = [
        "--theme",
        "contrast",
        "--notify",
        "osc777",
        "--no-notes",
        "--no-animation",
        "--coach",
        "--ascii",
    ]
    given = settings.given(Settings(), parser.parser().parse_args(["play", *options]))
    language.install(code)
    try:
        for wanted in (Settings(), given):
            rows = renderer.draw_over(preferences.overlay(wanted, 0), 80, 24)
            assert "…" not in "".join(text for row in rows for _style, text in row)
    finally:
        language.install("en")


def test_a_setting_that_is_searched_opens_the_settings_at_its_row(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        assert "settings confirm" not in await player.press(CTRL_P)
        assert "▶ settings confirm" in await player.press("confirm")
        shown = await player.press(ENTER)
        assert "─ Settings" in shown
        (row,) = [line for line in shown.split("\n") if "▶ " in line and "│" in line]
        assert "confirm" in row

    at_screen(ends, ends.table(0), play)


def test_the_word_that_opened_the_settings_is_gone_when_they_are_closed(ends: Ends) -> None:
    """It came back into the line, and had to be deleted."""

    async def play(player: Player) -> None:
        ends.connect()
        assert "─ Settings" in await player.press("settings", ENTER)
        assert "─ Settings" not in await player.press(ESCAPE)
        assert player.front.hands.line.buffer.text == ""

    at_screen(ends, ends.table(0), play)


def test_a_command_is_searched_and_done(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        shown = await player.press(":")
        assert "─ Commands" in shown
        assert "any key" not in shown
        shown = await player.press("his")
        assert " : his" in shown
        assert "▶ history" in shown
        assert "rematch" not in shown
        shown = await player.press(ENTER)
        assert "─ Commands" not in shown
        assert "─ History" in shown
        shown = await player.press(ESCAPE, CTRL_P, ESCAPE)
        assert "─ Commands" not in shown
        assert "─ Commands" not in await player.press(CTRL_P, CTRL_P)

    at_screen(ends, ends.table(0), play)


def test_a_command_that_needs_more_goes_into_the_line(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        assert "❯ say" in await player.press(CTRL_P, "say", ENTER)
        await player.press("hello", ENTER)
        assert player.front.table.log.chat[-1][2] == "hello"
        assert "❯ rules" in await player.press(CTRL_P, "rul", TAB)
        assert "No command fits." in await player.press(ESCAPE, CTRL_P, "zzzz", ENTER)

    at_screen(ends, ends.table(0), play)


def test_what_stood_in_the_line_comes_back(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        line = honest_line(player.front.table)
        shown = await player.press(line, CTRL_P, "his", ESCAPE)
        assert f"❯ {line}" in shown
        assert "─ Help" in await player.press(CTRL_P, F1)
        assert f"❯ {line}" in await player.press(ESCAPE)

    at_screen(ends, ends.table(0), play)


def test_settings_change_under_the_players_eyes(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        shown = await player.press(F10)
        assert "─ Settings" in shown
        assert "▶ theme" in shown
        await player.press(RIGHT)
        assert player.front.table.settings == Settings(theme="dark")
        at = [preference.field for preference in preferences.PREFERENCES].index("ascii")
        shown = await player.press(*[DOWN] * at, " ")
        assert player.front.table.settings == Settings(theme="dark", ascii=True)
        assert shown.isascii()
        shown = await player.press("x", ENTER, UP, RIGHT, ESCAPE)
        assert "Settings" not in shown
        assert player.front.table.settings == Settings(theme="light")
        assert "─ Settings" in await player.press("settings", ENTER)

    at_screen(ends, ends.table(0, Settings()), play)


def test_undo_takes_back_word_by_word_what_is_not_sent(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        line = honest_line(player.front.table)
        await player.press(line, UNDO)
        assert player.front.hands.line.buffer.text == line.rpartition(" ")[0]
        await player.press(*[UNDO] * 4)
        assert player.front.hands.line.buffer.text == ""
        assert "Nothing to take back yet." in await player.press(UNDO)

    at_screen(ends, ends.table(0), play)


def test_a_move_is_shown_and_sent_by_a_second_enter(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        table = player.front.table
        line = honest_line(table)
        shown = await player.press(line, ENTER)
        assert "Send it:" in shown
        assert shown.count("[") >= 4  # the four in the hand, taken
        assert "Enter send" in shown
        shown = await player.press(ESCAPE)
        assert f"❯ {line}" in shown
        assert table.session.decision is not None
        await player.press(ENTER)  # says the line that came back once more
        assert "Boris is still deploying." in await player.press(ENTER)

    at_screen(ends, ends.table(0, Settings(confirm=True)), play)


def test_a_terminal_that_says_it_is_light_is_drawn_so(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look, "shades_seen", [])
    monkeypatch.setattr("cli.text.theme.colours", lambda _: 2**24)

    async def play(player: Player) -> None:
        ends.connect()
        await player.look()
        assert "\x1b]11;?\x1b\\" in player.terminal.written.getvalue()
        light = "\x1b[0;38;2;36;41;47"  # the theme's text
        assert light not in player.terminal.written.getvalue()
        player.send("\x1b]11;rgb:ffff/ffff/f")
        player.send("fff\x1b\\")
        shown = await player.press("47")
        assert "❯ 47" in shown
        assert "ffff" not in shown
        assert AppColours(lambda: "auto", {}).shade == "light"
        assert light in player.terminal.written.getvalue()

    at_screen(ends, ends.table(0, Settings()), play)


def test_the_palette_asks_the_table_itself(ends: Ends) -> None:
    ends.connect()
    table = ends.table(0)
    of = presentation.scene(table, Typed("rematch", listed="commands"))
    assert of.overlay is not None
    (rematch,) = [row for row in of.overlay.rows if row.left == "rematch"]
    assert rematch.dim == "the game goes on"
    assert palette.items(table)
