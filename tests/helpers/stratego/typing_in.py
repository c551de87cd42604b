"""A test's input at a table, and the output it reads there."""

from __future__ import annotations

from collections.abc import Callable

from cli.table.orders import actions
from cli.table.seat.controller import TableController
from cli.text.layout import words
from tests.helpers.links.ends import Ends

Make = Callable[..., Ends]


def type_in(ends: Ends, table: TableController, *lines: str) -> None:
    for line in lines:
        actions.enter(table, line)
        ends.pump()
        table.refresh()


def notice(table: TableController) -> str:
    return table.notice[1] if table.notice else ""


def page(table: TableController) -> str:
    assert table.page is not None
    return "\n".join([table.page.title, *map(words, table.page.lines)])
