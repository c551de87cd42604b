"""The clock of a table: it looks again when the time of a question, or of somebody who is coming, is up."""

from __future__ import annotations

from collections.abc import Callable

import trio

from cli.table.seat.controller import TableController
from protocol.replication.replica import Replica


async def keep_time(replica: Replica, table: TableController, changed: Callable[[], None]) -> None:
    """Call `changed` with every change of the match, and whenever the table is due; until cancelled.

    The table's clock is trio's.
    """
    stirred = trio.Event()

    def stir() -> None:
        changed()
        stirred.set()

    replica.on_change = stir
    while True:
        with trio.move_on_at(table.due):
            await stirred.wait()
        if not stirred.is_set():
            changed()
            if table.timing.due <= trio.current_time():  # what is due cannot be done: the disk is full
                await stirred.wait()
        if stirred.is_set():
            stirred = trio.Event()
