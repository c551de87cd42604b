"""Orders after the end of a match: to see it again, to learn from it, to show it, to play on.

See `actions`, which takes the orders.
"""

from __future__ import annotations

from cli.games.interface import NotPossible
from cli.table.pages import end_page
from cli.table.pages.end_page import DIGITS
from cli.table.seat.controller import TableController
from cli.table.words.commands import Order
from p2p_stratego.core.language import _


def meant(table: TableController, typed: str) -> str:
    """The command that a digit stands for, after the end; any other line as it is."""
    offered = dict(zip(DIGITS, table.offers, strict=False)).get(typed.strip())
    return typed if offered is None else offered.order.value


def _possible(table: TableController, order: Order) -> None:
    """Raise NotPossible if the order does nothing now."""
    reason = end_page.why_not(table.offers, order, ended=table.ended)
    if order is Order.MISTAKES and reason == _(end_page.NO_MISTAKES):
        raise NotPossible(_("You made no costly mistakes: there is nothing to try again."))
    if order is Order.ANALYSIS and reason == _(end_page.NEVER_TURNED):
        raise NotPossible(_("The chances hardly moved: there is nothing to show."))
    if reason:
        raise NotPossible(_("{command} does nothing now: {reason}.", command=order.value, reason=reason))


def visit(order: Order, table: TableController, _unused: str) -> None:
    """Go to another program of ours, and come back.  Raises NotPossible."""
    _possible(table, order)
    table.wish = order


def go_on(table: TableController, _unused: str) -> None:
    """Leave for a match with the next opponent, from a lesson for what comes next.  Raises NotPossible."""
    _possible(table, Order.NEXT)
    if table.coach.teaches:
        table.go_on_learning()
        return
    table.wish = Order.NEXT
    table.go()


def share(table: TableController, _unused: str) -> None:
    """Write what a friend can be shown, once; then show where it is.  Raises NotPossible."""
    _possible(table, Order.SHARE)
    if table.show_shared():
        return
    table.environment.share()
    table.notice = ("good", _("The page and the pictures are being made …"))


def proof(table: TableController, _unused: str) -> None:
    """Show the audit, and the commands.  Raises NotPossible."""
    if not table.ended:
        raise NotPossible(_("This is for after the end."))
    table.page = table.proof_page()


VISITS = tuple(order for order in Order if end_page.visits(order))
"""The orders that `visit` takes."""
