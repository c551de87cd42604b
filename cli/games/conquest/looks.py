"""What a card has shown to the player alone, in words."""

from __future__ import annotations

from cli.games.conquest.names import land, piece, zone
from cli.games.conquest.snapshot import snapshot
from cli.games.interface import ViewContext
from p2p_stratego.core.game import Slot
from p2p_stratego.core.language import _


def looked(context: ViewContext, slot: Slot) -> list[str]:
    """The piece under a slot, and where it stands, as one sentence."""
    face = context.view.known.get(slot)
    if face is None:
        return []
    for at, seen in snapshot(context).pieces.items():
        if seen.piece is not None and seen.piece.slot == slot:
            owner = context.players.names[seen.seat]
            return [f"{zone(at)}, {land(at)}: {owner}'s {piece(face)}."]
    return [_("It is the {piece}.", piece=piece(face))]
