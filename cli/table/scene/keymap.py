"""The bar of keys at the foot of the screen: those that do something at this moment, the most needed first.

A pure function of the moment; the screen shows as many as fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cli.table.scene.scene import KeyHint, Mode
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
    """The facts that decide on the keys of a moment."""

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


def keys(now: Situation) -> tuple[KeyHint, ...]:
    """The keys that do something now, the most needed first."""
    if now.film:
        return (KeyHint(_("any key"), _("goes on")),)
    if now.overlay:
        return (KeyHint("↑↓", _("choose")), KeyHint("Enter", _("take")), KeyHint("Esc", _("close")))
    if now.page:
        return (KeyHint("Esc", _("close")), scrolling(), *_always(now))
    if now.mode == "chat":
        return (KeyHint("Enter", _("send")), KeyHint("Esc", _("back to the game")), *_always(now, chat=False))
    if now.mode == "confirm":
        first = (KeyHint("Enter", _("send")),) if now.light else ()
        return (*first, KeyHint("Esc", _("take it back")), *_always(now, chat=False))
    return (*_playing(now), *_always(now))


def uncovering() -> KeyHint:
    """The key that gives rows of the board back which news have covered."""
    return KeyHint(_("any key"), _("whole board"))


def scrolling() -> KeyHint:
    """The keys that scroll a page over the table."""
    return KeyHint(_("PgUp PgDn"), _("scroll"))


def _playing(now: Situation) -> tuple[KeyHint, ...]:
    """The keys that answer the question, before the others."""
    hints: list[KeyHint] = []
    if now.typed:
        hints += [
            KeyHint("Enter", _("send")),
            KeyHint("Tab", _c("of a key", "complete")),
            KeyHint("Esc", _("clear")),
        ]
    elif now.points:
        hints.append(KeyHint(_("↑↓←→ Enter"), _c("of a key", "play")))
    elif now.offered:
        hints.append(KeyHint(_("↑↓ Enter"), _("pick")))
    elif now.pausing:
        hints += [KeyHint("Enter", _("go on")), KeyHint("Esc", _("to your turn"))]
    if now.undo or (now.typed and now.asked):
        hints.append(KeyHint("^_", _("undo")))
    return tuple(hints)


def _always(now: Situation, *, chat: bool = True) -> tuple[KeyHint, ...]:
    has = now.pages.__contains__
    every = (
        (KeyHint("F1", _("help")), True),
        (KeyHint("^P", _("commands")), True),
        (KeyHint("Tab", _("chat")), chat and not now.typed),
        (KeyHint("^Q", _("leave")), True),
        (KeyHint("F6", _("coach")), now.coach),
        (KeyHint("F2", _("panels")), not now.page),
        (KeyHint("F3", _("notes")), now.notes),
        (KeyHint("F5", _("history")), True),
        (KeyHint("F7", _("looks")), has(Order.LOOKED)),
        (KeyHint("F8", _c("of a key", "records")), has(Order.RECORDS)),
        (KeyHint("F9", _("manifest")), has(Order.MANIFEST)),
        (KeyHint("F4", _("rules")), True),
        (KeyHint("F10", _("settings")), True),
    )
    return tuple(key for key, holds in every if holds)
