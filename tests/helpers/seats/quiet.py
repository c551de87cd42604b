"""A match of the toy game without records under way."""

from __future__ import annotations

from typing import Any

from protocol.seat.session import Session
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.seats.pair import Table


def quiet_table(**options: Any) -> Table:
    """Both have agreed; the die is cast and both have to lay their cards."""
    table = Table(1, game=TOY, decide=honest, options=options)
    return table.hold()


def running() -> tuple[Table, Session, Session]:
    table = quiet_table()
    return table, table.seats[0].session, table.seats[1].session
