"""Facts in a seat's view of Spies & Lies: its own line, today's intel, and its honest marks."""

from __future__ import annotations

from p2p_stratego.core.game import Move, Roll
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.rules.chance import deck_left
from p2p_stratego.spies_and_lies.rules.checks import falsely_marked
from p2p_stratego.spies_and_lies.rules.notation import MARKS
from p2p_stratego.spies_and_lies.rules.soldiers import MISSIONS, IntelRange
from p2p_stratego.spies_and_lies.rules.state import Deployment, State, slot


def own_line(view: View[State]) -> Deployment:
    """The four soldiers that the seat has laid today.  Raises KeyError before it has."""
    one, two, three, four = (view.known[slot(view.state.day, view.seat, mission)] for mission in MISSIONS)
    return one, two, three, four


def todays_intel(view: View[State]) -> IntelRange | None:
    """Today's intel card, also when it has only just been turned up; None before that."""
    turned_up = view.state.intel
    if len(turned_up) > view.state.day:
        return turned_up[view.state.day]
    rolls = [answer for ask, answer in view.since if isinstance(ask, Roll)]
    if view.state.phase != "intel" or not rolls:
        return None
    return deck_left(turned_up)[rolls[0]]


def honest_marks(view: View[State]) -> tuple[Move, ...]:
    """The moves that mark the seat's own line without a false mark: two if the Sergeant is in it, else one.

    Empty as long as there is no intel card.
    """
    intel = todays_intel(view)
    if intel is None:
        return ()
    line = own_line(view)
    return tuple(move for move, missions in MARKS.items() if not falsely_marked(line, missions, intel))
