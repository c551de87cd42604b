"""The keys of a table, in one place: a wish of the player, and the key that fulfils it on the screen.

The application binds these keys, the bar at the foot and the pages name them.  Keys that write, pick or point
stand in `cli.screen.match.application`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.table.words.commands import Order

PAGES: Final[Mapping[Order, str]] = {
    Order.HELP: "f1",
    Order.RULES: "f4",
    Order.HISTORY: "f5",
    Order.LOOKED: "f7",
    Order.RECORDS: "f8",
    Order.MANIFEST: "f9",
}
"""By the command that opens a page: the key that opens it too, and closes it, as prompt_toolkit names it."""
KEYS: Final[Mapping[Order, str]] = {
    **PAGES,
    Order.NOTES: "f3",
    Order.COACH: "f6",
    Order.SETTINGS: "f10",
    Order.SAY: "tab",
    Order.UNDO: "c-_",
    Order.LEAVE: "c-q",
}
"""By command: the key that does the same."""
PANELS: Final = "f2"
"""Another panel first."""
PALETTE: Final = "c-p"
"""The list of all commands, to search."""


def named(key: str) -> str:
    """A key of prompt_toolkit as the screen names it: "F6", "^P", "Tab"."""
    return f"^{key[2:].upper()}" if key.startswith("c-") else key.capitalize()


def key_of(order: Order) -> str:
    """The name of the key of a command; "" for none."""
    return named(KEYS[order]) if order in KEYS else ""
