"""Which commands do something now, and why the others do not.  Pure readings of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from cli.table.scene import readers, undoing
from cli.table.seat.controller import TableController
from cli.table.words import afterwards, status
from cli.table.words.commands import DECISIONS, Order
from p2p_stratego.core.language import _


def why_not(table: TableController, order: Order) -> str:
    """Why a command does nothing now, in a few words; "" for one that does something."""
    if table.pending is not None and order in DECISIONS:
        return _("answer the question first")
    find = _WHY_NOT.get(order)
    return "" if find is None else find(table)


def _running(table: TableController) -> str:
    return _("the game has ended") if table.over else ""


def _resign(table: TableController) -> str:
    return _("you have left") if status.has_left(table.replica) else _running(table)


def _draw(table: TableController) -> str:
    bots = status.bots(table.replica, table.players)
    return _running(table) or (_("no bot agrees to one") if bots else "")


def _accept(table: TableController) -> str:
    offered = table.session.draw_offer is not None or afterwards.rematch_is_offered(table.replica)
    return "" if offered else _("nothing is offered")


def _claim(table: TableController) -> str:
    if table.session.outcome is not None:
        return _("the game has ended")
    return "" if table.replica.claimable_in == 0 else _("nobody is late")


def _rematch(table: TableController) -> str:
    if not table.over:
        return _("the game goes on")
    return "" if "rematch" in afterwards.offered(table.replica) else _("not everybody is here")


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
    return "" if undoing.possible(table) else _("nothing unsent is there")


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
    Order.UNDO: _undo,
    Order.RECORDS: lambda table: "" if table.terminal.records else _("this game has none"),
    Order.MANIFEST: lambda table: "" if table.terminal.manifest else _("this game has none"),
}
