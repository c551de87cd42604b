"""The bar of keys at the foot of the screen: those that do something at this moment, the most needed first.

A pure function of the moment; the screen shows as many as fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cli.table.scene.scene import Keys, Mode
from cli.table.words.commands import Order
from p2p_stratego.core.language import _, _c

PAGE_KEYS: Final[Mapping[str, Order]] = {
    "f1": Order.HELP,
    "f4": Order.RULES,
    "f5": Order.HISTORY,
    "f7": Order.LOOKED,
    "f8": Order.RECORDS,
    "f9": Order.MANIFEST,
}
"""By key, the command whose page it opens, and closes."""
KEY_OF: Final[Mapping[Order, str]] = {
    **{order: key.upper() for key, order in PAGE_KEYS.items()},
    Order.NOTES: "F3",
    Order.COACH: "F6",
    Order.SETTINGS: "F10",
    Order.SAY: "Tab",
    Order.UNDO: "^_",
    Order.LEAVE: "^Q",
}
"""By command, the key that does the same."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What decides on the keys of a moment."""

    mode: Mode = "move"
    page: bool = False
    """Something to read is open."""
    overlay: bool = False
    """A list to choose from is open."""
    film: bool = False
    """Something is being shown that a key skips."""
    light: bool = False
    """The question of the table's own is whether to send a move that is shown."""
    asked: bool = False
    points: bool = False
    """Arrow keys point at the board."""
    offered: bool = False
    """There are answers to pick."""
    typed: bool = False
    undo: bool = False
    """Something that is not sent can be taken back."""
    pausing: bool = False
    """The other side waits for Enter."""
    notes: bool = False
    """The game has notes for this moment."""
    coach: bool = False
    pages: frozenset[Order] = frozenset()
    """Which pages have anything in them, of those that only some games or moments have."""
    over: bool = False
    rematch: bool = False


def keys(now: Situation) -> tuple[Keys, ...]:
    """The keys that do something now, the most needed first."""
    if now.film:
        return (Keys(_("any key"), _("goes on")),)
    if now.overlay:
        return (Keys("↑↓", _("choose")), Keys("Enter", _("take")), Keys("Esc", _("close")))
    if now.page:
        return (Keys("Esc", _("close")), scrolling(), *_always(now))
    if now.mode == "chat":
        return (Keys("Enter", _("send")), Keys("Esc", _("back to the game")), *_always(now, chat=False))
    if now.mode == "confirm":
        first = (Keys("Enter", _("send")),) if now.light else ()
        return (*first, Keys("Esc", _("take it back")), *_always(now, chat=False))
    return (*_playing(now), *_always(now))


def uncovering() -> Keys:
    """The key that gives rows of the board back which news have covered."""
    return Keys(_("any key"), _("whole board"))


def scrolling() -> Keys:
    """The keys that scroll a page over the table."""
    return Keys(_("PgUp PgDn"), _("scroll"))


def _playing(now: Situation) -> tuple[Keys, ...]:
    """The keys that answer the question, before the others."""
    found: list[Keys] = []
    if now.typed:
        found += [Keys("Enter", _("send")), Keys("Tab", _c("of a key", "complete")), Keys("Esc", _("clear"))]
    elif now.points:
        found.append(Keys(_("↑↓←→ Enter"), _c("of a key", "play")))
    elif now.offered:
        found.append(Keys(_("↑↓ Enter"), _("pick")))
    elif now.pausing:
        found.append(Keys("Enter", _("go on")))
    if now.undo or (now.typed and now.asked):
        found.append(Keys("^_", _("undo")))
    return tuple(found)


def _always(now: Situation, *, chat: bool = True) -> tuple[Keys, ...]:
    has = now.pages.__contains__
    every = (
        (Keys("F1", _("help")), True),
        (Keys("^P", _("commands")), True),
        (Keys("Tab", _("chat")), chat and not now.typed),
        (Keys("^Q", _("leave")), True),
        (Keys("F6", _("coach")), now.coach),
        (Keys("F2", _("panels")), not now.page),
        (Keys("F3", _("notes")), now.notes),
        (Keys("F5", _("history")), True),
        (Keys("F7", _("looks")), has(Order.LOOKED)),
        (Keys("F8", _c("of a key", "records")), has(Order.RECORDS)),
        (Keys("F9", _("manifest")), has(Order.MANIFEST)),
        (Keys("F4", _("rules")), True),
        (Keys("F10", _("settings")), True),
    )
    return tuple(key for key, holds in every if holds)
