"""All commands as a list to search: what each does, its key, and why it does nothing now, if so.

Commands with an effect now stand first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cli.shell.settings import ABOUT
from cli.table.pages import end_page
from cli.table.scene import readers, undoing
from cli.table.scene.preferences import PREFERENCES
from cli.table.scene.scene import Overlay, OverlayRow
from cli.table.seat import hints
from cli.table.seat.controller import TableController
from cli.table.words import commands, end_and_rematch, other_players
from cli.table.words.commands import DECISIONS, Order
from cli.table.words.keymap import key_of
from p2p_stratego.core.language import _


def why_not(table: TableController, order: Order) -> str:
    """Why a command does nothing now, in a few words; "" for one that does something."""
    if table.pending is not None and order in DECISIONS:
        return _("answer the question first")
    if order in _SEQUEL:
        return end_page.why_not(table.offers, order, ended=table.ended)
    find = _WHY_NOT.get(order)
    return "" if find is None else find(table)


def _running(table: TableController) -> str:
    return _("the game has ended") if table.over else ""


def _resign(table: TableController) -> str:
    return _("you have left") if other_players.has_left(table.replica) else _running(table)


def _draw(table: TableController) -> str:
    bots = other_players.bots(table.replica, table.players)
    return _running(table) or (_("no bot agrees to one") if bots else "")


def _accept(table: TableController) -> str:
    offered = table.session.draw_offer is not None or end_and_rematch.rematch_is_offered(table.replica)
    return "" if offered else _("nothing is offered")


def _claim(table: TableController) -> str:
    if table.session.outcome is not None:
        return _("the game has ended")
    return "" if table.replica.claimable_in == 0 else _("nobody is late")


def _rematch(table: TableController) -> str:
    if not table.over:
        return _("the game goes on")
    return "" if Order.REMATCH in end_and_rematch.offered(table.replica) else _("not everybody is here")


def _to(table: TableController) -> str:
    return _("now all talk is open to all") if readers.closed(table) else ""


def _interrupts(table: TableController) -> str:
    return "" if table.terminal.interrupts else _("nobody is asked out of turn here")


def _drafted(table: TableController) -> str:
    setting_up, context = table.setting_up, table.context
    drafting = setting_up is not None and context is not None and setting_up.question(context) is not None
    return "" if drafting else _("nothing is being set up")


def _watch(table: TableController) -> str:
    return "" if table.environment.watch is not None else _("nobody can call this program")


def _friend(table: TableController) -> str:
    return "" if table.environment.befriend is not None else _("nobody here could be met again")


def _looked(table: TableController) -> str:
    return "" if table.unread.looked_at(table.context) else _("nothing was shown to you alone")


def _moves(table: TableController) -> str:
    return "" if table.asked and not table.over else _("nothing is asked of you")


def _undo(table: TableController) -> str:
    return "" if undoing.possible(table) else _("everything is sent")


_SEQUEL: Final = frozenset(command.order for command in commands.AFTERWARDS)
_WHY_NOT: Final[Mapping[Order, Callable[[TableController], str]]] = {
    Order.RESIGN: _resign,
    Order.DRAW: _draw,
    Order.ACCEPT: _accept,
    Order.CLAIM: _claim,
    Order.REMATCH: _rematch,
    Order.TO: _to,
    Order.NEVER: _interrupts,
    Order.ASK: _interrupts,
    Order.SAVE: _drafted,
    Order.LOAD: _drafted,
    Order.SETUPS: _drafted,
    Order.WATCH: _watch,
    Order.FRIEND: _friend,
    Order.LOOKED: _looked,
    Order.MOVES: _moves,
    Order.HINT: hints.why_not,
    Order.UNDO: _undo,
    Order.BACK: undoing.no_takeback,
    Order.RECORDS: lambda table: "" if table.terminal.records else _("this game has none"),
    Order.MANIFEST: lambda table: "" if table.terminal.manifest else _("this game has none"),
}


@dataclass(frozen=True, slots=True)
class PaletteItem:
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


def items(table: TableController) -> list[PaletteItem]:
    """All commands of this game, and the settings."""
    terminal = table.terminal
    more: list[commands.Command] = []
    more += [commands.PRIVATE] * (terminal.private is not None)
    more += commands.INTERRUPTS if terminal.interrupts else ()
    has = {Order.RECORDS: terminal.records, Order.MANIFEST: terminal.manifest}
    more += [command for command in commands.COUNTED if has[command.order] is not None]
    more += commands.AFTERWARDS if table.offers else ()
    more += commands.SETTING_UP if terminal.setup_editor is not None else ()
    return [
        *(
            PaletteItem(
                command.words,
                command.argument,
                _(command.about),
                key_of(command.order),
                why_not(table, command.order),
            )
            for command in (*commands.TABLE, *more)
        ),
        *(
            PaletteItem(
                (f"{Order.SETTINGS.value} {preference.field}", preference.field),
                "",
                _(ABOUT[preference.field]),
                "",
                "",
                place,
            )
            for place, preference in enumerate(PREFERENCES)
        ),
    ]


_NOT: Final = 0.0
"""The score of a command that does not fit at all."""


def score(query: str, words: Sequence[str], about: str) -> float:
    """How well a command fits the typed text: 0.0 not at all; a word's beginning is best, then a part of it,
    then its letters in their order, then a part of the line about the command.
    """
    letters = "".join(query.lower().split())
    if not letters:
        return 1.0
    best = max(_of_word(letters, word) for word in words)
    if best:
        return best
    whole = about.lower()
    if query.lower().strip() in whole:
        return 0.2
    return 0.1 if all(part in whole for part in query.lower().split()) else _NOT


def _of_word(letters: str, word: str) -> float:
    if word.startswith(letters):
        return 1.0 + len(letters) / len(word)
    if letters in word:
        return 0.8 + 0.1 * len(letters) / len(word)
    return 0.5 * len(letters) / len(word) if _in_order(letters, word) else _NOT


def _in_order(letters: str, word: str) -> bool:
    left = iter(word)
    return all(letter in left for letter in letters)


def hits(every: Sequence[PaletteItem], query: str) -> list[PaletteItem]:
    """The items that fit `query`: those with an effect now first, then the better fits, then as listed."""
    wanted = every if query.strip() else [item for item in every if item.setting is None]
    scored = [(score(query, item.words, item.about), item) for item in wanted]
    fitting = [(value, item) for value, item in scored if value > _NOT]
    return [item for _value, item in sorted(fitting, key=lambda hit: (bool(hit[1].why_not), -hit[0]))]


def overlay(table: TableController, query: str, selected: int) -> Overlay:
    """The palette over the board; `selected`: which of those that fit."""
    fitting = hits(items(table), query)
    rows = tuple(OverlayRow(item.shown, item.about, item.key, dim=item.why_not) for item in fitting)
    foot = _("↑↓ choose · Enter does it · Esc closes")
    return Overlay(_("Commands"), rows, selected % len(rows) if rows else 0, foot, _("No command fits."))
