"""Spies & Lies played with the mouse, on the screen as a terminal shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from cli.games.spies_and_lies.questions import kind
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from p2p_stratego.spies_and_lies.rules.components import SOLDIERS
from tests.helpers.links.ends import Ends
from tests.helpers.program.terminal import ENTER, F1, Player, Terminal, at_screen
from tests.helpers.spies_and_lies.typing_in import honest_line

NOTE: Final = re.compile(r"\d+ [A-Z][a-z]+: \d+ %")


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path, seed="clicks 7")  # Anna's Scout is exhausted
    yield both
    both.close()


def asked(player: Player) -> str:
    """The question."""
    return presentation.question(player.front.table)[0]


def newest(player: Player) -> str:
    """The newest event."""
    return player.front.table.log.history[-1]


def click(player: Player, text: str, *, last: bool = False) -> str:
    """The keys of a click on `text`, where it stands first or last on the screen."""
    places = [(row, line.find(text)) for row, line in enumerate(player.terminal.lines(), 1) if text in line]
    row, column = places[-1 if last else 0]
    return "".join(f"\x1b[<0;{column + 2};{row}{end}" for end in "Mm")


def test_soldiers_are_laid_and_taken_back(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.look()
        first, second, *_ = honest_line(player.front.table).split()
        assert f"❯ {first} " in await player.press(click(player, f" {first} ", last=True))  # in the hand
        panel = SOLDIERS[int(second)].name
        assert f"❯ {first} {second} " in await player.press(click(player, panel))
        assert f"❯ {second} " in await player.press(click(player, SOLDIERS[int(first)].name))
        assert f"❯ {second} " not in await player.press(click(player, "╭─ 1 ─", last=True))

    at_screen(ends, ends.table(0), play)


def test_missions_are_marked_and_a_guess_is_clicked_twice(ends: Ends) -> None:
    boris = ends.table(1)

    async def play(player: Player) -> None:
        ends.connect()
        actions.enter(boris, honest_line(boris))
        await player.press(honest_line(player.front.table), ENTER)
        await player.look()
        assert "❯ 2 " in await player.press(click(player, "╭─ 2 ─", last=True))
        assert "❯ 2 3 " in await player.press(click(player, "╭─ 3 ─", last=True))
        assert "❯ 3 " in await player.press(click(player, "╭─ 2 ─", last=True))
        assert "❯ none " in await player.press(click(player, "╭─ 3 ─", last=True))
        table = player.front.table
        player.front.hands.line.buffer.reset()
        await player.press(presentation.choices(table, "")[0].word, ENTER)
        actions.enter(boris, presentation.choices(boris, "")[0].word)
        await player.look()
        actions.enter(boris, "no")
        shown = await player.look()
        assert asked(player) in shown
        assert "❯ 9 " in await player.press(click(player, "9 General"))
        shown = await player.press(click(player, "9 General"))
        assert newest(player) in " ".join(shown.split())
        assert "General (9)" in newest(player)

    at_screen(ends, ends.table(0), play)


async def to_the_first_guess(ends: Ends, boris: TableController, player: Player) -> None:
    """Both have laid and marked; Anna, who guesses first, is asked."""
    ends.connect()
    anna = player.front.table
    actions.enter(boris, honest_line(boris))
    await player.press(honest_line(anna), ENTER)
    actions.enter(boris, presentation.choices(boris, "")[0].word)
    player.front.hands.line.buffer.reset()
    await player.press(presentation.choices(anna, "")[0].word, ENTER)
    await player.look()
    actions.enter(boris, "no")
    shown = await player.look()
    assert asked(player) in shown
    assert kind(anna.session.view) == "guess"


def test_a_token_is_laid_by_clicking_twice_on_the_mission_that_is_guessed(ends: Ends) -> None:
    boris = ends.table(1)

    async def play(player: Player) -> None:
        await to_the_first_guess(ends, boris, player)
        await player.press("9", ENTER)
        shown = " ".join((await player.look()).split())
        assert asked(player)[-20:] in shown
        other = await player.press(click(player, "╭─ 2 ─", last=True))
        assert "❯ yes" not in other
        assert "❯ yes" in await player.press(click(player, "╔═ 1 ═", last=True))
        waiting = presentation.question(boris)  # nothing is said yet
        await player.press(click(player, "╔═ 1 ═", last=True))
        await player.look()
        assert boris.session.view.since[-1][1] == "token"
        assert presentation.question(boris) != waiting

    at_screen(ends, ends.table(0), play)


def test_the_captain_is_told_by_clicks_which_exhausted_soldier_to_use(ends: Ends) -> None:
    boris = ends.table(1)

    async def play(player: Player) -> None:
        await to_the_first_guess(ends, boris, player)
        anna = player.front.table
        for _ in range(40):
            await player.look()
            if anna.asked and kind(anna.session.view) == "captain":
                break
            for table in (anna, boris):
                if table.asked:
                    actions.enter(table, "no" if kind(table.session.view) == "token" else "guess 10")
        shown = " ".join((await player.look()).split())
        assert asked(player) in shown
        assert "exhausted 2 Scout" in player.terminal.text()
        assert "❯ 2" not in await player.press(click(player, "3 Miner", last=True))  # it is not exhausted
        assert "❯ 2" in await player.press(click(player, "2 Scout"))
        assert anna.asked
        await player.press(click(player, "2 Scout"))
        shown = " ".join((await player.look()).split())
        (used,) = (line for line in anna.log.history[-3:] if "Scout (2)" in line)
        assert used in shown

    at_screen(ends, ends.table(0), play)


def test_a_note_on_a_card_is_a_guess(ends: Ends) -> None:
    boris = ends.table(1)

    async def play(player: Player) -> None:
        await to_the_first_guess(ends, boris, player)
        notes = [line for line in player.terminal.lines() if " %" in line]
        assert notes
        [note] = NOTE.findall(notes[-1])[:1]
        rank = note.split()[0]
        assert f"❯ {rank} " in await player.press(click(player, note))
        shown = await player.press(click(player, note))
        name = SOLDIERS[int(rank)].name
        assert newest(player) in " ".join(shown.split())
        assert f"{name} ({rank})" in newest(player)

    at_screen(ends, ends.table(0), play, Terminal(200, 60))


def test_help_tells_of_the_clicks(ends: Ends) -> None:
    async def play(player: Player) -> None:
        ends.connect()
        await player.press(F1)
        page = player.front.table.page
        assert page is not None
        text = " ".join(part for line in page.lines for _, part in line)
        clicks = player.front.table.terminal.clicks
        assert clicks is not None
        assert all(does in " ".join(text.split()) for _, does in clicks.keys)

    at_screen(ends, ends.table(0), play)
