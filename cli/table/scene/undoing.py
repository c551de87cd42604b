"""Taking unsent things back: a change of a set-up, a decision to confirm, decisions planned ahead, a
pass that is held back for a moment.

A decision that the program has signed is on the disk and may be with the others: nobody takes it back.
"""

from __future__ import annotations

from cli.games.interface import NotPossible
from cli.table.seat.controller import TableController
from cli.table.seat.setup import UNDO
from p2p_stratego.core.language import _, n_


def possible(table: TableController) -> bool:
    """Whether there is anything to take back, besides what stands in the input line."""
    return table.pending is not None or bool(table.planned) or table.timing.held or _drafted(table)


def _drafted(table: TableController) -> bool:
    setting_up, context = table.setting_up, table.context
    asked = setting_up is not None and context is not None and setting_up.question(context) is not None
    return asked and setting_up is not None and setting_up.can_undo


def undo(table: TableController, _said: str) -> None:
    """Take the last step back.  Raises NotPossible, with why."""
    setting_up, context = table.setting_up, table.context
    if setting_up is not None and context is not None and setting_up.question(context) is not None:
        setting_up.change(context, UNDO)
        return
    dropped = table.drop_plan()
    if table.timing.take_back():
        table.notice = ("good", _("Your pass is taken back: nobody has seen it."))
        return
    if not dropped:
        raise NotPossible(
            _("There is nothing to take back: what you decided is signed, and nobody can undo that.")
        )
    answer = n_(
        "One answer that you gave ahead is taken back; what was sent stays.",
        "{count} answers that you gave ahead are taken back; what was sent stays.",
        dropped,
    )
    table.notice = ("good", answer)


def shortened(text: str) -> str:
    """A line without its last part: its last word, or all of a line of one word."""
    return text.rstrip().rpartition(" ")[0].rstrip()
