"""Two tables of Spies & Lies, and the input of tests at them."""

from __future__ import annotations

import random

from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.text.layout import words
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from tests.helpers.links.ends import Ends


def bots() -> list[Recruit]:
    return [Recruit(random.Random(seed)) for seed in (1, 2)]


def type_in(ends: Ends, table: TableController, *lines: str) -> None:
    for line in lines:
        actions.enter(table, line)
        ends.pump()


def hand(table: TableController) -> list[int]:
    state = table.replica.session.view.state
    return [rank for rank in range(1, 11) if rank not in state.exhausted[table.replica.seat]]


def honest_line(table: TableController) -> str:
    """Four rising soldiers that are in hand, none of them the Sergeant."""
    return " ".join(map(str, [rank for rank in hand(table) if rank != 4][:4]))


def deployed(ends: Ends, tables: tuple[TableController, TableController]) -> None:
    for table in tables:
        type_in(ends, table, honest_line(table))


def marked(ends: Ends, tables: tuple[TableController, TableController]) -> None:
    deployed(ends, tables)
    for table in tables:
        type_in(ends, table, presentation.choices(table, "")[0].word)


def gone(table: TableController) -> bool:
    return table.left


def notice(table: TableController) -> str:
    return table.notice[1] if table.notice else ""


def page(table: TableController) -> str:
    assert table.page is not None
    return "\n".join([table.page.title, *map(words, table.page.lines)])
