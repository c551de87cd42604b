"""Two players at their tables at a game of Stratego."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.table.seat.controller import TableController
from p2p_stratego.stratego.rules.game import GAME
from tests.helpers.links.ends import Ends
from tests.helpers.stratego.typing_in import Make


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[Ends] = []

    def begin(**options: str | int) -> Ends:
        made.append(Ends(tmp_path / str(len(made)), options=options, game=GAME))
        return made[-1]

    yield begin
    for ends in made:
        ends.close()


@pytest.fixture
def ends(make: Make) -> Ends:
    return make()


@pytest.fixture
def tables(ends: Ends) -> tuple[TableController, TableController]:
    both = ends.table(0), ends.table(1)
    ends.connect()
    return both
