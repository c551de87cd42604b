"""What a card has shown to the player alone, in words."""

from __future__ import annotations

from cli.games.conquest.names import piece, zone
from cli.games.conquest.snapshot import snapshot
from cli.games.interface import ViewContext
from p2p_stratego.conquest.formats.words import land
from p2p_stratego.conquest.rules.atlas import TERRITORY_OF
from p2p_stratego.core.game import Slot
from p2p_stratego.core.language import _


def looked(context: ViewContext, slot: Slot) -> list[str]:
    """The piece under a slot, and where it stands, as one sentence."""
    face = context.view.known.get(slot)
    if face is None:
        return []
    for at, seen in snapshot(context).pieces.items():
        if seen.piece is not None and seen.piece.slot == slot:
            where = f"{zone(at)}, {land(TERRITORY_OF[at])}"
            return [f"{where}: {context.players.has(seen.seat, piece(face))}."]
    return [_("It is the {piece}.", piece=piece(face))]
