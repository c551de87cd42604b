"""Taking things back: unsent ones, as a change of a set-up, a decision to confirm, decisions planned ahead, a
pass that is held back for a moment; and against bots alone a decision that was sent.

A decision that the program has signed is on the disk and may be with the others: nobody takes it back in a
game with people.  Against bots alone the record tells that it was taken back.
"""

from __future__ import annotations

from cli.games.interface import NotPossible
from cli.table.seat.controller import TableController
from cli.table.seat.setup import UNDO
from p2p_stratego.core.language import _, n_
from protocol.limits import MAX_TAKEBACKS
from protocol.record.asks.takeback import Lasting


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
        if not no_takeback(table):
            raise NotPossible(_("Everything is sent. Type back to take your last decision back."))
        if not table.session.referee.decided_at[table.replica.seat]:
            raise NotPossible(_("Nothing to take back yet."))
        raise NotPossible(
            _("There is nothing to take back: what you decided is signed, and nobody can undo that.")
        )
    answer = n_(
        "One answer that you gave ahead is taken back; what was sent stays.",
        "{count} answers that you gave ahead are taken back; what was sent stays.",
        dropped,
    )
    table.notice = ("good", answer)


def no_takeback(table: TableController) -> str:
    """Why the player's last decision cannot be taken back now, in a few words; "" if it can."""
    if table.over:
        return _("the game has ended")
    if table.coach.teaches:
        return _("the lesson goes on")
    if not table.replica.match.takebacks:
        return _("other people play here")
    if table.session.referee.takeable(table.replica.seat) is None:
        return _why_lasting(table) if table.asked else _("nothing is asked of you")
    return ""


def _why_lasting(table: TableController) -> str:
    match table.session.referee.lasting(table.replica.seat):
        case Lasting.MOST:
            return n_("once in a game is the most", "{count} times in a game are the most", MAX_TAKEBACKS)
        case Lasting.LEFT:
            return _("a player has left since your last decision")
        case Lasting.FAR:
            return _("your last decision lies too far back")
        case Lasting.NONE:
            return _("you have decided nothing yet")


def back(table: TableController, _said: str) -> None:
    """Take the player's last decision back, the first time after a question.  Raises NotPossible."""
    refused = no_takeback(table)
    if refused:
        raise NotPossible(_("Nothing is taken back: {why}.", why=refused))
    if table.practice:
        _go_back(table)
        return
    question = _("Take your last decision back? Then this game is practice, and counts for no statistics.")
    table.confirm(question, lambda: _go_back(table))


def _go_back(table: TableController) -> None:
    table.take_back()
    practice = _("Your last decision is taken back: try another way. This game is practice now.")
    table.notice = ("good", practice)


def shortened(text: str) -> str:
    """A line without its last part: its last word, or all of a line of one word."""
    return text.rstrip().rpartition(" ")[0].rstrip()
