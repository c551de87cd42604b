"""Conquest at a running screen: territories, an army and moves by cursor keys, letters and mouse."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.games.conquest.map.board import Grid
from cli.games.conquest.snapshot import own_moves
from cli.table.orders import actions
from cli.table.scene import presentation
from p2p_stratego.conquest.bots.recruit import Recruit
from p2p_stratego.conquest.rules.atlas import NAMES, TERRITORY_OF, ZONE_NAMED
from p2p_stratego.conquest.rules.choices import own_zones
from p2p_stratego.conquest.rules.game import GAME
from tests.helpers.links.ends import Ends
from tests.helpers.program.terminal import DOWN, ENTER, ESCAPE, LEFT, RIGHT, TAB, UP, Player, at_screen

GRID = Grid(5, 2)


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    both = Ends(tmp_path, "conquest", game=GAME)
    yield both
    both.close()


def click(zone: str) -> str:
    """A mouse button pressed and let go in a zone on a screen of 80 × 24, as xterm reports it (SGR 1006)."""
    x, y = GRID.corner(ZONE_NAMED[zone])
    return f"\x1b[<0;{x + 3};{y + 3}M\x1b[<0;{x + 3};{y + 3}m"


def bots() -> list[Recruit]:
    return [Recruit(random.Random(seed)) for seed in (0, 1)]


def play_to(ends: Ends, seat: int, phase: str) -> None:
    """Bots play until `seat` has to decide in this phase."""
    ends.connect()

    def there() -> bool:
        session = ends.replicas[seat].session
        state = session.referee.table.state
        return state is not None and state.phase == phase and session.decision is not None

    ends.play_on(bots(), there)
    assert there()


def test_a_territory_is_taken_by_cursor_and_by_mouse(ends: Ends) -> None:
    play_to(ends, 0, "draft")

    async def play(player: Player) -> None:
        table = player.front.table
        taken = table.session.referee.table.state.taken
        free = next(n for n, owner in enumerate(taken) if owner is None)
        shown = await player.press(UP)
        assert "[" in shown
        player.front.hands.line.cursor.to("")
        zone = NAMES[next(z for z in range(72) if TERRITORY_OF[z] == free)]
        shown = await player.press(click(zone))
        assert "❯ take " in shown
        shown = await player.press(click(zone))
        assert "❯ take " not in shown
        assert "Anna takes" in "\n".join(table.log.history)

    at_screen(ends, ends.table(0), play)


def test_an_army_is_placed_by_keys_and_laid(ends: Ends) -> None:
    play_to(ends, 0, "army")

    async def play(player: Player) -> None:
        table = player.front.table
        assert presentation.question(table)[0][:40] in await player.look()
        own = own_zones(table.session.referee.table.state, 0)
        await player.press("clear", ENTER)
        assert "K 9 8 7 6 5 4 3×3 2×4 1 X×2 F" in await player.look()
        player.front.hands.line.cursor.to(NAMES[own[0]])
        shown = await player.press("+")
        assert presentation.question(table)[0][:40] in shown
        assert "K 9 8 7 6 5 4 3×3 2×4 1 X×2" in shown
        assert "X×2 F" not in shown
        await player.press(ESCAPE, ESCAPE)
        assert "K 9 8" not in await player.press("load guarded", ENTER)
        assert "❯ ready" in await player.press("rea", TAB)
        shown = await player.press(ENTER)
        assert table.notice is None
        assert presentation.question(table)[0] in shown
        assert not table.asked

    at_screen(ends, ends.table(0), play)


def test_a_piece_is_moved_with_the_cursor_and_shown(ends: Ends) -> None:
    play_to(ends, 0, "move")

    async def play(player: Player) -> None:
        table = player.front.table
        board = table.session.referee.table.state.board
        moves = [move for move in own_moves(table.session.view) if len(move) == 4]
        step = next(move for move in moves if _beside(move) and board[ZONE_NAMED[move[2:]]] is None)
        player.front.hands.line.cursor.to(step[:2])
        shown = await player.press(ENTER)
        assert f"❯ {step[:2]}" in shown
        assert "○" in shown
        shown = await player.press(_arrow(step))
        assert "[" in shown
        await player.press(ENTER)
        assert f"Anna moves {step[:2]} to {step[2:]}." in table.log.history

    at_screen(ends, ends.table(0), play)


def _beside(move: str) -> bool:
    place, other = (divmod(ZONE_NAMED[name], 6) for name in (move[:2], move[2:]))
    return abs(place[0] - other[0]) + abs(place[1] - other[1]) == 1


def _arrow(move: str) -> str:
    place, other = (divmod(ZONE_NAMED[name], 6) for name in (move[:2], move[2:]))
    return {(1, 0): RIGHT, (-1, 0): LEFT, (0, 1): UP, (0, -1): DOWN}[other[0] - place[0], other[1] - place[1]]


@pytest.mark.parametrize("keys", [True, False])
def test_enter_alone_gives_the_one_answer_that_is_possible(ends: Ends, keys: bool) -> None:
    ends.connect()
    tables = [ends.table(seat, keys=keys) for seat in (0, 1)]
    ends.play_on(bots(), lambda: any(map(presentation.only_answer, tables)))
    table = next(table for table in tables if presentation.only_answer(table))
    line, before = presentation.only_answer(table), table.session.view.state
    assert line.startswith("take ")
    assert presentation.question(table)[1] == f"{line}, or press Enter"
    actions.enter(table, "")
    ends.pump()
    assert table.notice is None
    assert table.session.view.state != before
    assert not any(map(presentation.only_answer, tables))


def test_enter_alone_proposes_an_army_as_it_stands(ends: Ends) -> None:
    play_to(ends, 0, "army")
    table = ends.table(0)
    table.refresh()
    actions.enter(table, "")
    assert table.returned == "ready"
    actions.enter(table, "clear")
    table.returned = ""
    actions.enter(table, "")
    assert table.returned == "", "no army is ready in which a piece is missing"
    assert table.notice is not None
    lines = ends.table(0, keys=False)
    lines.refresh()
    actions.enter(lines, "")
    assert lines.pending is not None, "in lines the board came again, and nothing else"
    assert "ready" in lines.pending.question
    assert lines.asked, "nothing is sent before the player agrees"
    actions.enter(lines, "")
    assert not lines.asked


def test_enter_alone_gives_none_of_several_answers(ends: Ends) -> None:
    play_to(ends, 0, "draft")
    table = ends.table(0)
    before = table.session.referee.table.serial
    actions.enter(table, "")
    assert table.notice is not None
    assert table.session.referee.table.serial == before
