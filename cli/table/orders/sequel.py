"""Orders after the end of a match: to see it again, to learn from it, to show it, to play on.

See `actions`, which takes the orders.
"""

from __future__ import annotations

from cli.games.interface import NotPossible
from cli.table.seat.controller import TableController
from cli.table.words import ends
from cli.table.words.commands import Order
from cli.table.words.ends import DIGITS
from p2p_stratego.core.language import _


def meant(table: TableController, typed: str) -> str:
    """The command that a digit stands for, after the end; any other line as it is."""
    order = DIGITS.get(typed.strip())
    return order.value if order is not None and any(offer.order is order for offer in table.offers) else typed


def _possible(table: TableController, order: Order) -> None:
    """Raise NotPossible if the order does nothing now."""
    if reason := ends.why_not(table.offers, order, ended=table.ended):
        raise NotPossible(_("{command} does nothing now: {reason}.", command=order.value, reason=reason))


def visit(order: Order, table: TableController, _unused: str) -> None:
    """Go to another program of ours, and come back.  Raises NotPossible."""
    _possible(table, order)
    table.wish = order


def go_on(table: TableController, _unused: str) -> None:
    """Leave for a match with the next opponent.  Raises NotPossible."""
    _possible(table, Order.NEXT)
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


VISITS = tuple(order for order in Order if ends.visits(order))
"""The orders that `visit` takes."""
