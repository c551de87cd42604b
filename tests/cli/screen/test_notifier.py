"""How a screen calls its player: as the settings say, and not while it is seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.shell.settings import Settings
from tests.helpers.links.ends import Ends
from tests.helpers.program.terminal import ESCAPE, Player, Terminal, at_screen

IN, OUT = "\x1b[I", "\x1b[O"
TURN = "Your turn: Spies & Lies with Boris"


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path)
    yield both
    both.close()


def count_of(terminal: Terminal, what: str = TURN) -> int:
    """How often the terminal was told."""
    return terminal.written.getvalue().count(what)


def test_the_terminal_notifies_and_is_asked_for_focus_while_the_screen_is_there(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.look()

    terminal = at_screen(ends, ends.table(0, Settings(notify="osc777")), play)
    written = terminal.written.getvalue()
    assert f"\x1b]777;notify;P2P Stratego;{TURN}\x1b\\" in written
    assert written.count("\x1b[?1004h") == 1
    assert written.index("\x1b[?1004h") < written.index("\x1b[?1004l")
    assert written.count("\x1b[?1004l") == 1


@pytest.mark.parametrize(("reports", "times"), [((IN,), 0), ((OUT,), 1), ((IN, OUT), 1), ((OUT, IN), 0)])
def test_nobody_is_called_who_looks_at_the_screen(ends: Ends, reports: tuple[str, ...], times: int) -> None:
    async def play(player: Player) -> None:
        await player.press("a")
        for report in reports:
            player.send(report)
        assert "❯ a " in await player.press("b", "\x7f"), "a report is no key"
        ends.connect()
        await player.look()

    assert count_of(at_screen(ends, ends.table(0, Settings(notify="osc9")), play)) == times


def test_a_turn_that_came_before_the_screen_calls_once_it_is_there(ends: Ends) -> None:
    table = ends.table(0, Settings(notify="osc9"))
    ends.connect()
    ends.replicas[0].on_change = lambda: None

    async def play(player: Player) -> None:
        await player.look()

    again = ends.table(0, Settings(notify="osc9"))
    assert again.session is table.session
    assert count_of(at_screen(ends, again, play)) == 1


def test_a_report_closes_no_page(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.press("?")
        player.send(OUT)
        assert "Help" in await player.look()
        assert "Help" not in await player.press(ESCAPE)

    at_screen(ends, ends.table(0), play)


def test_a_command_of_the_player_is_told_the_sentence(ends: Ends) -> None:
    run = list[str]()
    table = ends.table(0, Settings(notify="command", notify_command=("x",)))
    table.environment = replace(table.environment, call=run.append)

    async def play(player: Player) -> None:
        ends.connect()
        await player.look()

    terminal = at_screen(ends, table, play)
    assert run == [TURN]
    assert not count_of(terminal)
    assert "\a" not in terminal.written.getvalue()
