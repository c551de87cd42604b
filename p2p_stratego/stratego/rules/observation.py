"""Facts in a seat's view of Stratego: its own legal moves, and the possible faces of other pieces."""

from __future__ import annotations

from p2p_stratego.core.game import Face, Move
from p2p_stratego.core.view import View
from p2p_stratego.stratego.rules.board import Square
from p2p_stratego.stratego.rules.movement import Reach, legal, own_reach
from p2p_stratego.stratego.rules.notation import NONE
from p2p_stratego.stratego.rules.state import State


def reach(view: View[State]) -> Reach:
    """How far the seat's own pieces go; the same all game long, once its army is laid."""
    return own_reach(view.seat, view.known)


def own_moves(view: View[State]) -> list[Move]:
    """The seat's legal moves, "none" included, when it is its turn: never empty."""
    return legal(view.state, reach(view)) or [NONE]


def could_be(view: View[State], square: Square) -> frozenset[Face]:
    """The possible faces of the piece on a square, as far as this seat knows; empty if there is none."""
    piece = view.state.at(square)
    if piece is None:
        return frozenset()
    if piece.slot is not None and piece.slot in view.known:
        return frozenset((view.known[piece.slot],))
    return view.state.could_be(piece)
