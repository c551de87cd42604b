"""All commands as a list to search: what each does, its key, and those that do something now first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cli.shell.setting_words import ABOUT
from cli.table.scene.keybar import KEY_OF
from cli.table.scene.possible import why_not
from cli.table.scene.preferences import PREFERENCES
from cli.table.scene.scene import Overlay, Row
from cli.table.seat.controller import TableController
from cli.table.words import commands
from cli.table.words.commands import Order
from p2p_stratego.core.language import _


@dataclass(frozen=True, slots=True)
class Item:
    """A command as the palette has it."""

    words: tuple[str, ...]
    argument: str
    about: str
    key: str
    why_not: str
    """Why it does nothing now; "" if it does something."""
    setting: int | None = None
    """The place of a setting among PREFERENCES, which is found by a search alone; None for a command."""

    @property
    def shown(self) -> str:
        """How it is typed."""
        return f"{self.words[0]} {self.argument}".rstrip()

    @property
    def needs_more(self) -> bool:
        """Whether something has to be typed behind it."""
        return bool(self.argument) and not self.argument.startswith("[")


def items(table: TableController) -> list[Item]:
    """All commands of this game, and the settings."""
    terminal = table.terminal
    more: list[commands.Entry] = []
    more += [commands.PRIVATE] * (terminal.private is not None)
    more += commands.INTERRUPTS if terminal.interrupts else ()
    has = {Order.RECORDS: terminal.records, Order.MANIFEST: terminal.manifest}
    more += [entry for entry in commands.COUNTED if has[entry.order] is not None]
    more += commands.SETTING_UP if terminal.setup_editor is not None else ()
    return [
        *(
            Item(
                each.words,
                each.argument,
                _(each.about),
                KEY_OF.get(each.order, ""),
                why_not(table, each.order),
            )
            for each in (*commands.TABLE, *more)
        ),
        *(
            Item(
                (f"{Order.SETTINGS.value} {each.field}", each.field), "", _(ABOUT[each.field]), "", "", place
            )
            for place, each in enumerate(PREFERENCES)
        ),
    ]


_NOT: Final = 0.0
"""The score of what does not fit at all."""


def score(query: str, words: Sequence[str], about: str) -> float:
    """How well a command fits what was typed: 0.0 not at all; a word's beginning is best, then a part of it,
    then its letters in their order, then a part of what the command does.
    """
    said = "".join(query.lower().split())
    if not said:
        return 1.0
    best = max(_of_word(said, word) for word in words)
    if best:
        return best
    whole = about.lower()
    if query.lower().strip() in whole:
        return 0.2
    return 0.1 if all(part in whole for part in query.lower().split()) else _NOT


def _of_word(said: str, word: str) -> float:
    if word.startswith(said):
        return 1.0 + len(said) / len(word)
    if said in word:
        return 0.8 + 0.1 * len(said) / len(word)
    return 0.5 * len(said) / len(word) if _in_order(said, word) else _NOT


def _in_order(said: str, word: str) -> bool:
    left = iter(word)
    return all(letter in left for letter in said)


def found(every: Sequence[Item], query: str) -> list[Item]:
    """Those that fit `query`: what does something now first, then by how well they fit, then as listed."""
    wanted = every if query.strip() else [item for item in every if item.setting is None]
    scored = [(score(query, item.words, item.about), item) for item in wanted]
    fitting = [(value, item) for value, item in scored if value > _NOT]
    return [item for _value, item in sorted(fitting, key=lambda one: (bool(one[1].why_not), -one[0]))]


def overlay(table: TableController, query: str, selected: int) -> Overlay:
    """The palette over the board; `selected`: which of those that fit."""
    fitting = found(items(table), query)
    rows = tuple(Row(item.shown, item.about, item.key, dim=item.why_not) for item in fitting)
    foot = _("↑↓ choose · Enter does it · Esc closes")
    return Overlay(_("Commands"), rows, selected % len(rows) if rows else 0, foot, _("No command fits."))
