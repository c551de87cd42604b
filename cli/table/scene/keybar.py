"""The bar of keys at the foot of the screen: those that do something at this moment, the most needed first.

A pure function of the moment; the screen shows as many as fit.
"""

from __future__ import annotations

from dataclasses import dataclass

from cli.table.scene.scene import KeyHint, Mode
from cli.table.words.commands import Order
from cli.table.words.keymap import PALETTE, PANELS, key_of, named
from p2p_stratego.core.language import _, _c


@dataclass(frozen=True, slots=True)
class Situation:
    """The facts that decide on the keys of a moment."""

    mode: Mode = "move"
    page: bool = False
    """Something to read is open."""
    overlay: bool = False
    """A list to choose from is open."""
    settings: bool = False
    """That list is of settings, which are changed in it while it stays."""
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
    if now.settings:
        return (KeyHint("↑↓", _("choose")), KeyHint("←→, Enter", _("change")), KeyHint("Esc", _("close")))
    if now.overlay:
        return (KeyHint("↑↓", _("choose")), KeyHint("Enter", _("take")), KeyHint("Esc", _("close")))
    if now.page:
        return (KeyHint("Esc", _("close")), scrolling(), *_always(now))
    if now.mode == "chat":
        return (KeyHint("Enter", _("send")), KeyHint("Esc", _("back to the game")), *_always(now, chat=False))
    if now.mode == "confirm":
        # "Take it back" would read as yes where the question is whether to take a decision back.
        answers = (
            (KeyHint("Enter", _("send")), KeyHint("Esc", _("take it back")))
            if now.light
            else (KeyHint("Esc", _("no")),)
        )
        return (*answers, *_always(now, chat=False))
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
        hints.append(_hint(Order.UNDO, _("undo")))
    return tuple(hints)


def _always(now: Situation, *, chat: bool = True) -> tuple[KeyHint, ...]:
    has = now.pages.__contains__
    every = (
        (_hint(Order.HELP, _("help")), True),
        (KeyHint(named(PALETTE), _("commands")), True),
        (_hint(Order.SAY, _("chat")), chat and not now.typed),
        (_hint(Order.LEAVE, _("leave")), True),
        (_hint(Order.COACH, _("coach")), now.coach),
        (KeyHint(named(PANELS), _("panels")), not now.page),
        (_hint(Order.NOTES, _("notes")), now.notes),
        (_hint(Order.HISTORY, _("history")), True),
        (_hint(Order.LOOKED, _("looks")), has(Order.LOOKED)),
        (_hint(Order.RECORDS, _c("of a key", "records")), has(Order.RECORDS)),
        (_hint(Order.MANIFEST, _("manifest")), has(Order.MANIFEST)),
        (_hint(Order.RULES, _("rules")), True),
        (_hint(Order.SETTINGS, _("settings")), True),
    )
    return tuple(key for key, holds in every if holds)


def _hint(order: Order, does: str) -> KeyHint:
    return KeyHint(key_of(order), does)
