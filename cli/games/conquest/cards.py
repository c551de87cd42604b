"""The cards of a turn: why one of them cannot be played, or should not be."""

from __future__ import annotations

from p2p_stratego.conquest.rules.atlas import NEIGHBOURS, Zone
from p2p_stratego.conquest.rules.cards import NEW_SPY, REGROUP, REINFORCE, SECRET, SURPRISE, Card
from p2p_stratego.conquest.rules.pieces import SPY
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.core.language import _
from p2p_stratego.core.view import View


def unplayable(view: View[State], card: Card) -> str:
    """The reason, in a few words, that the seat cannot play a card honestly; "" if it can.

    It takes the seat's own knowledge: the place of its spy.
    """
    state, seat = view.state, view.seat
    held = state.zones_held(seat)
    if card == REGROUP and len(held) < 3:
        return _("fewer than three pieces")
    if card in (REINFORCE, SURPRISE) and not state.bags[seat]:
        return _("bag empty")
    if card == REINFORCE and not any(
        state.board[other] is None for zone in held for other in NEIGHBOURS[zone]
    ):
        return _("nowhere to put it")
    if card in (SURPRISE, NEW_SPY) and not state.free():
        return _("nowhere to put it")
    if card == SECRET and spy_in_bag(view):
        return _("spy in the bag")
    if card == SECRET and not pairs(state, seat):
        return _("nothing to look at")
    if card == NEW_SPY and not spy_in_bag(view):
        return _("spy not in the bag")
    return ""


def spy_in_bag(view: View[State]) -> bool:
    """Whether the seat's spy is in its bag."""
    return any(
        (view.known.get(piece.slot) if piece.face is None else piece.face) == SPY
        for piece in view.state.bags[view.seat]
    )


def pairs(state: State, seat: int) -> list[tuple[Zone, Zone]]:
    """The pairs of neighbouring zones with a piece on each, one at least an enemy's, ascending."""
    return [
        (zone, other)
        for zone, piece in enumerate(state.board)
        if piece is not None
        for other in NEIGHBOURS[zone]
        if other > zone
        and (beside := state.board[other]) is not None
        and not piece.seat == beside.seat == seat
    ]
