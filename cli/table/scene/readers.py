"""Who alone reads a message: the player named behind "to", where the game has talk between two.

Pure readings of a TableController.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from operator import itemgetter
from typing import Final

from cli.games.interface import Ambiguous, Choice
from cli.games.typed_names import folded, spellings
from cli.table.seat.controller import TableController
from cli.table.words import commands
from cli.text.layout import series
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _

_WORDS: Final = tuple(f"{word} " for word in commands.PRIVATE.words)
_WORD: Final = re.compile(r"[^\W_]+")
_BETWEEN: Final = " ,:"
"""Signs between a name and the message."""


def behind(typed: str) -> str | None:
    """The text behind "to" or "whisper" in a line; None if it begins otherwise."""
    text = typed.lstrip()
    return next((text[len(word) :].lstrip() for word in _WORDS if text.lower().startswith(word)), None)


def closed(table: TableController) -> str:
    """Why nobody can talk to one player alone now, as a sentence; "" if one can."""
    private, context = table.terminal.private, table.context
    if private is None:
        return _("In this game all talk is open to all: type / and the message.")
    if context is None:
        return _("The game is still being set up.")
    if not private(context.view):
        reason = _("Now all talk is open to all: two can talk alone while the game has a time for it.")
        return f"{reason} {table.terminal.opens_talk(context.view)}".rstrip()
    return ""


def open_to(table: TableController) -> Collection[Seat]:
    """The other seats to which our player may talk alone now."""
    private, context = table.terminal.private, table.context
    return () if private is None or context is None else private(context.view)


def refused(table: TableController, reader: Seat) -> str:
    """Why our player can talk to others alone but not to this reader, as a sentence; "" if it can."""
    others, context = open_to(table), table.context
    if not others or reader in others or context is None:
        return ""
    names = series([table.players.names[seat] for seat in sorted(others)])
    reason = _("Now you can talk alone with {names} only.", names=names)
    return f"{reason} {table.terminal.opens_talk(context.view)}".rstrip()


def addressee(table: TableController, text: str) -> tuple[Seat, str] | None:
    """The seat that `text` names first, by its player or its own name, and the message behind; None: no seat.

    Raises Ambiguous if two of them have that name.
    """
    # Of "Max" and "Max Müller", "max muller" is the second; of "Kathe" and "Käthe", "kathe" the first.
    longest, seats = max((_longest(table, text, begins) for begins in (_exact, _alike)), key=itemgetter(0))
    if not longest:
        return None
    if len(seats) > 1:
        raise Ambiguous(
            _("“{text}” could be {several}.", text=text[:longest], several=_several(table, seats))
        )
    return seats.pop(), text[longest:].lstrip(_BETWEEN).rstrip()


def _longest(table: TableController, text: str, begins: Callable[[str, str], int]) -> tuple[int, set[Seat]]:
    """The length of the longest name that the text begins with, 0 for none, and the seats of that name."""
    by_length: dict[int, set[Seat]] = {}
    for seat, name in _names(table):
        by_length.setdefault(begins(text, name), set()).add(seat)
    longest = max(by_length)
    return longest, by_length[longest]


def _exact(text: str, name: str) -> int:
    """The characters of the text that are this name, in capitals or not; 0 for none."""
    size = len(name)
    return size if text[:size].casefold() == name.casefold() and not text[size : size + 1].isalnum() else 0


def _alike(text: str, name: str) -> int:
    """The same for a name typed without its accents, or with ae for ä."""
    words = list(_WORD.finditer(text))
    for parts in spellings(name):
        if tuple(folded(word[0]) for word in words[: len(parts)]) == parts:
            return words[len(parts) - 1].end()
    return 0


def _names(table: TableController) -> list[tuple[Seat, str]]:
    """The names of the other seats: their players' as they are shown, their own as shown and in English."""
    own, seats = table.replica.seat, table.replica.match.seat_names
    names = [*enumerate(table.players.names), *enumerate(map(_, seats)), *enumerate(seats)]
    return [(seat, name) for seat, name in names if seat != own]


def _several(table: TableController, seats: set[Seat]) -> str:
    return series(
        [f"{table.players.names[seat]} ({_(table.replica.match.seat_names[seat])})" for seat in seats]
    )


def example(table: TableController) -> str:
    """The name of another player to whom ours may talk alone, if there is one."""
    names, others = _names(table), open_to(table)
    return next((name for seat, name in names if seat in others), names[0][1])


def choices(table: TableController, typed: str) -> tuple[Choice, ...]:
    """The names that can follow "to" in the typed line."""
    text = behind(typed)
    if text is None or closed(table):
        return ()
    start = typed[: len(typed) - len(text)]
    return tuple(
        Choice(f"{start}{name} ", name)
        for name in (table.players.names[seat] for seat in sorted(open_to(table)))
        if name.casefold().startswith(text.casefold()) and name.casefold() != text.casefold()
    )


def sealed_for(name: str) -> str:
    """A sentence on who reads a message to one player alone, and who sees that it was written."""
    return _("Sealed: only {name} reads this; that you wrote to {name} is seen by all.", name=name)


def addressed(table: TableController, typed: str) -> str:
    """`sealed_for` while a message to one player is typed; "" for any other line."""
    text = behind(typed)
    if text is None or closed(table):
        return ""
    try:
        named = addressee(table, text)
    except Ambiguous as error:
        return str(error)
    if named is None:
        return ""
    return refused(table, named[0]) or sealed_for(table.players.names[named[0]])
