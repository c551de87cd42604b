"""SPIES! at a running screen of 80 × 24: secrets, police and a spy's move by clicks and cursor keys alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from cli.games.spies import questions
from cli.games.spies.map.board import TIGHT
from cli.games.spies.questions import kind
from cli.table.orders import actions
from cli.table.scene import presentation
from p2p_stratego.core.game import Choose, Commit
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.rules.atlas import CITY_NAMED, NAMES, SIGNED
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.state import SPY_CODED
from p2p_stratego.spies.rules.underway import now
from tests.helpers.links.ends import Ends
from tests.helpers.program.terminal import DOWN, ENTER, ESCAPE, Player, at_screen

BEHIND_TITLE, CHOICES = 2, 23
"""Rows of the screen, counted from 1: the first of the map, and that of the offered choices."""
F7, F8, F9 = "\x1b[18~", "\x1b[19~", "\x1b[20~"


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ends]:
    both = Ends(tmp_path_factory.mktemp("mouse"), "spies", game=GAME)
    both.connect()
    yield both
    both.close()


def at(column: int, row: int) -> str:
    """A mouse button pressed and let go, as xterm reports it (SGR 1006)."""
    return f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"


def click(city: str) -> str:
    """A click on a city of the small map."""
    column, row = TIGHT.corners[CITY_NAMED[city]]
    return at(column + 2, row + BEHIND_TITLE)


def play_to(ends: Ends, what: str) -> None:
    """Bots play until the first seat is asked for this."""
    bots = [Recruit(random.Random(seed)) for seed in (0, 1)]
    replica = ends.replicas[0]

    def there() -> bool:
        if replica.session.decision is None or replica.session.referee.table.state is None:
            return False
        return kind(replica.session.view) == what

    ends.play_on(bots, there)
    assert there()


def test_a_city_is_clicked_for_a_secret_and_clicked_again(ends: Ends) -> None:
    play_to(ends, "secret")

    async def play(player: Player) -> None:
        table = player.front.table
        shown = await player.press(click("leipzig"))
        assert "❯ leipzig" in shown
        assert "─ Leipzig (" in shown
        shown = await player.press(click("leipzig"))
        assert "❯ leipzig" not in shown
        assert table.notice is None
        state = now(table.session.view)
        assert any(NAMES[lying.origin] == "leipzig" for lying in state.secrets if lying.origin >= 0)
        assert "to hide" in shown
        shown = await player.press(at(4, CHOICES))
        word = player.front.hands.line.buffer.text
        assert word in NAMES
        await player.press(at(4, CHOICES))
        assert player.front.hands.line.buffer.text == ""

    at_screen(ends, ends.table(0), play)


def test_enter_alone_proposes_all_secrets_and_enter_sends_them(ends: Ends) -> None:
    play_to(ends, "secret")
    table = ends.table(0)
    actions.enter(table, "")
    assert table.notice == ("dim", "A proposal: Enter sends it, the arrow keys go to what you change.")
    power, line = now(table.session.view).power, table.returned
    actions.enter(table, line)
    laid = now(table.session.view).secrets
    assert {lying.where for lying in laid if lying.owner == power} == {"map"}
    assert len(line.split()) > 2


def test_skip_has_the_bots_hurry_until_the_player_decides(ends: Ends) -> None:
    play_to(ends, "police")
    table, hurried = ends.table(0), list[bool]()
    table.environment = replace(table.environment, hurry=hurried.append)
    actions.enter(table, "skip")
    assert hurried == [True]
    actions.enter(table, "two by two")
    actions.enter(table, table.returned or "")
    assert hurried == [True, False]


def test_in_lines_a_proposal_is_confirmed_by_enter(ends: Ends) -> None:
    play_to(ends, "police")
    table = ends.table(0, keys=False)
    actions.enter(table, "")
    assert "A proposal: " in presentation.question(table)[0]
    power = now(table.session.view).power
    actions.enter(table, "")
    assert all(unit.city >= 0 for unit in now(table.session.view).police[power])
    assert kind(table.session.view) != "police" or now(table.session.view).power != power


def test_police_are_laid_by_clicks_on_cities(ends: Ends) -> None:
    play_to(ends, "police")

    async def play(player: Player) -> None:
        table = player.front.table
        decision = table.session.decision
        assert isinstance(decision, Commit)
        power = now(table.session.view).power
        cities = [NAMES[city] for city in SIGNED[power]]
        for number in range(len(decision.faces)):
            shown = await player.press(click(cities[number // 2]))
        assert "Enter sends" in shown
        clicked = player.front.hands.line.buffer.text
        await player.press(" on none")
        assert player.front.hands.line.buffer.text == f"{clicked} on none"
        await player.press(ESCAPE, "two by two", ENTER)
        assert table.session.decision == decision  # nothing is laid unseen
        assert player.front.hands.line.buffer.text.endswith(("on none", *NAMES))
        await player.press(ESCAPE)
        for number in range(len(decision.faces)):
            if number == 2:
                shown = await player.press(ENTER)  # refused: the clicks go on all the same
                assert "Still to lay" in shown
            await player.press(click(cities[number // 2]))
        await player.press(ENTER)
        assert table.notice is None
        assert table.session.view.state.phase == "police"
        assert table.session.decision != decision

    at_screen(ends, ends.table(0), play)


def test_arrow_keys_pick_a_tile(ends: Ends) -> None:
    play_to(ends, "tile")

    async def play(player: Player) -> None:
        table = player.front.table
        context = table.context
        assert context is not None
        offered = [choice.word for choice in questions.choices(context)]
        await player.press(DOWN)
        assert player.front.hands.line.buffer.text == offered[0]
        await player.press(DOWN)
        assert player.front.hands.line.buffer.text == offered[1 % len(offered)]
        await player.press(ENTER)
        assert table.notice is None
        assert kind(table.session.view) != "tile"

    at_screen(ends, ends.table(0), play)


def test_a_spy_is_picked_and_sent_by_two_clicks_and_pages_open_by_keys(ends: Ends) -> None:
    play_to(ends, "turn")

    async def play(player: Player) -> None:
        table = player.front.table
        decision = table.session.decision
        assert isinstance(decision, Choose)
        moves = [option.split(" ") for option in decision.options if option.startswith("move")]
        state = now(table.session.view)
        _, code, goal = next(
            move
            for move in moves
            if sum(state.spies[spy].city == state.spies[SPY_CODED[move[1]]].city for spy in range(25)) == 1
            and state.police_of(CITY_NAMED[move[2]]) in (None, 0)
            and f"search {NAMES[state.spies[SPY_CODED[move[1]]].city]}" not in decision.options
        )
        home = NAMES[state.spies[SPY_CODED[code]].city]
        shown = await player.press(click(home))
        assert f"❯ {code}" in shown
        assert "spaces left" in shown
        await player.press(click(goal))
        assert table.notice is None
        assert any(line.startswith(f"{code} goes to {goal.capitalize()}") for line in table.log.history)
        for key, title in ((F8, "Records and points"), (F9, "All counters"), (F7, "For your eyes only")):
            assert title in await player.press(key)
            assert title not in await player.press(key)
        shown = await player.press(F8)
        assert "Records and points" not in await player.press(at(40, 12))  # a click closes a page
        await player.press(ESCAPE)

    at_screen(ends, ends.table(0), play)
