"""News that cover the board stand there until they were read; a key then gives the board back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from cli.screen.match.key_actions import STOOD, NewsReading
from cli.shell.settings import Settings
from p2p_stratego.core.game import Choose
from p2p_stratego.registry import make_bot
from tests.helpers.links.ends import Clock, Ends
from tests.helpers.program.terminal import ENTER, ESCAPE, F3, Player, at_screen

COVERED = "any key whole board"
"""At the foot of a screen whose news cover the board."""
NEWS = [(True, "It is the Bomb.")]
NAMES = ("Anna-Theodora Sokolowska", "B" * 24)


def test_only_news_that_stood_a_while_are_read_by_a_key() -> None:
    clock = Clock()
    reading = NewsReading(clock)
    assert not reading.shows(NEWS)
    assert not reading.key()  # it was on its way before they stood there
    assert not reading.shows(NEWS)
    clock.now += STOOD
    assert not reading.shows(list(NEWS))
    assert reading.key()
    assert reading.shows(NEWS)
    assert not reading.key()
    assert not reading.shows([*NEWS, (False, "Boris scores.")])


def test_what_a_terminal_reports_reads_nothing() -> None:
    clock = Clock()
    reading = NewsReading(clock)
    reading.shows(NEWS)
    clock.now += STOOD
    assert reading.key()
    reading.no_key()
    assert not reading.shows(NEWS)


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path, "read", NAMES)
    yield both
    both.close()


async def to_a_covered_board(ends: Ends, player: Player) -> None:
    """Bots play until Anna is asked, and news cover her side."""
    table = player.front.table
    bots = [make_bot("spies-and-lies", "recruit", Random(seat)) for seat in (0, 1)]

    async def covered() -> bool:
        await player.look()
        guesses = isinstance(table.session.decision, Choose)
        return guesses and player.front.hands.windows.drawn.covered

    while not await covered():
        for seat, replica in enumerate(ends.replicas):
            if replica.session.decision is not None:
                decided = bots[seat].decide(replica.session.view)
                (replica.decide if seat else table.decide)(decided)
                ends.pump()
                break


@pytest.mark.parametrize(("key", "typed"), [(ENTER, ""), (ESCAPE, ""), (" ", ""), ("7", "7"), (F3, "")])
def test_a_key_uncovers_the_hand_once_the_news_were_read(ends: Ends, key: str, typed: str) -> None:
    table = ends.table(0, Settings(animation=False, summary=False, goal=False))

    async def play(player: Player) -> None:
        ends.connect()
        await to_a_covered_board(ends, player)
        shown = await player.look()
        assert COVERED in shown
        assert "\n Hand " not in shown
        newest = table.log.recent[-1][1]
        await player.press(F3)
        await player.press(F3)
        assert COVERED in await player.look()  # too soon: nobody has read that yet
        player.send("\x1b[O")
        ends.clock.now += STOOD
        shown = await player.press(key)
        assert COVERED not in shown
        assert "\n Hand " in shown
        assert "RED Anna-Theodora" in shown
        assert newest[:40] in " ".join(shown.split())
        assert player.front.hands.line.buffer.text == typed
        assert "Nothing is typed" not in shown

    at_screen(ends, table, play)


def test_a_terminal_that_loses_the_focus_leaves_the_news(ends: Ends) -> None:
    table = ends.table(0, Settings(animation=False, summary=False, goal=False))

    async def play(player: Player) -> None:
        ends.connect()
        await to_a_covered_board(ends, player)
        await player.look()
        ends.clock.now += STOOD
        assert COVERED in await player.press("\x1b[O")

    at_screen(ends, table, play)
