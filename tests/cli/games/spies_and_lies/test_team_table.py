"""Spies & Lies at tables of three and four: whole games, each on its own screen and told alike to all."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.screen.match.renderer import draw
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.text.layout import width, words
from p2p_stratego.core.game import Commit
from p2p_stratego.spies_and_lies.bots.agent import Agent
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.state import State
from tests.helpers.links.many import Many

Make = Callable[..., tuple[Many, list[TableController]]]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[Many] = []

    def begin(seats: int) -> tuple[Many, list[TableController]]:
        many = Many(tmp_path, GAME, seats, {"starter": "red"})
        made.append(many)
        tables = [many.table(seat) for seat in many.seats]
        many.connect()
        return many, tables

    yield begin
    for many in made:
        many.close()


def bots(seats: int) -> list[Agent | Recruit]:
    return [(Agent, Recruit)[seat // 2](random.Random(seat)) for seat in range(seats)]


def state(many: Many) -> State:
    reached: State = many.replicas[0].session.referee.table.state
    return reached


def asked(table: TableController) -> str:
    table.refresh()
    return presentation.question(table)[0]


def screen(table: TableController, columns: int = 80, rows: int = 24) -> str:
    table.refresh()
    drawn = draw(presentation.scene(table), columns, rows)
    for line in (*drawn.above, *drawn.below):
        assert width(line) == columns
    return "\n".join(words(line) for line in (*drawn.above, *drawn.below))


@pytest.mark.parametrize("seats", [3, 4])
def test_a_whole_game_is_told_alike_to_all_and_every_screen_fits(make: Make, seats: int) -> None:
    many, tables = make(seats)
    drawn = 0

    def look() -> bool:
        nonlocal drawn
        drawn += 1
        if drawn % 5 == 0:
            for table in tables:
                screen(table, *((80, 24), (100, 30), (140, 45))[drawn % 3])
        return False

    many.play_on(bots(seats), look)
    for table in tables:
        table.refresh()
        assert table.over
        assert table.log.history == tables[0].log.history
        assert "None" not in "".join(table.log.history)


def test_mates_lay_by_typing_and_each_sees_what_it_may(make: Make) -> None:
    many, (anna, boris, cleo, dana) = make(4)
    tired = {rank for side in state(many).exhausted for rank in side}
    hand = [rank for rank in range(1, 11) if rank not in tired and rank != 4]
    assert "1 and 2" in asked(anna)
    assert "Anna and Boris" in asked(cleo)
    actions.enter(anna, f"{hand[0]} {hand[1]}")
    many.pump()
    assert asked(anna).startswith("Boris ")
    actions.enter(boris, f"{hand[0]} {hand[1]}")
    many.pump()
    for table, own in ((cleo, "Anna"), (dana, "Boris")):
        assert f"{own}'s {hand[0]} " in asked(table)
        assert "3 and 4" in asked(table)
    seen = presentation.scene(cleo).context
    assert seen is not None
    assert "your mate's" in " ".join(cleo.terminal.description.board(seen))
    actions.enter(cleo, f"{hand[2]} {hand[3]}")
    many.pump()
    after = presentation.scene(cleo).context
    assert after is not None
    assert "your mate's" not in " ".join(cleo.terminal.description.board(after))
    assert asked(cleo).startswith("Dana ")
    actions.enter(dana, f"{hand[2]} {hand[3]}")
    many.pump()
    assert state(many).phase == "intel"
    for table in (anna, boris, cleo, dana):
        options = [choice.word for choice in presentation.choices(table, "")]
        assert len(options) == 4


def test_an_order_that_cannot_rise_is_asked_about_and_can_be_laid(make: Make) -> None:
    many, (anna, boris, cleo, _) = make(4)
    [red_tired], [blue_tired] = state(many).exhausted
    high = [rank for rank in (10, 9, 8) if rank != red_tired][:2]
    actions.enter(anna, f"{high[1]} {high[0]}")
    actions.enter(boris, " ".join(str(rank) for rank in (1, 2, 3) if rank != blue_tired)[:3])
    many.pump()
    low = [rank for rank in (1, 2, 3) if rank != red_tired][:2]
    actions.enter(cleo, f"{low[0]} {low[1]}")
    assert cleo.pending is not None
    assert cleo.pending.warnings
    actions.enter(cleo, "yes")
    many.pump()
    assert asked(cleo).startswith("Dana ")


SAID = "I take the low ones"


def test_chat_is_one_for_all_and_says_so(make: Make) -> None:
    many, tables = make(4)
    actions.enter(tables[0], f"/{SAID}")
    many.pump()
    for table in tables:
        assert [(name, text) for _, name, text in table.log.chat] == [("Anna", SAID)]
        assert table.players.hearing[1:] in screen(table)


def test_bots_can_take_any_seat_beside_people(make: Make) -> None:
    many, tables = make(3)
    playing = bots(3)
    for replica, bot in zip(many.replicas[1:], playing[1:], strict=True):
        while replica.session.decision is not None:
            replica.decide(bot.decide(replica.session.view))
            many.pump()
    decision = tables[0].session.decision
    assert isinstance(decision, Commit)
    assert len(decision.slots) == 2
    assert len(playing[0].decide(tables[0].session.view)) == 2


def test_a_mate_that_resigns_is_told_once_and_its_mate_plays_on(make: Make) -> None:
    many, tables = make(4)
    playing = bots(4)
    many.play_on(playing, lambda: bool(state(many).phase == "mission" and state(many).turn > 2))
    many.replicas[2].resign()
    many.pump()
    many.play_on(playing)
    for table in (tables[0], tables[1], tables[3]):
        screen(table)
        history = table.log.history
        leaving = [line for line in history if "Chen is gone" in line]
        assert sum("Anna" in line for line in leaving) == 1
        assert len(leaving) > 1  # each card of Chen's is told to stay closed
        assert table.over
