"""The screen as a terminal shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.screen.match.key_actions import STOOD
from cli.shell.settings import Settings, read, written
from cli.table.orders import actions
from cli.table.pages.end_page import Aftermath
from cli.table.scene import presentation
from cli.table.words.commands import Order
from tests.golden.tables import Chronicle, assert_as_kept
from tests.helpers.links.ends import Ends
from tests.helpers.program.terminal import (
    BACKSPACE,
    CTRL_C,
    CTRL_L,
    CTRL_Q,
    DOWN,
    ENTER,
    ESCAPE,
    F1,
    F2,
    F3,
    F4,
    F5,
    PAGE_DOWN,
    PAGE_UP,
    RIGHT,
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


def test_the_screen_comes_up_and_follows_the_match(ends: Ends, chronicle: Chronicle) -> None:
    async def play(player: Player) -> None:
        chronicle.show("nobody is there yet", *(await player.look()).split("\n"))
        ends.connect()
        shown = await player.look()
        chronicle.show("Boris is there", *below_the_board(shown))
        assert "RED Anna (you)" in shown
        assert "direct 12 ms" in shown

    terminal = at_screen(ends, ends.table(0), play)
    assert "\x1b[?1049l" in terminal.written.getvalue()  # back to the screen that was there before
    assert_as_kept(chronicle)


def test_a_day_is_played_with_the_keyboard(ends: Ends, chronicle: Chronicle) -> None:
    boris = ends.table(1)

    async def play(player: Player) -> None:
        ends.connect()
        line = honest_line(player.front.table)
        shown = await player.press(line)
        assert f"❯ {line}" in shown
        assert shown.count("[") >= 4  # the four in the hand, taken
        chronicle.show("four soldiers are typed", *below_the_board(shown))
        chronicle.show("Enter", *below_the_board(await player.press(ENTER)))
        actions.enter(boris, honest_line(boris))
        chronicle.show("Boris lays too", *below_the_board(await player.look()))
        shown = await player.press(DOWN, ENTER)  # the first choice is the truth
        chronicle.show("an arrow key and Enter", *below_the_board(shown))
        actions.enter(boris, presentation.choices(boris, "")[0].word)
        chronicle.show("Boris marks too", *below_the_board(await player.look()))
        actions.enter(boris, "no")
        chronicle.show("Boris lays no token", *below_the_board(await player.look()))
        shown = await player.press("guess 4", ENTER)
        chronicle.show("guess 4, and Enter", *below_the_board(shown))
        assert "commitments checked" not in shown
        assert "guess 2/8" in shown

    at_screen(ends, ends.table(0), play)
    assert_as_kept(chronicle)


def test_soldiers_are_picked_with_arrows_and_space(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        hand = honest_line(player.front.table).split()
        shown = await player.press(DOWN)
        assert f"❯ {hand[0]}" in shown
        shown = await player.press(" ", RIGHT)
        assert f"❯ {hand[0]} {hand[1]}" in shown
        shown = await player.press(UP)
        last = presentation.choices(player.front.table, f"{hand[0]} ")[-1].word
        assert f"❯ {last}" in shown  # round to the last
        shown = await player.press(ESCAPE)
        assert f"❯ {hand[0]}" not in shown

    at_screen(ends, ends.table(0), play)


def test_keys_that_come_at_once_are_handled_one_after_the_other(ends: Ends) -> None:
    """Choices that were found beside the keys would come after the Enter that takes them."""

    async def play(player: Player) -> None:
        ends.connect()
        hand = honest_line(player.front.table).split()
        assert f"❯ {hand[0]} {hand[1]}" in await player.press(f"{DOWN} {RIGHT}")
        assert f"❯ {hand[0]}" in await player.press(ESCAPE, f"{TAB}hello{ENTER}{DOWN}")

    at_screen(ends, ends.table(0), play)


def test_arrows_never_go_through_the_choices_of_an_earlier_question(ends: Ends) -> None:
    boris = ends.table(1)

    async def play(player: Player) -> None:
        ends.connect()
        table = player.front.table
        await player.press(honest_line(table), ENTER)
        actions.enter(boris, honest_line(boris))
        await player.look()
        await player.press(DOWN)
        marks = presentation.choices(table, "")
        assert player.front.hands.line.buffer.text == marks[0].word
        for asked in (table, boris):
            actions.enter(asked, presentation.choices(asked, "")[0].word)
            await player.look()
        actions.enter(boris, "no")
        await player.look()
        guesses = [choice.word for choice in presentation.choices(table, "")]
        assert marks[0].word not in guesses
        await player.press(DOWN)
        assert player.front.hands.line.buffer.text == guesses[0]

    at_screen(ends, ends.table(0), play)


def test_tab_finishes_a_word_and_goes_to_the_chat_and_back(ends: Ends, chronicle: Chronicle) -> None:
    boris = ends.table(1)

    async def play(player: Player) -> None:
        ends.connect()
        assert "❯ history" in await player.press("hist", TAB)
        assert "❯ history" in await player.press(ESCAPE, "HIST", TAB)
        assert "❯ no" in await player.press(ESCAPE, "n", TAB)  # notes, and nothing else
        await player.press(ESCAPE)
        assert "say ❯" in await player.press(TAB)
        shown = await player.press("hello, resign?", ENTER)
        assert "Anna: hello, resign?" in shown
        assert "say ❯" not in shown  # one message, and the line is the game's again
        shown = await player.press(TAB)
        chronicle.show("Tab", *below_the_board(shown))
        assert "say ❯" in shown
        assert "say ❯" not in await player.press(ENTER)
        assert "say ❯" in await player.press(TAB)
        assert "say ❯" not in await player.press(TAB)
        shown = await player.press("/again", ENTER)
        assert "Anna: again" in shown

    at_screen(ends, ends.table(0), play)
    assert [text for _, _, text in boris.log.chat] == ["hello, resign?", "again"]
    assert_as_kept(chronicle)


def test_pages_open_scroll_and_close(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        for key, title in (
            (F1, "─ Help"),
            (F4, "─ Rules in short"),
            (F5, "─ History"),
        ):
            assert title in await player.press(key), title
            assert title not in await player.press(key), title
        assert "─ Help" in await player.press("?")
        first = player.terminal.lines()[2]
        assert player.terminal.lines()[2] == first
        await player.press(PAGE_DOWN)
        assert player.terminal.lines()[2] != first
        for _ in range(10):
            await player.press(PAGE_DOWN)
        assert "resume" in player.terminal.text()  # the last command of the list
        for _ in range(12):
            await player.press(PAGE_UP)
        assert player.terminal.lines()[2] == first
        assert "─ Help" not in await player.press(ESCAPE)
        assert "─ History" in await player.press(PAGE_UP)
        assert "❯ what?" in await player.press(ESCAPE, "what?")  # in a line that is not empty it is a letter

    at_screen(ends, ends.table(0), play)


def test_panels_and_notes_can_be_switched(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.look()
        assert "─ Soldiers" in player.terminal.lines()[1]
        titles = []
        for _ in range(4):
            await player.press(F2)
            titles.append(player.terminal.lines()[1].split("│")[1].strip("─ ").partition(":")[0])
        assert {"Chat", "History", "Soldiers"} <= set(titles)
        assert "Notes are off." in await player.press(F3)
        assert "Notes are on." in await player.press(F3)

    at_screen(ends, ends.table(0), play)


def test_esc_clears_what_was_typed_at_a_question_before_it_closes_the_question(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        shown = await player.press(CTRL_Q, f"rubbish{ENTER}")
        assert "Esc clears the line" in shown
        shown = await player.press(ESCAPE)
        assert "Leave?" in shown
        assert "rubbish" not in shown
        assert "Leave?" not in await player.press(ESCAPE)

    at_screen(ends, ends.table(0), play)


@pytest.mark.parametrize("key", [CTRL_Q, CTRL_C, "\x04"])
def test_leaving_is_asked_for_and_ends_the_application(ends: Ends, key: str) -> None:
    table = ends.table(0)

    async def play(player: Player) -> None:
        ends.connect()
        assert "Leave?" in await player.press(key)
        assert "Leave?" not in await player.press(ESCAPE)
        await player.press(key, "yes", ENTER)
        assert not player.front.app.is_running

    terminal = at_screen(ends, table, play)
    assert table.left
    assert "\x1b[?1049l" in terminal.written.getvalue()


@pytest.mark.parametrize("key", [CTRL_Q, CTRL_C, "\x04"])
def test_the_key_that_leaves_leaves_from_every_question(ends: Ends, key: str) -> None:
    table = ends.table(0)

    async def play(player: Player) -> None:
        ends.connect()
        assert "yes/no ❯" in await player.press("resign", ENTER)
        assert "Leave?" in await player.press(key)
        await player.press(key)
        assert not player.front.app.is_running

    at_screen(ends, table, play)
    assert table.left
    assert not table.over  # not having answered is not having resigned


def test_a_rule_breaking_line_is_confirmed_over_the_board(ends: Ends, chronicle: Chronicle) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        crooked = " ".join(reversed(honest_line(player.front.table).split()))
        shown = await player.press(crooked, ENTER)
        chronicle.show(crooked, *shown.split("\n"))
        chronicle.show("no", *below_the_board(await player.press("no", ENTER)))
        shown = await player.press(ENTER, DOWN, ENTER)  # the line came back; "yes" is the first choice
        chronicle.show("Enter, an arrow key and Enter", *below_the_board(shown))

    at_screen(ends, ends.table(0), play)
    assert_as_kept(chronicle)


def test_it_survives_any_size_and_uses_what_there_is(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        for columns, rows in ((100, 30), (140, 45), (80, 24), (40, 10), (1, 1), (200, 50), (80, 24)):
            player.terminal.columns, player.terminal.rows = columns, rows
            player.front.app.renderer.clear()
            shown = await player.look()
            if columns >= 80:
                assert "RED Anna (you)" in shown
            elif columns > 20:
                assert "80 x 24" in " ".join(shown.split())
        assert "Anna (you)" in await player.press(CTRL_L)

    at_screen(ends, ends.table(0), play)


def test_the_bell_rings_when_it_is_my_turn_unless_switched_off(ends: Ends, tmp_path: Path) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.look()

    assert "\x07" in at_screen(ends, ends.table(0), play).written.getvalue()
    with_none = Ends(tmp_path / "silent", "silent")

    async def silent(player: Player) -> None:
        with_none.connect()
        await player.look()

    terminal = at_screen(with_none, with_none.table(0, Settings(notify="off")), silent)
    assert "\x07" not in terminal.written.getvalue()
    with_none.close()


@pytest.mark.parametrize(
    ("count", "sign", "absent"),
    [(2**24, "38;2;", "38;5;"), (256, "38;5;", "38;2;"), (16, "\x1b[0;94m", "38;"), (0, "\x1b[0;7m", "38;")],
)
def test_colours_are_those_the_terminal_has(
    ends: Ends, monkeypatch: pytest.MonkeyPatch, count: int, sign: str, absent: str
) -> None:
    monkeypatch.setattr("cli.text.theme.colours", lambda _: count)

    async def play(player: Player) -> None:
        ends.connect()
        assert "Anna (you)" in await player.look()

    written = at_screen(ends, ends.table(0), play).written.getvalue()
    assert sign in written
    assert absent not in written


def test_in_ascii_nothing_else_is_written(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        assert "Anna (you)" in await player.press(F1, F1, "1")

    assert at_screen(ends, ends.table(0, Settings(ascii=True)), play).written.getvalue().isascii()


def test_row_23_what_an_opponent_says_never_reaches_the_terminal_raw(ends: Ends) -> None:
    boris = ends.table(1)
    attack = "\x1b]52;c;cm0=\x07\x1b[2J\x9b31m\u202e\x1b]8;;x\x1b\\"

    async def play(player: Player) -> None:
        ends.connect()
        actions.enter(boris, f"/{attack}")
        shown = await player.look()
        assert "<U+001B>" in " ".join(shown.split())

    written = at_screen(ends, ends.table(0), play).written.getvalue()
    assert "]52;" not in written.replace("<U+001B>]52;", "")
    assert "\u202e" not in written
    assert "\x9b" not in written


def test_a_warning_goes_when_another_line_is_begun(ends: Ends) -> None:

    async def play(player: Player) -> None:
        ends.connect()
        assert "⚠" in await player.press("rubbish", ENTER)
        shown = await player.press(BACKSPACE)
        assert "⚠" not in shown
        assert "❯ rubbis" in shown  # it came back, to be mended
        assert "1 Spy: " in await player.press(ESCAPE, "1")

    at_screen(ends, ends.table(0), play)


def test_the_history_is_opened_at_its_end(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        table = player.front.table
        table.log.history[:] = [f"step {number}." for number in range(60)]
        shown = await player.press(F5)
        assert "step 59." in shown
        assert "step 0." not in shown
        assert "step 59." not in await player.press(PAGE_UP, PAGE_UP)
        await player.press(ESCAPE)
        assert "step 59." in await player.press("history", ENTER)

    at_screen(ends, ends.table(0), play)


def test_a_line_of_chat_that_is_too_long_is_refused_and_not_cut(ends: Ends, chronicle: Chronicle) -> None:
    boris = ends.table(1)

    async def play(player: Player) -> None:
        ends.connect()
        await player.press(TAB, "x" * 501)
        await player.press(ENTER)
        chronicle.show("501 letters, and Enter", (presentation.alert(player.front.table) or ("", ""))[1])
        assert player.front.hands.line.buffer.text == "x" * 501
        await player.press(BACKSPACE, ENTER)
        assert [text for _, _, text in boris.log.chat] == ["x" * 500]
        assert player.front.hands.line.buffer.text == ""

    at_screen(ends, ends.table(0), play)
    assert_as_kept(chronicle)


def test_a_line_that_is_not_confirmed_comes_back_for_editing(ends: Ends) -> None:
    boris = ends.table(1)

    async def play(player: Player) -> None:
        ends.connect()
        line = honest_line(player.front.table)
        crooked = " ".join(reversed(line.split()))
        await player.press(crooked, ENTER)
        assert player.front.hands.line.buffer.text == ""
        assert f"❯ {crooked}" in await player.press("no", ENTER)
        await player.press(ENTER)
        assert f"❯ {crooked}" in await player.press(ESCAPE)
        await player.press(ENTER, CTRL_Q)
        assert f"❯ {crooked}" in await player.press("no", ENTER)

    at_screen(ends, ends.table(0), play)
    assert boris.log.chat == []


def test_an_answer_typed_as_chat_is_asked_about_and_comes_back_as_an_answer(
    ends: Ends, chronicle: Chronicle
) -> None:
    boris = ends.table(1)

    async def play(player: Player) -> None:
        ends.connect()
        line = honest_line(player.front.table)
        shown = await player.press(TAB, line, ENTER)
        chronicle.show(f"Tab, {line} and Enter", *shown.split("\n"))
        chronicle.show("no", *below_the_board(await player.press("no", ENTER)))
        chronicle.show("Enter", *below_the_board(await player.press(ENTER)))

    at_screen(ends, ends.table(0), play)
    assert boris.log.chat == []
    assert_as_kept(chronicle)


def test_a_deployment_typed_as_chat_after_it_was_made_is_asked_about(
    ends: Ends, chronicle: Chronicle
) -> None:
    boris = ends.table(1)

    async def play(player: Player) -> None:
        ends.connect()
        line = honest_line(player.front.table)
        await player.press(line, ENTER)
        shown = await player.press(TAB, line, ENTER)
        chronicle.show(f"Enter, Tab, {line} and Enter", *shown.split("\n"))
        await player.press("no", ENTER)

    at_screen(ends, ends.table(0), play)
    assert boris.log.chat == []
    assert_as_kept(chronicle)


def test_an_empty_enter_says_what_is_missing(ends: Ends, chronicle: Chronicle) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.look()
        assert "Nothing is typed" not in await player.press(ENTER)  # meant for a pause
        ends.clock.now += STOOD
        chronicle.show("Enter", *below_the_board(await player.press(ENTER)))

    at_screen(ends, ends.table(0), play)
    assert_as_kept(chronicle)


def test_the_goal_is_told_until_it_is_switched_off(ends: Ends) -> None:
    table = ends.table(0)

    async def play(player: Player) -> None:
        ends.connect()
        assert "─ Goal (" in await player.look()
        assert "─ Goal (" not in await player.press("goal off", ENTER)

    at_screen(ends, table, play)
    assert not read(written(table.settings)).goal


def test_the_end_is_read_beside_the_board_and_closed_by_esc(ends: Ends, chronicle: Chronicle) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        shown = await player.press("resign", ENTER, "yes", ENTER)
        chronicle.show("Anna has resigned", *player.terminal.lines())
        assert shown.count(presentation.question(player.front.table)[0]) == 1
        assert player.front.table.replica.store.path not in "".join(player.terminal.lines())
        assert "The record is" in await player.press("proof", ENTER)
        await player.press(ESCAPE)
        assert "─ The end" in await player.press(ENTER)
        assert "─ The end" not in await player.press(ESCAPE)

    at_screen(ends, ends.table(0), play)
    assert_as_kept(chronicle)


def test_a_digit_acts_at_once_after_the_end_and_on_an_empty_line_alone(ends: Ends) -> None:
    table = ends.table(0)
    table.environment = replace(table.environment, aftermath=Aftermath)

    async def play(player: Player) -> None:
        ends.connect()
        await player.press("1", "\x15", "resign", ENTER, "yes", ENTER)
        assert table.offers
        assert "Boris has been asked for a rematch" in await player.press("1")
        await player.press("/1")
        assert player.front.hands.line.buffer.text == "/1"
        assert table.pending is None
        await player.press("\x15", "4")
        assert table.wish is Order.REPLAY
        table.wish = None

    at_screen(ends, table, play)
