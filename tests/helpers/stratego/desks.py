"""What a test types at a desk, and what it reads there."""

from __future__ import annotations

from collections.abc import Callable

from cli.table.controller import Desk
from cli.text.layout import words
from tests.helpers.ends import Ends

Make = Callable[..., Ends]


def type_in(ends: Ends, desk: Desk, *lines: str) -> None:
    for line in lines:
        desk.enter(line)
        ends.pump()
        desk.refresh()


def notice(desk: Desk) -> str:
    return desk.notice[1] if desk.notice else ""


def page(desk: Desk) -> str:
    assert desk.page is not None
    return "\n".join([desk.page.title, *map(words, desk.page.lines)])
