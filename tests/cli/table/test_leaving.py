"""One of three or four is silent, is taken out, or answers late: every other player's table tells it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.table import presentation
from cli.table.controller import TableController
from p2p_stratego.core.game import Choose
from p2p_stratego.registry import GAMES
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from tests.helpers.many import Many

Make = Callable[[int], tuple[Many, list[TableController]]]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[Many] = []

    def begin(seats: int) -> tuple[Many, list[TableController]]:
        many = Many(tmp_path, GAMES["spies-and-lies"], seats, {"starter": "red"})
        made.append(many)
        tables = [many.table(seat) for seat in many.seats]
        many.connect()
        return many, tables

    yield begin
    for many in made:
        many.close()


def told(table: TableController) -> str:
    table.refresh()
    alert = presentation.alert(table)
    return "" if alert is None else alert[1]


def test_a_card_that_a_missing_player_is_to_open_keeps_the_table_waiting_and_says_so(make: Make) -> None:
    """A card is opened by its owner's program, so nobody seems to be asked anything."""
    many, tables = make(4)
    bots = [Recruit(random.Random(number)) for number in many.seats]
    referee = many.replicas[0].session.referee

    def guesses() -> bool:
        return (
            referee.owed is not None
            and isinstance(referee.owed.ask, Choose)
            and ("guess 1" in referee.owed.ask.options)
        )

    many.play_on(bots, guesses)
    assert referee.owed is not None
    guesser, state = referee.owed.seat, referee.table.state
    owner = state.seating.player(1 - state.guesser, state.mission)
    many.cut(*((owner, seat) for seat in many.seats if seat != owner))
    tables[guesser].replica.decide("guess 5")
    many.pump()
    name = tables[0].players.names[owner]
    for table in tables:
        if table.replica.seat != owner:
            assert told(table).startswith(f"The game waits for {name}, who is away: wait, leave")
            assert "claim in " in told(table)
